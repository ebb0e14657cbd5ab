"""Where Tab goes in parts that are made later: Qt puts whatever is new behind everything else of the window."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def tab_through(before: QWidget, parts: Iterable[QWidget]) -> None:
    """From `before` through each of `parts` and what is inside it, in this order; then on as it went before."""
    wanted = list(parts)
    inside = _inside(wanted)
    for part in wanted:
        for widget in inside[part]:
            QWidget.setTabOrder(before, widget)
            before = widget


def anchor(parent: QWidget) -> QWidget:
    """A place in the order where nothing is: Qt orders only what may have the focus, and Tab passes over the hidden."""
    widget = QWidget(parent)
    widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    widget.hide()
    return widget


def first_stop(part: QWidget) -> QWidget | None:
    """Where Tab would enter it."""
    return next((stop for stop in _inside([part])[part] if stop.isVisibleTo(part)), None)


def _inside(parts: list[QWidget]) -> dict[QWidget, list[QWidget]]:
    """By part. The whole chain is walked, once: what belongs together need not stand together in it."""
    found: dict[QWidget, list[QWidget]] = {part: [] for part in parts}
    if not parts:
        return found
    start = parts[0].window()
    widget: QWidget | None = start
    while widget is not None:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
            part: QWidget | None = widget
            while part is not None and part not in found:
                part = part.parentWidget()
            if part is not None:
                found[part].append(widget)
        widget = widget.nextInFocusChain()
        if widget is start:
            break
    return found
