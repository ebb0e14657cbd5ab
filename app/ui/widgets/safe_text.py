"""Text that came from a model, a tool, a server or a file, shown as it is.

Qt guesses whether a label or a tool tip is HTML, and rich text can read files and forge dialogs
(an image in a QLabel opens its path). So labels and tool tips are made here: plain text always,
and characters that hide or reorder text are written out.
"""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_TIP_LIMIT = 2_000
_ALLOWED = {"\n", "\t"}
_JOINERS = {"\u200c", "\u200d"}
"""Persian, Indic scripts and emoji families need them: between two letters beyond ASCII they stay."""
_STYLES = {chr(code) for code in range(0xFE00, 0xFE10)}
"""Choose how the sign before them is drawn; behind anything but a symbol, digit or Han character they only hide."""
_BLANK = {"\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u2800", "\u3164", "\uffa0"}
_BLANK |= {chr(code) for code in range(0xE0100, 0xE01F0)}
"""Letters and marks that are drawn as nothing: no category tells them."""
_BY_NEIGHBOURS = _JOINERS | _STYLES


def visible(text: str) -> str:
    """The text with control, bidirectional and invisible characters written out as ⟦U+XXXX⟧."""
    if text.isascii() and text.isprintable():
        return text
    if _BY_NEIGHBOURS.isdisjoint(text):
        return "".join(map(_shown, text))
    return "".join(_shown_between(text, place) for place in range(len(text)))


def _shown_between(text: str, place: int) -> str:
    char = text[place]
    if char not in _BY_NEIGHBOURS:
        return _shown(char)
    before = text[place - 1] if place else ""
    if char in _STYLES:
        is_styled = before in "#*0123456789" or unicodedata.category(before)[0] == "S" or before >= "\u3400"
        return char if before and is_styled and before not in _BY_NEIGHBOURS else _marked(char)
    after = text[place + 1] if place + 1 < len(text) else ""
    return char if before > "\x7f" and after > "\x7f" else _marked(char)


def _escaped(text: str) -> str:
    """As `html.escape` does it; importing that loads all named entities before the first paint."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _shown(char: str) -> str:
    if char in _ALLOWED:
        return char
    if char in _BLANK or unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs"):
        return _marked(char)
    return char


def _marked(char: str) -> str:
    return f"⟦U+{ord(char):04X}⟧"


def set_safe_tooltip(widget: QWidget, text: str) -> None:
    """A tool tip of literal text."""
    widget.setToolTip(safe_tooltip(text))


def safe_tooltip(text: str) -> str:
    """For items, which are no widgets. Escaped, because tool tips have no plain-text switch."""
    shown = visible(text)
    if len(shown) > _TIP_LIMIT:
        shown = shown[:_TIP_LIMIT] + "…"
    return f"<p style='white-space:pre-wrap'>{_escaped(shown)}</p>" if shown else ""


class SafeLabel(QLabel):
    """A label that shows literal text. With `elide`, one line that gives way at narrow widths."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, role: str = "", elide: bool = False) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._full = ""
        self._elide = elide
        if role:
            self.setProperty("role", role)
        if elide:
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def setText(self, text: str) -> None:
        self._full = visible(text)
        if self._elide:
            self._full = self._full.replace("\n", " ")
        self._show_text()

    def full_text(self) -> str:
        """What was set, even where the label shows less."""
        return self._full

    def setTextFormat(self, _format: Qt.TextFormat) -> None:
        super().setTextFormat(Qt.TextFormat.PlainText)

    def _show_text(self) -> None:
        if not self._elide:
            super().setText(self._full)
            return
        room = max(0, self.width() - self.contentsMargins().left() - self.contentsMargins().right())
        shown = self.fontMetrics().elidedText(self._full, Qt.TextElideMode.ElideRight, room)
        if shown != self.text():
            super().setText(shown)
            super().setToolTip(f"<p>{_escaped(self._full[:_TIP_LIMIT])}</p>" if shown != self._full else "")

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        if self._elide:
            self.ensurePolished()
            hint.setWidth(QFontMetrics(self.font()).horizontalAdvance(self._full) + 2)
        return hint

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        if self._elide:
            hint.setWidth(0)
        return hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._elide:
            self._show_text()
