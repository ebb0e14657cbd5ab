"""From pane to pane by one key."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QApplication, QWidget


def next_stop(stops: Iterable[QWidget | None]) -> QWidget:
    """The one after that which has the focus, round and round; what is folded or not there is passed over."""
    visible_stops = [stop for stop in stops if stop is not None and stop.isVisible()]
    focus = QApplication.focusWidget()
    here = next((n for n, stop in enumerate(visible_stops) if focus is stop or _holds(stop, focus)), -1)
    return visible_stops[(here + 1) % len(visible_stops)]


def _holds(pane: QWidget, focus: QWidget | None) -> bool:
    return focus is not None and pane.isAncestorOf(focus)
