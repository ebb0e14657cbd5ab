"""How playing went over time: by day for the trend, by week for the view of a week. Nobody is compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from ..model.session import SCORES, PlaySession


@dataclass(frozen=True, slots=True)
class PlayProgress:
    sessions: int
    minutes: float
    circles: int
    means: Mapping[str, float]
    """Of each score that was given."""
    days: Sequence[tuple[date, int, float]]
    """Day, sessions, minutes; days without a session are left out."""
    streak: int
    """Days in a row up to today, or to yesterday where today has none yet."""


def progress(sessions: Iterable[PlaySession], today: date) -> PlayProgress:
    ended = sorted((one for one in sessions if one.ended is not None), key=lambda one: one.started)
    by_day: dict[date, list[PlaySession]] = {}
    for one in ended:
        by_day.setdefault(one.started.date(), []).append(one)
    means: dict[str, float] = {}
    for name in SCORES:
        scores = [one.scores[name] for one in ended if one.scores and name in one.scores]
        if scores:
            means[name] = sum(scores) / len(scores)
    days = [(day, len(played), sum(one.minutes for one in played)) for day, played in sorted(by_day.items())]
    return PlayProgress(
        len(ended), sum(one.minutes for one in ended), sum(one.circles for one in ended), means, days,
        _streak(by_day.keys(), today),
    )  # fmt: skip


def week_of(sessions: Iterable[PlaySession], today: date) -> list[tuple[date, list[PlaySession]]]:
    """Monday to Sunday of the week of `today`."""
    monday = today - timedelta(days=today.weekday())
    all_sessions = list(sessions)
    days = [monday + timedelta(days=number) for number in range(7)]
    return [(day, [one for one in all_sessions if one.started.date() == day]) for day in days]


def _streak(days: Iterable[date], today: date) -> int:
    played = set(days)
    day = today if today in played else today - timedelta(days=1)
    length = 0
    while day in played:
        length, day = length + 1, day - timedelta(days=1)
    return length
