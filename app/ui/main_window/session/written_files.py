"""What a person does with a file that a tool wrote: open it, see it in its folder, save it elsewhere."""

from __future__ import annotations

import asyncio
import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from app.core.text.i18n import _
from app.ui.cards.file_card import can_open

if TYPE_CHECKING:
    from app.ui.tasks import Tasks
    from app.ui.widgets.notice_bar import NoticeBar


class WrittenFiles:
    def __init__(self, parent: QWidget, notice: NoticeBar, tasks: Tasks) -> None:
        self._parent, self._notice, self._tasks = parent, notice, tasks

    def open(self, path: Path) -> None:
        """By the program the system has for it; only kinds of which nothing runs."""
        if can_open(path):
            self._tasks.spawn(self._launch(path, path))

    def show(self, path: Path) -> None:
        self._tasks.spawn(self._launch(path, path.parent))

    def save_as(self, path: Path) -> None:
        chooser = QFileDialog(self._parent, _("Save as…"))
        chooser.setObjectName("saveFileDialog")
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setDefaultSuffix(path.suffix.removeprefix("."))
        chooser.selectFile(path.name)
        chooser.fileSelected.connect(partial(self._chosen, path))
        chooser.open()

    def _chosen(self, path: Path, target: str) -> None:
        self._tasks.spawn(self._copy(path, Path(target)))

    async def _launch(self, path: Path, shown: Path) -> None:
        if not await asyncio.to_thread(_is_file, path):
            self._notice.tell(_("The file was moved or deleted"), "warn")
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(shown))):
            self._notice.tell(_("No program opens {name}").format(name=shown.name), "warn")

    async def _copy(self, path: Path, target: Path) -> None:
        try:
            await asyncio.to_thread(_copied, path, target)
        except OSError as error:
            self._notice.tell(_("Not saved: {error}").format(error=error.strerror or error), "warn")
        else:
            self._notice.tell(_("Saved as {path}").format(path=target))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _copied(path: Path, target: Path) -> None:
    """Whole or not at all: the person chose the name, and was asked where a file is there already."""
    if path.exists() and target.exists() and path.samefile(target):
        return
    beside = target.with_name(f".{target.name}.part")
    try:
        shutil.copyfile(path, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
