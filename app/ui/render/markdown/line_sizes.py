"""How high and wide lines of code are, known before Qt has painted them.

A line with Han characters or emoji is higher than one of the code font, so lines beyond ASCII are
measured; the others are counted.
"""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontMetricsF, QTextLayout

_TAB = 4
_MEASURED_AT_MOST = 2_000
"""Lines beyond ASCII; the next ones are taken to be as high as the highest."""


class LineSizes:
    def __init__(self, font: QFont) -> None:
        self._font = font
        metrics = QFontMetricsF(font)
        # Qt rounds the height of a laid-out line up, the metrics do not.
        self._line = 0.0
        self._line = self._measure("x")[0]
        self._column = metrics.horizontalAdvance("0")
        self.clear()

    def clear(self) -> None:
        self._last = ""
        self._above = 0.0
        self._measured = 0
        self._highest = self._line
        self._last_height = self._line
        self.widest = 0.0

    @property
    def column(self) -> int:
        """Characters of the last line."""
        return len(self._last)

    @property
    def height(self) -> float:
        """Of all lines; text without any has one."""
        return self._above + self._last_height

    def add(self, text: str) -> None:
        first, *others = text.split("\n")
        self._grow(self._last + first)
        for line in others:
            self._above += self._last_height
            self._grow(line)

    def _grow(self, line: str) -> None:
        self._last = line
        if line.isascii():
            self._last_height = self._line
            self.widest = max(self.widest, len(line.expandtabs(_TAB)) * self._column)
        elif self._measured < _MEASURED_AT_MOST:
            self._measured += 1
            height, width = self._measure(line)
            self._last_height = height
            self._highest = max(self._highest, height)
            self.widest = max(self.widest, width)
        else:
            self._last_height = self._highest
            self.widest = max(self.widest, 2 * len(line) * self._column)

    def _measure(self, line: str) -> tuple[float, float]:
        layout = QTextLayout(line.expandtabs(_TAB)[:400], self._font)
        layout.beginLayout()
        text_line = layout.createLine()
        layout.endLayout()
        return max(self._line, text_line.height()), text_line.naturalTextWidth() * max(1.0, len(line) / 400)
