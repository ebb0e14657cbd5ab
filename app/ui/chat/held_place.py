"""Where somebody is in the conversation, kept while its rows are shown anew: what is in sight, what has the focus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

if TYPE_CHECKING:
    from app.ui.chat.view import ChatView


@dataclass(frozen=True, slots=True)
class HeldPlace:
    row: str
    """At the top of what is in sight."""
    offset: int
    focus: str
    """The name of the control in a row that has the focus; "" where none has."""


def hold(chat: ChatView) -> HeldPlace:
    focus = QApplication.focusWidget()
    name = focus.objectName() if focus is not None and chat.list.isAncestorOf(focus) else ""
    return HeldPlace(*chat.list.place(), name)


def take_up(chat: ChatView, held: HeldPlace, row_id: str) -> None:
    """Back there. A row that was live is `row_id` by now; where the button is gone, the main one of that row has the
    focus."""
    chat.list.go_to(held.row if held.row in chat.keys() else row_id, held.offset)  # noqa: SIM118  of the view
    row = chat.list.widget(row_id)
    if not held.focus or row is None:
        return
    buttons = [one for one in row.findChildren(QPushButton) if one.isVisibleTo(row)]
    same = [one for one in buttons if one.objectName() == held.focus]
    main = [one for one in buttons if one.property("kind") == "primary"]
    for button in [*same, *main][:1]:
        button.setFocus(Qt.FocusReason.OtherFocusReason)
