"""Words of a text that something is known of, marked where they stand; what is not to be used is marked as a fault."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from app.core.page import PageTerm
from app.ui.theme import Theme

MOST_TERMS = 2_000
_LINE = QTextCharFormat.UnderlineStyle
_NOTHING = re.compile(r"(?!)")


class TermMarks(QSyntaxHighlighter):
    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._terms: dict[str, PageTerm] = {}
        self._pattern = _NOTHING
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._known, self._forbidden = QTextCharFormat(), QTextCharFormat()
        self._known.setUnderlineStyle(_LINE.DotLine)
        self._known.setUnderlineColor(theme.color("outline"))
        self._forbidden.setUnderlineStyle(_LINE.WaveUnderline)
        self._forbidden.setUnderlineColor(theme.color("error"))
        self.rehighlight()

    def set_terms(self, terms: Sequence[PageTerm]) -> None:
        by_name = {one.name: one for one in reversed(terms[:MOST_TERMS]) if one.name}  # the first of a name counts
        if by_name == self._terms:
            return
        self._terms = by_name
        # A longer name is tried before those that begin it.
        names = sorted(by_name, key=lambda name: (-len(name), name))
        self._pattern = re.compile("|".join(map(_whole, names))) if names else _NOTHING
        self.rehighlight()

    def term_at(self, text: str, place: int) -> PageTerm | None:
        """Of a paragraph's text, the term that covers this character."""
        for match in self._pattern.finditer(text):
            if match.start() <= place < match.end():
                return self._terms[match[0]]
        return None

    def highlightBlock(self, text: str) -> None:
        for match in self._pattern.finditer(text):
            term = self._terms[match[0]]
            start, length = _units(text, match.start()), _units(match[0], len(match[0]))
            self.setFormat(start, length, self._forbidden if term.is_forbidden else self._known)


def _whole(name: str) -> str:
    """A name in Latin letters is no part of a longer word."""
    front = r"(?<![A-Za-z])" if name[0].isascii() and name[0].isalpha() else ""
    end = r"(?![A-Za-z])" if name[-1].isascii() and name[-1].isalpha() else ""
    return f"{front}{re.escape(name)}{end}"


def _units(text: str, end: int) -> int:
    """Qt counts code units of UTF-16."""
    return end + sum(char > "\uffff" for char in text[:end])
