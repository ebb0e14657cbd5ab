"""Sessions out to files and in from files, as the window offers it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog

from app.core.errors import TriptychError
from app.core.text.i18n import _, ngettext
from app.services.exchange.transfer import Exported, file_name
from app.ui.texts import error_text

if TYPE_CHECKING:
    from app.core.exchange.options import Include
    from app.core.session.summary import SessionRow
    from app.services.data.sessions import SessionService
    from app.services.exchange.transfer import TransferService
    from app.ui.dialogs.data.export_sheet import ExportDialog, Form
    from app.ui.main_window.open_session import OpenSession
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent
    from app.ui.widgets.notice_bar import NoticeBar

_REMARKS = 6
"""So many of an import's remarks stand in the notice."""


class TransferController(QObject):
    imported = Signal(str)
    """The first session of what was read."""

    def __init__(
        self,
        parent: DialogParent,
        notice: NoticeBar,
        open_session: OpenSession,
        tasks: Tasks,
        *,
        transfer: TransferService,
        sessions: SessionService,
    ) -> None:
        super().__init__(parent)
        self._parent, self._notice, self._open_session, self._tasks = parent, notice, open_session, tasks
        self._transfer, self._sessions = transfer, sessions

    def export_open(self) -> None:
        if (row := self._open_session.row) is not None:
            self.export(row)

    def export(self, row: SessionRow) -> None:
        from app.ui.dialogs.data.export_sheet import ExportDialog

        def chosen(form: Form, include: Include, path: str) -> None:
            self._tasks.spawn(self.write(row.id, form, Path(path), include))

        dialog = ExportDialog(self._parent.theme, file_name(row.title), chosen, self._parent)
        dialog.open()
        self._tasks.spawn(self._name_archive(dialog, row.id))

    async def _name_archive(self, dialog: ExportDialog, session: str) -> None:
        """While the person chooses: what file will be proposed for JSON."""
        with suppress(TriptychError):  # the export itself says what is wrong
            is_archive = await self._transfer.is_archive([session])
            if shiboken6.isValid(dialog):
                dialog.is_archive = is_archive

    def export_some(self, rows: list[SessionRow]) -> None:
        """One as always; several as a file each in a folder, or as one archive."""
        if len(rows) == 1:
            self.export(rows[0])
            return
        from app.ui.dialogs.data.export_sheet import ExportDialog

        def chosen(form: Form, include: Include, folder: str) -> None:
            self._tasks.spawn(self.write_each([row.id for row in rows], form, Path(folder), include))

        ExportDialog(self._parent.theme, "", chosen, self._parent, count=len(rows)).open()

    async def write_each(self, sessions: list[str], form: Form, folder: Path, include: Include) -> None:
        try:
            if form == "pdf":
                written = [await self._write_pdf(id, folder, include) for id in sessions]
            else:
                written = await self._transfer.export_each(sessions, form, folder, include)
        except TriptychError as error:
            self._tell(error)
        else:
            words = ngettext("{n} file was written to {path}", "{n} files were written to {path}", len(written))
            self._notice.tell(words.format(n=len(written), path=folder))

    async def write(self, session: str, form: Form, path: Path, include: Include) -> None:
        try:
            if form == "pdf":
                written = await self._write_pdf(session, path, include)
            else:
                written = await self._transfer.export_to([session], form, path, include)
        except TriptychError as error:
            self._tell(error)
        else:
            self._notice.tell(_("Exported to {path}").format(path=written))

    async def _write_pdf(self, session: str, path: Path, include: Include) -> Path:
        """Laid out here, because only the window can; kept as all exports are."""
        from app.ui.render.pdf import pdf_of

        page = await self._transfer.export([session], "html", include)
        title = (await self._sessions.row(session)).title
        data = await asyncio.to_thread(pdf_of, page.data.decode(), title)
        return await self._transfer.keep(Exported(Path(page.name).with_suffix(".pdf").name, data), path)

    def choose_import(self) -> None:
        chooser = QFileDialog(self._parent, _("Import sessions"))
        chooser.setObjectName("importDialog")
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setFileMode(QFileDialog.FileMode.ExistingFiles)
        chooser.setNameFilter(_("Sessions and chats of other programs (*.json *.zip)"))
        chooser.filesSelected.connect(self._chosen)
        chooser.open()

    def _chosen(self, paths: list[str]) -> None:
        self._tasks.spawn(self.read([Path(path) for path in paths]))

    async def read(self, paths: list[Path]) -> None:
        try:
            report = await self._transfer.import_files(paths)
        except TriptychError as error:
            self._tell(error)
            return
        count = len(report.sessions)
        words = [ngettext("{n} session was imported.", "{n} sessions were imported.", count).format(n=count)]
        words += report.remarks[:_REMARKS]
        if (left := len(report.remarks) - _REMARKS) > 0:
            words.append(_("… and {n} more").format(n=left))
        self._notice.tell("\n".join(words), "warn" if report.remarks else "info")
        if report.sessions:
            self.imported.emit(report.sessions[0].id)

    def _tell(self, error: TriptychError) -> None:
        text = error_text(error.code, error.message, error.params)
        self._notice.tell(f"{text.what} {text.do}".strip(), "warn")
