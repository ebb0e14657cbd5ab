"""What a round unfolds to: its verdict, what it looked up, what it changed in the answer, what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPushButton, QTextEdit, QWidget

from app.core.run.analysis.round_report import RoundReport, changed_words
from app.core.text.i18n import _, ngettext
from app.ui.chat.rows.base import adopt, height_of, wrapped
from app.ui.chat.rows.row_actions import RunFromStep, UseRound
from app.ui.render.parts.body import MessageBody
from app.ui.theme import Theme
from app.ui.widgets.layout.flow import FlowLayout
from app.ui.widgets.safe_text import SafeLabel, visible

from .words import use_words, verdict_words

_NARROW = 60
"""In steps of the grid: below it a name stands above what it names."""
_NAME, _INDENT = 10, 5


class RoundBody(QWidget):
    action = Signal(object)
    """A RowAction."""

    def __init__(self, parent: QWidget, theme: Theme, report: RoundReport) -> None:
        super().__init__(parent)
        self._theme = theme
        self._held: tuple[QWidget, ...] = ()
        self._texts: list[MessageBody] = []
        self._is_said = False
        self._calls: list[QWidget] = []
        self.changes: ChangesView | None = None
        self._missing = report.missing
        self._verdict_name = SafeLabel(_("Verdict"), self, role="meta")
        self._verdict = wrapped(self, verdict_words(report)) if report.missing else None
        self._found_name = SafeLabel(_("New"), self, role="meta")
        self._found = wrapped(self, "\n".join(report.found)) if report.found else None
        self._changed: tuple[SafeLabel, QWidget] | None = None
        words: list[str] = []
        if report.draft and report.before:
            self.changes = ChangesView(self, theme, report.before, report.draft)
            self._changed = self._named(_("Changed in the answer"), self.changes)
            words.append(self.changes.words)
        elif report.draft and report.can_answer:
            self._changed = self._named(_("Answer of this round"), wrapped(self, report.draft))
        if count := len(report.found):
            words.append(ngettext("{n} new result", "{n} new results", count).format(n=count))
        self._counts = SafeLabel(" · ".join(words), self, role="meta")
        self._buttons = QWidget(self)
        flow = FlowLayout(theme.space(0.5), self._buttons)
        self.use = QPushButton(theme.icon("check", "text"), use_words(report), self._buttons)
        self.again = QPushButton(theme.icon("fork", "text"), _("Again from this round"), self._buttons)
        self.again.setProperty("kind", "quiet")
        for button in (self.use, self.again):
            button.setAutoDefault(False)
            button.setIconSize(QSize(theme.space(2), theme.space(2)))
            flow.addWidget(button)
        self.use.setVisible(report.can_answer)
        self.again.setVisible(bool(report.first_step) and report.can_answer)
        self._buttons.setVisible(report.can_answer)
        self.use.clicked.connect(partial(self.action.emit, UseRound(report.number)))
        self.again.clicked.connect(partial(self.action.emit, RunFromStep(report.first_step)))

    def _named(self, name: str, widget: QWidget) -> tuple[SafeLabel, QWidget]:
        label = SafeLabel(name, self, role="meta")
        label.setWordWrap(True)
        return label, widget

    def hold(self, parts: Sequence[QWidget]) -> None:
        """The rows of its calls in place of what they found in a few words, and what was said with them."""
        self._held = tuple(parts)
        self._texts = [part for part in parts if isinstance(part, MessageBody)]
        for part in parts:
            adopt(self, part)
        self._calls = [part for part in parts if part not in self._texts]
        if self._found is not None:
            self._found.setVisible(not self._calls)
        self._found_name.setVisible(bool(self._calls) or self._found is not None)
        self._is_said = any(self._missing in text.source() for text in self._texts)

    def release(self, home: QWidget) -> None:
        """It goes; what it held does not go with it."""
        for part in self._held:
            if part.parentWidget() is self:
                part.hide()
                part.setParent(home)
        self._held = ()

    def wanted(self, width: int) -> int:
        theme = self._theme
        is_narrow = width < theme.space(_NARROW)
        left = theme.space(2 if is_narrow else _INDENT)
        place = left if is_narrow else left + theme.space(_NAME)
        room = max(1, width - place - theme.space(2))
        y = 0
        verdict: tuple[QWidget, ...] = ()
        if self._verdict is not None:
            # The line above has room for half of its width; a text it was read from says it in full.
            words = self._verdict.fontMetrics().horizontalAdvance(self._verdict.full_text())
            self._verdict.setVisible(not self._is_said and words > width // 2)
            verdict = (self._verdict,) if not self._verdict.isHidden() else ()
        texts = (*verdict, *self._texts)
        self._verdict_name.setVisible(bool(texts))
        if texts:
            y = self._put_named(y, self._verdict_name, texts, left, place, room)
        found = self._calls or (() if self._found is None else (self._found,))
        if found:
            y = self._put_named(y, self._found_name, found, left, place, room)
        if self._changed is not None:
            y = self._put_named(y, self._changed[0], (self._changed[1],), left, place, room)
        return self._put_foot(y, place, room)

    def _put_named(self, y: int, name: SafeLabel, parts: Sequence[QWidget], left: int, place: int, room: int) -> int:
        theme, is_narrow = self._theme, left == place
        beside = room if is_narrow else place - left - theme.space(1)
        tall = height_of(name, beside)
        first = height_of(parts[0], room)
        one_line = theme.space(4)
        # In the middle of a first line that is a row; at the top of what is text or a box.
        down = max(0, (one_line - tall) // 2) if not is_narrow and first >= one_line > tall else 0
        name.setGeometry(left, y + down, beside, tall)
        start = y
        if is_narrow:
            y += tall + theme.space(0.25)
        for part in parts:
            height = height_of(part, room)
            part.setGeometry(place, y, room, height)
            y += height
        return max(y, start + tall) + theme.space(1)

    def _put_foot(self, y: int, place: int, room: int) -> int:
        """Figures at the left and buttons at the right, where both have room in one line."""
        theme = self._theme
        has_buttons, has_counts = not self._buttons.isHidden(), bool(self._counts.full_text())
        self._counts.setVisible(has_counts)
        counts = self._counts.sizeHint() if has_counts else QSize(0, 0)
        if not has_buttons:
            self._counts.setGeometry(place, y, room, counts.height())
            return y + counts.height() + theme.space(1) if has_counts or y else y
        buttons = self._buttons.sizeHint()
        if counts.width() + theme.space(2) + buttons.width() <= room:
            down = (buttons.height() - counts.height()) // 2
            self._counts.setGeometry(place, y + down, counts.width(), counts.height())
            self._buttons.setGeometry(place + room - buttons.width(), y, buttons.width(), buttons.height())
            return y + buttons.height() + theme.space(1.5)
        self._counts.setGeometry(place, y, room, counts.height())
        y += counts.height() + (theme.space(0.5) if has_counts else 0)
        height = self._buttons.heightForWidth(room)
        self._buttons.setGeometry(place, y, room, height)
        return y + height + theme.space(1.5)


class ChangesView(QTextEdit):
    """Two texts in one: what went is struck out, what came is green."""

    def __init__(self, parent: QWidget, theme: Theme, before: str, after: str) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("box", "changes")
        self.setTabChangesFocus(True)
        self.setAccessibleName(_("What this round changed in the answer"))
        for place in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            place(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        looks = {"same": QTextCharFormat(), "removed": QTextCharFormat(), "added": QTextCharFormat()}
        looks["removed"].setFontStrikeOut(True)
        looks["removed"].setForeground(theme.color("error"))
        looks["removed"].setBackground(theme.color("error_tint"))
        looks["added"].setForeground(theme.color("ok"))
        looks["added"].setBackground(theme.color("ok_tint"))
        cursor = QTextCursor(self.document())
        pieces = changed_words(before, after)
        for piece in pieces:
            cursor.insertText(visible(piece.text) if piece.text.strip() else piece.text, looks[piece.kind])
        added = sum(len(piece.text) for piece in pieces if piece.kind == "added")
        removed = sum(len(piece.text) for piece in pieces if piece.kind == "removed")
        self.words = _("+{added} −{removed} characters").format(added=added, removed=removed)
        """How much it is."""
        self._aside, self._above = theme.space(1) + 1, theme.space(0.5) + 1
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        document = self.document().clone()
        document.setDefaultFont(self.font())
        document.setTextWidth(max(1, width - 2 * self._aside))
        return round(document.size().height()) + 2 * self._above

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.verticalScrollBar().setValue(0)
