"""A form for the arguments of one tool call, made from the tool's schema.

What is set or must be set stands first; the rest is one press away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.core.run.analysis.tool_records import ValueKind
from app.core.run.argument_fields import ArgumentField, FieldKind, WrongText, fields_of, read, written
from app.core.text.i18n import _, ngettext
from app.core.wording.arguments import argument_title, reference_words
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.fields.word_chips import WordChips
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.flow import FlowLayout
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip, visible


@dataclass(frozen=True, slots=True)
class EarlierValue:
    """Something an earlier step gives, that a field may name."""

    raw: str
    words: str
    kind: ValueKind = ""
    """"" = not known: it is offered to every field."""

    def fits(self, field: ArgumentField) -> bool:
        return not self.kind or self.kind in _TAKES[field.kind]


_TAKES: Mapping[FieldKind, tuple[ValueKind, ...]] = {
    "text": ("text",),
    "choice": ("text",),
    "bool": ("bool",),
    "integer": ("integer",),
    "number": ("integer", "number"),
    "list": ("list",),
    "json": ("list", "object"),
}


class ArgumentForm(QWidget):
    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        parameters: Mapping[str, Any],
        values: Mapping[str, Any],
        *,
        references: bool = False,
        earlier: Sequence[EarlierValue] = (),
        parent: QWidget | None = None,
    ) -> None:
        """`references`: a field may also name an earlier result, `$2.data.id`; it is shown in words. Of `earlier` each
        field offers what fits it.
        """
        super().__init__(parent)
        self._rows = {
            field.name: ArgumentRow(theme, field, values, references=references, earlier=earlier)
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

    def row(self, name: str) -> ArgumentRow:
        return self._rows[name]

    def focus_first(self) -> None:
        if row := next((row for row in self._rows.values() if not row.isHidden()), None):
            row.begin()

    def _show_more(self) -> None:
        self.more.hide()
        for row in self._hidden:
            row.show()
        if self._hidden:
            self._hidden[0].begin()


class ArgumentRow(QWidget):
    """The name, the field, what is wrong. A reference stands as a chip in words until it is filled in by hand."""

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        field: ArgumentField,
        values: Mapping[str, Any],
        *,
        references: bool,
        earlier: Sequence[EarlierValue],
    ) -> None:
        super().__init__()
        self.field = field
        self.fault = ""
        self._earlier = [one for one in earlier if one.fits(field)]
        self._references, self._was_given = references, field.name in values
        text = written(field, values[field.name], references=references) if self._was_given else ""
        self.control = self._make(theme, text)
        self.control.setAccessibleName(argument_title(field.name))
        self.control.setAccessibleDescription(field.help)
        set_safe_tooltip(self.control, field.help)
        self._error = SafeLabel(role="error")
        self._error.setWordWrap(True)
        title = argument_title(field.name)
        name = SafeLabel(f"{title} *" if field.required else title, role="meta", elide=True)
        name.setBuddy(self.control)
        name.setFixedWidth(theme.space(12))
        set_safe_tooltip(name, "\n".join(filter(None, (field.name, field.help))))
        self._make_chip(theme)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.space(1))
        line.addWidget(name, 0, Qt.AlignmentFlag.AlignTop)
        name.setMinimumHeight(theme.space(4))
        self._place = QWidget()
        chips = FlowLayout(theme.space(1), self._place)
        chips.addWidget(self.chip)
        chips.addWidget(self.by_hand)
        line.addWidget(self._place, 1)
        line.addWidget(self.control, 1)
        line.addWidget(self.refer, 0, Qt.AlignmentFlag.AlignTop)
        self._error.setContentsMargins(theme.space(13), 0, 0, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.25))
        layout.addLayout(line)
        layout.addWidget(self._error)
        self._judge()
        self._show_chip(self._reference())

    def begin(self) -> None:
        """The focus comes here by keyboard."""
        (self.control if self._place.isHidden() else self.chip).setFocus(Qt.FocusReason.TabFocusReason)

    # ------------------------------------------------------------ references

    def _make_chip(self, theme: Theme) -> None:
        self.menu = QMenu(self)
        for one in self._earlier:
            entry = self.menu.addAction(visible(f"← {one.words}").replace("&", "&&"))
            entry.triggered.connect(partial(self._refer_to, one.raw))
        self.chip = QPushButton()
        self.chip.setProperty("kind", "reference")
        self.chip.setAutoDefault(False)
        self.chip.clicked.connect(partial(self._open_menu, self.chip))
        self.by_hand = QPushButton(_("Fill in by hand"))
        self.by_hand.setProperty("kind", "link")
        self.by_hand.setAutoDefault(False)
        self.by_hand.clicked.connect(self._fill_by_hand)
        self.refer = IconButton(theme, "arrow-left", _("Use the result of an earlier step"), size=14)
        self.refer.clicked.connect(partial(self._open_menu, self.refer))

    def _reference(self) -> str:
        """What the field names of an earlier step, in words; "" if it holds a value of its own."""
        return reference_words(self._text().strip()) if self._references else ""

    def _show_chip(self, words: str) -> None:
        self.chip.setText(f"← {words}")
        self.chip.setAccessibleName(f"{argument_title(self.field.name)}: ← {words}")
        set_safe_tooltip(self.chip, self._text())
        self._place.setVisible(bool(words))
        self.control.setVisible(not words)
        self.refer.setVisible(not words and bool(self._earlier))

    def _open_menu(self, below: QWidget) -> None:
        if self._earlier:
            self.menu.popup(below.mapToGlobal(below.rect().bottomLeft()))

    def _refer_to(self, raw: str, _checked: bool = False) -> None:
        self._set_text(raw)
        self._show_chip(self._reference())
        self.chip.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill_by_hand(self) -> None:
        self._was_given = False
        self._set_text("")
        self._show_chip("")
        self.control.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_text(self, text: str) -> None:
        match self.control:
            case QLineEdit() as line:
                line.setText(text)
            case QPlainTextEdit() as area:
                area.setPlainText(text)
            case CalmCombo() as combo:
                combo.setCurrentText(text)
            case WordChips() as chips:
                chips.set_text(text)

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
        if field.kind == "list":
            chips = WordChips(theme, field.choices, text)
            chips.changed.connect(self._edited)
            return chips
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
            case WordChips() as chips:
                return chips.text()
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
