"""Knowledge bases: folders and files are added, read with progress, read again, removed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.knowledge import KnowledgeBase, SourceFile
from app.core.text.i18n import N_, _, ngettext
from app.core.wording.knowledge import fault_text as file_fault
from app.services.knowledge.importing import Progress
from app.services.knowledge.service import KnowledgeService
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip
from app.ui.widgets.spawn import Spawn, starting

from .tables import RowTable

_COLUMNS = (N_("Name"), N_("Sources"), N_("Documents"), N_("Not read"), N_("Watched"), "", "")
_SOURCES, _WATCHED, _READ, _REMOVE = 1, 4, 5, 6


class BasesView(QWidget):
    failed = Signal(str)

    def __init__(self, knowledge: KnowledgeService, theme: Theme, *, spawn: Spawn) -> None:
        super().__init__()
        self._knowledge, self._theme, self._spawn = knowledge, theme, spawn
        self._bases: list[KnowledgeBase] = []
        self._reading: asyncio.Task[Any] | None = None
        self.table = RowTable(theme, _("Knowledge bases"), [_(one) if one else "" for one in _COLUMNS], _SOURCES)
        self.table.delete_asked.connect(self._ask_row)
        sentence = _("No documents yet. Add a folder, and the agents you give it to can search it and quote from it.")
        self.empty = EmptyState(theme, "book", sentence)
        self.folder_button, self.files_button = QPushButton(_("Add a folder…")), QPushButton(_("Add files…"))
        self.shared_box = QCheckBox(_("on the server"))
        words = _("What is added now goes to the server and is searched by all who use it")
        set_safe_tooltip(self.shared_box, words)
        self.folder_button.setProperty("kind", "primary")
        self.search_button = QPushButton(_("Search the documents…"))
        self.search_button.clicked.connect(self._open_search)
        self.folder_button.clicked.connect(self._choose_folder)
        self.files_button.clicked.connect(self._choose_files)
        self.progress, self.stop_button = QProgressBar(), QPushButton(_("Stop"))
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(_("Reading the documents"))
        self.stop_button.clicked.connect(self._stop_reading)
        self.state = SafeLabel("", role="meta")
        self.state.setWordWrap(True)
        head, foot = FlowRow(theme.space(1)), QHBoxLayout()
        title = SafeLabel(_("Knowledge bases"), role="title")
        title.setWordWrap(True)
        head.add_growing(title)
        for button in (self.search_button, self.files_button, self.folder_button):
            button.setAutoDefault(False)
            head.add(button)
        foot.addWidget(self.progress, 1)
        foot.addWidget(self.stop_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        layout.addWidget(head)
        layout.addWidget(self.shared_box, 0, Qt.AlignmentFlag.AlignRight)
        for widget in (self.table, self.empty, self.state):
            layout.addWidget(widget, 1 if widget is self.table else 0)
        layout.addLayout(foot)
        self._show_progress(is_reading=False)
        stop = knowledge.listen(self._changed)
        self.destroyed.connect(stop)
        self._show([], {})

    def refresh(self) -> None:
        if shiboken6.isValid(self):
            self._spawn(self._look())

    async def _look(self) -> None:
        bases = await self._knowledge.bases()
        away = self._knowledge.server_fault
        files = {base.id: await self._knowledge.files(base.id) for base in bases if away is None or not base.is_shared}
        if shiboken6.isValid(self):
            self._show(bases, files)
            if away is not None and self._reading is None:
                self.state.setText(fault_text(away))

    def _show(self, bases: list[KnowledgeBase], files: dict[str, list[SourceFile]]) -> None:
        self._bases = bases
        server = self._knowledge.server
        self.shared_box.setVisible(server is not None and server.is_set)
        self.table.setRowCount(len(bases))
        for row, base in enumerate(bases):
            of_base = files.get(base.id, [])
            faults = [file for file in of_base if file.error]
            self.table.put(row, 0, _("{name} (on the server)").format(name=base.name) if base.is_shared else base.name)
            self.table.put(row, _SOURCES, ", ".join(base.sources))
            self.table.put(row, 2, str(len(of_base) - len(faults)))
            self.table.put(row, 3, str(len(faults)) if faults else "")
            self._put_switch(row, base)
            for column, text, work in ((_READ, _("Read again"), self._read), (_REMOVE, _("Remove…"), self._ask)):
                button = QPushButton(text)
                button.setProperty("kind", "link")
                button.setAutoDefault(False)
                button.setAccessibleName(f"{text} {base.name}")
                button.clicked.connect(partial(work, base))
                self.table.setCellWidget(row, column, button)
        self.table.setVisible(bool(bases))
        self.search_button.setVisible(bool(bases))
        self.empty.setVisible(not bases)

    def _put_switch(self, row: int, base: KnowledgeBase) -> None:
        box = QCheckBox()
        box.setChecked(base.watched)
        box.setAccessibleName(_("Read changes in {name} by themselves").format(name=base.name))
        box.toggled.connect(lambda on: self._do(self._knowledge.watch(base.id, on=on)))
        holder = QWidget()
        layout = QHBoxLayout(holder)
        layout.setContentsMargins(self._theme.space(1), 0, 0, 0)
        layout.addWidget(box)
        self.table.setCellWidget(row, _WATCHED, holder)

    # ------------------------------------------------------------ what a person does

    def _open_search(self) -> None:
        from .search import KnowledgeSearchDialog

        KnowledgeSearchDialog(self._knowledge, self._theme, spawn=self._spawn, parent=self.window()).open()

    def _choose_folder(self) -> None:
        chooser = QFileDialog(self, _("Add a folder"))
        chooser.setFileMode(QFileDialog.FileMode.Directory)
        chooser.filesSelected.connect(self.add)
        chooser.open()

    def _choose_files(self) -> None:
        chooser = QFileDialog(self, _("Add files"))
        chooser.setFileMode(QFileDialog.FileMode.ExistingFiles)
        chooser.filesSelected.connect(self.add)
        chooser.open()

    def add(self, paths: list[str]) -> None:
        """A base named after the folder, or the folder the files are in."""
        if paths:
            first = Path(paths[0])
            name = first.name if first.is_dir() else first.parent.name
            self._do(self._added(name, [Path(path) for path in paths]))

    async def _added(self, name: str, paths: list[Path]) -> None:
        shared = self.shared_box.isChecked() and not self.shared_box.isHidden()
        self._read(await self._knowledge.add(name, paths, shared=shared))

    def _ask_row(self, row: int) -> None:
        self._ask(self._bases[row])

    def _ask(self, base: KnowledgeBase, _checked: bool = False) -> None:
        answers = [("", _("Cancel"), ""), ("yes", _("Remove"), "danger")]
        title = _("Remove {name}?").format(name=base.name)
        text = _("Agents cannot search it any more. The documents themselves stay where they are.")
        question = AskDialog(self, self._theme, title, text, answers)
        question.agreed.connect(starting(self._do, self._knowledge.remove, base.id))
        question.open()

    # ------------------------------------------------------------ reading

    def _read(self, base: KnowledgeBase, _checked: bool = False) -> None:
        if self._reading is None:
            self._do(self._follow(base))

    def _changed(self, _base: str) -> None:
        self.refresh()

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()

    async def _follow(self, base: KnowledgeBase) -> None:
        self._reading = asyncio.current_task()
        self._show_progress(is_reading=True)
        failed: tuple[tuple[str, str], ...] = ()
        fault: TriptychError | None = None
        read = 0
        try:
            async with aclosing(self._knowledge.read_anew(base.id)) as states:
                async for state in states:
                    if not shiboken6.isValid(self):
                        return
                    failed, read, fault = state.failed, state.read, state.fault
                    self._show_state(base, state)
        except asyncio.CancelledError:
            self.state.setText(_("Stopped. What was read stays; “Read again” goes on from there."))
            return
        finally:
            self._reading = None
            if shiboken6.isValid(self):
                self._show_progress(is_reading=False)
                self.refresh()
        lines = [ngettext("One document read.", "{n} documents read.", read).format(n=read)]
        lines += [fault_text(fault)] if fault is not None else []
        lines += [f"{Path(path).name}: {file_fault(code)}" for path, code in failed[:20]]
        self.state.setText("\n".join(lines))

    def _show_state(self, base: KnowledgeBase, state: Progress) -> None:
        done, whole = state.vectors if state.vectors[1] else (state.done, state.total)
        self.progress.setMaximum(max(1, whole))
        self.progress.setValue(done)
        words = _("vectors {done} / {all}") if state.vectors[1] else "{done} / {all}"
        self.state.setText(f"{base.name}: " + words.format(done=done, all=whole))

    def _show_progress(self, *, is_reading: bool) -> None:
        self.progress.setVisible(is_reading)
        self.stop_button.setVisible(is_reading)

    def _do(self, work: Coroutine[Any, Any, Any]) -> None:
        self._spawn(self._told(work))

    async def _told(self, work: Coroutine[Any, Any, Any]) -> None:
        why = ""
        try:
            await work
        except (TriptychError, OSError) as error:
            why = fault_text(error)
        if shiboken6.isValid(self):
            self.failed.emit(why)
