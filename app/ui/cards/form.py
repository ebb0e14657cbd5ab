"""A form a person fills in: what they write goes straight to the tool of its button, no model reads it on the way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app.core.tools.card_markdown import as_text, mappings
from app.ui.cards.parts.timers import Timers
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel, visible

_MOST = 40
_LONGEST, _LONGEST_LINES = 4_000, 200_000
_MOST_ROWS = 12
_BETWEEN = re.compile(r"[,，、;；\n]+")


def form(payload: Mapping[str, Any], theme: Theme, timers: Timers | None = None) -> QWidget:
    return FormBody(payload, theme, timers)


class FormBody(QWidget):
    def __init__(self, payload: Mapping[str, Any], theme: Theme, timers: Timers | None = None) -> None:
        """With an `id` in its payload it keeps what was typed while its row is out of sight, as in `timers`."""
        super().__init__()
        self._theme, self._timers, self._id = theme, timers, as_text(payload.get("id"))
        self._fields: dict[str, tuple[str, QWidget]] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(1))
        if note := as_text(payload.get("note")):
            column.addWidget(_words(note))
        for field in mappings(payload, "fields")[:_MOST]:
            self._add(column, field)
        self._before = {name: _value(kind, widget) for name, (kind, widget) in self._fields.items()}
        if timers is not None and self._id:
            for name, (_kind, widget) in self._fields.items():
                if name in (typed := timers.typed(self._id)):
                    _fill(widget, typed[name])
                _on_change(widget, partial(self._keep, name, widget))

    def _keep(self, name: str, widget: QWidget, *_change: object) -> None:
        assert self._timers is not None, "only a form that keeps what is typed listens"
        self._timers.set_typed(self._id, name, _raw(widget))

    def values(self) -> dict[str, Any]:
        """What was filled in or emptied; what was empty and was left so is not given."""
        values = {name: _value(kind, widget) for name, (kind, widget) in self._fields.items()}
        entries = {
            name: value for name, value in values.items() if value not in ("", []) or value != self._before[name]
        }
        grouped: dict[str, Any] = {name: value for name, value in entries.items() if "." not in name}
        for name in (name for name in entries if "." in name):  # "sensory.visual" is a part of one argument
            whole = grouped.setdefault(name.partition(".")[0], {})
            if values[name] not in ("", []):
                whole[name.partition(".")[2]] = values[name]
        return grouped

    def _add(self, column: QVBoxLayout, field: Mapping[str, Any]) -> None:
        name, kind = as_text(field.get("name")), as_text(field.get("kind"))
        label = visible(as_text(field.get("label")))
        widget = self._widget(kind, field)
        widget.setObjectName(f"formField.{name}")
        widget.setAccessibleName(label)
        self._fields[name] = (kind, widget)
        box = QVBoxLayout()
        box.setSpacing(self._theme.space(0.25))
        if isinstance(widget, QCheckBox):
            box.addLayout(self._ticked(widget, label))
        else:
            box.addWidget(_words(f"{label} *" if field.get("required") else label, "strong"))
            box.addWidget(widget)
        if hint := as_text(field.get("hint")):
            widget.setAccessibleDescription(visible(hint))
            box.addWidget(_words(hint, "meta"))
        column.addLayout(box)

    def _ticked(self, tick: QCheckBox, label: str) -> QHBoxLayout:
        """What is agreed to is read whole, on as many lines as it takes: the words of a QCheckBox do not wrap."""
        row = QHBoxLayout()
        row.setSpacing(self._theme.space(1))
        row.addWidget(tick, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(_TickWords(label, tick), 1)
        return row

    def _widget(self, kind: str, field: Mapping[str, Any]) -> QWidget:
        value = field.get("value")
        if kind == "tick":
            tick = QCheckBox()
            tick.setChecked(value is True)
            return tick
        if kind == "choice":
            box = CalmCombo()
            box.addItem("", "")
            for option in mappings(field, "options")[:_MOST]:
                box.addItem(visible(as_text(option.get("label"))), as_text(option.get("id")))
            box.setCurrentIndex(max(0, box.findData(as_text(value))))
            return box
        if kind == "lines":
            return _several(as_text(value))
        line = QLineEdit()
        line.setMaxLength(_LONGEST)
        line.setText("、".join(map(as_text, value)) if isinstance(value, list) else as_text(value))
        return line


def _several(text: str) -> QPlainTextEdit:
    """As high as its lines, up to a dozen; Tab leaves it."""
    field = QPlainTextEdit(text[:_LONGEST_LINES])
    field.setTabChangesFocus(True)
    field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    rows = min(max(2, text.count("\n") + 2), _MOST_ROWS)
    field.setFixedHeight(field.fontMetrics().lineSpacing() * rows + 2 * round(field.document().documentMargin()) + 4)
    return field


class _TickWords(SafeLabel):
    """Beside a check box; a click on them is one on the box."""

    def __init__(self, text: str, tick: QCheckBox) -> None:
        super().__init__(text[:_LONGEST])
        self.setWordWrap(True)
        self._tick = tick

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._tick.click()
        super().mouseReleaseEvent(event)


def _value(kind: str, widget: QWidget) -> Any:
    if isinstance(widget, QPlainTextEdit):
        return widget.toPlainText().strip()
    if isinstance(widget, QCheckBox):
        return widget.isChecked()
    if isinstance(widget, QComboBox):
        return widget.currentData()
    assert isinstance(widget, QLineEdit)
    text = widget.text().strip()
    return [part.strip() for part in _BETWEEN.split(text) if part.strip()] if kind == "list" else text


def _raw(widget: QWidget) -> Any:
    if isinstance(widget, QCheckBox):
        return widget.isChecked()
    if isinstance(widget, QPlainTextEdit):
        return widget.toPlainText()
    return widget.currentIndex() if isinstance(widget, QComboBox) else widget.text()  # type: ignore[attr-defined]


def _fill(widget: QWidget, value: Any) -> None:
    if isinstance(widget, QCheckBox):
        widget.setChecked(value)
    elif isinstance(widget, QComboBox):
        widget.setCurrentIndex(value)
    elif isinstance(widget, QPlainTextEdit):
        widget.setPlainText(value)
    elif isinstance(widget, QLineEdit):
        widget.setText(value)


def _on_change(widget: QWidget, heard: Callable[..., None]) -> None:
    if isinstance(widget, QCheckBox):
        widget.toggled.connect(heard)
    elif isinstance(widget, QComboBox):
        widget.currentIndexChanged.connect(heard)
    elif isinstance(widget, QLineEdit | QPlainTextEdit):
        widget.textChanged.connect(heard)


def _words(text: str, role: str = "") -> SafeLabel:
    label = SafeLabel(text[:_LONGEST], role=role)
    label.setWordWrap(True)
    return label
