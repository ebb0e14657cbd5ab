"""What the agent would remember, above the composer: one fact at a time, to keep, change first, or not."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from app.core.memory import LONGEST_FACT, MemoryFact
from app.core.text.i18n import _
from app.services.memory.service import MemoryService
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible


class MemoryBar(QFrame):
    kept = Signal(str, str)
    """Id of the fact, its text as it stands in the field."""
    rejected = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryBar")
        self.setProperty("card", "plain")
        self.setAccessibleName(_("Remember this?"))
        self._id = ""
        self._icon = QLabel(self)
        self._title = SafeLabel(_("Remember this?"), self)
        self._count = SafeLabel("", self, role="meta")
        self._field = QLineEdit(self)
        self._field.setMaxLength(LONGEST_FACT)
        self._field.setAccessibleName(_("The fact, as it is remembered"))
        self._field.returnPressed.connect(self._keep)
        keep, reject = QPushButton(_("Remember"), self), QPushButton(_("No"), self)
        for button in (keep, reject):
            button.setAutoDefault(False)
        keep.clicked.connect(self._keep)
        reject.clicked.connect(self._reject)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.space(2), theme.space(1), theme.space(1), theme.space(1))
        row.setSpacing(theme.space(1))
        for widget in (self._icon, self._title, self._field, self._count, keep, reject):
            row.addWidget(widget, 1 if widget is self._field else 0)
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._icon.setPixmap(theme.pixmap("brain", "accent", 16, ratio=self.devicePixelRatioF()))

    def show_facts(self, facts: Sequence[MemoryFact]) -> None:
        """The first of them; hidden where there is none. What is being typed over it stays."""
        self.setVisible(bool(facts))
        if not facts:
            self._id = ""
            return
        first = facts[0]
        self._count.setText(_("1 of {n}").format(n=len(facts)) if len(facts) > 1 else "")
        self._count.setVisible(len(facts) > 1)
        if first.id != self._id:
            self._id = first.id
            self._field.setText(visible(first.text))
            self._field.setCursorPosition(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._reject()
            return
        super().keyPressEvent(event)

    def _keep(self) -> None:
        text = self._field.text().strip()
        if text:
            self.kept.emit(self._id, text)

    def _reject(self) -> None:
        self.rejected.emit(self._id)


class MemoryProposals(QObject):
    """Shows what waits in the open session, and carries out what the person says of it."""

    def __init__(self, bar: MemoryBar, memory: MemoryService, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bar, self._memory, self._tasks = bar, memory, tasks
        self._session = ""
        self._looks = 0
        bar.kept.connect(self._keep)
        bar.rejected.connect(self._reject)
        self._stop = memory.listen(self._changed)

    def close(self) -> None:
        self._stop()

    def open_session(self, id: str) -> None:
        if id != self._session:
            self._session = id
            self._bar.show_facts(())
        self._look()

    def _changed(self, _agent: str) -> None:
        self._look()

    def _look(self) -> None:
        self._looks += 1
        if self._session:
            self._tasks.spawn(self._show(self._session, self._looks))

    async def _show(self, session: str, look: int) -> None:
        """Two changes close together are read twice; the earlier reading must not come last."""
        facts = await self._memory.facts(state="proposed", session=session)
        if look == self._looks:
            self._bar.show_facts(list(reversed(facts)))

    def _keep(self, id: str, text: str) -> None:
        self._tasks.spawn(self._kept(id, text))

    async def _kept(self, id: str, text: str) -> None:
        await self._memory.edit(id, text)
        await self._memory.keep(id)

    def _reject(self, id: str) -> None:
        self._tasks.spawn(self._memory.reject(id))
