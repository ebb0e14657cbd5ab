"""The lines of a review card: one painted list, the line one is at opened with its choices. Made for the keyboard.

Up and Down go from line to line, Left and Right from choice to choice, Enter takes the marked one and continues to the
next open line, 1 to 8 take a choice at once, Backspace clears, Ctrl+Z takes back, Space says whether the picks are
remembered. F2 or a double click opens a cell to be typed in, Tab the next one; the sums follow. Nothing is done before
the button that confirms is pressed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.core.text.i18n import _
from app.core.tools.card_markdown import as_text
from app.ui.cards.review.cell_editor import CellEditor
from app.ui.cards.review.lines import ReviewCardLine, ReviewPicks
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import visible
from app.ui.widgets.spoken_role import Role, speak_as

_LONGEST = 200
_COLUMNS = ("title", "qty", "price", "amount")
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_CENTRE = Qt.AlignmentFlag.AlignCenter


class ReviewList(QWidget):
    changed = Signal()
    moved = Signal(int, int)
    """Top and bottom of the line one has come to."""
    remember_wanted = Signal()

    def __init__(self, picks: ReviewPicks, payload: Mapping[str, Any], theme: Theme) -> None:
        super().__init__()
        speak_as(self, Role.List)
        self._picks, self._theme = picks, theme
        heads = payload.get("columns")
        self._heads: Mapping[str, Any] = heads if isinstance(heads, Mapping) else {}
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._line, self._small, self._head = theme.space(5.5), theme.space(3.5), theme.space(3)
        self.current = picks.next_open(-1) if picks.lines else 0
        self.current = max(self.current, 0)
        self.marked = 0
        cells = payload.get("cells")
        self._cells = [name for name in _COLUMNS if isinstance(cells, list) and name in cells]
        """Columns that may be typed in."""
        self._cell = "qty"
        self.refused = ""
        """What was typed last and is no amount, in words."""
        self._editor = CellEditor(self, theme)
        self._editor.kept.connect(self._type)
        self._editor.left.connect(self._left_cell)
        self.setAccessibleName(as_text(payload.get("title")) or _("Lines"))
        self._say()

    @property
    def has_cells(self) -> bool:
        return bool(self._cells)

    # ---- where things are

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(30), self._top(len(self._picks.lines)))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.space(20), self._top(len(self._picks.lines)))

    def _top(self, place: int) -> int:
        opened = self._opened() if place > self.current else 0
        return self._head + place * self._line + opened

    def _opened(self) -> int:
        lines = self._picks.lines
        return len(lines[self.current].choices) * self._small if lines else 0

    def _place_at(self, y: int) -> tuple[int, int]:
        """The line, and the choice of it or -1."""
        lines = self._picks.lines
        for place in range(len(lines)):
            top = self._top(place)
            if top <= y < top + self._line:
                return place, -1
            inside = y - top - self._line
            if place == self.current and 0 <= inside < self._opened():
                return place, inside // self._small
        return -1, -1

    # ---- what is done

    def event(self, event: QEvent) -> bool:
        """While the lines have the keys, Ctrl+Z is theirs and not the window's."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_undo = event.key() == Qt.Key.Key_Z and event.modifiers() == Qt.KeyboardModifier.ControlModifier
            if is_undo or (event.modifiers() == Qt.KeyboardModifier.NoModifier and event.key() != Qt.Key.Key_Escape):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._picks.lines or not self._done(event):
            super().keyPressEvent(event)

    def _done(self, event: QKeyEvent) -> bool:
        key, choices = event.key(), self._picks.lines[self.current].choices
        has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        match key:
            case Qt.Key.Key_Z if has_control:
                return self._changed_by(self._picks.undo())
            case _ if has_control or event.modifiers() & Qt.KeyboardModifier.AltModifier:
                return False
            case Qt.Key.Key_Down | Qt.Key.Key_Up:
                return self._go(self.current + (1 if key == Qt.Key.Key_Down else -1))
            case Qt.Key.Key_PageDown | Qt.Key.Key_PageUp:
                return self._go(self.current + (10 if key == Qt.Key.Key_PageDown else -10))
            case Qt.Key.Key_Home | Qt.Key.Key_End:
                return self._go(0 if key == Qt.Key.Key_Home else len(self._picks.lines) - 1)
            case Qt.Key.Key_Left | Qt.Key.Key_Right if choices:
                step = 1 if key == Qt.Key.Key_Right else -1
                self.marked = (self.marked + step) % len(choices)
                return self._changed_by(True)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                return self._take(self.marked) if choices else self._go(self._picks.next_open(self.current))
            case Qt.Key.Key_Backspace | Qt.Key.Key_Delete:
                self._picks.clear(self.current)
                return self._changed_by(True)
            case Qt.Key.Key_F2 if self._cells:
                return self._open_cell(self._cell)
            case Qt.Key.Key_Space:
                self.remember_wanted.emit()
                return True
            case _ if Qt.Key.Key_1 <= key <= Qt.Key.Key_8:
                return self._take(key - Qt.Key.Key_1)
        return False

    def _take(self, number: int) -> bool:
        if not self._picks.pick(self.current, number):
            return True  # a number without a choice does nothing, and nothing else either
        self._go(self._picks.next_open(self.current))
        return self._changed_by(True)

    def _changed_by(self, is_changed: bool) -> bool:
        if is_changed:
            self.update()
            self._say()
            self.changed.emit()
        return True

    def _go(self, place: int) -> bool:
        place = max(0, min(place, len(self._picks.lines) - 1))
        if place != self.current:
            self.current = place
            chosen = self._picks.chosen.get(place)
            ids = [one.id for one in self._picks.lines[place].choices]
            self.marked = ids.index(chosen) if chosen in ids else 0
            self.updateGeometry()
            self.changed.emit()
        top = self._top(self.current)
        self.moved.emit(top, top + self._line + self._opened())
        self.update()
        self._say()
        return True

    # ---- a cell typed in

    def _open_cell(self, name: str) -> bool:
        boxes = dict(zip(_COLUMNS, self._columns()[1:5], strict=True))
        if name not in self._cells or not boxes[name][1]:
            return False
        self._cell, self.refused = name, ""
        box = QRect(*_box(boxes[name], self._top(self.current), self._line)).adjusted(0, 4, 0, -4)
        label = as_text(self._heads.get("product" if name == "title" else name))
        text = self._picks.cell(self.current, name)
        self._editor.open(box, "" if text == "–" else text, label, is_number=name != "title")
        return True

    def _type(self, text: str) -> None:
        if not text and self._picks.cell(self.current, self._cell) == "–":
            return
        if not self._picks.type(self.current, self._cell, text):
            self.refused = _("“{text}” is no amount").format(text=visible(text[:40]))
        self._changed_by(True)

    def _left_cell(self, step: int) -> None:
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        place = self._cells.index(self._cell) + step
        if step and not self.refused and 0 <= place < len(self._cells):
            self._open_cell(self._cells[place])

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place, number = self._place_at(round(event.position().y()))
        x = event.position().x()
        names = [n for n, (left, w) in zip(_COLUMNS, self._columns()[1:5], strict=True) if left <= x < left + w]
        if place >= 0 and number < 0 and names and self._cells:
            self._go(place)
            self._open_cell(names[0])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place, number = self._place_at(round(event.position().y()))
        if place >= 0 and number < 0:
            self._go(place)
        elif place >= 0:
            self._take(number)
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    def _say(self) -> None:
        """For those who hear the window."""
        if not self._picks.lines:
            return
        line = self._picks.lines[self.current]
        chosen = self._picks.choice(self.current)
        options = "; ".join(f"{n} {one.label} {one.price}" for n, one in enumerate(line.choices, 1))
        cells = [self._picks.cell(self.current, name) for name in _COLUMNS]
        parts = [str(line.no), line.title, *cells[1:], chosen.label if chosen else line.state, options]
        self.setAccessibleDescription(visible(" · ".join(filter(None, parts)))[:1000])

    # ---- how it looks

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        exposed = event.rect()
        self._paint_head(painter)
        first = max(0, (exposed.top() - self._head - self._opened()) // self._line - 1)
        last = max(0, (exposed.bottom() - self._head) // self._line + 1)
        for place in range(first, min(last + 1, len(self._picks.lines))):
            top = self._top(place)
            high = self._line + (self._opened() if place == self.current else 0)
            if top < exposed.bottom() + 1 and top + high > exposed.top():
                self._paint_line(painter, place, self._picks.lines[place], top)
        painter.end()

    def _columns(self) -> list[tuple[int, int]]:
        """Left edge and width: number, product, quantity, price, amount, status."""
        step = self._theme.space
        narrow = self.width() < step(56)
        widths = [step(3.5), 0, step(8), 0 if narrow else step(8), step(10), step(11)]
        gap = step(1)
        widths[1] = max(step(8), self.width() - sum(widths) - gap * 6)
        found, x = [], gap
        for width in widths:
            found.append((x, width))
            x += width + (gap if width else 0)
        return found

    def _paint_head(self, painter: QPainter) -> None:
        painter.setFont(self._theme.font("meta"))
        painter.setPen(self._theme.color("muted"))
        for (x, width), name in zip(self._columns(), ("", "product", "qty", "price", "amount", "state"), strict=True):
            align = _LEFT if name == "product" else _CENTRE if name == "state" else _RIGHT
            self._text(painter, QRect(x, 0, width, self._head), as_text(self._heads.get(name)), align)

    def _paint_line(self, painter: QPainter, place: int, line: ReviewCardLine, top: int) -> None:
        theme, chosen = self._theme, self._picks.choice(place)
        is_current = place == self.current
        if is_current:
            ground = "hover" if not self.hasFocus() else "accent_tint"
            painter.fillRect(0, top, self.width(), self._line + self._opened(), theme.color(ground))
        painter.fillRect(0, top, self.width(), 1, theme.color("border"))
        columns, half = self._columns(), self._line // 2
        painter.setFont(theme.font("meta"))
        painter.setPen(theme.color("muted"))
        self._text(painter, QRect(*_box(columns[0], top, self._line)), str(line.no), _LEFT)
        x, width = columns[1]
        sub = QRect(x, top + half - theme.space(0.5), width, half)
        self._text(painter, sub, line.title if chosen else line.sub, _LEFT)
        painter.setFont(theme.font("ui"))
        title = (
            QRect(x, top + theme.space(0.5), width, half) if line.sub or chosen else QRect(x, top, width, self._line)
        )
        boxes = [title, *(QRect(*_box(column, top, self._line)) for column in columns[2:5])]
        for name, box in zip(_COLUMNS, boxes, strict=True):
            painter.setFont(theme.font("ui", strong=name == "amount"))
            painter.setPen(theme.color("accent" if self._picks.is_typed(place, name) else "text"))
            self._text(painter, box, self._picks.cell(place, name), _LEFT if name == "title" else _RIGHT)
        tone = "ok" if chosen else line.tone
        self._chip(painter, QRect(*_box(columns[5], top, self._line)), _("picked") if chosen else line.state, tone)
        if is_current:
            self._paint_choices(painter, place, line, top + self._line)

    def _paint_choices(self, painter: QPainter, place: int, line: ReviewCardLine, top: int) -> None:
        theme, columns = self._theme, self._columns()
        for number, one in enumerate(line.choices):
            y = top + number * self._small
            is_chosen = self._picks.chosen.get(place) == one.id
            if number == self.marked and self.hasFocus():
                painter.setPen(theme.color("accent"))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(
                    columns[1][0] - theme.space(0.5),
                    y + 1,
                    self.width() - columns[1][0] - theme.space(0.5),
                    self._small - 3,
                    6,
                    6,
                )
            painter.setFont(theme.font("ui", strong=is_chosen))
            painter.setPen(theme.color("accent" if is_chosen else "text"))
            x, width = columns[1]
            name = f"{number + 1}  {one.label}"
            self._text(painter, QRect(x, y, width, self._small), name, _LEFT)
            used = QFontMetrics(painter.font()).horizontalAdvance(name) + theme.space(1.5)
            painter.setFont(theme.font("meta"))
            painter.setPen(theme.color("muted"))
            if used < width:
                self._text(painter, QRect(x + used, y, width - used, self._small), one.note, _LEFT)
            painter.setFont(theme.font("ui"))
            painter.setPen(theme.color("text"))
            for column, value in zip(columns[3:5], (one.price, one.amount), strict=True):
                self._text(painter, QRect(*_box(column, y, self._small)), value, _RIGHT)

    def _chip(self, painter: QPainter, box: QRect, text: str, tone: str) -> None:
        if not text:
            return
        theme = self._theme
        painter.setFont(theme.font("meta"))
        has_tone = tone in ("ok", "warn", "error")
        width = min(box.width(), QFontMetrics(painter.font()).horizontalAdvance(text) + theme.space(2))
        high = theme.space(2.75)
        chip = QRect(box.center().x() - width // 2, box.center().y() - high // 2, width, high)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(f"{tone}_tint" if has_tone else "hover"))
        painter.drawRoundedRect(chip, 4, 4)
        painter.setPen(theme.color(tone if has_tone else "muted"))
        self._text(painter, chip, text, _CENTRE)

    def _text(self, painter: QPainter, box: QRect, text: str, align: Qt.AlignmentFlag) -> None:
        if box.width() <= 0 or not text:
            return
        words = QFontMetrics(painter.font()).elidedText(
            visible(text[:_LONGEST]), Qt.TextElideMode.ElideRight, box.width()
        )
        painter.drawText(box, align | Qt.TextFlag.TextSingleLine, words)


def _box(column: tuple[int, int], top: int, height: int) -> tuple[int, int, int, int]:
    return column[0], top, column[1], height
