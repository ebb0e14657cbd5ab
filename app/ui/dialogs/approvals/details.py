"""Behind "Details" of an approval card: who asks and why, and the arguments byte for byte, which can be changed.

Drawn from facts of ours only – tool, rule, canonical arguments – never from a model's words. What
the person changes in the form is shown in the same exact view, and that is what is sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core.text.i18n import _, ngettext
from app.core.tools.tool import canonical_args
from app.ui.dialogs.approvals.facts import Facts
from app.ui.theme import Theme
from app.ui.widgets.fields.argument_form import ArgumentForm
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel

_LAYOUT_MS = 50
"""After a change of the arguments; until then nobody knows whether their end is in sight."""
_LINES = 10


class Details(QWidget):
    changed = Signal()
    """Other arguments."""
    looked_at = Signal()
    """More of them may have been in sight."""

    def __init__(
        self, theme: Theme, facts: Facts, args: Mapping[str, Any], parameters: Mapping[str, Any] | None
    ) -> None:
        """With `parameters`, the tool's schema, the arguments can be changed."""
        super().__init__()
        self._theme, self.facts, self._parameters = theme, facts, parameters
        self._given: dict[str, Any] = dict(args)
        self.args: dict[str, Any] = dict(args)
        """As they would be sent now."""
        self.form: ArgumentForm | None = None
        self.end_seen = False
        """The end of the arguments has been in sight."""
        self._is_settled = False
        self.laid_out = QTimer(self)
        """Runs where the lines of the arguments are still to be found."""
        self.laid_out.setSingleShot(True)
        self.laid_out.setInterval(_LAYOUT_MS)
        self.laid_out.timeout.connect(self.look)
        text = canonical_args(args)
        self._form_place = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        layout.addWidget(facts)
        layout.addWidget(self._make_view(text))
        layout.addLayout(self._make_size_line(text))
        layout.addLayout(self._form_place)
        self.look()

    @property
    def is_changed(self) -> bool:
        return canonical_args(self.args) != canonical_args(self._given)

    @property
    def is_wrong(self) -> bool:
        return self.form is not None and bool(self.form.faults())

    def settle(self) -> None:
        """It has been answered."""
        self._is_settled = True
        for part in (self.to_end, self.edit):
            part.hide()
        if self.form is not None:
            self.form.hide()

    def _make_view(self, text: str) -> PlainView:
        view = self.arguments = PlainView(self._theme, text, code=True, lines=_LINES, exact=True)
        view.scrolls_by_wheel = True
        view.setAccessibleName(_("Arguments, exactly as they will be sent"))
        view.verticalScrollBar().valueChanged.connect(self.look)
        view.verticalScrollBar().rangeChanged.connect(self.look)
        return view

    def _make_size_line(self, text: str) -> QHBoxLayout:
        self.size_line = SafeLabel(_size_text(text), role="meta")
        self.to_end = QPushButton(_("Show the end"))
        self.to_end.clicked.connect(self._show_end)
        self.edit = QPushButton(_("Change the arguments"))
        self.edit.clicked.connect(self._toggle_form)
        line = QHBoxLayout()
        line.setSpacing(self._theme.space(2))
        line.addWidget(self.size_line, 1)
        for button in (self.to_end, self.edit):
            button.setProperty("kind", "link")
            line.addWidget(button)
        if self._parameters is None:
            self.edit.hide()
        return line

    def _toggle_form(self) -> None:
        if self.form is None:
            form = self.form = ArgumentForm(self._theme, self._parameters or {}, self.args)
            form.changed.connect(self._edited)
            self._area = _scrolling(form, self._theme.space(30))
            self._form_place.addWidget(self._area)
            self.edit.setText(_("Undo my changes"))
            form.focus_first()
            self._edited()
            return
        self._form_place.removeWidget(self._area)
        self._area.hide()
        self._area.deleteLater()
        self.form = None
        self.edit.setText(_("Change the arguments"))
        self.show_args(dict(self._given))

    def _edited(self) -> None:
        if self.form is not None:
            self.show_args(self.form.values())

    def show_args(self, args: dict[str, Any]) -> None:
        """The exact view shows what would be sent now."""
        text = canonical_args(args)
        if text != canonical_args(self.args):
            self.end_seen = False
            self.laid_out.start()
            self.arguments.set_text(text)
        self.args = args
        size = _size_text(text)
        self.size_line.setText(_("changed by you: {size}").format(size=size) if self.is_changed else size)
        self.changed.emit()
        self.look()

    def look(self) -> None:
        """Whether the end is in sight by now."""
        bar = self.arguments.verticalScrollBar()
        if self.isVisible() and not self.laid_out.isActive() and bar.value() >= bar.maximum():
            self.end_seen = True
        self.to_end.setVisible(bar.maximum() > bar.value() and not self._is_settled)
        self.looked_at.emit()

    def _show_end(self) -> None:
        bar = self.arguments.verticalScrollBar()
        bar.setValue(bar.maximum())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.laid_out.start()


def _scrolling(form: QWidget, highest: int) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(form)
    form.setAutoFillBackground(False)
    area.viewport().setAutoFillBackground(False)
    area.setFixedHeight(min(highest, form.sizeHint().height() + 4))
    return area


def _size_text(text: str) -> str:
    """Bytes as they are sent, and the lines the values have when they are read out: a long tail cannot hide."""
    lines = _line_breaks(json.loads(text)) + 1
    count_text = ngettext("{n} line", "{n} lines", lines).format(n=f"{lines:,}")
    return _("{n} bytes, {lines}").format(n=f"{len(text.encode('utf-8', 'surrogatepass')):,}", lines=count_text)


def _line_breaks(value: object) -> int:
    if isinstance(value, str):
        return value.count("\n")
    if isinstance(value, dict):
        return sum(_line_breaks(item) for item in value.values())
    if isinstance(value, list):
        return sum(map(_line_breaks, value))
    return 0
