"""The page of memory and knowledge: documents above, facts below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.services.knowledge.service import KnowledgeService
from app.services.memory.service import MemoryService
from app.ui.dialogs.settings.agent_titles import AgentTitles
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.theme import Theme
from app.ui.widgets.layout.page_area import READING_STEPS
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn

from .bases import BasesView
from .facts import FactsView
from .models import ModelsView
from .server import ServerView


class KnowledgePage(SettingsPage):
    def __init__(
        self,
        knowledge: KnowledgeService,
        memory: MemoryService,
        theme: Theme,
        *,
        spawn: Spawn,
        titles: AgentTitles,
    ) -> None:
        super().__init__(theme)
        self.setObjectName("knowledgePage")
        self.bases = BasesView(knowledge, theme, spawn=spawn)
        self.models = ModelsView(knowledge.models, theme, spawn=spawn)
        self.server = ServerView(knowledge.server, theme, spawn=spawn) if knowledge.server is not None else None
        self.facts = FactsView(memory, theme, spawn=spawn, titles=titles)
        self.told = SafeLabel(role="error")
        self.told.setWordWrap(True)
        self.bases.failed.connect(self.told.setText)
        self.models.failed.connect(self.told.setText)
        self.facts.failed.connect(self.told.setText)
        holder, self.area = QWidget(), QScrollArea()
        parts = QVBoxLayout(holder)
        parts.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        parts.setSpacing(theme.space(3))
        parts.addWidget(self.bases, 1)
        parts.addWidget(self.models)
        if self.server is not None:
            self.server.failed.connect(self.told.setText)
            self.server.changed.connect(self.bases.refresh)
            parts.addWidget(self.server)
        parts.addWidget(self.facts, 1)
        holder.setMaximumWidth(theme.space(READING_STEPS))
        self.area.setWidget(holder)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.told.setContentsMargins(theme.space(3), 0, theme.space(3), 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, theme.space(1))
        layout.addWidget(self.area, 1)
        layout.addWidget(self.told)
        self.refresh()

    def show_item(self, item: str) -> None:
        """Ids of facts, with spaces between them."""
        self.facts.show_only(item.split())
        self.area.ensureWidgetVisible(self.facts)

    def refresh(self) -> None:
        self.bases.refresh()
        self.models.refresh()
        if self.server is not None:
            self.server.refresh()
        self.facts.refresh()
