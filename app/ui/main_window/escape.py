"""Esc, one step at a time: a pop-up closes, a field lets go, the focus returns to the composer, a run stops.

Menus and drop-downs are windows of their own and take the key themselves. What lies inside the window and wants it
has a method `take_escape() -> bool`.
"""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def taken_by(focus: QWidget | None) -> bool:
    """Whether the control with the focus, or something around it, had a use for the key."""
    widget = focus
    while widget is not None and not widget.isWindow():
        take = getattr(widget, "take_escape", None)
        if take is not None and take():
            return True
        widget = widget.parentWidget()
    return False


def is_in(focus: QWidget | None, *places: QWidget) -> bool:
    return focus is not None and any(place is focus or place.isAncestorOf(focus) for place in places)
