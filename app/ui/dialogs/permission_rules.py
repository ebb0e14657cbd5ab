"""Permissions by tool and argument: rows of tool, pattern and word (product.md S7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from app.core.i18n import _
from app.ui.dialogs.choices import PERMISSIONS
from app.ui.theme import Theme
from app.ui.widgets.editors import CalmCombo
from app.ui.widgets.rows_editor import EditRow, RowsEditor
from app.ui.widgets.safe_text import visible

EVERY = "*"


class PermissionRow(EditRow):
    def __init__(self, theme: Theme, tools: Sequence[str], rule: dict[str, Any]) -> None:
        super().__init__(theme, _("the rule"))
        self._given = dict(rule)
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
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.5))
        layout.addWidget(self.tool)
        layout.addWidget(self.pattern, 1)
        layout.addWidget(self.word)
        for button in self.buttons:
            layout.addWidget(button)
        self.tool.currentTextChanged.connect(self.changed)
        self.pattern.textChanged.connect(self.changed)
        self.word.currentIndexChanged.connect(self.changed)

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

    def _subject(self) -> str:
        text = self.pattern.text()
        if text == self._shown:
            return str(self._given.get("subject", EVERY))  # hidden characters were only written out to be seen
        return text.strip() or EVERY

    def _word(self) -> str:
        return str(self.word.currentData())


class PermissionRules(RowsEditor):
    def __init__(self, tools: Sequence[str], theme: Theme) -> None:
        def make(rule: Any) -> EditRow:
            return PermissionRow(theme, tools, dict(rule))

        fresh = {"tool": EVERY, "subject": EVERY, "word": "ask"}
        super().__init__(
            theme, add=_("Add a rule"), empty=_("No rules: the table decides."), make_row=make, fresh=fresh
        )
        self.add_button.setObjectName("addPermissionRule")

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
