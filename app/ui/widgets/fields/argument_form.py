"""A form for the arguments of one tool call, made from the tool's schema.

What is set or must be set stands first; the rest is one press away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.core.run.argument_fields import ArgumentField, WrongText, fields_of, read, written
from app.core.text.i18n import _, ngettext
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip


class ArgumentForm(QWidget):
    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        parameters: Mapping[str, Any],
        values: Mapping[str, Any],
        *,
        references: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """`references`: a field may also name an earlier result, `$2.data.id`."""
        super().__init__(parent)
        self._rows = {
            field.name: _Row(theme, field, values, references=references)
            for field in fields_of(parameters, values, references=references)
        }
        self._hidden = [row for row in self._rows.values() if not row.field.required and row.field.name not in values]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        for row in self._rows.values():
            if row not in self._hidden:
                layout.addWidget(row)
        count = len(self._hidden)
        self.more = QPushButton(ngettext("{n} more argument", "{n} more arguments", count).format(n=count))
        self.more.setProperty("kind", "link")
        self.more.clicked.connect(self._show_more)
        layout.addWidget(self.more)
        self.more.setVisible(bool(count))
        for row in self._hidden:
            row.hide()
            layout.addWidget(row)
        for row in self._rows.values():
            row.changed.connect(self.changed)
        if not self._rows:
            layout.addWidget(SafeLabel(_("This tool takes no arguments."), role="meta"))

    def values(self) -> dict[str, Any]:
        """What is filled in; fields that are wrong or empty are left out."""
        values = {name: row.value() for name, row in self._rows.items()}
        return {name: value[0] for name, value in values.items() if value}

    def faults(self) -> dict[str, str]:
        return {name: row.fault for name, row in self._rows.items() if row.fault}

    def control(self, name: str) -> QWidget:
        return self._rows[name].control

    def focus_first(self) -> None:
        if row := next((row for row in self._rows.values() if not row.isHidden()), None):
            row.control.setFocus(Qt.FocusReason.TabFocusReason)

    def _show_more(self) -> None:
        self.more.hide()
        for row in self._hidden:
            row.show()
        if self._hidden:
            self._hidden[0].control.setFocus(Qt.FocusReason.TabFocusReason)


class _Row(QWidget):
    """The name, the field, what is wrong."""

    changed = Signal()

    def __init__(self, theme: Theme, field: ArgumentField, values: Mapping[str, Any], *, references: bool) -> None:
        super().__init__()
        self.field = field
        self.fault = ""
        self._references, self._was_given = references, field.name in values
        text = written(field, values[field.name], references=references) if self._was_given else ""
        self.control = self._make(theme, text)
        self.control.setAccessibleName(field.name)
        self.control.setAccessibleDescription(field.help)
        set_safe_tooltip(self.control, field.help)
        self._error = SafeLabel(role="error")
        self._error.setWordWrap(True)
        name = SafeLabel(f"{field.name} *" if field.required else field.name, role="meta")
        name.setBuddy(self.control)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.25))
        for widget in (name, self.control, self._error):
            layout.addWidget(widget)
        self._judge()

    def value(self) -> tuple[Any] | None:
        text = self._text()
        if not text.strip() and not (self._was_given and self.field.kind == "text"):
            return None
        try:
            return (read(self.field, text, references=self._references),)
        except WrongText:
            return None

    def _make(self, theme: Theme, text: str) -> QWidget:
        field = self.field
        default = "" if field.default is None else written(field, field.default)
        if field.kind in ("choice", "bool"):
            combo = CalmCombo()
            combo.setEditable(self._references)
            combo.addItems(["", *(field.choices or ("true", "false"))])
            if combo.findText(text) < 0:
                combo.addItem(text)
            combo.setCurrentText(text)
            combo.currentTextChanged.connect(self._edited)
            return combo
        if field.kind == "json" or "\n" in text or len(text) > 80:
            area = QPlainTextEdit(text)
            area.setFont(theme.font("code"))
            area.setTabChangesFocus(True)
            area.setFixedHeight(theme.space(6 + 2 * min(6, text.count("\n"))))
            area.textChanged.connect(self._edited)
            return area
        line = QLineEdit(text)
        line.setPlaceholderText(default)
        line.setCursorPosition(0)
        line.textChanged.connect(self._edited)
        return line

    def _text(self) -> str:
        match self.control:
            case QLineEdit() as line:
                return line.text()
            case QPlainTextEdit() as area:
                return area.toPlainText()
            case CalmCombo() as combo:
                return combo.currentText()
            case _:
                raise TypeError("a control without a text")

    def _edited(self) -> None:
        self._judge()
        self.changed.emit()

    def _judge(self) -> None:
        self.fault = self._find_fault()
        self._error.setText(self.fault)
        self._error.setVisible(bool(self.fault))

    def _find_fault(self) -> str:
        text = self._text()
        if not text.strip():
            is_text = self.field.kind == "text" and self._was_given
            return _("Needed") if self.field.required and not is_text else ""
        try:
            read(self.field, text, references=self._references)
        except WrongText as wrong:
            return _fault_text(wrong.code)
        return ""


def _fault_text(code: str) -> str:
    words = {
        "integer": _("Not a whole number"),
        "number": _("Not a number"),
        "choice": _("Not one of the choices"),
        "json": _("Not valid JSON"),
    }
    return words.get(code, _("Not valid JSON"))
