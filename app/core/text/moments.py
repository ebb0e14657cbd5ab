"""Turns stored times (seconds since 1970) into dates: the one place that does.

A stored number may be anything: a damaged disk, a wrong clock, a file from elsewhere. None of them may stop code that
only wants to show a date.
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo


def local_time(seconds: float) -> datetime | None:
    """None for a number that is no time between the years 1 and 9999."""
    moment = _moment(seconds, None)
    try:
        return moment.astimezone() if moment is not None else None
    except (ValueError, OverflowError, OSError):
        return None


def utc_time(seconds: float) -> datetime:
    """The beginning of 1970, which stands for a time nobody knows, for a number that is no time."""
    return _moment(seconds, UTC) or datetime.fromtimestamp(0, UTC)


MINUTE = "%Y-%m-%d %H:%M"


def time_text(seconds: float, form: str) -> str:
    """Local time in the form of `strftime`; "" for 0, which says that nobody knows, and for what is no time."""
    moment = local_time(seconds) if seconds else None
    return moment.strftime(form) if moment is not None else ""


def _moment(seconds: float, zone: tzinfo | None) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, zone)
    except (ValueError, OverflowError, OSError, TypeError):
        return None
