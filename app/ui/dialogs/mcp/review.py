"""Before a server starts: all that would run, whole, each argument on its own line – and a moment to read it.

Drawn from what was found on this computer, never from what the server says of itself. Cancel is the answer of
Enter and Escape; the other button works only after two seconds (security-reliability.md T11).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.services.mcp.wording import line_title, warnings_of
from app.ui.theme import Theme
from app.ui.widgets.fit import open_at
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.sheet import Sheet

if TYPE_CHECKING:
    from app.services.mcp.views import StartReview, StartReviewLine

WAIT_MS = 2_000


class StartFactsView(QWidget):
    """All that would run or be asked: warnings, the lines, what it is given besides."""

    def __init__(self, review: StartReview, theme: Theme) -> None:
        super().__init__()
        self._review, self._theme = review, theme
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, theme.space(1), 0)
        column.setSpacing(theme.space(1))
        for warning in warnings_of(review):
            column.addWidget(self._card(warning))
        column.addLayout(self._lines())
        if review.passed_on:
            text = _("It is also given, from this program's surroundings: {names}")
            also = SafeLabel(text.format(names=", ".join(review.passed_on)), role="meta")
            also.setObjectName("mcpPassedOn")
            also.setWordWrap(True)
            column.addWidget(also)

    def _card(self, text: str) -> QFrame:
        card = QFrame()
        card.setProperty("card", "warn")
        label = SafeLabel(text)
        label.setWordWrap(True)
        layout = QVBoxLayout(card)
        layout.setContentsMargins(
            self._theme.space(1.5), self._theme.space(1), self._theme.space(1.5), self._theme.space(1)
        )
        layout.addWidget(label)
        return card

    def _lines(self) -> QGridLayout:
        theme, grid = self._theme, QGridLayout()
        grid.setHorizontalSpacing(theme.space(2))
        grid.setVerticalSpacing(theme.space(0.5))
        grid.setColumnStretch(1, 1)
        counts = {line.label: 0 for line in self._review.lines}
        for row, line in enumerate(self._review.lines):
            counts[line.label] += 1
            label = SafeLabel(self._label(line, counts[line.label]), role="meta")
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            sign = {"new": "+ ", "gone": "− "}.get(line.mark, "")
            value = PlainView(theme, sign + line.value, code=True, lines=24, exact=True)
            value.setAccessibleName(label.full_text())
            if line.mark:
                value.setFont(theme.font("code", strong=True))
            grid.addWidget(value, row, 1)
        return grid

    def _label(self, line: StartReviewLine, number: int) -> str:
        word = line_title(line.label)
        return f"{word} {number}" if line.label == "argument" and line.mark != "gone" else word


def about_start(review: StartReview) -> str:
    """What a start means, in a sentence or two."""
    if review.transport == "stdio":
        return _(
            "This program runs with all your rights: it can read your files and use the network. "
            "Start it only if you trust where it comes from."
        )
    return _("What agents ask of this server, with your data in it, goes to this address.")


def start_words(review: StartReview) -> str:
    """Of the button."""
    is_program = review.transport == "stdio"
    return _("Start it and look at its tools") if is_program else _("Connect and look at its tools")


class McpReviewSheet(Sheet):
    start_agreed = Signal(str)
    """The fingerprint of what was shown."""

    def __init__(self, review: StartReview, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mcpReviewSheet")
        self.setWindowTitle(_("Before it starts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_at(self, theme.space(82), theme.space(66))
        self._review, self._theme = review, theme
        self.cancel_button = QPushButton(_("Cancel"))
        self.cancel_button.setDefault(True)
        self.cancel_button.clicked.connect(self.reject)
        self.accept_button = QPushButton(start_words(review))
        self.accept_button.setObjectName("mcpAcceptStart")
        self.accept_button.setAutoDefault(False)
        self.accept_button.setEnabled(False)
        self.accept_button.clicked.connect(self._accept)
        self._build()
        QTimer.singleShot(WAIT_MS, self, self._allow)

    def _build(self) -> None:
        theme, review = self._theme, self._review
        title = _("Before {name} starts") if review.transport == "stdio" else _("Before {name} is asked")
        intro = SafeLabel(about_start(review))
        intro.setWordWrap(True)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(StartFactsView(review, theme))
        column.addStretch(1)
        area = QScrollArea()
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        area.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)
        foot = QHBoxLayout()
        foot.setSpacing(theme.space(1))
        foot.addStretch(1)
        foot.addWidget(self.cancel_button)
        foot.addWidget(self.accept_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        head = SafeLabel(title.format(name=review.name), role="title")
        head.setWordWrap(True)
        layout.addWidget(head)
        layout.addWidget(intro)
        layout.addWidget(area, 1)
        layout.addLayout(foot)

    def _allow(self) -> None:
        self.accept_button.setEnabled(True)

    def _accept(self) -> None:
        fingerprint = self._review.fingerprint
        self.accept()
        self.start_agreed.emit(fingerprint)
