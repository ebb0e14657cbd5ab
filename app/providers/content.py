"""The shapes in which reasoning and content arrive beside plain strings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from app.core.chat_model import Json


def reasoning_of(delta: dict[str, Any], details: list[Json]) -> tuple[str, str]:
    """The field reasoning came in and its text, once – some servers send the same text in two fields.

    Structured details are appended to `details` in order: encrypted ones have no text but must go back.
    """
    name = text = ""
    for candidate in ("reasoning_content", "reasoning"):
        value = delta.get(candidate)
        if isinstance(value, str) and value:
            name, text = candidate, value
            break
    given = delta.get("reasoning_details")
    if isinstance(given, list) and given:
        kept = [item for item in given if isinstance(item, dict)]
        details += kept
        told = "".join(_detail_text(item) for item in kept)
        if told:
            return name, told
    return name, text


def _detail_text(item: dict[str, Any]) -> str:
    for field in ("text", "summary"):
        if isinstance(value := item.get(field), str):
            return value
    return ""


class ContentParts:
    """Content that is a list (Mistral): what it says, and the same list joined up for the echo."""

    def __init__(self) -> None:
        self.seen = False
        self._runs: list[tuple[Literal["text", "reasoning"], list[str]]] = []

    def add(self, content: list[Any]) -> Iterator[tuple[Literal["text", "reasoning"], str]]:
        self.seen = True
        for part in content:
            if isinstance(part, str):
                yield self._note("text", part)
            elif isinstance(part, dict):
                if isinstance(part.get("thinking"), (str, list)):
                    yield self._note("reasoning", _flat(part["thinking"]))
                elif isinstance(part.get("text"), str):
                    yield self._note("text", part["text"])

    def _note(self, kind: Literal["text", "reasoning"], text: str) -> tuple[Literal["text", "reasoning"], str]:
        if not self._runs or self._runs[-1][0] != kind:
            self._runs.append((kind, []))
        self._runs[-1][1].append(text)
        return kind, text

    @property
    def merged(self) -> list[Json]:
        made: list[Json] = []
        for kind, pieces in self._runs:
            text = {"type": "text", "text": "".join(pieces)}
            made.append(text if kind == "text" else {"type": "thinking", "thinking": [text]})
        return made


def _flat(value: str | list[Any]) -> str:
    if isinstance(value, str):
        return value
    texts = (part.get("text") if isinstance(part, dict) else part for part in value)
    return "".join(text for text in texts if isinstance(text, str))
