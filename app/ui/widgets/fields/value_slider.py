"""A slider that says the number it is on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel


class _CalmSlider(QSlider):
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolling a form must not change it."""
        event.ignore()


class ValueSlider(QWidget):
    value_changed = Signal(int)

    def __init__(self, theme: Theme, low: int, high: int, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.slider = _CalmSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(low, high)
        self.slider.setPageStep(1)
        self.slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.slider.setTickInterval(1)
        self.slider.setAccessibleName(name)
        self._number = SafeLabel(str(low), role="strong")
        self._number.setMinimumWidth(theme.space(3))
        self._number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        layout.addWidget(self.slider, 1)
        layout.addWidget(self._number)
        self.setFocusProxy(self.slider)
        self.slider.valueChanged.connect(self._show)

    def value(self) -> int:
        return self.slider.value()

    def set_value(self, value: int) -> None:
        self.slider.setValue(value)

    def _show(self, value: int) -> None:
        self._number.setText(str(value))
        self.value_changed.emit(value)
