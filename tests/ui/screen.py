"""A person's hand on what is on the screen: nothing is pressed that could not be seen and hit there."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QScrollArea, QWidget


def why_not(widget: QWidget) -> str:
    """Why a mouse could not hit it, even after scrolling; "" if it could."""
    _scroll_to(widget)
    if not widget.isVisible():
        return "it is not visible"
    if widget.width() < 4 or widget.height() < 4:
        return f"it is {widget.width()} x {widget.height()} pixels"
    top = widget.window()
    hit = top.childAt(widget.mapTo(top, widget.rect().center()))
    if hit is None or not (hit is widget or widget.isAncestorOf(hit)):
        return f"at its place is {hit!r}"
    return "" if widget.isEnabled() else "it is switched off"


def _scroll_to(widget: QWidget) -> None:
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()


def click(widget: QWidget, at: QPoint | None = None) -> None:
    """Scrolled to, seen, hit."""
    assert why_not(widget) == "", f"{widget!r}: {why_not(widget)}"
    top = widget.window()
    place = widget.mapTo(top, at or widget.rect().center())
    target = top.childAt(place) or widget
    QTest.mouseClick(target, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, target.mapFrom(top, place))


def choose(button: QWidget, menu: QMenu, text: str) -> None:
    """An entry of the menu behind a button: both are looked at first."""
    assert why_not(button) == "", f"{button!r}: {why_not(button)}"
    entry: QAction | None = next((action for action in menu.actions() if action.text() == text), None)
    assert entry is not None, f"{text} is not in {[action.text() for action in menu.actions()]}"
    assert entry.isVisible()
    assert entry.isEnabled()
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    QTest.mouseClick(
        menu, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, menu.actionGeometry(entry).center()
    )
