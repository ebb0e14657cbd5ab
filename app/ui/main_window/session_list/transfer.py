"""Sessions out to files and in from files, as the window offers it."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QFileDialog

from app.core.errors import TriptychError
from app.core.text.i18n import _, ngettext
from app.services.exchange.transfer import Exported, file_name
from app.ui.texts import error_text

if TYPE_CHECKING:
    from app.core.exchange.options import Include
    from app.core.session.summary import SessionRow
    from app.services.data.sessions import SessionService
    from app.services.exchange.prepared_import import PreparedImport
    from app.services.exchange.transfer import TransferService
    from app.ui.dialogs.data.export_sheet import Form
    from app.ui.dialogs.data.import_sheet import ImportSheet
    from app.ui.main_window.open_session import OpenSession
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent
    from app.ui.widgets.notice_bar import NoticeBar

_SOON_MS = 300
"""An import that is read by then shows no progress."""
_REMARKS = 6
"""So many of an import's remarks stand in the notice."""


class TransferController(QObject):
    imported = Signal(str)
    """The first session of what was read."""
    others_dropped = Signal(list, int)
    """Files that hold no conversations, and how many other things fell with them."""

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

        ExportDialog(self._parent.theme, file_name(row.title), chosen, self._parent).open()

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

    # ------------------------------------------------------------ in

    def choose_import(self) -> None:
        chooser = QFileDialog(self._parent, _("Import sessions"))
        chooser.setObjectName("importDialog")
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setFileMode(QFileDialog.FileMode.ExistingFiles)
        pattern = _("Sessions and chats of other programs (*.triptych *.json *.jsonl *.zip *.sqlite)")
        chooser.setNameFilters([pattern, _("All files (*)")])
        chooser.filesSelected.connect(self._chosen)
        chooser.open()

    def _chosen(self, paths: list[str]) -> None:
        self._tasks.spawn(self.read([Path(path) for path in paths]))

    def take_drops(self, dropped: SignalInstance, others: SignalInstance) -> None:
        """`others` is told which of the files hold no conversations."""
        self._tasks.spawn_on(dropped, self.read_dropped)
        self.others_dropped.connect(others)

    async def read_dropped(self, paths: list[str], strangers: int) -> None:
        """Files that fell on the window beside the message field: exports are imported, others go with a message."""
        from app.services.exchange.import_marks import holds_conversations

        files = [Path(path) for path in paths]
        exports = [file for file in files if await asyncio.to_thread(holds_conversations, file)]
        rest = [str(file) for file in files if file not in exports]
        if rest or strangers:
            self.others_dropped.emit(rest, strangers)
        if exports:
            await self.read(exports)

    async def read(self, paths: list[Path]) -> None:
        """One conversation is imported at once; of several the person chooses."""
        from app.services.exchange.import_work import ImportWork
        from app.ui.dialogs.data.import_sheet import ImportSheet

        work = ImportWork()
        sheet = ImportSheet(self._parent.theme, work, self._parent)
        sheet.refused.connect(work.cancel)
        QTimer.singleShot(_SOON_MS, sheet, sheet.open_while_reading)
        try:
            prepared = await self._transfer.prepare(paths, work)
        except TriptychError as error:
            self._leave(sheet, error)
            return
        if len(prepared.conversations) == 1 or not shiboken6.isValid(sheet):
            await self._carry_out(sheet, prepared, None)
            return
        sheet.refused.connect(prepared.close)
        sheet.destroyed.connect(prepared.close)
        sheet.accepted_choice.connect(partial(self._wanted, sheet, prepared))
        sheet.choose(prepared)

    def _wanted(self, sheet: ImportSheet, prepared: PreparedImport, chosen: list[int]) -> None:
        sheet.refused.disconnect(prepared.close)
        sheet.destroyed.disconnect(prepared.close)
        self._tasks.spawn(self._carry_out(sheet, prepared, chosen))

    async def _carry_out(self, sheet: ImportSheet, prepared: PreparedImport, chosen: list[int] | None) -> None:
        try:
            report = await self._transfer.carry_out(prepared, chosen)
        except TriptychError as error:
            self._leave(sheet, error)
            return
        self._finish(sheet)
        new = [one for one in report.sessions if not one.known]
        count, known = len(new), len(report.sessions) - len(new)
        words = [ngettext("{n} session was imported.", "{n} sessions were imported.", count).format(n=count)]
        if known:
            words.append(ngettext("{n} was here already.", "{n} were here already.", known).format(n=known))
        words += report.remarks[:_REMARKS]
        if (left := len(report.remarks) - _REMARKS) > 0:
            words.append(_("… and {n} more").format(n=left))
        self._notice.tell("\n".join(words), "warn" if report.remarks else "info")
        if report.sessions:
            self.imported.emit(report.sessions[0].id)

    def _leave(self, sheet: ImportSheet, error: TriptychError) -> None:
        self._finish(sheet)
        self._tell(error)

    def _finish(self, sheet: ImportSheet) -> None:
        if shiboken6.isValid(sheet):
            sheet.finish()

    def _tell(self, error: TriptychError) -> None:
        text = error_text(error.code, error.message, error.params)
        self._notice.tell(f"{text.what} {text.do}".strip(), "warn")
