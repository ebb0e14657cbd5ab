"""One editor per kind of setting. An editor holds a value, says when it changed and what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QLocale, QPointF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from app.core.setting import SettingInfo
from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.fields.switch import Switch
from app.ui.widgets.fields.value_slider import ValueSlider
from app.ui.widgets.guarded import guarded
from app.ui.widgets.named_combo import NamedCombo
from app.ui.widgets.safe_text import SafeLabel

_INT_LIMIT = 2_000_000_000
_MOST = 1_000_000_000_000
"""Above any limit that means something, and within what every file format keeps exactly."""
_NUMBER = re.compile(r"-?([0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?|[0-9]+\.?[0-9]*|\.[0-9]+)")
"""A comma groups thousands and nothing else: one that means a decimal point must not make 15 of 1,5."""


class Editor(QWidget):
    """The base: subclasses fill in `control`, `value` and `set_value`."""

    changed = Signal()
    is_wide = False
    """Takes the whole width, below its title."""

    def __init__(self, control: QWidget) -> None:
        super().__init__()
        self.control = control
        """What is focused, named and found."""
        self.setFocusProxy(control)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        if control.parent() is None:
            self.row.addWidget(control)

    def value(self) -> Any:
        raise NotImplementedError

    def set_value(self, value: Any) -> None:
        raise NotImplementedError

    def error(self) -> str:
        return ""


EditorFactory = Callable[[SettingInfo, Theme], Editor]


class TextEditor(Editor):
    def __init__(self, info: SettingInfo, _theme: Theme) -> None:
        self._field = QLineEdit()
        super().__init__(self._field)
        if info.max_length:
            self._field.setMaxLength(info.max_length)
        self._field.textChanged.connect(self.changed)

    def value(self) -> str:
        return self._field.text()

    def set_value(self, value: Any) -> None:
        self._field.setText(str(value or ""))
        self._field.setCursorPosition(0)  # a long one is read from its beginning


class LongTextEditor(Editor):
    """Several lines, with the number of characters below."""

    is_wide = True

    def __init__(self, info: SettingInfo, theme: Theme) -> None:
        self._field = QPlainTextEdit()
        self._limit = info.max_length
        super().__init__(self._field)
        self._field.setTabChangesFocus(True)
        self._field.setMinimumHeight(theme.space(18))
        self._count = SafeLabel(role="meta")
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._count.setWordWrap(True)
        column = QVBoxLayout()
        column.setSpacing(theme.space(0.5))
        column.addWidget(self._field)
        column.addWidget(self._count)
        self.row.addLayout(column)
        self._field.textChanged.connect(self._tell)
        self._tell()

    def value(self) -> str:
        return self._field.toPlainText()

    def set_value(self, value: Any) -> None:
        if str(value or "") != self.value():
            self._field.setPlainText(str(value or ""))

    def error(self) -> str:
        return _("Too long") if self._limit and len(self.value()) > self._limit else ""

    def _tell(self) -> None:
        length = len(self.value())
        if self._limit:
            self._count.setText(_("{n} of {limit} characters").format(n=f"{length:,}", limit=f"{self._limit:,}"))
        else:
            self._count.setText(_("{n} characters").format(n=f"{length:,}"))
        self.changed.emit()


_DIGITS = QLocale(QLocale.Language.English)
"""1,234.5 in every form, whatever the system writes: both languages of ours write numbers so."""


class CalmSpin(QSpinBox):
    """Scrolling a form must not change it; and no arrows, which a style sheet's border leaves half drawn.

    Any number can be typed, and the form says when it is out of bounds: with the bounds of Qt's own, a digit that
    leads out of them is swallowed, and 100 becomes 10. What a key or a program sets stays within them.
    """

    def __init__(self, low: float, high: float) -> None:
        super().__init__()
        self._low, self._high = round(low), round(high)
        self.setRange(-_INT_LIMIT, _INT_LIMIT)
        self.setValue(self.value())  # brings the 0 it begins with within the bounds
        self.setLocale(_DIGITS)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)

    def minimum(self) -> int:
        return self._low

    def maximum(self) -> int:
        return self._high

    def setValue(self, value: int) -> None:
        super().setValue(min(max(value, self._low), self._high))

    def stepBy(self, steps: int) -> None:
        self.setValue(self.value() + steps * self.singleStep())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        _place_field(self, event)
        return done


class _CalmDoubleSpin(QDoubleSpinBox):
    def __init__(self, low: float, high: float) -> None:
        super().__init__()
        self._low, self._high = low, high
        self.setDecimals(3)
        self.setRange(-_INT_LIMIT, _INT_LIMIT)
        self.setValue(self.value())  # brings the 0 it begins with within the bounds
        self.setLocale(_DIGITS)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)

    def minimum(self) -> float:
        return self._low

    def maximum(self) -> float:
        return self._high

    def setValue(self, value: float) -> None:
        super().setValue(min(max(value, self._low), self._high))

    def stepBy(self, steps: int) -> None:
        self.setValue(self.value() + steps * self.singleStep())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        _place_field(self, event)
        return done

    def textFromValue(self, value: float) -> str:
        """Without the zeros behind the point."""
        return f"{value:,.{self.decimals()}f}".rstrip("0").rstrip(".")


_PLACING = frozenset({QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.StyleChange, QEvent.Type.Polish})


def _place_field(spin: QAbstractSpinBox, event: QEvent) -> None:
    """WORKAROUND: without arrows and with a style sheet, Qt gives the text one pixel of width."""
    if event.type() in _PLACING and (field := spin.lineEdit()) is not None:
        beside = round(spin.fontMetrics().height() / 2)  # as far in as the text of other fields, at every zoom
        field.setGeometry(spin.rect().adjusted(beside, 2, -beside, -2))


class CalmCombo(NamedCombo):
    """Draws its own chevron: a style sheet that gives a combo box its border leaves the arrow's box half drawn."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.subControls = QStyle.SubControl.SC_ComboBoxFrame | QStyle.SubControl.SC_ComboBoxEditField
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        if not self.isEditable():
            painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        # From the palette, so that it follows a change of theme while the form is open.
        reach = self.fontMetrics().height() / 5
        x, y = self.width() - 3 * reach - 4, self.height() / 2
        pen = QPen(self.palette().placeholderText().color(), 1.5)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPolyline(
            [QPointF(x - reach, y - reach / 2), QPointF(x, y + reach / 2), QPointF(x + reach, y - reach / 2)]
        )


class NumberEditor(Editor):
    """A number that is always there; one out of its bounds is refused with them named."""

    def __init__(self, info: SettingInfo, theme: Theme) -> None:
        self._low = -_INT_LIMIT if info.low is None else info.low
        self._high = _INT_LIMIT if info.high is None else info.high
        self._spin = (CalmSpin if info.kind == "int" else _CalmDoubleSpin)(self._low, self._high)
        super().__init__(self._spin)
        if isinstance(self._spin, QSpinBox):
            self._spin.setSingleStep(_step(info.high))
        self._spin.setGroupSeparatorShown(True)
        self._spin.setMinimumWidth(theme.space(8))
        self._spin.setMaximumWidth(theme.space(14))
        _tell_unit(self, info, theme)
        self._spin.valueChanged.connect(self.changed)

    def value(self) -> int | float:
        return self._spin.value()

    def set_value(self, value: Any) -> None:
        if isinstance(self._spin, QSpinBox):
            self._spin.setValue(round(value))
        else:
            self._spin.setValue(float(value))

    def error(self) -> str:
        return "" if self._low <= self.value() <= self._high else _between(self._low, self._high)


class OptionalNumberEditor(Editor):
    """A number or nothing; empty is None."""

    def __init__(self, info: SettingInfo, theme: Theme) -> None:
        self._field = QLineEdit()
        self._info = info
        super().__init__(self._field)
        self._field.setPlaceholderText(_("not set"))
        self._field.setMinimumWidth(theme.space(8))
        self._field.setMaximumWidth(theme.space(14))
        _tell_unit(self, info, theme)
        self._field.textChanged.connect(self.changed)

    def value(self) -> int | float | None:
        text = self._field.text().strip()
        if not _NUMBER.fullmatch(text):
            return None
        number = float(text.replace(",", ""))
        if self._info.kind != "int":
            return number
        return int(number) if number.is_integer() else None

    def set_value(self, value: Any) -> None:
        self._field.setText("" if value is None else number_text(value))

    def error(self) -> str:
        number = self.value()
        if number is None:
            return _("Not a number") if self._field.text().strip() else ""
        low, high = self._info.low, self._info.high
        if not ((low is None or number >= low) and (high is None or number <= high)):
            return _between(low, high)
        return _between(low, _MOST) if number > _MOST else ""


class SwitchEditor(Editor):
    def __init__(self, info: SettingInfo, theme: Theme) -> None:
        self._switch = Switch(theme, _(info.title))
        super().__init__(self._switch)
        self.row.addStretch(1)
        self._switch.toggled.connect(self.changed)

    def value(self) -> bool:
        return self._switch.isChecked()

    def set_value(self, value: Any) -> None:
        self._switch.setChecked(bool(value))


class SliderEditor(Editor):
    def __init__(self, info: SettingInfo, theme: Theme) -> None:
        self.slider = ValueSlider(theme, round(info.low or 0), round(info.high or 100), _(info.title))
        super().__init__(self.slider.slider)
        self.row.addWidget(self.slider)
        self.slider.value_changed.connect(self.changed)

    def value(self) -> int:
        return self.slider.value()

    def set_value(self, value: Any) -> None:
        self.slider.set_value(round(value))


def _step(high: float | None) -> int:
    return 1 if high is None or high <= 100 else 10 if high <= 1_000 else 500


def _between(low: float | None, high: float | None) -> str:
    if high is None:
        return _("At least {low}").format(low=number_text(low or 0))
    if low is None:
        return _("At most {high}").format(high=number_text(high))
    return _("From {low} to {high}").format(low=number_text(low), high=number_text(high))


def number_text(number: float) -> str:
    """All its digits: a form that rounds what it shows would save what it rounded."""
    return f"{number:,.15g}"


def _tell_unit(editor: Editor, info: SettingInfo, theme: Theme) -> None:
    """Behind the field: what is counted, and from where to where it may go."""
    parts = [_(info.unit)] if info.unit else []
    if info.low is not None and info.high is not None:
        parts.append(f"{number_text(info.low)} – {number_text(info.high)}")
    editor.row.setSpacing(theme.space(1))
    if parts:
        unit = SafeLabel(" · ".join(parts), role="meta")
        unit.setWordWrap(True)
        editor.row.addWidget(unit, 1)
    else:
        editor.row.addStretch(1)
