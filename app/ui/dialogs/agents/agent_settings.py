"""The settings of the agents: a list, and a form made from `core/profile.py`. A change acts from the next turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QTabBar, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.profile import AgentProfile
from app.core.text.i18n import N_, _, ngettext
from app.ui.dialogs.agents.agent_form import ProfileForm
from app.ui.dialogs.agents.agent_list import OF_ONE, AgentList
from app.ui.dialogs.agents.choices import AgentChoices
from app.ui.dialogs.agents.cost_card import CostCard
from app.ui.dialogs.agents.pick_editors import Option
from app.ui.dialogs.agents.profile_changes import ProfileChanges
from app.ui.dialogs.agents.profile_files import ask_for_profile, ask_where_to_save
from app.ui.dialogs.agents.tool_table import ToolInfo
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.dialogs.settings.undo_line import UndoLine
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.layout.master_detail import MasterDetail
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn, starting
from app.ui.widgets.tab_order import tab_through

if TYPE_CHECKING:
    from app.services.settings.settings import SettingsService


_TABS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (N_("Basics"), ("Agent",)),
    (N_("Mode and rounds"), ("Mode", "Reflection", "Model")),
    (N_("Tools"), ("Tools", "Rules before and after tools")),
    (N_("Memory"), ("Memory", "Knowledge")),
    (N_("Limits"), ("Limits", "Tool results")),
    (N_("Advanced"), ()),
)
"""Tab and the groups of the form it shows; the last one has the rest."""
_SCHEMA_LENGTH = 300
"""Characters of the usual description of a tool's arguments."""
_CARD_FROM = 100
"""So many steps of the grid are needed for the card of costs beside the form."""


class AgentsPage(SettingsPage):
    def __init__(
        self,
        settings: SettingsService,
        tools: Sequence[ToolInfo],
        choices: AgentChoices,
        theme: Theme,
        *,
        spawn: Spawn,
        agent: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """`tools` are all there are."""
        super().__init__(theme, parent)
        self.setObjectName("agentsPage")
        self._settings, self._choices, self._spawn = settings, choices, spawn
        self.agents = AgentList(theme)
        self.form = ProfileForm(
            theme, tools=tools, choices=choices, domain_settings=settings.domain_settings, spawn=spawn
        )  # fmt: skip
        self.form.changed.connect(self._edited)
        self._changes = ProfileChanges(self.form, settings, self._tell_of)
        self._saving = self.save_at_once(self.form.changed, self._store_changes, spawn)
        self.form.table.rule_wanted.connect(self._add_rule)
        lengths = {tool.name: len(tool.name) + len(tool.description) + _SCHEMA_LENGTH for tool in tools}
        self.card = CostCard(theme, lengths)
        self._build()
        self._turn(0)
        self.agents.chosen.connect(partial(self.leave_to, self.show_agent))
        self.agents.wanted.connect(self._wanted)
        stop_listening = settings.listen(self._refresh)
        self.destroyed.connect(stop_listening)
        self._refresh()
        profiles = settings.profiles()
        self.show_agent(agent or profiles[0].id)

    def _build(self) -> None:
        theme = self._theme
        area = self._area = QScrollArea()
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.form.setContentsMargins(theme.space(3), theme.space(1), theme.space(2), theme.space(3))
        inner = QWidget()
        beside = QHBoxLayout(inner)
        beside.setContentsMargins(0, 0, theme.space(3), 0)
        beside.addWidget(self.form, 1)
        beside.addWidget(self.card, 0, Qt.AlignmentFlag.AlignTop)
        area.setWidget(inner)
        inner.setAutoFillBackground(False)
        area.viewport().setAutoFillBackground(False)
        self.form.setAutoFillBackground(False)
        line = QFrame()
        line.setProperty("line", True)
        line.setFixedHeight(1)
        detail = QWidget()
        right = QVBoxLayout(detail)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addLayout(self._build_head())
        right.addWidget(area, 1)
        right.addWidget(line)
        right.addLayout(self._build_foot())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.split = MasterDetail(theme, self.agents, detail, _("Agents"))
        layout.addWidget(self.split)
        order = [self.agents.list, self.reset, *(self.agents.buttons[what] for what in OF_ONE), self.tabs]
        tab_through(self.agents.buttons["import"], order)

    def _build_head(self) -> QVBoxLayout:
        theme = self._theme
        self._icon, self._title = QLabel(), SafeLabel(role="display", elide=True)
        self.tabs = QTabBar()
        self.tabs.setObjectName("agentTabs")
        self.tabs.setAccessibleName(_("Parts of this agent"))
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setProperty("tight", True)
        named_groups = {group for _title, groups in _TABS for group in groups}
        rest = tuple(group for group in self.form.headings() if group not in named_groups)
        self._groups: list[tuple[str, ...]] = []
        for title, groups in _TABS:
            there = tuple(group for group in groups or rest if group in self.form.headings())
            if there:
                self._groups.append(there)
                self.tabs.addTab(_(title))
        self.tabs.currentChanged.connect(self._turn)
        head = QVBoxLayout()
        head.setContentsMargins(theme.space(3), theme.space(2), theme.space(3), theme.space(1))
        head.setSpacing(theme.space(1))
        self.reset = QPushButton()
        self.reset.setObjectName("resetAgentButton")
        self.reset.setProperty("kind", "offer")
        self.reset.setAutoDefault(False)
        self.reset.clicked.connect(partial(self._wanted, "reset"))
        line = QHBoxLayout()
        line.addWidget(self._icon)
        line.addWidget(self._title, 1)
        line.addWidget(self.reset)
        for what in OF_ONE:
            line.addWidget(self.agents.buttons[what])
        head.addLayout(line)
        head.addWidget(self.tabs)
        self._costs = SafeLabel(role="meta", elide=True)
        head.addWidget(self._costs)
        return head

    def _build_foot(self) -> QHBoxLayout:
        theme = self._theme
        self.saved = UndoLine(theme, self)
        self.saved.wanted.connect(self.undo)
        self.undo_button = self.saved.button
        foot = QHBoxLayout()
        foot.setContentsMargins(theme.space(3), theme.space(1), theme.space(3), theme.space(1.5))
        foot.addWidget(self.saved)
        return foot

    # ------------------------------------------------------------ one agent

    def show_item(self, item: str) -> None:
        self.split.show_detail()
        if self._profile is None or self._profile.id != item:
            self.leave(partial(self.show_agent, item))

    def go_back(self) -> bool:
        return self.split.go_back()

    @property
    def is_dirty(self) -> bool:
        return self._changes.is_dirty

    @property
    def _profile(self) -> AgentProfile | None:
        return self._changes.profile

    def show_agent(self, id: str) -> None:
        self._changes.profile = self._settings.profile(id)
        self.agents.select(id)
        self._show_stored()
        self._spawn(self._measure(id))

    async def _measure(self, id: str) -> None:
        """General figures until those of this agent are read."""
        if self.form.rounds is None:
            return
        if not shiboken6.isValid(self):
            return  # closed before its turn came
        self.form.rounds.set_measured(None)
        self.card.set_measured(None)
        own = await self._choices.measured(id)
        if shiboken6.isValid(self) and self._profile is not None and self._profile.id == id:
            self.form.rounds.set_measured(own)
            self.card.set_measured(own)
            self._costs.setText(self.card.in_one_line())

    def _others(self) -> list[Option]:
        me = self._profile.id if self._profile else ""
        return [(one.id, one.title) for one in self._settings.profiles() if one.id != me]

    def _turn(self, tab: int) -> None:
        self.form.show_groups(self._groups[tab])
        self._fit_card()
        self._area.verticalScrollBar().setValue(0)

    def reveal(self, inside: QWidget) -> None:
        """The tab it is on."""
        group = self.form.group_of(inside)
        for tab, groups in enumerate(self._groups):
            if group in groups:
                self.tabs.setCurrentIndex(tab)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_card()

    def _fit_card(self) -> None:
        """Beside the form where there is room for it, else in one line above; the tools need all of the width."""
        is_wide = self._area.width() >= self._theme.space(_CARD_FROM)
        is_of_use = "Tools" not in self._groups[self.tabs.currentIndex()]
        self.card.setVisible(is_wide and is_of_use)
        self._costs.setVisible(is_of_use and not is_wide)

    def _add_rule(self, tool: str) -> None:
        row = self.form.rules.add_for(tool)
        self.reveal(row)
        self._area.ensureWidgetVisible(row, 0, self._theme.space(6))

    def _show_stored(self) -> None:
        if self._profile is None:
            return
        self._show_title(self._profile)
        self._saving.drop()
        self.form.offer(self._others())
        self.form.table.put_first(self._profile.tools)
        self._changes.show_stored()
        self._tell("")
        self._arrange()

    def _show_title(self, profile: AgentProfile) -> None:
        self._title.setText(profile.title)
        self._icon.setPixmap(self._theme.pixmap(profile.icon, "accent", 20, ratio=self.devicePixelRatioF()))

    def _edited(self) -> None:
        self._changes.edited()
        self._arrange()

    def _arrange(self) -> None:
        self.form.arrange()
        if not self.form.errors():
            self.card.show_values(self.form.values())
            self._costs.setText(self.card.in_one_line())
        self.undo_button.setVisible(self._changes.can_undo)
        count = len(self._settings.changed_fields(self._profile.id)) if self._profile else 0
        self.reset.setVisible(bool(count))
        words = ngettext("{n} setting changed · reset", "{n} settings changed · reset", count)
        self.reset.setText(words.format(n=count))

    def _tell_of(self, text: str, is_error: bool) -> None:
        self._tell(text, is_error=is_error)

    def _tell(self, text: str, *, is_error: bool = False) -> None:
        self.saved.tell(text, is_error=is_error)

    # ------------------------------------------------------------ storing

    def _store_changes(self) -> Coroutine[Any, Any, None] | None:
        work = self._changes.store()
        return self._reported(work) if work is not None else None

    def undo(self) -> None:
        """The last change since the agent was shown."""
        self._saving.now(self._take_back)

    def _take_back(self) -> None:
        if self._changes.take_back():
            self._arrange()
            self._saving.now(again=True)

    def _wanted(self, what: str) -> None:
        if self._profile is None:
            return
        id = self._profile.id
        if what == "new":
            self.leave(starting(self._do, self._create))
        elif what == "duplicate":
            self.leave(starting(self._do, self._duplicate, id))
        elif what == "import":
            self.leave(self._ask_for_file)
        elif what == "export":
            self._saving.now(partial(self._ask_where, id))
        elif what == "reset":
            self._ask(
                _("Reset this agent?"),
                _("Your changes to {name} are given up; the built-in settings come back."),
                _("Reset"),
                starting(self._do, self._reset, id),
            )
        elif what == "delete":
            self._ask(
                _("Delete this agent?"),
                _("{name} is deleted. Its sessions stay."),
                _("Delete"),
                starting(self._do, self._delete, id),
            )

    def _ask_where(self, id: str) -> None:
        ask_where_to_save(self, id).fileSelected.connect(starting(self._do, self._export, id))

    def _ask_for_file(self) -> None:
        ask_for_profile(self).fileSelected.connect(starting(self._do, self._import))

    async def _reset(self, id: str) -> None:
        await self._settings.reset_profile(id)
        if shiboken6.isValid(self):
            self.show_agent(id)

    async def _delete(self, id: str) -> None:
        await self._settings.delete_profile(id)
        if shiboken6.isValid(self):
            self.show_agent(self._settings.profiles()[0].id)

    async def _create(self) -> None:
        taken = {profile.id for profile in self._settings.profiles()}
        id = next(f"agent-{n}" for n in range(1, len(taken) + 2) if f"agent-{n}" not in taken)
        await self._settings.save_profile(AgentProfile(id=id, name={"zh": "新的智能体", "en": "New agent"}))
        self.show_agent(id)

    async def _duplicate(self, id: str) -> None:
        copy = await self._settings.duplicate_profile(id)
        self.show_agent(copy.id)

    async def _import(self, file: str) -> None:
        profile, left_out = await self._settings.import_profile(Path(file))
        if not shiboken6.isValid(self):
            return
        self.show_agent(profile.id)
        note = _("Imported. Look at the system prompt before you use it.")
        if left_out:
            note += " " + _("Left out: {fields}").format(fields=", ".join(left_out))
        self._tell(note)

    async def _export(self, id: str, file_name: str) -> None:
        file = Path(file_name)
        await asyncio.to_thread(file.write_text, self._settings.profile_text(id), encoding="utf-8")
        if shiboken6.isValid(self):
            self._tell(_("Exported to {file}").format(file=file.name))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        self._spawn(self._reported(work))

    async def _reported(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (TriptychError, OSError) as error:
            if shiboken6.isValid(self):
                self._tell(_("That did not work: {error}").format(error=fault_text(error)), is_error=True)
        else:
            if shiboken6.isValid(self):
                self._arrange()

    def _refresh(self) -> None:
        if shiboken6.isValid(self):
            service = self._settings
            self.agents.show_profiles(service.profiles(), is_changed=service.is_changed, is_builtin=service.is_builtin)
            if self._changes.follow() and self._profile is not None:
                self.agents.select(self._profile.id)
                self._show_title(self._profile)
                self._arrange()

    # ------------------------------------------------------------ leaving

    def _ask(self, title: str, text: str, yes: str, then: Callable[[], None]) -> None:
        name = self.changed_name()
        answers = [("", _("Cancel"), ""), ("yes", yes, "danger")]
        question = AskDialog(self, self._theme, title, text.format(name=name), answers)
        question.agreed.connect(then)
        question.open()

    def changed_name(self) -> str:
        return self._profile.title if self._profile else ""

    def discard(self) -> None:
        self._show_stored()
