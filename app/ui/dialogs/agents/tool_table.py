"""Which tools an agent has: name, what it does, what it may touch, and the word for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QPushButton, QTableWidget, QTableWidgetItem

from app.core.text.i18n import _, ngettext
from app.core.wording.tools import tool_icon, tool_title
from app.ui.dialogs.agents.setting_labels import PERMISSIONS
from app.ui.texts.permissions import class_text
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import Editor
from app.ui.widgets.fields.segment_combo import SegmentCombo
from app.ui.widgets.safe_text import safe_tooltip, visible
from app.ui.widgets.tab_order import tab_through


class ToolInfo(Protocol):
    """A row: what the tool service tells of a tool."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def permission(self) -> str: ...


OF_SERVER = "mcp"
"""The class of the tools of MCP servers; their names begin with the server's id and `__`."""
_STRETCH = QHeaderView.ResizeMode.Stretch
_AT_ONCE = 12
"""Rows whose controls are made in one go: as many as are seen."""


class ToolTable(Editor):
    """The value is the profile's mapping of names and globs; only what a person touches changes in it."""

    is_wide = True
    rule_wanted = Signal(str)
    """A rule about the arguments of this tool."""

    def __init__(self, tools: Sequence[ToolInfo], theme: Theme) -> None:
        self._table = QTableWidget(len(tools), 5)
        super().__init__(self._table)
        self._tools, self._theme = tools, theme
        self._words: dict[str, str] = {}
        self._combos: dict[int, SegmentCombo] = {}
        """By row of the table, which is the place of its tool."""
        self._order = list(range(len(tools)))
        """Rows from top to bottom."""
        self._rules: dict[str, QPushButton] = {}
        self._count_for: Callable[[str], int] = lambda _tool: 0
        table = self._table
        table.setHorizontalHeaderLabels(
            [_("Tool"), _("What it does"), _("What it touches"), _("Permission"), _("Rules")]
        )
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.setMinimumHeight(min(theme.space(48), theme.space(6) + len(tools) * theme.space(4.5)))
        table.verticalHeader().setDefaultSectionSize(theme.space(4.5))
        header = table.horizontalHeader()
        header.setAccessibleName(_("Columns"))
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(4, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(4, theme.space(11))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for row, tool in enumerate(tools):
            about = _(tool.description)
            first = " ".join(visible(about).split())
            touches = class_text(tool.permission)
            for column, text in enumerate((visible(tool_title(tool.name)), first, touches)):
                item = QTableWidgetItem(text)
                item.setData(Qt.ItemDataRole.ToolTipRole, safe_tooltip(about if column else tool.name))
                if not column:
                    item.setIcon(theme.icon(tool_icon(tool.name), "muted"))
                table.setItem(row, column, item)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """What a tool does says more than what it touches, its title says most, and each is nothing in three letters.
        The choices stand side by side as long as the titles can be read beside them."""
        theme, width, header = self._theme, self.width(), self._table.horizontalHeader()
        hides_about = width < theme.space(66)
        self._table.setColumnHidden(2, width < theme.space(88))
        self._table.setColumnHidden(1, hides_about)
        header.setSectionResizeMode(0, _STRETCH if hides_about else QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, _STRETCH)
        room = width - header.sectionSize(4) - theme.space(14 if hides_about else 34)
        shown = [combo for row, combo in self._combos.items() if not self._table.isRowHidden(row)]
        beside = max((combo.sizeHint().width() for combo in shown), default=theme.space(20)) + theme.space(1)
        header.resizeSection(3, beside if beside <= room else theme.space(15))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fill()

    def _fill(self) -> None:
        """The controls of the next rows. In pieces, and not before the dialog stands: every widget in it is dressed
        anew at each step of its making, and there may be more than a hundred tools."""
        missing = [row for row in self._order if row not in self._combos]
        if not missing:
            return
        for row in missing[:_AT_ONCE]:
            self._fill_row(row)
        self._order_tabs()
        self._tell_rules()
        self._arrange()
        QTimer.singleShot(0, self, self._fill)

    def _order_tabs(self) -> None:
        rows = [row for row in self._order if row in self._combos]
        tab_through(self._table, (self._table.cellWidget(row, column) for row in rows for column in (3, 4)))

    def put_first(self, words: Mapping[str, str]) -> None:
        """Tools that these permissions speak of are the agent's own; they stand above those it could have."""
        rows = range(len(self._tools))
        own = [n for n in rows if self._tools[n].permission == OF_SERVER or word_of(words, self._tools[n].name)]
        order = own + [row for row in rows if row not in own]
        if order == self._order:
            return
        self._order, places = order, self._table.verticalHeader()
        for place, row in enumerate(order):
            places.moveSection(places.visualIndex(row), place)
        self._order_tabs()

    def _fill_row(self, row: int) -> None:
        name = self._tools[row].name
        combo = SegmentCombo(self._theme)
        combo.setAccessibleName(_("Permission of {tool}").format(tool=tool_title(name)))
        combo.setProperty("tool", name)
        combo.activated.connect(partial(self._chosen, row))
        self._combos[row] = combo
        self._table.setCellWidget(row, 3, combo)
        self._table.setCellWidget(row, 4, self._rule_button(name))
        self._show(row)

    def _rule_button(self, tool: str) -> QPushButton:
        button = self._rules[tool] = QPushButton(_("Add…"))
        button.setProperty("kind", "link")
        button.setAutoDefault(False)
        button.setAccessibleName(_("A rule about the arguments of {tool}").format(tool=tool_title(tool)))
        button.clicked.connect(partial(self.rule_wanted.emit, tool))
        return button

    def show_rules(self, count_for: Callable[[str], int]) -> None:
        """How many rules speak of each tool."""
        self._count_for = count_for
        self._tell_rules()

    def _tell_rules(self) -> None:
        for tool, button in self._rules.items():
            count = self._count_for(tool)
            button.setText(ngettext("{n} rule…", "{n} rules…", count).format(n=count) if count else _("Add…"))

    def show_servers(self, ids: Collection[str]) -> None:
        """Of the tools of MCP servers those of these."""
        for row, tool in enumerate(self._tools):
            if tool.permission == OF_SERVER:
                self._table.setRowHidden(row, tool.name.partition("__")[0] not in ids)
        self._arrange()

    def value(self) -> dict[str, str]:
        return dict(self._words)

    def set_value(self, value: Any) -> None:
        self._words = dict(value)
        for row in self._combos:
            self._show(row)

    def choose(self, tool: str, word: str) -> None:
        """As a person would: "" takes the tool away."""
        row = next(n for n, info in enumerate(self._tools) if info.name == tool)
        self._combos[row].setCurrentIndex(self._combos[row].findData(word))
        self._chosen(row)

    def _show(self, row: int) -> None:
        name, combo = self._tools[row].name, self._combos[row]
        by_glob = word_of({key: word for key, word in self._words.items() if key != name}, name)
        of_server = self._tools[row].permission == OF_SERVER
        combo.clear()
        if not by_glob:
            combo.addItem(_("As its server says") if of_server else _("Off"), "")
        for word, shown in PERMISSIONS.items():
            if not (of_server and word == "allow"):  # an agent may only narrow what the server's own table says
                combo.addItem(_(shown), word)
        combo.setCurrentIndex(max(0, combo.findData(word_of(self._words, name))))

    def _chosen(self, row: int, _choice: int = 0) -> None:
        name, word = self._tools[row].name, self._combos[row].currentData()
        if word:
            self._words[name] = word
        else:
            self._words.pop(name, None)
        self.changed.emit()


def word_of(words: Mapping[str, str], name: str) -> str:
    """The name's own word, else what the globs say: a deny wins, otherwise the last; "" = not offered."""
    if own := words.get(name):
        return own
    words_found = [word for pattern, word in words.items() if fnmatchcase(name, pattern)]
    return "deny" if "deny" in words_found else words_found[-1] if words_found else ""
