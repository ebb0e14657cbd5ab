"""Sentences with places for values."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from typing import Any


def filled(sentence: str, values: Mapping[str, Any]) -> str:
    """With its values put in; a sentence whose values are missing gives way up to its last full stop before them."""
    names = [name for _text, name, _spec, _conv in Formatter().parse(sentence) if name]
    if all(values.get(name) for name in names):
        return sentence.format_map({name: _plain(values[name]) for name in names})
    head, _brace, _rest = sentence.partition("{")
    whole = max(head.rfind("."), head.rfind("。"))
    return head[: whole + 1]


def _plain(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return ", ".join(str(item) for item in value) if isinstance(value, list | tuple) else str(value)
