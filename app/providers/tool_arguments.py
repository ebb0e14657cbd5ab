"""The arguments of a tool call, read strictly: what is not exactly one JSON object is not run.

Nothing is repaired. Two things are undone because they change no value: an object that was encoded as a
string once more, and closing marks of the model's own template behind the object.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final

from app.core.tools.tool import LONGEST_ARGUMENTS

EXCERPT: Final = 500
_TEMPLATE_MARKS: Final = ("</tool_call>", "</function>", "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "```", "</s>")


class _Unreadable(ValueError):
    """Arguments that JSON allows and we do not: doubled names, NaN."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _Unreadable(f"the name {twice[:80]!r} occurs twice in one object")
    return unique


def _no_constant(word: str) -> Any:
    raise _Unreadable(f"{word[:40]} is no number that JSON can hold")


def _finite(word: str) -> float:
    return value if math.isfinite(value := float(word)) else _no_constant(word)


_STRICT: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)


def read_arguments(text: str) -> tuple[dict[str, Any] | None, str | None]:
    """The object, or None and a sentence that says what is wrong and where."""
    if len(text) > LONGEST_ARGUMENTS:
        return None, f"the arguments are longer than {LONGEST_ARGUMENTS // 1024} kB"
    stripped = text.strip()
    if not stripped:
        return {}, None
    value, error = _decode(stripped)
    if error is not None:
        return None, f"{error}. The arguments begin: {stripped[:EXCERPT]}"
    if isinstance(value, str):
        inner, error = _decode(value.strip())
        if error is None and isinstance(inner, dict):
            return inner, None
    if not isinstance(value, dict):
        kind = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}.get(type(value), "a number")
        return None, f"the arguments must be one JSON object, not {kind}: {stripped[:EXCERPT]}"
    return value, None


def _decode(text: str) -> tuple[Any, str | None]:
    try:
        value, end = _STRICT.raw_decode(text)
    except _Unreadable as error:
        return None, str(error)
    except json.JSONDecodeError as error:
        return None, f"not valid JSON at position {error.pos} ({error.msg})"
    except (ValueError, RecursionError):
        return None, "a number with too many digits, or nested too deep"
    if not _only_marks(text[end:]):
        return None, f"not valid JSON: something follows the object at position {end}"
    return value, None


def _only_marks(tail: str) -> bool:
    while tail := tail.strip():
        mark = next((mark for mark in _TEMPLATE_MARKS if tail.startswith(mark)), None)
        if mark is None:
            return False
        tail = tail[len(mark) :]
    return True
