"""Where the keyboard goes by its own keys: from pane to pane, and by Esc one step back.

Esc takes one step at a time: a pop-up closes, a field lets go, the focus returns to the composer, a run stops. Menus
and drop-downs are windows of their own and take the key themselves. What lies inside the window and wants it has a
method `take_escape() -> bool`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from app.ui.chat.find import FindBar
    from app.ui.chat.view import ChatView
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.notices.notifier import Notifier
    from app.ui.main_window.session.run_session import RunSession
    from app.ui.reasoning import ReasoningPane
    from app.ui.sessions.panel import SessionsPanel


class FocusController(QObject):
    def __init__(
        self,
        panel: SessionsPanel,
        chat: ChatView,
        find: FindBar,
        column: ComposerColumn,
        reasoning: ReasoningPane,
        *,
        run: RunSession,
        notifier: Notifier,
    ) -> None:
        super().__init__(column)
        self._panel, self._chat, self._find, self._reasoning = panel, chat, find, reasoning
        self._composer, self._notice, self._run, self._notifier = column.composer, column.notice, run, notifier

    def next_pane(self) -> None:
        """Sessions, chat, composer, reasoning, and round again; what is folded is passed over."""
        panel, card = self._panel, self._run.cards.first()
        first = panel.list if panel.list.isVisible() else panel.search
        pane = next_stop([first, self._chat.list, card, self._composer.field, self._reasoning])
        if pane is self._reasoning:
            self._reasoning.focus_search()
        elif pane is card:
            self._notifier.go_to_card()
        else:
            pane.setFocus(Qt.FocusReason.TabFocusReason)

    def escape(self) -> None:
        """A run is stopped from the composer and the chat only; from elsewhere the focus comes back first."""
        focus = QApplication.focusWidget()
        if taken_by(focus):
            return
        if focus is not None and not is_in(focus, self._composer, self._chat):
            self._composer.focus()
        elif self._find.isVisible():
            self._find.close_bar()
        elif self._run.handle is not None:
            self._run.stop()
        else:
            self._notice.dismiss()


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


def next_stop(stops: Iterable[QWidget | None]) -> QWidget:
    """The one after that which has the focus, round and round; what is folded or not there is passed over."""
    visible_stops = [stop for stop in stops if stop is not None and stop.isVisible()]
    focus = QApplication.focusWidget()
    here = next((n for n, stop in enumerate(visible_stops) if focus is stop or _holds(stop, focus)), -1)
    return visible_stops[(here + 1) % len(visible_stops)]


def _holds(pane: QWidget, focus: QWidget | None) -> bool:
    return focus is not None and pane.isAncestorOf(focus)
