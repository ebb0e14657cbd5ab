"""A page of the settings window. Changes are stored at once; what cannot be stored is asked about before it is lost."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.core.text.i18n import _
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.settings.at_once import SaveAtOnce, StoreChanges
from app.ui.theme import Theme
from app.ui.widgets.sheet import take_sheets
from app.ui.widgets.spawn import Spawn


class SettingsPage(QWidget):
    """Subclasses call `save_at_once`; those with a Save button say what is changed, and save or discard it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._at_once: SaveAtOnce | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        take_sheets(self)

    # ------------------------------------------------------------ what the window asks of a page

    def show_item(self, item: str) -> None:
        """The agent, provider or server of that id."""

    def refresh(self) -> None:
        """It comes to sight again."""

    def finish(self) -> None:
        """The window closes: what waits to be applied is applied."""
        if self._at_once is not None:
            self._at_once.now()

    def go_back(self) -> bool:
        """Esc: one level up inside the page; False where it is at its top."""
        return False

    # ------------------------------------------------------------ what is stored at once

    def save_at_once(self, changed: SignalInstance, store: StoreChanges, spawn: Spawn) -> SaveAtOnce:
        self._at_once = SaveAtOnce(self, changed, store, spawn)
        return self._at_once

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter in a field ends the typing as leaving it does."""
        if self._at_once is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._at_once.now()
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------ what is not saved

    @property
    def is_dirty(self) -> bool:
        return False

    @property
    def is_refused(self) -> bool:
        """Something is not stored and is not about to be."""
        return self.is_dirty and not (self._at_once is not None and self._at_once.is_waiting)

    def changed_name(self) -> str:
        """Of what is changed, for the question."""
        return ""

    def save(self, then: Callable[[], object] | None = None) -> None:
        """`then` only if it could be saved."""

    def discard(self) -> None:
        """Back to what is stored."""

    def leave(self, then: Callable[[], object]) -> None:
        """Go on with `then`, after storing what can be, and asking about what cannot."""
        if not self.is_dirty:
            then()
        elif self._at_once is not None:
            self._at_once.now(partial(self._ask_about_refused, then), again=True)
        else:
            self._ask_to_save(then)

    def _ask_about_refused(self, then: Callable[[], object]) -> None:
        if not self.is_dirty:
            then()
            return
        title = _("Some changes to {name} could not be saved").format(name=self.changed_name())
        answers = [("", _("Back to them"), "primary"), ("discard", _("Discard"), "")]
        question = AskDialog(self, self._theme, title, _("They would be lost otherwise."), answers)
        question.chosen.connect(partial(self._leave_after, then))
        question.open()

    def _ask_to_save(self, then: Callable[[], object]) -> None:
        title = _("Save the changes to {name}?").format(name=self.changed_name())
        answers = [("", _("Cancel"), ""), ("discard", _("Discard"), ""), ("save", _("Save"), "primary")]
        question = AskDialog(self, self._theme, title, _("They would be lost otherwise."), answers)
        question.chosen.connect(partial(self._leave_after, then))
        question.open()

    def leave_to(self, then: Callable[..., object], *values: object) -> None:
        """As `leave`, for a slot: `partial(self.leave_to, self.show_agent)`."""
        self.leave(partial(then, *values))

    def _leave_after(self, then: Callable[[], object], answer: str) -> None:
        if answer == "save":
            self.save(then)
        else:
            self.discard()
            then()
