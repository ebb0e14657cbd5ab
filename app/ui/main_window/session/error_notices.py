"""Errors of the open session as notices, with the way out that the sentence of an error names."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.core.text.os_errors import os_words
from app.ui.texts import action_title, error_text

if TYPE_CHECKING:
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.choices import Choices

UNWRITTEN = frozenset({"FOLDER_UNUSABLE", "DISK_FULL", "STORAGE_BUSY", "DATA_NEWER"})
"""Codes of errors that say: the disk did not take it."""


class ErrorNotices(QObject):
    followed = Signal(str)
    """The button of a notice: a NextAction."""

    def __init__(self, column: ComposerColumn, open_session: OpenSession, choices: Choices) -> None:
        super().__init__(column)
        self._column, self._open_session, self._choices = column, open_session, choices

    def tell(self, error: TriptychError, *, session: str | None = None) -> None:
        """`session`: whose notice it is, by default of the open one."""
        self.tell_code(error.code, error, session=session)

    def tell_code(self, code: str, error: TriptychError | None = None, *, session: str | None = None) -> None:
        text = error_text(code, error.message if error else "", error.params if error else None)
        button, answer = action_title(text.action), partial(self.followed.emit, text.action) if text.action else None
        agent, name = self._choices.another_agent() if code == "NOT_CONFIGURED" else ("", "")
        if agent:
            button, answer = _("Ask {agent}").format(agent=name), partial(self._use_agent, agent)
        if code in UNWRITTEN and self._column.composer.text().strip():
            button, answer = _("Save the text elsewhere…"), partial(save_text, self._column)
        words = f"{text.what} {text.do}".strip()
        whose = self._open_session.id if session is None else session
        self._column.notice.tell(words, "warn", button=button, answer=answer, session=whose)

    def _use_agent(self, agent: str) -> None:
        self._column.notice.dismiss()
        self._choices.choose_agent(agent)
        self._column.composer.focus()


def save_text(column: ComposerColumn) -> None:
    """What stands in the composer into a file of the person's choice."""
    text = column.composer.text()
    chooser = QFileDialog(column.window(), _("Save the text elsewhere"))
    chooser.setObjectName("saveTextDialog")
    chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    chooser.setDefaultSuffix("txt")
    chooser.selectFile(_("Message") + ".txt")

    def chosen(path: str) -> None:
        try:
            Path(path).write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            column.notice.tell(_("Not saved: {error}").format(error=_(os_words(error))), "warn")
        else:
            column.notice.tell(_("The text is in {path} now.").format(path=path))

    chooser.fileSelected.connect(chosen)
    chooser.open()
