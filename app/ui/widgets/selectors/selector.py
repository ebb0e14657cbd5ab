"""A quiet drop-down for a header: text and an arrow, no box until the pointer is over it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QStandardItem, QStandardItemModel, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.named_combo import NamedCombo
from app.ui.widgets.safe_text import set_safe_tooltip, visible
from app.ui.widgets.selectors.choice_popup import ChoicePopup, Option

__all__ = ["Option", "Selector"]


class Selector(NamedCombo):
    chosen = Signal(str)
    """A person chose; `set_options` and `set_chosen` are silent."""
    foot_pressed = Signal()

    def __init__(
        self,
        theme: Theme,
        name: str,
        *,
        limit: int = 220,
        mark: str = "",
        foot: str = "",
        foot_icon: str = "pencil",
        parent: QWidget | None = None,
    ) -> None:
        """`mark` is the icon that stands for it while it is short and what is chosen has none.

        `foot` is an entry below the choices, told by `foot_pressed`.
        """
        super().__init__(parent)
        self._theme = theme
        self._options: list[Option] = []
        self._limit, self._mark, self._is_short = limit, mark, False
        self._empty = self._suffix = ""
        self._foot, self._foot_icon = foot, foot_icon
        self._label = name
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMinimumContentsLength(4)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.activated.connect(self._activated)

    def set_options(self, options: Sequence[Option], *, empty: str = "") -> None:
        """`empty` is shown while there is nothing to choose."""
        chosen = self.chosen_id()
        self._options = list(options)
        self._empty = empty
        model = QStandardItemModel(self)
        for option in self._options:
            item = QStandardItem(visible(option.short or option.title))
            item.setEnabled(option.enabled)
            item.setAccessibleText(option.title)
            item.setData(option.id, Qt.ItemDataRole.UserRole)
            model.appendRow(item)
        self.setModel(model)
        self.set_chosen(chosen)
        self.setVisible(bool(options) or bool(empty))

    def chosen_id(self) -> str:
        number = self.currentIndex()
        return self._options[number].id if 0 <= number < len(self._options) else ""

    def set_chosen(self, id: str) -> None:
        number = next((n for n, option in enumerate(self._options) if option.id == id), -1)
        self.setCurrentIndex(number)
        self._describe()

    def set_suffix(self, text: str) -> None:
        """What is happening with the chosen one, e.g. a state of its run; "" = nothing."""
        if text != self._suffix:
            self._suffix = text
            self.updateGeometry()
            self.update()

    def suffix(self) -> str:
        return self._suffix

    def set_limit(self, limit: int) -> None:
        """The greatest width it asks for, in pixels before zoom."""
        if limit != self._limit:
            self._limit = limit
            self.updateGeometry()

    def set_short(self, *, is_short: bool) -> None:
        """Where there is no room for words: the icon alone; the tip and the list say the rest."""
        if is_short != self._is_short:
            self._is_short = is_short
            self.updateGeometry()
            self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()

    def _activated(self, number: int) -> None:
        self._describe()
        self.chosen.emit(self._options[number].id)

    def _describe(self) -> None:
        option = self._options[self.currentIndex()] if self.currentIndex() >= 0 else None
        self.setAccessibleDescription(option.tip if option else self._empty)
        set_safe_tooltip(self, f"{self._label}: {option.title}\n{option.tip}".strip() if option else self._label)
        self.updateGeometry()
        self.update()

    def _shown(self) -> str:
        if self.currentIndex() < 0:
            return self._empty
        return visible(f"{self.currentText()} · {self._suffix}" if self._suffix else self.currentText())

    # ------------------------------------------------------------ Qt

    def showPopup(self) -> None:
        # Of the window, not of this drop-down: what the style sheet says of drop-downs is not meant for it.
        popup = ChoicePopup(
            self._theme, self._label, self._options, self.chosen_id(), self.window(),
            foot=self._foot, foot_icon=self._foot_icon,
        )  # fmt: skip
        popup.chosen.connect(self._picked)
        popup.foot_pressed.connect(self.foot_pressed)
        popup.show_below(self)

    def _picked(self, id: str) -> None:
        self.set_chosen(id)
        self.activated.emit(self.currentIndex())

    def wheelEvent(self, event: QWheelEvent) -> None:
        # A wheel over the header must not change the model by accident.
        event.ignore()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def sizeHint(self) -> QSize:
        theme = self._theme
        if self._is_short:
            return self.minimumSizeHint()
        limit = round(self._limit * theme.zoom)
        width = self._width_of(self._shown())
        if self._suffix and width > limit:
            width = self._width_of(self._suffix)
        return QSize(min(width, limit), theme.space(4))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.least_width(is_short=self._is_short), self._theme.space(4))

    def least_width(self, *, is_short: bool) -> int:
        """In pixels: of the icon alone, or with the beginning of the words."""
        if is_short:
            return self._theme.space(1 + 2 + 1.5 + 0.75)
        return self._extras() + self._theme.space(4)

    def _fitting(self, width: int) -> str:
        shown, metrics = self._shown(), self.fontMetrics()
        if self._suffix and metrics.horizontalAdvance(shown) > width:
            # The state matters more than the name, which the icon shows; its clock, at the end, matters most.
            words, dot, clock = visible(self._suffix).rpartition(" · ")
            words, end = (words, dot + clock) if dot else (clock, "")
            room = width - metrics.horizontalAdvance(end)
            return metrics.elidedText(words, Qt.TextElideMode.ElideRight, room) + end
        return metrics.elidedText(shown, Qt.TextElideMode.ElideRight, width)

    def _width_of(self, text: str) -> int:
        # All digits as wide as one: a clock in the suffix must not move its neighbours.
        even = "".join("0" if char.isdecimal() else char for char in text)
        return self.fontMetrics().horizontalAdvance(even) + self._theme.space(2) + self._extras() + 2

    def _extras(self) -> int:
        icon = self._theme.space(2.5) if self._icon_name() else 0
        return icon + self._theme.space(1.75)

    def _icon_name(self) -> str:
        icon = self._options[self.currentIndex()].icon if self.currentIndex() >= 0 else ""
        return icon or (self._mark if self._is_short else "")

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, box = self._theme, self.rect()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.hasFocus():
            painter.setPen(theme.color("accent") if self.hasFocus() else Qt.GlobalColor.transparent)
            painter.setBrush(theme.color("hover") if self.underMouse() else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0, 0, -1, -1).toRectF().adjusted(0.5, 0.5, 0.5, 0.5), 8, 8)
        left, edge = box.left() + theme.space(1), theme.space(2)
        ratio = self.devicePixelRatioF()
        if name := self._icon_name():
            painter.drawPixmap(left, (box.height() - edge) // 2, theme.pixmap(name, "muted", 16, ratio=ratio))
            left += theme.space(2.5)
        arrow = theme.space(1.5)
        room = QRect(left, box.top(), box.right() - left - arrow - theme.space(1.25), box.height())
        painter.setPen(theme.color("text" if self.currentIndex() >= 0 else "muted"))
        text = "" if self._is_short else self._fitting(room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        place = box.right() - arrow - theme.space(0.75)
        painter.drawPixmap(place, (box.height() - arrow) // 2, theme.pixmap("chevron-down", "muted", 12, ratio=ratio))
        painter.end()
