"""A page of the settings window. One whose form is saved by a button asks about what is not saved."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.core.text.i18n import _
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.theme import Theme
from app.ui.widgets.sheet import take_sheets


class SettingsPage(QWidget):
    """Subclasses with a Save button say what is changed, and save or discard it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        take_sheets(self)

    # ------------------------------------------------------------ what the window asks of a page

    def show_item(self, item: str) -> None:
        """The agent, provider or server of that id."""

    def refresh(self) -> None:
        """It comes to sight again."""

    def finish(self) -> None:
        """The window closes: what waits to be applied is applied."""

    def go_back(self) -> bool:
        """Esc: one level up inside the page; False where it is at its top."""
        return False

    # ------------------------------------------------------------ what is not saved

    @property
    def is_dirty(self) -> bool:
        return False

    def changed_name(self) -> str:
        """Of what is changed, for the question."""
        return ""

    def save(self, then: Callable[[], object] | None = None) -> None:
        """`then` only if it could be saved."""

    def discard(self) -> None:
        """Back to what is stored."""

    def leave(self, then: Callable[[], object]) -> None:
        """Go on with `then`, after asking about changes that are not saved."""
        if not self.is_dirty:
            then()
            return

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
