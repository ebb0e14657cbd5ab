"""The chips of a journey: all days, or one of them alone. Arrow keys continue from day to day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.core.text.i18n import _
from app.core.tools.card_markdown import as_text
from app.ui.cards.map.day_colours import day_token
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel, visible

_MOST_CHIPS = 14


class DayChips(QWidget):
    chosen = Signal(object)

    def __init__(self, groups: Sequence[Mapping[str, Any]], source: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 0, theme.space(1))
        self._line.setSpacing(theme.space(0.5))
        self.chips: list[_Chip] = []
        if len(groups) > 1:
            self._add(_Chip(_("All"), _("All"), None, theme))
            for number, group in enumerate(groups[:_MOST_CHIPS]):
                whole = as_text(group.get("label")).partition(" · ")[0]
                self._add(_Chip(whole, str(group.get("day")), number, theme))
            self.chips[0].setChecked(True)
        self._line.addStretch(1)
        self._source = SafeLabel(source, role="meta", elide=True)
        self._line.addWidget(self._source, 100)
        self._source.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def _add(self, chip: _Chip) -> None:
        self.chips.append(chip)
        chip.clicked.connect(partial(self._choose, len(self.chips) - 1))
        chip.stepped.connect(self._go_on)
        self._line.addWidget(chip)

    def _choose(self, place: int, _checked: bool = False) -> None:
        for number, chip in enumerate(self.chips):
            chip.setChecked(number == place)
        self._fit()
        self.chosen.emit(self.chips[place].number)

    def _go_on(self, step: int) -> None:
        at = next((n for n, chip in enumerate(self.chips) if chip.isChecked()), 0)
        place = min(max(at + step, 0), len(self.chips) - 1)
        self.chips[place].setFocus()
        self._choose(place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.space(20), super().minimumSizeHint().height())

    def _fit(self) -> None:
        """Where there is no room, a day that is not shown is its number alone."""
        for chip in self.chips:
            chip.set_short(is_short=False)
        wanted = sum(chip.sizeHint().width() + self._line.spacing() for chip in self.chips)
        is_short = wanted > self.width()
        for chip in self.chips:
            chip.set_short(is_short=is_short and not chip.isChecked())
        self._source.setVisible(self.width() - wanted > self._theme.space(12))


class _Chip(QPushButton):
    stepped = Signal(int)
    """By an arrow key: 1 to the next day, -1 to the one before."""

    def __init__(self, words: str, short: str, number: int | None, theme: Theme) -> None:
        super().__init__(visible(words).replace("&", "&&"))
        self.number = number
        self._words, self._short, self._theme = visible(words).replace("&", "&&"), short, theme
        self.setObjectName("dayChip" if number is None else f"dayChip.{number + 1}")
        self.setProperty("kind", "day")
        self.setCheckable(True)
        self.setAutoDefault(False)
        self.setFixedHeight(theme.space(3.5))
        self.setAccessibleName(visible(words))
        if number is not None:  # room for the dot
            self.setProperty("dot", True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if step:
            self.stepped.emit(step)
        else:
            super().keyPressEvent(event)

    def set_short(self, *, is_short: bool) -> None:
        self.setText(self._short if is_short else self._words)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.number is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(day_token(self.number)))
        painter.drawEllipse(
            QPointF(self._theme.space(1.75), self.height() / 2), 4 * self._theme.zoom, 4 * self._theme.zoom
        )
