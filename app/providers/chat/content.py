"""The forms of reasoning and content other than plain strings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from app.core.run.chat_model import Json


def reasoning_of(delta: dict[str, Any], details: ReasoningDetails) -> tuple[str, str]:
    """The field reasoning came in and its text, once – some servers send the same text in two fields.

    Structured details are kept in `details`: encrypted ones have no text but must go back.
    """
    name = text = ""
    for candidate in ("reasoning_content", "reasoning", "reasoning_text", "thinking", "thinking_blocks"):
        value = delta.get(candidate)
        if value and (text := _thought(value)):
            name = candidate if isinstance(value, str) else ""
            break
    raw_details = delta.get("reasoning_details")
    if isinstance(raw_details, list) and raw_details:
        thoughts = details.add(raw_details)
        if thoughts:
            return name, thoughts
    return name, text


class ReasoningDetails:
    """`reasoning_details` of a stream, joined to the blocks they are pieces of.

    A signature is valid for its whole block, so the pieces of a block must go back as one; encrypted
    blocks stay as they came.
    """

    def __init__(self) -> None:
        self._blocks: list[dict[str, Json]] = []
        self._texts: list[tuple[str, list[str]]] = []

    def __bool__(self) -> bool:
        return bool(self._blocks)

    def add(self, given: list[Any]) -> str:
        """The text of these pieces."""
        texts = []
        for piece in given:
            if isinstance(piece, dict):
                name = next((name for name in ("text", "summary") if isinstance(piece.get(name), str)), "")
                self._add_one(piece, name)
                texts.append(piece[name] if name else "")
        return "".join(texts)

    def _add_one(self, piece: dict[str, Any], name: str) -> None:
        if not self._blocks or not self._continues(piece):
            self._blocks.append(dict(piece))
            self._texts.append((name, [piece[name]] if name else []))
            return
        block = self._blocks[-1]
        block.update({key: value for key, value in piece.items() if value is not None and key != name})
        known, texts = self._texts[-1]
        if name:
            self._texts[-1] = (known or name, texts)
            texts.append(piece[name])

    def _continues(self, piece: dict[str, Any]) -> bool:
        last = self._blocks[-1]
        same = all(last.get(key) == piece.get(key) for key in ("type", "index"))
        return same and piece.get("type") in ("reasoning.text", "reasoning.summary") and not last.get("signature")

    @property
    def blocks(self) -> list[Json]:
        made: list[Json] = []
        for block, (name, texts) in zip(self._blocks, self._texts, strict=True):
            made.append({**block, name: "".join(texts)} if name else block)
        return made


class ContentParts:
    """Content that is a list (Mistral): what it says, and the same list joined up for the echo."""

    def __init__(self) -> None:
        self.seen = False
        self.refusal = False
        self._runs: list[tuple[Literal["text", "reasoning"], list[str]]] = []

    def add(self, content: list[Any]) -> Iterator[tuple[Literal["text", "reasoning"], str]]:
        self.seen = True
        for part in content:
            if isinstance(part, str):
                yield self._note("text", part)
            elif isinstance(part, dict):
                if isinstance(part.get("thinking"), (str, list)) or part.get("type") in _REASONING_PARTS:
                    yield self._note("reasoning", _thought(part))
                elif isinstance(part.get("text"), str):
                    yield self._note("text", part["text"])
                elif isinstance(part.get("refusal"), str) and part["refusal"]:
                    self.refusal = True
                    yield self._note("text", part["refusal"])

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


_REASONING_PARTS = ("reasoning", "reasoning_text", "thinking", "summary_text")


def _thought(value: object) -> str:
    """A text, a block with one, or a list of either."""
    if isinstance(value, dict):
        value = next((value[name] for name in ("thinking", "text", "content", "summary") if value.get(name)), "")
    if isinstance(value, list):
        blocks = (next(iter(_texts(part)), "") if isinstance(part, dict) else part for part in value)
        return "".join(text for text in blocks if isinstance(text, str))
    return value if isinstance(value, str) else ""


def _texts(part: dict[str, Any]) -> Iterator[str]:
    return (part[name] for name in ("thinking", "text") if isinstance(part.get(name), str))
