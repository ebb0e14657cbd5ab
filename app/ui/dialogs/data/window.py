"""Where the data is, how large it is, and the copies of it: made, listed, taken back."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import TriptychError
from app.core.text.i18n import _, ngettext
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.data.location import DataPlace
from app.ui.dialogs.data.recovery import restored_words
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.texts import fault_text
from app.ui.texts.copies import moment_text, size_text, why_title
from app.ui.theme import Theme
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn, starting

if TYPE_CHECKING:
    from app.services.data.backups import Backup, BackupService
    from app.services.data.checks import CheckService
    from app.services.data.data_folder import DataFolderService
    from app.services.remote_backup.service import RemoteBackupService


class DataPage(SettingsPage):
    restored = Signal()
    """Everything that is shown must be read again."""
    moved = Signal()
    """The program must start again."""

    def __init__(
        self,
        folder: DataFolderService,
        backups: BackupService,
        theme: Theme,
        *,
        spawn: Spawn,
        checks: CheckService,
        remote: RemoteBackupService | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self.setObjectName("dataPage")
        self._folder, self._backups = folder.root, backups
        self._spawn, self._checks = spawn, checks
        self._rows: list[Backup] = []
        self.place = DataPlace(folder, theme, spawn=spawn)
        self.place.moved.connect(self.moved)
        self.copies = _table()
        self.copies.itemSelectionChanged.connect(self._selected)
        self._note = SafeLabel(role="meta")
        self._note.setWordWrap(True)
        self.make = _button(_("Back up now"), starting(spawn, self._make))
        self.restore = _button(_("Restore…"), self._ask)
        self.check = _button(_("Check everything"), starting(spawn, self._check))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1))
        layout.addWidget(_title(_("Where the data is")))
        layout.addWidget(self.place)
        layout.addSpacing(theme.space(2))
        layout.addWidget(_title(_("Backups")))
        rule = _(
            "Made when something changed and half an hour passed, when the window closes, and before imports, "
            "restores and updates. Kept: all of two days, then one a day, a week, a month."
        )
        rule_label = SafeLabel(rule, role="meta")
        rule_label.setWordWrap(True)
        layout.addWidget(rule_label)
        layout.addWidget(self.copies, 1)
        self.empty = EmptyState(theme, "archive", _("There is no backup yet."))
        self.empty.hide()
        layout.addWidget(self.empty, 1)
        layout.addWidget(self._note)
        layout.addWidget(_row(theme, self.make, self.restore, self.check))
        if remote is not None:
            self._add_remote(layout, remote)
        self._selected()
        spawn(self._read())

    def _add_remote(self, layout: QVBoxLayout, remote: RemoteBackupService) -> None:
        from app.ui.dialogs.data.remote_backups import RemoteBackups

        layout.addSpacing(self._theme.space(2))
        layout.addWidget(_title(_("Encrypted backups elsewhere")))
        self.remote = RemoteBackups(remote, self._theme, spawn=self._spawn)
        self.remote.restored.connect(self.restored)
        layout.addWidget(self.remote)

    async def _read(self) -> None:
        rows = await asyncio.to_thread(self._backups.rows)
        if shiboken6.isValid(self):
            self._show(rows)
        sizes = await asyncio.to_thread(folder_sizes, self._folder)
        if shiboken6.isValid(self):
            words = _("{all} together; of these {copies} are backups and {files} attached files.")
            self.place.sizes.setText(
                words.format(
                    all=size_text(sum(sizes.values())),
                    copies=size_text(sizes.get("backups", 0)),
                    files=size_text(sizes.get("attachments", 0)),
                )
            )

    def _show(self, rows: list[Backup]) -> None:
        self._rows = rows
        self.copies.setRowCount(len(rows))
        for n, row in enumerate(rows):
            for column, text in enumerate((moment_text(row.made), why_title(row.why), size_text(row.size))):
                item = QTableWidgetItem(text)
                if column == 2:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.copies.setItem(n, column, item)
        self.copies.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        if rows:
            self.copies.selectRow(0)
        self._selected()

    def _selected(self) -> None:
        self.restore.setEnabled(self._chosen() is not None)

    def _chosen(self) -> Backup | None:
        lines = {index.row() for index in self.copies.selectedIndexes()}
        return self._rows[min(lines)] if lines and min(lines) < len(self._rows) else None

    # ------------------------------------------------------------ what can be done

    async def _make(self) -> None:
        self._set_busy(_("Backing up…"))
        try:
            copy = await self._backups.make()
        except TriptychError as error:
            self._tell(_("No backup could be made: {error}").format(error=fault_text(error)))
        else:
            self._tell(_("A backup was made and checked: {name}").format(name=copy.path.name))
            await self._read()
        self._set_busy()

    async def _check(self) -> None:
        self._set_busy(_("Checking every message, event and result…"))
        try:
            problems, repaired = await self._checks.verify(), []
            if problems:
                repaired = await self._checks.repair()
            if repaired:
                problems = await self._checks.verify()
        except TriptychError as error:
            self._tell(_("Not checked: {error}").format(error=fault_text(error)))
        else:
            if shiboken6.isValid(self):
                self._tell_found(problems, repaired)
        self._set_busy()

    def _tell_found(self, problems: list[str], repaired: list[str]) -> None:
        sentences = []
        if repaired:
            words = ngettext("{n} damaged entry was repaired.", "{n} damaged entries were repaired.", len(repaired))
            sentences.append(words.format(n=len(repaired)))
        if problems:
            words = ngettext("{n} thing is wrong.", "{n} things are wrong.", len(problems))
            sentences.append(words.format(n=len(problems)))
            sentences.append(_("A backup from before the damage has them as they were."))
        elif repaired:
            sentences.append(_("Nothing else is wrong."))
        else:
            sentences.append(_("Everything was checked: nothing is wrong."))
        self._tell(" ".join(sentences))
        if problems or repaired:
            from app.ui.dialogs.approvals.text_sheet import TextSheet

            TextSheet(self._theme, _("What the check found"), "\n".join((*repaired, *problems)), self).open()

    def _ask(self) -> None:
        if (copy := self._chosen()) is None:
            return
        later = sum(row.number > copy.number for row in self._rows)
        text = _(
            "Everything becomes as it was on {when}. What is there now is copied first, so that you can come back."
        ).format(when=moment_text(copy.made))
        if later:
            words = ngettext("There is {n} newer backup.", "There are {n} newer backups.", later)
            text = f"{text} {words.format(n=later)}"

        question = AskDialog(
            self,
            self._theme,
            _("Restore this backup?"),
            text,
            [("", _("Cancel"), ""), ("restore", _("Restore"), "primary")],
        )
        question.agreed.connect(starting(self._spawn, self._restore, copy))
        question.open()

    async def _restore(self, copy: Backup) -> None:
        self._set_busy(_("Restoring…"))
        try:
            done = await self._backups.restore(copy.name)
        except TriptychError as error:
            self._tell(_("Not restored: {error}").format(error=fault_text(error)))
        else:
            self.restored.emit()
            if shiboken6.isValid(self):
                await self._read()
            self._tell(restored_words(done))
        self._set_busy()

    def _set_busy(self, words: str = "") -> None:
        if not shiboken6.isValid(self):
            return
        if words:
            self._tell(words)
        self.make.setEnabled(not words)
        self.check.setEnabled(not words)
        self.restore.setEnabled(not words and self._chosen() is not None)

    def _tell(self, words: str) -> None:
        if shiboken6.isValid(self):
            self._note.setText(words)


def folder_sizes(folder: Path) -> dict[str, int]:
    """Bytes by the first level: folders by name, plain files together under ""."""
    sizes: dict[str, int] = {}
    for place, _folders, files in os.walk(folder):
        inside = Path(place).relative_to(folder).parts
        for name in files:
            try:
                size = (Path(place) / name).lstat().st_size
            except OSError:
                continue  # gone meanwhile
            key = inside[0] if inside else ""
            sizes[key] = sizes.get(key, 0) + size
    return sizes


def _table() -> QTableWidget:
    table = QTableWidget(0, 3)
    table.setObjectName("copies")
    table.setAccessibleName(_("Backups"))
    table.setHorizontalHeaderLabels([_("When"), _("Why"), _("Size")])
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.setProperty("padded", True)
    table.setTabKeyNavigation(False)
    table.horizontalHeader().setHighlightSections(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    header = table.horizontalHeader()
    header.setAccessibleName(_("Columns"))
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return table


def _button(text: str, then: Callable[[], object]) -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.clicked.connect(then)
    return button


def _row(theme: Theme, *buttons: QPushButton) -> FlowRow:
    row = FlowRow(theme.space(1))
    for button in buttons:
        row.add(button)
    return row


def _title(text: str) -> SafeLabel:
    title = SafeLabel(text, role="title")
    title.setWordWrap(True)
    return title
