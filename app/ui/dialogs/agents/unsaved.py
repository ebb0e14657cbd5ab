"""A dialog whose form is saved by a button: whoever leaves it is asked about what is not saved."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QWidget

from app.core.text.i18n import _
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.theme import Theme


class UnsavedDialog(QDialog):
    """Subclasses say what is changed, and save or discard it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    @property
    def is_dirty(self) -> bool:
        raise NotImplementedError

    def changed_name(self) -> str:
        """Of what is changed, for the question."""
        raise NotImplementedError

    def save(self, then: Callable[[], object] | None = None) -> None:
        """`then` only if it could be saved."""
        raise NotImplementedError

    def discard(self) -> None:
        raise NotImplementedError

    def leave(self, then: Callable[[], object]) -> None:
        """Go on with `then`, after asking about changes that are not saved."""
        if not self.is_dirty:
            then()
            return

        def answered(answer: str) -> None:
            if answer == "save":
                self.save(then)
            elif answer == "discard":
                self.discard()
                then()

        title = _("Save the changes to {name}?").format(name=self.changed_name())
        answers = [("", _("Cancel"), ""), ("discard", _("Discard"), ""), ("save", _("Save"), "primary")]
        AskDialog(self, self._theme, title, _("They would be lost otherwise."), answers, answered).open()

    def reject(self) -> None:
        self.leave(super().reject)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.is_dirty:
            event.ignore()
            self.reject()
        else:
            super().closeEvent(event)
