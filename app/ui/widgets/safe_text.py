"""Text that came from a model, a tool, a server or a file, shown as it is.

Qt guesses whether a label or a tool tip is HTML, and rich text can read files and forge dialogs
(an image in a QLabel opens its path). So labels and tool tips are made here: plain text always,
and characters that hide or reorder text are written out.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.core.text.hidden import marked

_TIP_LIMIT = 2_000
_FROM_TIP = "descriptionOfTip"


def visible(text: str) -> str:
    """The text with control, bidirectional and invisible characters written out as ⟦U+XXXX⟧."""
    return marked(text)


def _escaped(text: str) -> str:
    """As `html.escape` does it; importing that loads all named entities before the first paint."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def set_safe_tooltip(widget: QWidget, text: str) -> None:
    """A tool tip of literal text; a screen reader hears it too, where nothing else describes the widget."""
    widget.setToolTip(safe_tooltip(text))
    _describe(widget, text)


def _describe(widget: QWidget, text: str) -> None:
    """Without a description Qt would read out the tool tip, with its tags."""
    described = widget.accessibleDescription()
    if not described or described == widget.property(_FROM_TIP):
        plain = visible(text)[:_TIP_LIMIT]
        widget.setAccessibleDescription(plain)
        widget.setProperty(_FROM_TIP, plain)


def safe_tooltip(text: str) -> str:
    """For items, which are no widgets. Escaped, because tool tips have no plain-text switch."""
    plain = visible(text)
    if len(plain) > _TIP_LIMIT:
        plain = plain[:_TIP_LIMIT] + "…"
    return f"<p style='white-space:pre-wrap'>{_escaped(plain)}</p>" if plain else ""


class EmphasisLabel(QLabel):
    """Wrapped literal text in which what stands between `**` is bold; nothing else in it is markup."""

    def __init__(self, text: str, parent: QWidget | None = None, *, role: str = "", line_height: int = 0) -> None:
        """`line_height` in pixels; 0 = what the font has."""
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        if role:
            self.setProperty("role", role)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        pieces = [_escaped(visible(piece)).replace("\n", "<br>") for piece in text.split("**")]
        if len(pieces) % 2 == 0:  # a mark without its other half is text
            pieces[-2:] = ["**".join(pieces[-2:])]
        words = "".join(f"<b>{piece}</b>" if n % 2 else piece for n, piece in enumerate(pieces))
        self.setText(f'<p style="margin:0; line-height:{line_height}px">{words}</p>' if line_height else words)
        self.setAccessibleName(visible(text).replace("**", ""))


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
        elided = self.fontMetrics().elidedText(self._full, Qt.TextElideMode.ElideRight, room)
        if elided != self.text():
            super().setText(elided)
            super().setToolTip(f"<p>{_escaped(self._full[:_TIP_LIMIT])}</p>" if elided != self._full else "")
            _describe(self, self._full if elided != self._full else "")

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
