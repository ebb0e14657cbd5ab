"""Editors of one choice among a few: all of them side by side where they are short, else a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent

from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo, Editor
from app.ui.widgets.fields.mode_selector import ModeChoice, ModeSelector

_FEW, _SHORT = 5, 64
"""Choices, and letters of all their words, that stand side by side."""


def choice_editor(what: str, options: Sequence[tuple[str, str]], theme: Theme) -> Editor:
    """All choices side by side where they are few and short, else in a list."""
    is_short = len(options) <= _FEW and sum(len(shown) + 4 for _value, shown in options) <= _SHORT
    return SegmentEditor(what, options, theme) if is_short else ChoiceEditor(options, theme)


class ChoiceEditor(Editor):
    """One of a few words. `options` are (value, shown) pairs."""

    def __init__(self, options: Sequence[tuple[str, str]], theme: Theme) -> None:
        self._combo = CalmCombo()
        super().__init__(self._combo)
        for value, shown in options:
            self._combo.addItem(shown, value)
        self._combo.prefer_width(theme.space(24))
        self.row.addStretch(1)
        self._combo.currentIndexChanged.connect(self.changed)

    def value(self) -> str:
        data = self._combo.currentData()
        return data if isinstance(data, str) else ""

    def set_value(self, value: Any) -> None:
        index = self._combo.findData(value)
        if index < 0:
            # A value from a newer version or an edited file: kept and shown as it is.
            self._combo.addItem(str(value), str(value))
            index = self._combo.count() - 1
        self._combo.setCurrentIndex(index)


class SegmentEditor(Editor):
    """One of so few words that all of them are seen."""

    def __init__(self, what: str, options: Sequence[tuple[str, str]], theme: Theme) -> None:
        self._choices = [ModeChoice(value, shown) for value, shown in options]
        self.segments = ModeSelector(self._choices, what=what)
        super().__init__(self.segments)
        self.setFocusProxy(None)  # type: ignore[arg-type]  # the chosen position has the focus, which changes
        self.row.addStretch(1)
        self.setMinimumHeight(theme.space(4))
        self._least, self._natural = theme.space(16), 0
        self.segments.mode_changed.connect(self.changed)

    def minimumSizeHint(self) -> QSize:
        """Where there is no room for all, the chosen one stands for them and lists them."""
        return QSize(self._least, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._natural:
            self._natural = self.segments.sizeHint().width()
        self.segments.set_short(event.size().width() < self._natural)

    def value(self) -> str:
        return self.segments.mode()

    def set_value(self, value: Any) -> None:
        ids = [choice.id for choice in self._choices]
        if isinstance(value, str) and value not in ids:
            # A value from a newer version or an edited file: kept and shown as it is.
            self._choices.append(ModeChoice(value, value))
            self.segments.set_modes(self._choices)
            self._natural = 0
        before = self.value()
        self.segments.set_mode(str(value))
        if self.value() != before:
            self.changed.emit()
