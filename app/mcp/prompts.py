"""Prompts a server offers: as it lists them with their arguments, and what one of them says as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from .texts import for_model, scrub

MOST_PROMPTS: Final = 200
_MOST_ARGUMENTS: Final = 20
_LONGEST_NAME: Final = 120
_LONGEST_NOTE: Final = 300


@dataclass(frozen=True, slots=True)
class PromptArgument:
    name: str
    """As the server calls it."""
    title: str
    note: str = ""
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class ListedPrompt:
    name: str
    """As the server calls it."""
    title: str
    note: str = ""
    arguments: tuple[PromptArgument, ...] = ()


def read_prompts(raws: Iterable[Any]) -> tuple[ListedPrompt, ...]:
    """Those that can be asked for, each once. Raises nothing, whatever the server listed."""
    found: dict[str, ListedPrompt] = {}
    for raw in raws:
        name = _name_of(raw)
        arguments = _arguments_of(raw.get("arguments")) if name else None
        if name and arguments is not None:
            found.setdefault(name, ListedPrompt(name, _title_of(raw), _note_of(raw), arguments))
        if len(found) >= MOST_PROMPTS:
            break
    return tuple(found.values())


def prompt_text(raw: Mapping[str, Any]) -> tuple[str, int]:
    """The text of a result of `prompts/get`, without characters that cannot be seen; how many parts are no text."""
    messages = raw.get("messages")
    contents = [one.get("content") for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
    texts = [_content_text(content) for content in contents]
    whole = "\n\n".join(text for text in texts if text)
    return for_model(scrub(whole), max(1, len(whole))), sum(text is None for text in texts)


def _content_text(content: Any) -> str | None:
    part = content.get("resource") if isinstance(content, dict) and content.get("type") == "resource" else content
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else None


def _arguments_of(raw: Any) -> tuple[PromptArgument, ...] | None:
    """None where there is one that nobody could be asked for."""
    found: dict[str, PromptArgument] = {}
    for one in raw if isinstance(raw, list) else ():
        is_required = isinstance(one, dict) and one.get("required") is True
        name = _name_of(one)
        if name and name not in found and len(found) < _MOST_ARGUMENTS:
            found[name] = PromptArgument(name, _title_of(one), _note_of(one), is_required)
        elif is_required:
            return None
    return tuple(found.values())


def _name_of(raw: Any) -> str:
    name = raw.get("name") if isinstance(raw, dict) else None
    return name if isinstance(name, str) and len(name) <= _LONGEST_NAME and scrub(name) == name else ""


def _title_of(raw: Mapping[str, Any]) -> str:
    names = (_one_line(raw.get(key), _LONGEST_NAME) for key in ("title", "name"))
    return next((name for name in names if name), "?")


def _note_of(raw: Mapping[str, Any]) -> str:
    return _one_line(raw.get("description"), _LONGEST_NOTE)


def _one_line(text: Any, longest: int) -> str:
    return " ".join(for_model(scrub(text[: 4 * longest]), longest).split()) if isinstance(text, str) else ""
