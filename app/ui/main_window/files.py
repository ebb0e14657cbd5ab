"""Files that go with the next message: chosen, dropped or pasted, checked by the service, shown in the composer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from app.core.errors import TriptychError
from app.core.i18n import _, ngettext
from app.services.attachments import MOST

if TYPE_CHECKING:
    from app.core.messages import Attachment
    from app.services.all import Services
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks


class Files:
    def __init__(
        self, window: MainWindow, services: Services, tasks: Tasks, *, on_error: Callable[[TriptychError], None]
    ) -> None:
        self._window, self._services, self._tasks, self._on_error = window, services, tasks, on_error
        self._by_session: dict[str, list[Attachment]] = {}
        self._session = ""
        composer = window.composer
        composer.offer_files()
        composer.attach_asked.connect(self.choose)
        composer.field.files_given.connect(lambda paths: tasks.spawn(self.add(paths)))
        composer.field.long_text_given.connect(lambda text: tasks.spawn(self.add_paste(text)))
        composer.file_removed.connect(self._remove)

    def show(self, session: str) -> None:
        """Another session is open; "" is the one that has not begun."""
        self._session = session
        self._tell()

    def chosen(self) -> tuple[Attachment, ...]:
        return tuple(self._by_session.get(self._session, ()))

    def sent(self) -> None:
        self._by_session.pop(self._session, None)
        self._tell()

    def choose(self) -> None:
        dialog = QFileDialog(self._window, _("Attach text files"))
        dialog.setObjectName("attachDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda paths: self._tasks.spawn(self.add(paths)))
        dialog.open()

    async def add(self, paths: list[str]) -> None:
        for path in paths:
            try:
                self._put(await self._services.attachments.add_file(Path(path), self._session))
            except TriptychError as error:
                self._on_error(error)

    async def add_paste(self, text: str) -> None:
        number = sum(1 for one in self.chosen() if one.name.startswith(_("Pasted text"))) + 1
        name = f"{_('Pasted text')} {number}.txt"
        try:
            self._put(await self._services.attachments.add_text(name, text, self._session))
        except TriptychError as error:
            self._on_error(error)

    def _put(self, file: Attachment) -> None:
        files = self._by_session.setdefault(self._session, [])
        if len(files) >= MOST:
            self._window.notice.tell(_("At most {n} files go with one message.").format(n=MOST), "warn")
        elif file not in files:
            files.append(file)
        self._tell()

    def _remove(self, place: int) -> None:
        del self._by_session[self._session][place]
        self._tell()

    def _tell(self) -> None:
        files = self._by_session.get(self._session, ())
        self._window.composer.set_files([(file.name, _size(file)) for file in files])


def _size(file: Attachment) -> str:
    count = len(file.text)
    return ngettext("{n:,} character", "{n:,} characters", count).format(n=count)
