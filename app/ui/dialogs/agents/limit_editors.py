"""What a run may use, and the form its answer must have: editors of an agent's settings."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QVBoxLayout

from app.core.profile import Budget
from app.core.setting import SettingInfo, describe
from app.core.text.i18n import N_, _
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import Editor, OptionalNumberEditor
from app.ui.widgets.layout.flow import FieldRow
from app.ui.widgets.safe_text import SafeLabel

_EXAMPLE = {
    "type": "object",
    "properties": {"summary": {"type": "string"}, "score": {"type": "integer", "minimum": 0, "maximum": 100}},
    "required": ["summary"],
    "additionalProperties": False,
}
_FAULTS = {
    "json": N_("Line {line}: this is not valid JSON."),
    "object": N_("A schema is a JSON object: { … }"),
    "null": N_("null cannot be kept here; write {example} instead."),
    "schema": N_("Not a valid schema: {detail}"),
    "outside": N_("It refers to {detail}, which is not in it; nothing is fetched."),
}


class BudgetEditor(Editor):
    """Four numbers; an empty one is no limit."""

    def __init__(self, info: SettingInfo, theme: Theme) -> None:
        self._infos = describe(Budget)
        self._parts = {one.name: OptionalNumberEditor(one, theme) for one in self._infos}
        super().__init__(self._parts["tokens"].control)
        self.row.removeWidget(self.control)
        self._given: Any = None
        column = QVBoxLayout()
        column.setSpacing(theme.space(0.5))
        for one in self._infos:
            editor = self._parts[one.name]
            editor.control.setAccessibleName(f"{_(info.title)}, {_(one.title)}")
            editor.changed.connect(self.changed)
            label = SafeLabel(_(one.title), role="meta")
            label.setMinimumWidth(theme.space(10))
            column.addWidget(FieldRow(theme.space(1.5), label, editor))
        self.row.addLayout(column)

    def value(self) -> dict[str, Any] | None:
        values = {name: part.value() for name, part in self._parts.items()}
        return values if any(value is not None for value in values.values()) else None

    def set_value(self, value: Any) -> None:
        limits = value or {}
        for name, part in self._parts.items():
            part.set_value(limits.get(name))

    def error(self) -> str:
        for info in self._infos:
            part = self._parts[info.name]
            number = part.value()
            if error := part.error() or (_("Must be above 0") if number is not None and number <= 0 else ""):
                return f"{_(info.title)}: {error}"
        return ""


class SchemaEditor(Editor):
    """A JSON schema as text. What is no schema is said, with its line, and cannot be saved."""

    is_wide = True

    def __init__(self, _info: SettingInfo, theme: Theme) -> None:
        self._field = QPlainTextEdit()
        super().__init__(self._field)
        self._field.setFont(theme.font("code"))
        self._field.setTabChangesFocus(True)
        self._field.setPlaceholderText(_("none: the answer is free text"))
        self._field.setFixedHeight(theme.space(9))
        self._theme = theme
        self._judged: tuple[str, str] = ("", "")
        self.example = QPushButton(_("Insert an example"))
        self.example.setProperty("kind", "link")
        self.example.setAutoDefault(False)
        self.example.clicked.connect(partial(self.set_value, _EXAMPLE))
        column = QVBoxLayout()
        column.setSpacing(theme.space(0.5))
        column.addWidget(self._field)
        column.addWidget(self.example, 0, Qt.AlignmentFlag.AlignLeft)
        self.row.addLayout(column)
        self._field.textChanged.connect(self._edited)

    def value(self) -> Any:
        """The schema; the text itself while it is none, so that the form knows of the change."""
        text = self._field.toPlainText()
        if not text.strip():
            return None
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text

    def set_value(self, value: Any) -> None:
        self._field.setPlainText("" if value is None else json.dumps(value, ensure_ascii=False, indent=2))

    def error(self) -> str:
        text = self._field.toPlainText()
        if text != self._judged[0]:
            self._judged = (text, _schema_error(text))
        return self._judged[1]

    def _edited(self) -> None:
        self.example.setVisible(not self._field.toPlainText().strip())
        wanted = (self._field.document().lineCount() + 1) * self._field.fontMetrics().lineSpacing()
        self._field.setFixedHeight(min(max(self._theme.space(9), wanted), self._theme.space(36)))
        self.changed.emit()


def _schema_error(text: str) -> str:
    if not text.strip():
        return ""
    from app.services.settings.output_schemas import schema_fault

    fault = schema_fault(text)
    if fault is None:
        return ""
    # Not by `format`: the sentences, and what the text says, have braces of their own.
    values = {"{line}": str(fault.line), "{example}": '{"type": "null"}', "{detail}": fault.detail}
    sentence = _(_FAULTS[fault.code])
    for place, value in values.items():
        sentence = sentence.replace(place, value)
    return sentence
