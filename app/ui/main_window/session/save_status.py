"""Says when what is on the screen cannot be written, and when it can again; nothing typed is lost meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Signal

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.ui.dialogs.data.location import danger_words
from app.ui.texts import detail_text, error_text, hint_text

if TYPE_CHECKING:
    from app.services.data.data_folder import DataFolderService
    from app.services.lifecycle import Lifecycle
    from app.services.runs.chat import ChatService
    from app.ui.tasks import Tasks
    from app.ui.widgets.notice_bar import NoticeBar

_WARNED = "data/warned"


class SaveStatus(QObject):
    opened_again = Signal()
    """The data can be written again: what is shown is to be read anew."""
    data_asked = Signal()
    """The person wants to see where the data is."""

    def __init__(
        self,
        notice: NoticeBar,
        kept: QSettings,
        tasks: Tasks,
        *,
        chat: ChatService,
        data_folder: DataFolderService,
        lifecycle: Lifecycle,
    ) -> None:
        """`kept` knows which folder was warned about."""
        super().__init__(notice)
        self._notice, self._kept, self._tasks = notice, kept, tasks
        self._data_folder, self._lifecycle = data_folder, lifecycle
        self._is_failing = False
        self._stop_listening = chat.active.listen_saving(self._saved)

    def tell(self, error: TriptychError) -> None:
        """The data could not be opened: what can be read is read, and nothing else happens."""
        text = error_text(error.code, error.message, error.params)
        detail = detail_text(error.code, error.message, error.params)
        words = [text.what, detail, hint_text(error.hint) or text.do]
        words.append(_("Your conversations can be read; nothing is stored until this is mended."))
        self._notice.tell("\n".join(word for word in words if word), "error", button=_("Retry"), answer=self._try_again)

    async def warn_of_place(self) -> None:
        """A folder that is synchronised, or on another machine, is warned about once."""
        root = str(self._data_folder.root)
        if self._kept.value(_WARNED) == root:
            return
        danger = await self._data_folder.danger()
        if danger is not None:
            self._kept.setValue(_WARNED, root)
            self._notice.tell(danger_words(danger), "warn", button=_("Data and backups"), answer=self.data_asked.emit)

    def close(self) -> None:
        self._stop_listening()

    def _try_again(self) -> None:
        self._tasks.spawn(self._open_again(), "open the data again")

    async def _open_again(self) -> None:
        try:
            await self._lifecycle.open()
        except TriptychError as error:
            self.tell(error)
            return
        self._lifecycle.begin_keeping()
        self._notice.tell(_("The data can be written again; everything is stored as usual."))
        self.opened_again.emit()

    def _saved(self, is_saved: bool) -> None:
        """Of the run that goes on: it is kept in memory until the disk takes it."""
        if self._is_failing is not is_saved:
            return
        self._is_failing = not is_saved
        if is_saved:
            self._notice.tell(_("The answer is on the disk again."))
        else:
            words = _(
                "The answer cannot be written to the disk. It stays on the screen and is written as soon as that is "
                "possible: free some space, or see whether the drive is there."
            )
            self._notice.tell(words, "error")
