"""One rule before or after a tool: its sentence, and when it is opened its form and what it does to a sample."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.services.settings.hook_preview import rule_fault
from app.ui.dialogs.agents import hook_fields
from app.ui.dialogs.agents.hook_fields import BY_ID, KINDS, RuleField, RuleKind
from app.ui.dialogs.agents.hook_trial import HookTrial, LastCall
from app.ui.dialogs.agents.permission_rules import tool_combo
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.fields.rows_editor import EditRow
from app.ui.widgets.fields.switch import Switch
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn


class HookRow(EditRow):
    def __init__(
        self, theme: Theme, rule: dict[str, Any], tools: Sequence[str], *, spawn: Spawn, last_call: LastCall | None
    ) -> None:
        super().__init__(theme, _("the rule"))
        self.setProperty("card", "raised")
        self._theme, self._rule, self._tools = theme, dict(rule), tools
        self._spawn, self._last_call = spawn, last_call
        self.trial: HookTrial | None = None
        self.controls: dict[str, QWidget] = {}
        self.enabled = Switch(theme, _("The rule acts"))
        self.enabled.setChecked(self._rule.get("enabled") is not False)
        self.enabled.toggled.connect(self._enable)
        self._sentence = SafeLabel(elide=True)
        self.edit = IconButton(theme, "pencil", _("Change the rule"))
        self.edit.setCheckable(True)
        self.edit.toggled.connect(self._open)
        head = QHBoxLayout()
        head.setSpacing(theme.space(0.5))
        head.addWidget(self.enabled)
        head.addSpacing(theme.space(0.5))
        head.addWidget(self._sentence, 1)
        for button in (self.edit, *self.buttons):
            head.addWidget(button)
        self._error = SafeLabel(role="error")
        self._error.setWordWrap(True)
        self._place = QVBoxLayout()
        self._place.setSpacing(theme.space(1))
        self._body: QWidget | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(1), theme.space(0.5), theme.space(1), theme.space(0.5))
        layout.setSpacing(theme.space(0.5))
        layout.addLayout(head)
        layout.addWidget(self._error)
        layout.addLayout(self._place)
        self.edit.setVisible(hook_fields.kind_of(self._rule) is not None)
        self._tell()

    def value(self) -> dict[str, Any]:
        return self._rule

    def error(self) -> str:
        fault = rule_fault(self._rule)
        return hook_fields.fault_text(hook_fields.kind_of(self._rule), fault.code, fault.field) if fault else ""

    def begin(self) -> None:
        self.edit.setChecked(True)
        self.kind.setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.edit.isChecked():
            self.edit.setChecked(False)
            self.edit.setFocus(Qt.FocusReason.TabFocusReason)
            return
        super().keyPressEvent(event)

    # ------------------------------------------------------------ the form

    def _open(self, is_open: bool) -> None:
        if self._body is not None:
            self._place.removeWidget(self._body)
            self._body.hide()
            self._body.deleteLater()
            self._body = self.trial = None
        if is_open:
            self._body = self._make_body()
            self._place.addWidget(self._body)
            self._try()

    def _make_body(self) -> QWidget:
        kind = hook_fields.kind_of(self._rule) or KINDS[0]
        theme = self._theme
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(0, theme.space(0.5), 0, theme.space(1))
        grid.setHorizontalSpacing(theme.space(1.5))
        grid.setVerticalSpacing(theme.space(1))
        grid.setColumnMinimumWidth(0, theme.space(14))
        grid.setColumnStretch(1, 1)
        self.kind = CalmCombo()
        self.kind.setAccessibleName(_("What the rule does"))
        self.kind.setMinimumWidth(theme.space(12))
        for one in KINDS:
            self.kind.addItem(_(one.title), one.id)
        self.kind.setCurrentIndex(self.kind.findData(kind.id))
        self.kind.activated.connect(self._choose_kind)
        self.tool = tool_combo(self._tools, str(self._rule.get("tool", "*")))
        self.tool.setAccessibleName(_("Tool of the rule"))
        self.tool.currentTextChanged.connect(self._choose_tool)
        rows: list[tuple[str, QWidget]] = [(_("What it does"), self.kind), (_("Tool"), self.tool)]
        self.controls = {field.key: self._make_control(field) for field in kind.fields}
        rows += [(_(field.title), self.controls[field.key]) for field in kind.fields]
        for place, (title, control) in enumerate(rows):
            label = SafeLabel(title, role="meta")
            label.setBuddy(control)
            grid.addWidget(label, place, 0, Qt.AlignmentFlag.AlignTop if _is_tall(control) else Qt.AlignmentFlag(0))
            grid.addWidget(control, place, 1)
        self.trial = HookTrial(theme, kind.when, spawn=self._spawn, last_call=self._last_call)
        grid.addWidget(self.trial, len(rows), 0, 1, 2)
        return body

    def _make_control(self, field: RuleField) -> QWidget:
        value = hook_fields.get(self._rule, field.key)
        if field.kind == "switch":
            switch = Switch(self._theme, _(field.title))
            switch.setChecked(bool(value))
            switch.toggled.connect(partial(self._put, field))
            return switch
        text = hook_fields.shown(field, value)
        if field.kind == "pairs":
            area = QPlainTextEdit(text)
            area.setPlaceholderText(_(field.hint) if field.hint else "")
            area.setFixedHeight(self._theme.space(9))
            area.setTabChangesFocus(True)
            area.setAccessibleName(_(field.title))
            area.textChanged.connect(partial(self._read_area, field, area))
            return area
        line = QLineEdit(text)
        line.setPlaceholderText(_(field.hint) if field.hint else "")
        line.setAccessibleName(_(field.title))
        line.setCursorPosition(0)
        line.textEdited.connect(partial(self._read, field))
        return line

    # ------------------------------------------------------------ changes

    def _read(self, field: RuleField, text: str) -> None:
        self._put(field, hook_fields.read(field, text))

    def _read_area(self, field: RuleField, area: QPlainTextEdit) -> None:
        self._read(field, area.toPlainText())

    def _put(self, field: RuleField, value: Any) -> None:
        rule = dict(self._rule)
        if field.key == "why" and not value:
            rule.pop("why", None)
        else:
            hook_fields.put(rule, field.key, value)
        self._take(rule)

    def _enable(self, on: bool) -> None:
        rule = {key: value for key, value in self._rule.items() if key != "enabled"}
        self._take(rule if on else {**rule, "enabled": False})

    def _choose_kind(self) -> None:
        kind: RuleKind = BY_ID[str(self.kind.currentData())]
        if kind != hook_fields.kind_of(self._rule):
            self._take(hook_fields.changed_kind(self._rule, kind))
            self._open(True)
            self.kind.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose_tool(self, tool: str) -> None:
        self._take({**self._rule, "tool": tool.strip() or "*"})

    def _take(self, rule: dict[str, Any]) -> None:
        self._rule = rule
        self._tell()
        self._try()
        self.changed.emit()

    def _tell(self) -> None:
        self._sentence.setText(hook_fields.sentence(self._rule))
        error = self.error()
        self._error.setText(error)
        self._error.setVisible(bool(error))

    def _try(self) -> None:
        if self.trial is not None:
            self.trial.show_rule(None if self.error() else self._rule, str(self._rule.get("tool", "*")))


def _is_tall(control: QWidget) -> bool:
    return isinstance(control, QPlainTextEdit)
