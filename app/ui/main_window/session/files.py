"""Files that go with the next message: chosen, dropped or pasted, checked by the service, shown in the composer."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Qt
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QFileDialog

from app.core.errors import TriptychError
from app.core.text.i18n import _, ngettext
from app.services.exchange.attachments import MOST
from app.ui.chat.composer import estimated_tokens
from app.ui.chat.composer_top import ComposerFile
from app.ui.dialogs.approvals.text_sheet import TextSheet
from app.ui.render.parts.picture_dialog import PictureDialog

if TYPE_CHECKING:
    from app.core.run.messages import Attachment
    from app.services.exchange.attachments import AttachmentService
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.session.error_notices import ErrorNotices
    from app.ui.render.parts.pictures import PictureLoader
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent


WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_NAMED = 3
"""Of the files that were refused at once."""


class AttachmentController(QObject):
    def __init__(
        self,
        parent: DialogParent,
        column: ComposerColumn,
        errors: ErrorNotices,
        pictures: PictureLoader,
        attachments: AttachmentService,
        tasks: Tasks,
    ) -> None:
        """`pictures` decodes what is shown of them."""
        super().__init__(column)
        self._parent, self._composer, self._notice = parent, column.composer, column.notice
        self._errors, self._pictures, self._tasks = errors, pictures, tasks
        self._by_session: dict[str, list[Attachment]] = {}
        self._session = ""
        self._messages: Counter[str] = Counter()
        """How many messages of each session have gone."""
        self._kept = attachments
        composer = column.composer
        composer.offer_files()
        parent.setAcceptDrops(True)
        composer.attach_asked.connect(self.choose)
        tasks.spawn_on(composer.field.files_given, self.add)
        tasks.spawn_on(composer.field.long_text_given, self.add_paste)
        tasks.spawn_on(composer.field.image_given, self.add_picture)
        composer.file_removed.connect(self._remove)
        composer.file_opened.connect(self._show)

    def show(self, session: str) -> None:
        """Another session is open; "" is the one that has not begun."""
        self._session = session
        self._tell()

    def chosen(self) -> tuple[Attachment, ...]:
        return tuple(self._by_session.get(self._session, ()))

    def sent(self) -> None:
        self._by_session.pop(self._session, None)
        # What is still being read was meant for the message that has gone; it may have made the session.
        for session in {self._session, ""}:
            self._messages[session] += 1
        self._tell()

    def choose(self) -> None:
        dialog = QFileDialog(self._parent, _("Attach files"))
        dialog.setObjectName("attachDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        self._tasks.spawn_on(dialog.filesSelected, self.add)
        dialog.open()

    async def add(self, paths: list[str], strangers: int = 0) -> None:
        """`strangers`: what was given besides and is no file of this computer."""
        put = self._place()
        refused: list[TriptychError] = []
        for path in paths:
            if Path(path).suffix.lower() in WORKBOOKS:
                # No text that could go along, and the agents that read workbooks take them by their path.
                self._composer.field.insertPlainText(f'"{path}" ')
                continue
            try:
                if not await self._take(put, partial(self._kept.add_file, Path(path))):
                    return
            except TriptychError as error:
                refused.append(error)
        if len(refused) == 1 and not strangers:
            self._errors.tell(refused[0])
        elif refused or strangers:
            self._tell_refused(put, refused, strangers)

    def _tell_refused(self, place: _Place, refused: list[TriptychError], strangers: int) -> None:
        """One sentence for all of them: a newer notice would take the place of the one before."""
        words = []
        if refused:
            names = [str(error.params.get("name", "")) for error in refused[:_NAMED]]
            text = ngettext(
                "{n} file cannot be sent along: {names}", "{n} files cannot be sent along: {names}", len(refused)
            )
            more = "" if len(refused) <= _NAMED else " …"
            words.append(text.format(n=len(refused), names=", ".join(f"“{name}”" for name in names) + more))
        if strangers:
            text = ngettext(
                "{n} item is no file of this computer.", "{n} items are no files of this computer.", strangers
            )
            words.append(text.format(n=strangers))
        self._notice.tell(" ".join(words), "warn", session=place.session)

    async def add_paste(self, text: str) -> None:
        number = sum(1 for one in self.chosen() if one.name.startswith(_("Pasted text"))) + 1
        name = f"{_('Pasted text')} {number}.txt"
        await self._take_one(partial(self._kept.add_text, name, text))

    async def add_from(self, origin: str, name: str, read: Callable[[], Awaitable[str]]) -> None:
        """A text that others wrote, which `read` brings."""

        async def keep(session: str) -> Attachment:
            return await self._kept.add_text(name, await read(), session, origin=origin)

        await self._take_one(keep)

    async def add_picture(self, image: QImage) -> None:
        put = self._place()
        number = sum(1 for one in self.chosen() if one.name.startswith(_("Picture"))) + 1
        data = await asyncio.to_thread(png_of, image)
        await self._take_one(partial(self._kept.add_image, f"{_('Picture')} {number}.png", data), put)

    async def _take_one(self, keep: Callable[[str], Awaitable[Attachment]], place: _Place | None = None) -> None:
        try:
            await self._take(place or self._place(), keep)
        except TriptychError as error:
            self._errors.tell(error)

    def _place(self) -> _Place:
        return _Place(self._session, self._messages[self._session])

    async def _take(self, place: _Place, keep: Callable[[str], Awaitable[Attachment]]) -> bool:
        """Into the message it was given to, whatever is open by then; False: nothing more goes with that one.

        Raises what `keep` raises.
        """
        if len(self._by_session.get(place.session, ())) >= MOST:
            self._notice.tell(_("At most {n} files go with one message.").format(n=MOST), "warn", session=place.session)
            return False
        file = await keep(place.session)
        if self._messages[place.session] != place.message:
            note = _("“{name}” was still being read when the message was sent; it did not go along.")
            self._notice.tell(note.format(name=file.name), "warn", session=place.session)
            return False
        files = self._by_session.setdefault(place.session, [])
        if file not in files and len(files) < MOST:
            files.append(file)
        self._tell()
        return True

    def _remove(self, place: int) -> None:
        del self._by_session[self._session][place]
        self._tell()

    def _tell(self) -> None:
        files = self._by_session.get(self._session, ())
        self._composer.set_files([_shown(file) for file in files], self._pictures)

    def _show(self, place: int) -> None:
        """What would be sent, to be looked at."""
        file = self._by_session[self._session][place]
        if not file.is_image:
            TextSheet(self._parent.theme, file.name, file.text, self._parent).open()
        else:
            PictureDialog(self._parent, self._parent.theme, self._pictures, f"att:{file.ref}", file.name).open()


class _Place(NamedTuple):
    """The message a file was given to."""

    session: str
    message: int


def _shown(file: Attachment) -> ComposerFile:
    if file.is_image:
        return ComposerFile(file.name, picture=f"att:{file.ref}")
    count = len(file.text)
    note = ngettext("{n:,} character", "{n:,} characters", count).format(n=count)
    return ComposerFile(file.name, note, tokens=estimated_tokens(file.text))


def png_of(image: QImage) -> bytes:
    """May run in a thread."""
    buffer_bytes = QByteArray()
    buffer = QBuffer(buffer_bytes)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer_bytes.data())
