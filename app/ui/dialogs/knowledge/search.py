"""The documents searched by the person: hits at the left, the chosen one in its place at the right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QSplitter, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.knowledge import Hit
from app.core.text.i18n import _
from app.core.wording.knowledge import place_text, search_fault_text
from app.services.knowledge.service import KnowledgeService
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.fields.search_field import SearchField
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.spawn import Spawn

from .passage import PassageView

MOST = 20


class KnowledgeSearchDialog(QDialog):
    def __init__(self, knowledge: KnowledgeService, theme: Theme, *, spawn: Spawn, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Search the documents"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._knowledge, self._spawn = knowledge, spawn
        self._hits: Sequence[Hit] = ()
        self._asked = 0
        self.field = SearchField(theme, _("A question or words"))
        self.state = SafeLabel("", role="meta")
        self.state.setWordWrap(True)
        self.list, self.passage = QListWidget(), PassageView(theme)
        self.list.setAccessibleName(_("Passages found"))
        self.list.setWordWrap(True)
        self.list.setSpacing(2)
        self.list.currentRowChanged.connect(self._open)
        self.field.returnPressed.connect(self._search)
        halves = QSplitter()
        halves.addWidget(self.list)
        halves.addWidget(self.passage)
        halves.setStretchFactor(0, 2)
        halves.setStretchFactor(1, 3)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(2), theme.space(2), theme.space(2))
        layout.setSpacing(theme.space(1))
        for widget in (self.field, self.state, halves):
            layout.addWidget(widget, 1 if widget is halves else 0)
        self.resize(theme.space(120), theme.space(84))
        self.field.setFocus()

    def _search(self) -> None:
        self._asked += 1
        self._spawn(self._found(self.field.text(), self._asked))

    async def _found(self, query: str, asked: int) -> None:
        why = ""
        try:
            bases = [base.id for base in await self._knowledge.bases()]
            hits = await self._knowledge.search(bases, query, MOST)
            fault = self._knowledge.fault
            why = "" if hits else _("No passage fits.")
            if fault is not None:
                why = search_fault_text(fault)
        except TriptychError as error:
            hits, why = [], fault_text(error)
        if not shiboken6.isValid(self) or asked != self._asked:
            return
        self.state.setText(why)
        self.state.setVisible(bool(why))
        self._hits = hits
        self.list.clear()
        for hit in hits:
            head = " · ".join(filter(None, [Path(hit.path).name, place_text(hit.passage)]))
            self.list.addItem(QListWidgetItem(visible(f"{head}\n{' '.join(hit.passage.text.split())[:140]}")))
        self.passage.setVisible(False)
        self.list.setCurrentRow(0)

    def _open(self, row: int) -> None:
        if 0 <= row < len(self._hits):
            self._asked += 1
            self._spawn(self._shown(self._hits[row], self.field.text(), self._asked))

    async def _shown(self, hit: Hit, query: str, asked: int) -> None:
        try:
            passage = await self._knowledge.show(hit.base, hit.path, hit.place, query)
        except TriptychError as error:
            if shiboken6.isValid(self):
                self.state.setText(fault_text(error))
                self.state.setVisible(True)
            return
        if shiboken6.isValid(self) and asked == self._asked:
            self.passage.show_passage(passage)
