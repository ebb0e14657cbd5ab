"""How long a provider asks us to wait: headers, numbers with units, dates – and nonsense in all of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from app.core.http import number_of_seconds, seconds_named

_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_LEADS: Final = ("try again in ", "retry in ", "retry after ", "try again after ", "wait ")
_DIGITS: Final = frozenset("0123456789.")


def wait_of(headers: Mapping[str, str], error: object, message: str, now: datetime | None = None) -> float | None:
    """Seconds, never negative; None if no sensible wait is named. The caller decides what is too long."""
    lowered = {name.lower(): value for name, value in headers.items()}
    millis = number_of_seconds(lowered.get("retry-after-ms"))
    if millis:
        return millis / 1000
    if (named := seconds_named(lowered.get("retry-after"), now)) is not None:
        return named
    if (named := _from_details(error, now)) is not None:
        return named
    if (named := _from_sentence(message)) is not None:
        return named
    return 0.0 if millis == 0 else None


def _from_details(error: object, now: datetime | None) -> float | None:
    """`metadata.headers` (OpenRouter: a reset time in ms since 1970), `details[].retryDelay` (Google)."""
    if not isinstance(error, Mapping):
        return None
    metadata = error.get("metadata")
    headers = metadata.get("headers") if isinstance(metadata, Mapping) else None
    if isinstance(headers, Mapping):
        fields = {str(name).lower(): value for name, value in headers.items()}
        if (named := seconds_named(fields.get("retry-after"), now)) is not None:
            return named
        reset = number_of_seconds(fields.get("x-ratelimit-reset"))
        if reset and reset > 1e12:
            return max(0.0, reset / 1000 - (now or datetime.now(UTC)).timestamp())
    details = error.get("details")
    for item in details if isinstance(details, list) else ():
        if isinstance(item, Mapping) and isinstance(delay := item.get("retryDelay"), str):
            return read_duration(delay)
    return None


def _from_sentence(message: str) -> float | None:
    lower = message.lower()
    for lead in _LEADS:
        at = lower.find(lead)
        if at >= 0 and (seconds := read_duration(lower[at + len(lead) :])) is not None:
            return seconds
    return None


def read_duration(text: str) -> float | None:
    """`1m2.5s`, `20s`, `850ms`, `20 seconds`; stops at the first thing that is no duration."""
    total: float | None = None
    at = 0
    while at < len(text) and text[at] in _DIGITS:
        end = at
        while end < len(text) and text[end] in _DIGITS:
            end += 1
        number = number_of_seconds(text[at:end])
        unit_at = end + (text[end : end + 1] == " ")
        unit_end = unit_at
        while unit_end < len(text) and text[unit_end].isalpha():
            unit_end += 1
        factor = _unit(text[unit_at:unit_end])
        if number is None or factor is None:
            break
        total = (total or 0.0) + number * factor
        at = unit_end
    return total


def _unit(word: str) -> float | None:
    if word in _UNITS:
        return _UNITS[word]
    for name, unit in (("milli", "ms"), ("sec", "s"), ("min", "m"), ("hour", "h"), ("day", "d")):
        if word.startswith(name):
            return _UNITS[unit]
    return None


def any_wait(raw: Any) -> bool:
    """Whether an error object names a wait: then it is a rate, even where its words say quota."""
    return _from_details(raw, None) is not None
