"""What was allowed for good: by which agent, for which tool and arguments, since when; taken back by one click."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import TriptychError
from app.core.text.i18n import N_, _
from app.core.text.moments import time_text
from app.core.wording.tools import tool_title
from app.services.tools.grants import Grant, RunGrant
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.settings.agent_titles import AgentTitles
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.fields.search_field import SearchField
from app.ui.widgets.safe_text import SafeLabel, safe_tooltip, visible
from app.ui.widgets.spawn import Spawn
from app.ui.widgets.tab_order import tab_through

if TYPE_CHECKING:
    from app.services.tools.grants import GrantService

_COLUMNS = (N_("Agent"), N_("Tool"), N_("Where it matches"), N_("Holds"), N_("Since"), N_("Last used"), "")
_TOOL, _PATTERN, _REVOKE = 1, 2, 6
EVERYTHING = "*"


class RunGrants(Protocol):
    def run_grants(self) -> Sequence[RunGrant]: ...


class PermissionsPage(SettingsPage):
    """`runs` knows what was allowed for runs that go on."""

    def __init__(
        self,
        grants: GrantService,
        theme: Theme,
        *,
        spawn: Spawn,
        titles: AgentTitles,
        runs: RunGrants | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self.setObjectName("permissionsPage")
        self._grants, self._spawn, self._titles = grants, spawn, titles
        self._runs = runs
        self._rows: list[Grant | RunGrant] = []
        self.search = SearchField(theme, _("Search the permissions"))
        self.search.textChanged.connect(self._narrow)
        self.table = self._make_table()
        self.empty = EmptyState(theme, "shield")
        self.told = SafeLabel(role="error")
        self.told.setWordWrap(True)
        self.revoke_all = QPushButton(_("Revoke all…"))
        self.revoke_all.setProperty("kind", "danger")
        self.revoke_all.setAutoDefault(False)
        self.revoke_all.clicked.connect(self._ask_all)
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(SafeLabel(_("Permissions"), role="title"), 1)
        head.addWidget(self.search, 1)
        foot = QHBoxLayout()
        foot.setSpacing(theme.space(1))
        foot.addWidget(self.told, 1)
        foot.addWidget(self.revoke_all)
        about = SafeLabel(
            _(
                "What you answered with “Always”. What is not used for 30 days ends by itself."
                " Rules you wrote for an agent stand in its settings."
            ),
            role="meta",
        )
        about.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addLayout(head)
        layout.addWidget(about)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.empty, 1)
        layout.addLayout(foot)
        stop = grants.listen(self._show)
        self.destroyed.connect(stop)
        self._show()

    def _make_table(self) -> _Table:
        theme = self._theme
        table = _Table(0, len(_COLUMNS))
        table.setObjectName("permissionTable")
        table.setAccessibleName(_("Permissions"))
        table.setHorizontalHeaderLabels([_(title) if title else "" for title in _COLUMNS])
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(theme.space(4.5))
        table.setProperty("padded", True)
        table.setShowGrid(False)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = table.horizontalHeader()
        header.setAccessibleName(_("Columns"))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(theme.space(6))
        for column in range(len(_COLUMNS)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_PATTERN, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_REVOKE, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(_REVOKE, theme.space(9))
        table.on_delete = self._revoke_current
        return table

    # ------------------------------------------------------------ what is shown

    def _show(self) -> None:
        if not shiboken6.isValid(self):
            return
        rows = self._rows = [*self._running(), *self._grants.grants()]
        place = self.table.currentRow()
        self.table.setRowCount(len(rows))
        for row, grant in enumerate(rows):
            self._fill(row, grant)
        tab_through(self.table, (self.table.cellWidget(row, _REVOKE) for row in range(len(rows))))
        if rows:
            self.table.setCurrentCell(min(max(place, 0), len(rows) - 1), 0)
        self.revoke_all.setEnabled(bool(rows))
        self._narrow()

    def _fill(self, row: int, grant: Grant | RunGrant) -> None:
        agent = self._titles.title_of(grant.agent)
        pattern = _("every call") if grant.pattern == EVERYTHING else grant.pattern
        tool = tool_title(grant.tool)
        for column, text in enumerate((agent, tool, pattern, *_life(grant))):
            item = QTableWidgetItem(visible(" ".join(text.split())))
            if column == _TOOL:
                item.setData(Qt.ItemDataRole.ToolTipRole, safe_tooltip(grant.tool))
            if column == _PATTERN and grant.pattern != EVERYTHING:
                item.setFont(self._theme.font("code"))
                item.setData(Qt.ItemDataRole.ToolTipRole, safe_tooltip(grant.pattern))
            self.table.setItem(row, column, item)
        button = QPushButton(_("Revoke"))
        button.setProperty("kind", "link")
        button.setAutoDefault(False)
        button.setAccessibleName(_("Revoke {tool} of {agent}").format(tool=visible(tool), agent=visible(agent)))
        button.clicked.connect(partial(self._revoke, grant))
        self.table.setCellWidget(row, _REVOKE, button)

    def _narrow(self) -> None:
        needle = self.search.text().strip().casefold()
        visible_rows = 0
        for row in range(self.table.rowCount()):
            items = [self.table.item(row, column) for column in range(_REVOKE)]
            words = [self._rows[row].tool, *(item.text() for item in items if item is not None)]
            fits = needle in " ".join(words).casefold()
            self.table.setRowHidden(row, not fits)
            visible_rows += fits
        self.table.setVisible(bool(visible_rows))
        self.empty.setVisible(not visible_rows)
        nothing = _("Nothing is allowed for good: what would need a permission asks.")
        self.empty.say(_("Nothing matches.") if self.table.rowCount() else nothing)

    # ------------------------------------------------------------ what a person does

    def _revoke(self, grant: Grant | RunGrant, _checked: bool = False) -> None:
        if isinstance(grant, Grant):
            self._spawn(self._told(self._grants.revoke(grant.id)))
        else:
            grant.revoke()
            self._show()

    def _revoke_current(self) -> None:
        if 0 <= self.table.currentRow() < len(self._rows):
            self._revoke(self._rows[self.table.currentRow()])

    def _running(self) -> Sequence[RunGrant]:
        return self._runs.run_grants() if self._runs is not None else ()

    def _ask_all(self) -> None:
        answers = [("", _("Cancel"), ""), ("yes", _("Revoke all"), "danger")]
        text = _("From now on every call that needs a permission asks again.")
        question = AskDialog(self, self._theme, _("Revoke all permissions?"), text, answers)
        question.agreed.connect(self._revoke_all)
        question.open()

    def _revoke_all(self) -> None:
        for grant in self._running():
            grant.revoke()
        self._spawn(self._told(self._grants.revoke_all()))

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (TriptychError, OSError) as error:
            if shiboken6.isValid(self):
                self.told.setText(_("Not saved: {error}").format(error=fault_text(error)))


class _Table(QTableWidget):
    """Delete takes the chosen row back."""

    on_delete: Callable[[], None] = staticmethod(lambda: None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.on_delete()
            return
        super().keyPressEvent(event)


def _life(grant: Grant | RunGrant) -> tuple[str, str, str]:
    """How long it holds, since when, and when it was used last."""
    if not isinstance(grant, Grant):
        return (_("for this run"), "", "")
    return (_("always"), _day(grant.created), _day(grant.used) or _("not yet"))


def _day(moment: float) -> str:
    return time_text(moment, "%Y-%m-%d")
