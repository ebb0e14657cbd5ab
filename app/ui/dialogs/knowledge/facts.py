"""What agents remember: every fact with its agent and day, changed in place, forgotten one by one or all."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QPushButton, QTableWidgetItem, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.memory import MemoryFact
from app.core.text.i18n import N_, _
from app.core.text.moments import time_text
from app.services.memory.service import MemoryService
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.settings.agent_titles import AgentTitles
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.fields.search_field import SearchField
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn, starting

from .tables import RowTable

_COLUMNS = (N_("Agent"), N_("Fact"), N_("Since"), N_("State"), "")
_FACT, _BUTTON = 1, 4


class FactsView(QWidget):
    failed = Signal(str)
    """Why something could not be done; "" = nothing is wrong any more."""

    def __init__(self, memory: MemoryService, theme: Theme, *, spawn: Spawn, titles: AgentTitles) -> None:
        super().__init__()
        self._memory, self._theme, self._spawn, self._titles = memory, theme, spawn, titles
        self._facts: list[MemoryFact] = []
        self._only: frozenset[str] = frozenset()
        """Ids; empty = all of them."""
        self.search = SearchField(theme, _("Search the memory"))
        self.search.textChanged.connect(self._narrow)
        self.all_button = QPushButton(_("Show all facts"))
        self.all_button.setProperty("kind", "link")
        self.all_button.setAutoDefault(False)
        self.all_button.clicked.connect(self._show_all)
        self.table = RowTable(theme, _("Memory"), [_(title) if title else "" for title in _COLUMNS], _FACT)
        self.table.itemChanged.connect(self._edited)
        self.table.delete_asked.connect(self._forget)
        self.empty = EmptyState(theme, "brain")
        self.export_button = QPushButton(_("Export…"))
        self.export_button.clicked.connect(self._choose_file)
        self.forget_button = QPushButton(_("Forget all…"))
        self.forget_button.setProperty("kind", "danger")
        self.forget_button.clicked.connect(self._ask_all)
        head, foot = FlowRow(theme.space(1)), FlowRow(theme.space(1))
        head.add_growing(SafeLabel(_("Memory"), role="title"))
        head.add(self.all_button)
        head.add_growing(self.search)
        for button in (self.export_button, self.forget_button):
            button.setAutoDefault(False)
            foot.add(button)
        about = SafeLabel(
            _(
                "What agents remember of you. A double click changes a fact."
                " Each agent has its own switch in its settings."
            ),
            role="meta",
        )
        about.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        layout.addWidget(head)
        for widget in (about, self.table, self.empty):
            layout.addWidget(widget, 1 if widget is self.table else 0)
        layout.addWidget(foot)
        stop = memory.listen(self._changed)
        self.destroyed.connect(stop)
        self._show([])

    def show_only(self, ids: Iterable[str]) -> None:
        """What an answer used; the others again by a button beside the search."""
        self._only = frozenset(ids)
        self.search.clear()
        self._narrow()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_all(self) -> None:
        self.show_only(())

    def refresh(self) -> None:
        if shiboken6.isValid(self):
            self._spawn(self._read())

    async def _read(self) -> None:
        facts = [fact for fact in await self._memory.facts() if fact.valid_to is None and fact.state != "rejected"]
        if shiboken6.isValid(self):
            self._show(facts)

    def _show(self, facts: list[MemoryFact]) -> None:
        self._facts = facts
        states = {"kept": "", "proposed": _("waits for you")}
        self.table.blockSignals(True)
        self.table.setRowCount(len(facts))
        for row, fact in enumerate(facts):
            self.table.put(row, 0, self._titles.title_of(fact.agent))
            self.table.put(row, _FACT, fact.text, editable=True)
            self.table.put(row, 2, time_text(fact.valid_from, "%Y-%m-%d"))
            self.table.put(row, 3, states.get(fact.state, ""))
            button = QPushButton(_("Forget"))
            button.setProperty("kind", "link")
            button.setAutoDefault(False)
            button.setAccessibleName(_("Forget: {text}").format(text=fact.text))
            button.clicked.connect(partial(self._forget_fact, fact.id))
            self.table.setCellWidget(row, _BUTTON, button)
        self.table.blockSignals(False)
        for button in (self.export_button, self.forget_button):
            button.setEnabled(bool(facts))
        self._narrow()

    def _narrow(self) -> None:
        needle = self.search.text().strip().casefold()
        matches = [
            needle in f"{self._titles.title_of(fact.agent)} {fact.text}".casefold()
            and (not self._only or fact.id in self._only)
            for fact in self._facts
        ]
        self.all_button.setVisible(bool(self._only))
        for row, fits in enumerate(matches):
            self.table.setRowHidden(row, not fits)
        self.table.setVisible(any(matches))
        self.empty.setVisible(not any(matches))
        self.empty.say(_("Nothing matches.") if self._facts else _("Nothing is remembered yet."))

    # ------------------------------------------------------------ what a person does

    def _edited(self, item: QTableWidgetItem) -> None:
        if item.column() == _FACT:
            self._do(self._memory.edit(self._facts[item.row()].id, item.text()))

    def _changed(self, _agent: str) -> None:
        self.refresh()

    def _forget(self, row: int) -> None:
        self._forget_fact(self._facts[row].id)

    def _forget_fact(self, id: str, _checked: bool = False) -> None:
        self._do(self._memory.forget(id))

    def _ask_all(self) -> None:
        answers = [("", _("Cancel"), ""), ("yes", _("Forget all"), "danger")]
        text = _("Everything all agents remember of you is deleted for good.")
        question = AskDialog(self, self._theme, _("Forget all facts?"), text, answers)
        question.agreed.connect(starting(self._do, self._forget_everything))
        question.open()

    async def _forget_everything(self) -> None:
        for agent in sorted({fact.agent for fact in await self._memory.facts()}):
            await self._memory.forget_all(agent)

    def _choose_file(self) -> None:
        chooser = QFileDialog(self, _("Export the memory"))
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setNameFilter("JSON (*.json)")
        chooser.selectFile("memory.json")
        chooser.fileSelected.connect(self._export)
        chooser.open()

    def _export(self, path: str) -> None:
        self._do(self._written(Path(path)))

    async def _written(self, path: Path) -> None:
        import asyncio

        await asyncio.to_thread(path.write_text, await self._memory.export(), encoding="utf-8")

    def _do(self, work: Coroutine[Any, Any, Any]) -> None:
        self._spawn(self._told(work))

    async def _told(self, work: Coroutine[Any, Any, Any]) -> None:
        why = ""
        try:
            await work
        except (TriptychError, OSError) as error:
            why = _("Not saved: {error}").format(error=fault_text(error))
            self.refresh()
        if shiboken6.isValid(self):
            self.failed.emit(why)
