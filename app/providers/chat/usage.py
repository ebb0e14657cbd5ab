"""Token counts from the usage objects of many providers; values that are no sensible number are left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.core.run.chat_model import Usage

_MAX_TOKENS: Final = 1_000_000_000


def read_usage(raw: object) -> Usage | None:
    """None when neither input nor output is a usable count: then the cost is unknown, not zero."""
    if not isinstance(raw, Mapping):
        return None
    input_tokens = _count(raw, "prompt_tokens", "input_tokens", "promptTokens")
    output_tokens = _count(raw, "completion_tokens", "output_tokens", "completionTokens")
    if input_tokens is None and output_tokens is None:
        return None
    return Usage(
        input=input_tokens or 0,
        output=output_tokens or 0,
        reasoning=_count(raw.get("completion_tokens_details"), "reasoning_tokens")
        or _count(raw, "reasoning_tokens")
        or 0,
        cached=_count(raw.get("prompt_tokens_details"), "cached_tokens")
        or _count(raw, "prompt_cache_hit_tokens", "cached_tokens")
        or 0,
        exact=input_tokens is not None and output_tokens is not None,
    )


def merged(before: Usage | None, now: Usage | None) -> Usage | None:
    """The last word counts, but a zero behind a number is no word: it stands where nothing was counted."""
    if before is None or now is None:
        return now or before
    return Usage(
        input=now.input or before.input,
        output=now.output or before.output,
        reasoning=now.reasoning or before.reasoning,
        cached=now.cached or before.cached,
        exact=now.exact or before.exact,
    )


def _count(raw: Any, *names: str) -> int | None:
    if not isinstance(raw, Mapping):
        return None
    for name in names:
        value = raw.get(name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if type(value) is int and 0 <= value <= _MAX_TOKENS:
            return value
    return None
