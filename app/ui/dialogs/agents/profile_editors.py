"""Editors for the settings of an agent that are more than a number or a word."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout

from app.core.run.analysis.round_costs import RoundCosts
from app.core.setting import SettingInfo
from app.core.text.i18n import N_, _
from app.ui.dialogs.agents.profile_costs import rounds_cost
from app.ui.theme import Theme, icon_names
from app.ui.widgets.fields.editors import CalmCombo, Editor
from app.ui.widgets.fields.value_slider import ValueSlider
from app.ui.widgets.safe_text import SafeLabel

_LANGUAGES = (("zh", "中文"), ("en", "English"))


class LanguagesEditor(Editor):
    """One text in each language."""

    def __init__(self, info: SettingInfo, theme: Theme) -> None:
        self._fields = {code: QLineEdit() for code, _name in _LANGUAGES}
        super().__init__(self._fields["zh"])
        self._given: dict[str, str] = {}
        self.row.removeWidget(self.control)
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.space(1))
        grid.setVerticalSpacing(theme.space(0.5))
        for row, (code, name) in enumerate(_LANGUAGES):
            field = self._fields[code]
            field.setAccessibleName(f"{_(info.title)}, {name}")
            field.textChanged.connect(self.changed)
            label = SafeLabel(name, role="meta")
            label.setMinimumWidth(theme.space(6))
            grid.addWidget(label, row, 0)
            grid.addWidget(field, row, 1)
        self.row.addLayout(grid)

    def value(self) -> dict[str, str]:
        texts = dict(self._given)
        for code, field in self._fields.items():
            if field.text() or code in self._given:
                texts[code] = field.text()
        return texts

    def set_value(self, value: Any) -> None:
        self._given = dict(value)
        for code, field in self._fields.items():
            field.setText(self._given.get(code, ""))
            field.setCursorPosition(0)


class ModelEditor(Editor):
    """A reference chosen from the list or typed."""

    def __init__(self, refs: Sequence[str], _info: SettingInfo, theme: Theme) -> None:
        self._combo = CalmCombo()
        super().__init__(self._combo)
        self._combo.setEditable(True)
        self._combo.setInsertPolicy(CalmCombo.InsertPolicy.NoInsert)
        self._combo.addItems(["", *refs])
        self._combo.setItemData(0, _("default model"), Qt.ItemDataRole.AccessibleTextRole)
        self._combo.prefer_width(theme.space(36))
        if (field := self._combo.lineEdit()) is not None:
            field.setPlaceholderText(_("default model"))
        self.row.addStretch(1)
        self._combo.currentTextChanged.connect(self.changed)

    def value(self) -> str:
        return self._combo.currentText().strip()

    def set_value(self, value: Any) -> None:
        self._combo.setCurrentText(str(value or ""))

    def error(self) -> str:
        provider, slash, model = self.value().partition("/")
        if self.value() and not (provider and slash and model):
            return _("Write provider/model, such as ollama/qwen3:8b")
        return ""


class IconEditor(Editor):
    def __init__(self, _info: SettingInfo, theme: Theme) -> None:
        self._combo = CalmCombo()
        super().__init__(self._combo)
        self._theme = theme
        self._combo.setIconSize(QSize(theme.space(2), theme.space(2)))
        for name in icon_names():
            self._combo.addItem(theme.icon(name, "text"), name, name)
        self.row.addStretch(1)
        self._combo.currentIndexChanged.connect(self.changed)

    def value(self) -> str:
        return str(self._combo.currentData() or "")

    def set_value(self, value: Any) -> None:
        index = self._combo.findData(value)
        if index < 0:
            self._combo.addItem(str(value), str(value))
            index = self._combo.count() - 1
        self._combo.setCurrentIndex(index)


PRESETS = ((N_("Fast"), 1), (N_("Saver"), 2), (N_("Balanced"), 3), (N_("Deep"), 5))


class ReflectionEditor(Editor):
    """The rounds: presets, a slider, and what it costs."""

    def __init__(self, info: SettingInfo, theme: Theme) -> None:
        self.slider = ValueSlider(theme, round(info.low or 0), round(info.high or 10), _(info.title))
        super().__init__(self.slider.slider)
        self._own: RoundCosts | None = None
        presets = QFrame()
        presets.setObjectName("segmented")
        row = QHBoxLayout(presets)
        row.setContentsMargins(theme.space(0.25), theme.space(0.25), theme.space(0.25), theme.space(0.25))
        row.setSpacing(theme.space(0.25))
        self.presets: dict[int, QPushButton] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        for name, rounds in PRESETS:
            button = self.presets[rounds] = QPushButton(f"{_(name)} {rounds}")
            button.setCheckable(True)
            button.setAutoDefault(False)
            bold = QFont(theme.font("ui"))
            bold.setWeight(QFont.Weight.DemiBold)  # as it is when chosen, so that choosing cuts and moves nothing
            button.setMinimumWidth(QFontMetrics(bold).horizontalAdvance(button.text()) + theme.space(3))
            button.clicked.connect(partial(self._choose, rounds))
            row.addWidget(button)
        self._cost = SafeLabel(role="meta")
        self._cost.setWordWrap(True)
        column = QVBoxLayout()
        column.setSpacing(theme.space(0.5))
        line = QHBoxLayout()
        line.addWidget(presets)
        line.addStretch(1)
        column.addLayout(line)
        column.addWidget(self.slider)
        column.addWidget(self._cost)
        self.row.addLayout(column)
        self.slider.value_changed.connect(self._show)
        self._show(self.slider.value())

    def value(self) -> int:
        return self.slider.value()

    def set_value(self, value: Any) -> None:
        self.slider.set_value(round(value))

    def set_measured(self, own: RoundCosts | None) -> None:
        """What the rounds of this agent took so far, in place of the general figures."""
        self._own = own
        self._cost.setText(rounds_cost(self.slider.value(), own))

    def _choose(self, rounds: int) -> None:
        self.slider.set_value(rounds)
        self._show(rounds)

    def _show(self, rounds: int) -> None:
        for preset, button in self.presets.items():
            button.setChecked(preset == rounds)
        self._cost.setText(rounds_cost(rounds, self._own))
        self.changed.emit()
