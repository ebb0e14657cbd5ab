"""Says when what is on the screen cannot be written, and when it can again; nothing typed is lost meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.core.text.os_errors import os_words
from app.ui.dialogs.data.location import danger_words
from app.ui.texts import detail_text, error_text, hint_text

if TYPE_CHECKING:
    from app.services.container import Services
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks

_WARNED = "data/warned"
UNWRITTEN = frozenset({"FOLDER_UNUSABLE", "DISK_FULL", "STORAGE_BUSY", "DATA_NEWER"})
"""Codes of errors that say: the disk did not take it."""


class SaveStatus:
    """`refresh` reads again what is shown, once the data can be opened."""

    def __init__(
        self,
        window: MainWindow,
        services: Services,
        tasks: Tasks,
        *,
        refresh: Callable[[], Coroutine[Any, Any, object]],
    ) -> None:
        self._window, self._services, self._tasks, self._refresh = window, services, tasks, refresh
        self._is_failing = False
        self._stop_listening = services.chat.listen_saving(self._saved)

    def tell(self, error: TriptychError) -> None:
        """The data could not be opened: what can be read is read, and nothing else happens."""
        text = error_text(error.code, error.message, error.params)
        detail = detail_text(error.code, error.message, error.params)
        words = [text.what, detail, hint_text(error.hint) or text.do]
        words.append(_("Your conversations can be read; nothing is stored until this is mended."))
        self._window.notice.tell(
            "\n".join(word for word in words if word), "error", button=_("Try again"), answer=self._try_again
        )

    async def warn_of_place(self, open_data: Callable[[], object]) -> None:
        """A folder that is synchronised, or on another machine, is warned about once."""
        root = str(self._services.data_folder.root)
        if self._window.settings.value(_WARNED) == root:
            return
        danger = await self._services.data_folder.danger()
        if danger is not None:
            self._window.settings.setValue(_WARNED, root)
            self._window.notice.tell(danger_words(danger), "warn", button=_("Data and backups"), answer=open_data)

    def close(self) -> None:
        self._stop_listening()

    def _try_again(self) -> None:
        self._tasks.spawn(self._open_again(), "open the data again")

    async def _open_again(self) -> None:
        try:
            await self._services.open()
        except TriptychError as error:
            self.tell(error)
            return
        self._services.lifecycle.begin_keeping()
        self._window.notice.tell(_("The data can be written again; everything is stored as usual."))
        await self._refresh()

    def _saved(self, is_saved: bool) -> None:
        """Of the run that goes on: it is kept in memory until the disk takes it."""
        if self._is_failing is not is_saved:
            return
        self._is_failing = not is_saved
        if is_saved:
            self._window.notice.tell(_("The answer is on the disk again."))
        else:
            words = _(
                "The answer cannot be written to the disk. It stays on the screen and is written as soon as that is "
                "possible: free some space, or see whether the drive is there."
            )
            self._window.notice.tell(words, "error")


def save_text(window: MainWindow) -> None:
    """What stands in the composer into a file of the person's choice."""
    text = window.composer.text()
    chooser = QFileDialog(window, _("Save the text elsewhere"))
    chooser.setObjectName("saveTextDialog")
    chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    chooser.setDefaultSuffix("txt")
    chooser.selectFile(_("Message") + ".txt")

    def chosen(path: str) -> None:
        try:
            Path(path).write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            window.notice.tell(_("Not saved: {error}").format(error=_(os_words(error))), "warn")
        else:
            window.notice.tell(_("The text is in {path} now.").format(path=path))

    chooser.fileSelected.connect(chosen)
    chooser.open()
