"""Which backups are kept: all of two days, then one per day, week and month. Pure; no clock, no disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from app.core.text.moments import utc_time

from .backup import Backup

ALL_FOR = 2 * 86_400.0
DAILY, WEEKLY, MONTHLY = 12, 10, 9
NEVER_PRUNED = 3


def superfluous(backups: Sequence[Backup], now: float) -> list[Backup]:
    """`backups` newest first. The newest three stay whatever the clock says, as do those of the future."""
    spans = (_Span("%Y-%m-%d", DAILY), _Span("%G-%V", WEEKLY), _Span("%Y-%m", MONTHLY))
    left: list[Backup] = []
    for backup in sorted(backups[NEVER_PRUNED:], key=lambda backup: backup.made, reverse=True):
        age = now - backup.made
        if age < ALL_FOR:
            continue
        when = utc_time(backup.made)
        # The first span with room decides: another copy of a day that is kept is not kept for its week.
        span = next((span for span in spans if span.has(when) or span.has_room), None)
        if span is None or span.has(when):
            left.append(backup)
        else:
            span.take(when)
    return left


class _Span:
    """One copy for each day, week or month, the newest, and for so many of them."""

    def __init__(self, form: str, most: int) -> None:
        self._form, self._most = form, most
        self._taken: set[str] = set()

    @property
    def has_room(self) -> bool:
        return len(self._taken) < self._most

    def has(self, when: datetime) -> bool:
        return when.strftime(self._form) in self._taken

    def take(self, when: datetime) -> None:
        self._taken.add(when.strftime(self._form))


def is_due(backups: Iterable[Backup], changed: float, now: float, every: float) -> bool:
    """`changed` is when the data last did. Copies dated in the future say nothing about now."""
    past = [backup.made for backup in backups if backup.made <= now]
    newest = max(past, default=0.0)
    return changed > newest and now - newest >= every
