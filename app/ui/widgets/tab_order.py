"""Where Tab goes in parts that are made later: Qt puts whatever is new behind everything else of the window."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
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


def step(home: QWidget, *, forward: bool) -> bool:
    """The focus goes on as one reads: from line to line, wherever a part was made. False where Qt has to do it."""
    hints = QGuiApplication.styleHints()
    if hints.tabFocusBehavior() != Qt.TabFocusBehavior.TabFocusAllControls:
        return False  # a system where Tab goes through text fields alone
    now = home.window().focusWidget()
    stops = reading_order(home)
    if now not in stops or len(stops) < 2:
        return False
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    stops[(stops.index(now) + (1 if forward else -1)) % len(stops)].setFocus(reason)
    return True


def reading_order(home: QWidget) -> list[QWidget]:
    """What Tab stops at inside it: line by line, each from left to right."""
    found: list[QWidget] = []
    for child in _by_lines(home):
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isEnabled() and child.focusProxy() is None:
            found.append(child)
        found += reading_order(child)
    return found


def _by_lines(home: QWidget) -> list[QWidget]:
    apart = (Qt.WindowType.Window, Qt.WindowType.SubWindow)
    children = [
        child
        for child in home.children()
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow() and child.windowType() not in apart
    ]
    children.sort(key=lambda child: (child.y(), child.x()))
    lines: list[list[QWidget]] = []
    end = 0
    for child in children:
        if lines and child.y() + child.height() // 2 < end:  # beside what begins higher
            lines[-1].append(child)
            end = max(end, child.y() + child.height())
        else:
            lines.append([child])
            end = child.y() + child.height()
    return [child for line in lines for child in sorted(line, key=lambda child: child.x())]


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
