"""Permissions by tool and argument: rows of tool, pattern and word (product.md S7)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout

from app.core.errors import TriptychError
from app.core.profile import PermissionRule
from app.core.text.i18n import _
from app.ui.dialogs.agents.setting_labels import PERMISSIONS
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.fields.rows_editor import EditRow, RowsEditor
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.spawn import Spawn

if TYPE_CHECKING:
    from app.services.tools.service import PastCall

EVERY = "*"
_LONGEST = 300
"""Characters of a subject that are shown."""


LastCallOf = Callable[[str], Awaitable["PastCall | None"]]
"""For a tool or glob: its newest stored call, to try a rule on; None if there is none."""


class PermissionRow(EditRow):
    def __init__(
        self, theme: Theme, tools: Sequence[str], rule: dict[str, Any], *, spawn: Spawn, last: LastCallOf | None
    ) -> None:
        super().__init__(theme, _("the rule"))
        self._given = dict(rule)
        self._spawn, self._last = spawn, last
        self._past_call: PastCall | None = None
        self.tool = tool_combo(tools, str(rule.get("tool", EVERY)))
        self.tool.setAccessibleName(_("Tool of the rule"))
        self.tool.setFixedWidth(theme.space(22))
        self.pattern = QLineEdit()
        self.pattern.setFont(theme.font("code"))
        self.pattern.setPlaceholderText(_("every call"))
        self.pattern.setAccessibleName(_("Pattern of arguments: a path, a site, or the arguments as JSON"))
        subject = str(rule.get("subject", EVERY))
        self._shown = visible(subject)
        self.pattern.setText("" if subject == EVERY else self._shown)
        self.pattern.setCursorPosition(0)
        self.word = CalmCombo()
        self.word.setAccessibleName(_("What the rule says"))
        for word, shown in PERMISSIONS.items():
            self.word.addItem(_(shown), word)
        self.word.setCurrentIndex(max(0, self.word.findData(rule.get("word", "ask"))))
        self.tried = SafeLabel(role="meta", elide=True)
        self.tried.setContentsMargins(self.tool.maximumWidth() + theme.space(1.5), 0, 0, 0)
        line = QHBoxLayout()
        line.setSpacing(theme.space(0.5))
        line.addWidget(self.tool)
        line.addWidget(self.pattern, 1)
        line.addWidget(self.word)
        for button in self.buttons:
            line.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.25))
        layout.addLayout(line)
        layout.addWidget(self.tried)
        self.tool.currentTextChanged.connect(self._look)
        self.tool.currentTextChanged.connect(self.changed)
        self.pattern.textChanged.connect(self._try)
        self.pattern.textChanged.connect(self.changed)
        self.word.currentIndexChanged.connect(self._try)
        self.word.currentIndexChanged.connect(self.changed)
        self._try()
        self._look()

    def value(self) -> dict[str, Any]:
        return {
            **self._given,
            "tool": self.tool.currentText().strip(),
            "subject": self._subject(),
            "word": self._word(),
        }

    def error(self) -> str:
        return "" if self.tool.currentText().strip() else _("A rule names a tool; * is every tool.")

    def begin(self) -> None:
        self.pattern.setFocus(Qt.FocusReason.TabFocusReason)

    # ------------------------------------------------------------ tried on the last call

    def _look(self) -> None:
        if self._last is not None and (tool := self.tool.currentText().strip()):
            self._spawn(self._find(tool, self._last))

    async def _find(self, tool: str, last: LastCallOf) -> None:
        try:
            call = await last(tool)
        except TriptychError:
            call = None
        if shiboken6.isValid(self) and tool == self.tool.currentText().strip():
            self._past_call = call
            self._try()

    def _try(self) -> None:
        """What the pattern is compared with, and whether it fits: seen before it matters."""
        call = self._past_call
        self.tried.setVisible(call is not None)
        if call is not None:
            rule = PermissionRule(tool=EVERY, subject=self._subject(), word=self._word())
            words = (
                _("fits the last call: {subject}") if call.fits(rule) else _("does not fit the last call: {subject}")
            )
            self.tried.setText(words.format(subject=call.text[:_LONGEST]))

    def _subject(self) -> str:
        text = self.pattern.text()
        if text == self._shown:
            return str(self._given.get("subject", EVERY))  # hidden characters were only written out to be seen
        return text.strip() or EVERY

    def _word(self) -> str:
        return str(self.word.currentData())


class PermissionRules(RowsEditor):
    def __init__(self, tools: Sequence[str], theme: Theme, *, spawn: Spawn, last: LastCallOf | None = None) -> None:
        self._tools, self._theme, self._spawn, self._last = tools, theme, spawn, last
        fresh = {"tool": EVERY, "subject": EVERY, "word": "ask"}
        super().__init__(theme, add=_("Add a rule"), empty=_("No rules: the table decides."), fresh=fresh)
        self.add_button.setObjectName("addPermissionRule")

    def make_row(self, value: Any) -> EditRow:
        return PermissionRow(self._theme, self._tools, dict(value), spawn=self._spawn, last=self._last)

    def add_for(self, tool: str) -> EditRow:
        return self.add({"tool": tool, "subject": EVERY, "word": "ask"})

    def count_for(self, tool: str) -> int:
        return sum(row.value()["tool"] == tool for row in self.rows)


def tool_combo(tools: Sequence[str], chosen: str) -> CalmCombo:
    """A tool's name, chosen or typed; globs name several."""
    combo = CalmCombo()
    combo.setEditable(True)
    combo.setInsertPolicy(CalmCombo.InsertPolicy.NoInsert)
    combo.addItems([EVERY, *tools])
    combo.setCurrentText(chosen)
    return combo
