"""What a card has while its row may be gone: the time of a game, the step somebody is at, what was typed into a form.

A list of rows builds and drops widgets; a button of a card shows the session anew. Both leave this as it is, so a card
that is built again goes on where it was, and a strip above the composer can show the time while the card is out of
sight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.core.system.clock import CLOCK, Clock
from app.core.tools.card_markdown import as_text

_TICK = 1_000
_MOST_PLACES = 200
_MOST_FORMS = 20


@dataclass(frozen=True, slots=True)
class CardTimer:
    """`timer` of a card's payload."""

    id: str
    spent: float
    since: float | None
    """Seconds since 1970; None while it is paused or has ended."""
    planned: float
    """Seconds; 0 where nothing is planned."""

    def seconds(self, now: float) -> float:
        """Never below zero, whatever the computer's clock was set to meanwhile."""
        return max(0.0, self.spent + (now - self.since if self.since is not None else 0.0))

    def shown(self, now: float) -> str:
        seconds = int(self.seconds(now))
        planned = f" / {int(self.planned) // 60}:{int(self.planned) % 60:02d}" if self.planned else ""
        return f"{seconds // 60}:{seconds % 60:02d}{planned}"


def ended_timer(payload: Mapping[str, Any]) -> str:
    """The id of a timer that the card says has ended; "" where it says nothing of the kind."""
    timer = payload.get("timer")
    return as_text(timer.get("id")) if isinstance(timer, Mapping) and timer.get("ended") is True else ""


def timer_of(payload: Mapping[str, Any]) -> CardTimer | None:
    """None where the card has none that goes on."""
    timer = payload.get("timer")
    if not isinstance(timer, Mapping) or not as_text(timer.get("id")) or timer.get("ended") is True:
        return None
    since = timer.get("since")
    return CardTimer(
        as_text(timer["id"]), _number(timer.get("spent")), _number(since) if _is_number(since) else None,
        _number(timer.get("planned")),
    )  # fmt: skip


@dataclass(slots=True)
class ShownTimer:
    timer: CardTimer
    title: str
    sentence: str
    """What has to be in sight while it runs: the safety of the game."""
    needed: QWidget | None = field(default=None, repr=False)
    """The part of the card that says so, while it is built."""
    clock: QWidget | None = field(default=None, repr=False)
    """The part of the card that shows the time."""


class Timers(QObject):
    changed = Signal()
    """Another timer runs, or none, or a card was built anew."""
    ticked = Signal()
    """Once a second while one is shown."""

    def __init__(self, parent: QObject | None = None, clock: Clock = CLOCK) -> None:
        super().__init__(parent)
        self.clock = clock
        self._places: dict[str, tuple[int, int]] = {}
        self._typed: dict[str, dict[str, Any]] = {}
        self._ended: set[str] = set()
        self._shown: ShownTimer | None = None
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK)
        self._tick.timeout.connect(self.ticked)

    @property
    def shown(self) -> ShownTimer | None:
        """The newest one that goes on."""
        return self._shown

    def show(self, shown: ShownTimer) -> None:
        """A card with a timer that goes on was built; an old card does not know that it has ended meanwhile."""
        if shown.timer.id in self._ended:
            return
        self._shown = shown
        self._tick.start()
        self.changed.emit()

    def end(self, id: str) -> None:
        """A card says that it has ended."""
        self._ended.add(id)
        if self._shown is not None and self._shown.timer.id == id:
            self._shown = None
            self._tick.stop()
            self.changed.emit()

    def place(self, card: str) -> tuple[int, int]:
        """The step that is shown, and the furthest one that was."""
        return self._places.get(card, (0, 0))

    def set_place(self, card: str, step: int, furthest: int) -> None:
        self._places.pop(card, None)
        self._places[card] = (step, furthest)
        while len(self._places) > _MOST_PLACES:
            del self._places[next(iter(self._places))]

    def typed(self, card: str) -> Mapping[str, Any]:
        """What stands in the fields of a form, by name; never stored."""
        return self._typed.get(card, {})

    def set_typed(self, card: str, field: str, value: Any) -> None:
        self._typed.setdefault(card, {})[field] = value
        while len(self._typed) > _MOST_FORMS:
            del self._typed[next(iter(self._typed))]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: Any) -> float:
    return float(value) if _is_number(value) else 0.0
