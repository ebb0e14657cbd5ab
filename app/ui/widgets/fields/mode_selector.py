"""The segmented control: one position per choice, one of them chosen. Beside the composer it chooses the mode."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QMenu,
    QRadioButton,
    QSizePolicy,
    QStyleOptionButton,
    QVBoxLayout,
    QWidget,
)

from app.core.text.i18n import _
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import set_safe_tooltip, visible
from app.ui.widgets.spoken_role import Role, speak_as


class ModeChoice(NamedTuple):
    id: str
    title: str
    tip: str = ""


_ARROW = 14
"""Pixels for the mark that a press lists the others."""
_ARROWS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class _Segment(QRadioButton):
    """Looks like a button, and is one of a radio group to a screen reader. Arrow keys move within the group."""

    def __init__(self, choice: ModeChoice, what: str, parent: QWidget) -> None:
        # A single "&" would become a shortcut mark.
        self._shown = visible(choice.title).replace("&", "&&")
        super().__init__(self._shown, parent)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self._title, self._is_listing = choice.title, False
        self.setAccessibleName(f"{what}: {choice.title}" if what else choice.title)
        self.set_tip(choice.tip)

    def set_listing(self, *, is_listing: bool) -> None:
        """It stands for all positions: a press lists them."""
        self._is_listing = is_listing
        self.updateGeometry()
        self.update()

    def set_tip(self, tip: str) -> None:
        self.setAccessibleDescription(tip)
        set_safe_tooltip(self, f"{self._title}\n{tip}" if tip else self._title)

    def sizeHint(self) -> QSize:
        # As wide as when it is chosen and its text is bold, so that choosing moves nothing.
        hint = super().sizeHint()
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        text = self.text().replace("&&", "&")
        plain = QFont(self.font())
        plain.setWeight(QFont.Weight.Normal)
        wider = QFontMetrics(bold).horizontalAdvance(text) - QFontMetrics(plain).horizontalAdvance(text)
        return hint + QSize(max(0, wider) + 2 + (_ARROW if self._is_listing else 0), 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        option.text = ""

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        # Box and focus by the sheet, the text in the middle as on a button. Not drawn as one by the style: naming that
        # element would load QStyle, and with it 600 names before the first paint.
        super().paintEvent(event)
        painter, font = QPainter(self), QFont(self.font())
        strong = self.isChecked() or (self.underMouse() and self.isEnabled())
        font.setWeight(QFont.Weight.DemiBold if self.isChecked() else QFont.Weight.Normal)
        palette = QApplication.palette() if strong else self.palette()
        painter.setFont(font)
        painter.setPen(palette.color(QPalette.ColorRole.WindowText))
        room = self.rect().adjusted(0, 0, -_ARROW if self._is_listing else 0, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextShowMnemonic, self.text())
        if self._is_listing:
            self._paint_arrow(painter)
        painter.end()

    def _paint_arrow(self, painter: QPainter) -> None:
        """As the icons are drawn: not a letter, which many a font has as a blot."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = painter.pen()
        pen.setWidthF(1.5)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        tip = QPointF(self.width() - _ARROW, self.height() / 2 + 2)
        painter.drawPolyline([tip + QPointF(-4, -4), tip, tip + QPointF(4, -4)])

    def hitButton(self, place: QPoint) -> bool:
        return self.rect().contains(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ARROWS:
            # Qt's own handling stops at the ends and jumps out of the group.
            event.ignore()
        else:
            super().keyPressEvent(event)


class ModeSelector(QWidget):
    mode_changed = Signal(str)
    """A person chose; `set_mode` is silent."""

    def __init__(self, modes: Sequence[ModeChoice], parent: QWidget | None = None, *, what: str | None = None) -> None:
        """`what` is chosen, in words; by default the mode of the next question."""
        super().__init__(parent)
        speak_as(self, Role.Grouping)
        if what is None:
            self.setObjectName("modeSelector")
        self._what = _("Mode") if what is None else what
        self.setAccessibleName(self._what)
        self._ids: list[str] = []
        self._is_short = False
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._group.idClicked.connect(self._clicked)
        self._frame = QFrame(self)
        self._frame.setObjectName("segmented")
        self._row = QHBoxLayout(self._frame)
        self._row.setContentsMargins(2, 2, 2, 2)
        self._row.setSpacing(0)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._frame)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_modes(modes)

    def set_modes(self, modes: Sequence[ModeChoice]) -> None:
        """The positions, left to right; the chosen one stays if it is among them."""
        chosen = self.mode()
        for button in self._group.buttons():
            self._group.removeButton(button)
            self._row.removeWidget(button)
            button.deleteLater()
        self._ids = [choice.id for choice in modes]
        for number, choice in enumerate(modes):
            button = _Segment(choice, self._what, self._frame)
            self._group.addButton(button, number)
            self._row.addWidget(button)
        self.set_mode(chosen if chosen in self._ids else "")

    def set_tip(self, mode: str, tip: str) -> None:
        """What a mode is for and what it takes, as far as it is known by now."""
        if mode in self._ids:
            button = self._group.button(self._ids.index(mode))
            if isinstance(button, _Segment):
                button.set_tip(tip)

    def modes(self) -> list[str]:
        return list(self._ids)

    def mode(self) -> str:
        """The id of the chosen mode, "" while there is none to choose."""
        number = self._group.checkedId()
        return self._ids[number] if 0 <= number < len(self._ids) else ""

    def set_mode(self, mode: str) -> None:
        """Show `mode` as chosen; one nobody knows shows the first."""
        if not self._ids:
            return
        number = self._ids.index(mode) if mode in self._ids else 0
        self._group.button(number).setChecked(True)
        self._tab_stop()
        self._show_positions()

    def set_short(self, is_short: bool) -> None:
        """Where there is no room for all: the chosen one alone; a press lists the others."""
        if is_short != self._is_short:
            self._is_short = is_short
            self._show_positions()

    def cycle(self, step: int = 1) -> None:
        if not self._ids:
            return
        number = (self._group.checkedId() + step) % len(self._ids)
        self.set_mode(self._ids[number])
        self.mode_changed.emit(self._ids[number])

    def _show_positions(self) -> None:
        for button in self._group.buttons():
            button.setVisible(button.isChecked() or not self._is_short)
            if isinstance(button, _Segment):
                button.set_listing(is_listing=self._is_short)

    def _list(self) -> None:
        menu = QMenu(self)
        menu.setObjectName("modeMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for number, button in enumerate(self._group.buttons()):
            entry = menu.addAction(button.text())
            entry.setCheckable(True)
            entry.setChecked(button.isChecked())
            entry.triggered.connect(partial(self._choose, number))
        menu.popup(self.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def _choose(self, number: int) -> None:
        self.set_mode(self._ids[number])
        self.mode_changed.emit(self._ids[number])

    def _clicked(self, number: int) -> None:
        if self._is_short:
            self._list()
            return
        self._tab_stop()
        self.mode_changed.emit(self._ids[number])

    def _tab_stop(self) -> None:
        """Tab stops once, at the chosen position; the arrows do the rest."""
        for button in self._group.buttons():
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if button.isChecked() else Qt.FocusPolicy.ClickFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in _ARROWS:
            super().keyPressEvent(event)
            return
        self.cycle(_ARROWS[Qt.Key(event.key())])
        if button := self._group.checkedButton():
            button.setFocus(Qt.FocusReason.OtherFocusReason)
