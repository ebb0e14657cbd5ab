"""Character and block formats of prose, made once per theme and zoom."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextBlockFormat, QTextCharFormat, QTextFormat, QTextLength

from app.ui.render.markdown.blocks import TextLine
from app.ui.render.markdown.inline import (
    CODE,
    EMPHASIS,
    FORMULA,
    LINK,
    LOWERED,
    MUTED,
    RAISED,
    STRONG,
    STRUCK,
    TextRun,
    tex_of,
)
from app.ui.render.parts.formulas import Asked, Formulas
from app.ui.render.parts.pictures import PictureLoader
from app.ui.theme import Theme
from app.ui.theme.fonts import Role, mono_families

_HEADINGS: dict[str, Role] = {"h1": "h1", "h2": "h2", "h3": "h3", "h4": "h4", "h5": "h4", "h6": "h4"}
_LINE_HEIGHT, _HAN_LINE_HEIGHT = 1.5, 1.7
"""Han fills its square: a paragraph with any of it wants more air between the lines."""
_HEADING_HEIGHT = 1.5
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]")
_INDENT = 3.0
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_AT_LEAST = QTextBlockFormat.LineHeightTypes.MinimumHeight.value


def has_han(line: TextLine) -> bool:
    """Whether there is any Chinese or Japanese in it, which makes the whole paragraph one of theirs."""
    return any(_HAN.search(run.text) for run in line.runs)


class Formats:
    """What prose, table and code segments ask how to look."""

    def __init__(self, theme: Theme, formulas: Formulas | None = None, pictures: PictureLoader | None = None) -> None:
        self.theme, self.formulas, self.pictures = theme, formulas, pictures
        self._chars: dict[tuple[str, int, bool], QTextCharFormat] = {}
        self._blocks: dict[tuple[str, int, bool, bool, bool], QTextBlockFormat] = {}

    def of_run(self, run: TextRun, kind: str = "p", *, quoted: bool = False) -> QTextCharFormat:
        char_format = self._char(kind, run.style, quoted)
        if run.href:
            char_format = QTextCharFormat(char_format)
            char_format.setAnchor(True)
            char_format.setAnchorHref(run.href)
        return char_format

    def plain(self, kind: str = "p", *, quoted: bool = False) -> QTextCharFormat:
        return self._char(kind, 0, quoted)

    def least_line_height(self) -> tuple[float, int]:
        """Of text without a block of its own kind; letters of a higher family may need more."""
        return round(self.theme.size("body") * _LINE_HEIGHT), _AT_LEAST

    def line_height(self, text: str) -> int:
        """Of a paragraph of prose, in pixels."""
        return round(self.theme.size("body") * (_HAN_LINE_HEIGHT if _HAN.search(text) else _LINE_HEIGHT))

    def unseen(self, form: QTextCharFormat) -> QTextCharFormat:
        """For a sign in whose place something is drawn."""
        hidden = QTextCharFormat(form)
        hidden.setForeground(Qt.GlobalColor.transparent)
        return hidden

    def block(self, line: TextLine) -> QTextBlockFormat:
        formulas = any(run.style & FORMULA for run in line.runs)
        han = has_han(line)
        key = (line.kind, line.depth, bool(line.marker) or line.depth > 0, formulas, han)
        block_format = self._blocks.get(key)
        if block_format is None:
            block_format = self._blocks[key] = self._make_block(*key)
        return block_format

    def asked(self, run: TextRun, kind: str = "p", *, quoted: bool = False) -> Asked:
        """The formula as it is drawn within a line of that kind."""
        colour = self.theme.color("muted" if quoted or run.style & MUTED else "text").name()
        return Asked(tex_of(run), self.theme.size(_HEADINGS.get(kind, "body")), colour)

    def marker_width(self) -> int:
        return self.theme.space(_INDENT)

    def _char(self, kind: str, style: int, quoted: bool) -> QTextCharFormat:
        key = (kind, style, quoted)
        char_format = self._chars.get(key)
        if char_format is None:
            char_format = self._chars[key] = self._make_char(kind, style, quoted)
        return char_format

    def _make_char(self, kind: str, style: int, quoted: bool) -> QTextCharFormat:
        theme, made = self.theme, QTextCharFormat()
        size = theme.size(_HEADINGS.get(kind, "body"))
        made.setProperty(QTextFormat.Property.FontPixelSize, size)
        made.setForeground(theme.color("muted" if quoted or style & MUTED else "text"))
        if kind in _HEADINGS or style & STRONG:
            made.setFontWeight(QFont.Weight(theme.tokens.strong_weight).value)
        if style & EMPHASIS:
            made.setFontItalic(True)
        if style & STRUCK:
            made.setFontStrikeOut(True)
        if style & CODE:
            made.setFontFamilies(mono_families())
            made.setProperty(QTextFormat.Property.FontPixelSize, size - 1)
            made.setBackground(theme.color("hover"))
        if style & (LOWERED | RAISED):
            align = QTextCharFormat.VerticalAlignment
            made.setVerticalAlignment(align.AlignSubScript if style & LOWERED else align.AlignSuperScript)
        if style & LINK:
            made.setForeground(theme.color("accent"))
        return made

    def _make_block(self, kind: str, depth: int, listed: bool, formulas: bool, han: bool) -> QTextBlockFormat:
        theme, made = self.theme, QTextBlockFormat()
        size = theme.size(_HEADINGS.get(kind, "body"))
        if kind == "hr":
            made.setTopMargin(theme.space(0.5))
            made.setBottomMargin(theme.space(1.5))
            made.setProperty(
                QTextFormat.Property.BlockTrailingHorizontalRulerWidth,
                QTextLength(QTextLength.Type.PercentageLength, 100),
            )
            made.setBackground(theme.color("border"))
            return made
        # A fixed height keeps the rhythm where Latin and Han fonts with different heights meet; a fraction is higher.
        text_height = _HAN_LINE_HEIGHT if han else _LINE_HEIGHT
        height = round(size * (_HEADING_HEIGHT if kind in _HEADINGS else text_height))
        made.setLineHeight(height, _AT_LEAST if formulas else _FIXED)
        made.setBottomMargin(theme.space(0.5 if listed or kind in _HEADINGS else 1))
        if kind in _HEADINGS:
            made.setTopMargin(theme.space(2.0))
        elif not listed:
            # Margins collapse: this is the gap below a list, whose items stand closer.
            made.setTopMargin(theme.space(1))
        if depth:
            indent = self.marker_width()
            made.setLeftMargin(indent * depth)
        made.setAlignment(Qt.AlignmentFlag.AlignLeft)
        return made
