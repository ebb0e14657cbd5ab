"""A label in which what a search found is marked."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QTextLayout, QTextOption

from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel


class FoundLabel(SafeLabel):
    """Its text stays plain: the marks are painted below the letters, in the palette's colour of chosen text."""

    _found = ""

    def mark(self, needle: str) -> bool:
        """Mark every place of `needle` (in lower case); whether there is one."""
        self._found = needle
        self.update()
        return bool(needle) and needle in self.text().casefold()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._found:
            painter = QPainter(self)
            for box in self._boxes():
                painter.fillRect(box, self.palette().highlight())
            painter.end()
        super().paintEvent(event)

    def _boxes(self) -> list[QRectF]:
        text, room = self.text(), QRectF(self.contentsRect())
        layout = QTextLayout(text, self.font())
        option = QTextOption(self.alignment())
        option.setWrapMode(QTextOption.WrapMode.WordWrap if self.wordWrap() else QTextOption.WrapMode.NoWrap)
        layout.setTextOption(option)
        layout.beginLayout()
        height = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(room.width())
            line.setPosition(QPointF(0, height))
            height += line.height()
        layout.endLayout()
        top = room.top() + max(0.0, (room.height() - height) / 2)
        folded = text.casefold()
        # Where folding changes the length the places would not fit; then nothing is marked.
        place = folded.find(self._found) if len(folded) == len(text) else -1
        boxes: list[QRectF] = []
        while place >= 0:
            line = layout.lineForTextPosition(place)
            left, right = (_x(line.cursorToX(at)) for at in (place, place + len(self._found)))
            boxes.append(QRectF(room.left() + left, top + line.y(), right - left, line.height()))
            place = folded.find(self._found, place + len(self._found))
        return boxes


def _x(found: object) -> float:
    """Qt gives the position, or the position and where the cursor went."""
    return float(found[0] if isinstance(found, tuple) else found)  # type: ignore[arg-type]
