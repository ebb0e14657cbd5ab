"""Reads the arguments of a tool call strictly: only exactly one JSON object runs.

Nothing is repaired. Two things that change no value are undone: an object encoded as a string once more, and closing
tokens of the model's template after the object.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final

from app.core.text.i18n import N_, Marked
from app.core.tools.tool import LONGEST_ARGUMENTS

EXCERPT: Final = 500
_TEMPLATE_MARKS: Final = ("</tool_call>", "</function>", "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "```", "</s>")


_KINDS: Final = {list: N_("a list"), str: N_("a text"), bool: N_("true or false"), type(None): "null"}
_NUMBER: Final = N_("a number")


class _Unreadable(ValueError):
    """Arguments that JSON allows and we do not: doubled names, NaN."""

    def __init__(self, words: str, **values: object) -> None:
        self.marked = Marked(words, **values)
        super().__init__(self.marked)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _Unreadable(N_("the name {name} occurs twice in one object"), name=repr(twice[:80]))
    return unique


def _no_constant(word: str) -> Any:
    raise _Unreadable(N_("{word} is no number that JSON can hold"), word=word[:40])


def _finite(word: str) -> float:
    return value if math.isfinite(value := float(word)) else _no_constant(word)


_STRICT: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)


def read_arguments(text: str) -> tuple[dict[str, Any] | None, str | None]:
    """The object, or None and a sentence that says what is wrong and where."""
    if len(text) > LONGEST_ARGUMENTS:
        return None, Marked(N_("the arguments are longer than {n} kB"), n=LONGEST_ARGUMENTS // 1024)
    stripped = text.strip()
    if not stripped:
        return {}, None
    value, error = _decode(stripped)
    if error is not None:
        return None, Marked(N_("{error}. The arguments begin: {text}"), error=error, text=stripped[:EXCERPT])
    if isinstance(value, str):
        inner, error = _decode(value.strip())
        if error is None and isinstance(inner, dict):
            return inner, None
    if not isinstance(value, dict):
        kind = Marked(_KINDS.get(type(value), _NUMBER))
        words = N_("the arguments must be one JSON object, not {kind}: {text}")
        return None, Marked(words, kind=kind, text=stripped[:EXCERPT])
    return value, None


def _decode(text: str) -> tuple[Any, str | None]:
    try:
        value, end = _STRICT.raw_decode(text)
    except _Unreadable as error:
        return None, error.marked
    except json.JSONDecodeError as error:
        return None, Marked(N_("not valid JSON at position {n}"), n=error.pos)
    except (ValueError, RecursionError):
        return None, Marked(N_("a number with too many digits, or nested too deep"))
    if not _only_marks(text[end:]):
        return None, Marked(N_("not valid JSON: something follows the object at position {n}"), n=end)
    return value, None


def _only_marks(tail: str) -> bool:
    while tail := tail.strip():
        mark = next((mark for mark in _TEMPLATE_MARKS if tail.startswith(mark)), None)
        if mark is None:
            return False
        tail = tail[len(mark) :]
    return True
