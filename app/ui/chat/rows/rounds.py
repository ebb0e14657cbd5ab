"""A reflection round in one line: verdict, what was missing, what was asked, what it cost. It unfolds to what it found
and what it changed in the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QTextEdit, QVBoxLayout, QWidget

from app.core.run.analysis.round_report import RoundReport, changed_words
from app.core.text.i18n import _, ngettext
from app.core.wording.figures import seconds_text, tokens_text
from app.core.wording.tools import tool_title
from app.ui.theme import Theme
from app.ui.widgets.layout.flow import FlowLayout
from app.ui.widgets.safe_text import SafeLabel, visible

from .base import RowTools, RowView, icon_label
from .items import Action, Part, RoundPart
from .row_actions import Plain, Reveal, RunFromStep, UseRound

_LOOKS = {"enough": ("check", "ok"), "more": ("refresh", "accent"), "": ("refresh", "muted")}


class RoundRow(QWidget):
    grew = Signal()
    picked = Signal()
    action = Signal(object)

    def __init__(self, parent: QWidget, tools: RowTools, report: RoundReport) -> None:
        super().__init__(parent)
        self._tools, self._report = tools, report
        theme = tools.theme
        self.line = QPushButton(self)
        self.line.setObjectName("roundLine")
        self.line.setProperty("kind", "fold")
        self.line.setFixedHeight(theme.space(5))
        self.line.setCursor(Qt.CursorShape.PointingHandCursor)
        self.line.setAutoDefault(False)
        self.line.clicked.connect(self.toggle)
        self._box = QHBoxLayout(self.line)
        self._box.setContentsMargins(0, 0, theme.space(1), 0)
        self._box.setSpacing(theme.space(1))
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addWidget(self.line)
        self.body: RoundBody | None = None
        self.show_report(report)

    def show_report(self, report: RoundReport) -> None:
        """The round went on; what is unfolded is made anew."""
        self._report = report
        while (item := self._box.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        theme = self._tools.theme
        icon, token = _LOOKS.get(report.verdict, _LOOKS[""])
        title = _("Round {round}/{limit}").format(round=report.number, limit=report.limit)
        parts = (
            icon_label(self.line, theme, icon, token),
            SafeLabel(title, self.line, role="strong"),
            SafeLabel(verdict_words(report), self.line, elide=True),
            SafeLabel(cost_words(report), self.line, role="meta"),
            icon_label(self.line, theme, "chevron-right" if self.body is None else "chevron-down", "muted", 14),
        )
        for place, part in enumerate(parts):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._box.addWidget(part, 1 if place == 2 else 0)
            part.show()
        self.line.setAccessibleName(" · ".join(filter(None, (title, verdict_words(report), cost_words(report)))))
        self.line.setAccessibleDescription(_("Unfold") if self.body is None else _("Fold"))
        if self.body is not None:
            self._drop_body()
            self._make_body()

    def toggle(self) -> None:
        if self.body is None:
            self._make_body()
            self.picked.emit()
        else:
            self._drop_body()
        self.show_report(self._report) if self.body is None else self._show_chevron()
        self.grew.emit()

    def _show_chevron(self) -> None:
        last = self._box.itemAt(self._box.count() - 1)
        old = last.widget() if last is not None else None
        if old is not None:
            new = icon_label(self.line, self._tools.theme, "chevron-down", "muted", 14)
            new.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._box.replaceWidget(old, new)
            new.show()
            old.hide()
            old.deleteLater()
        self.line.setAccessibleDescription(_("Fold"))

    def _make_body(self) -> None:
        self.body = RoundBody(self, self._tools.theme, self._report)
        self.body.action.connect(self.action)
        self._layout.addWidget(self.body)
        self.body.show()

    def _drop_body(self) -> None:
        body, self.body = self.body, None
        if body is not None:
            self._layout.removeWidget(body)
            body.hide()
            body.deleteLater()

    def wanted(self, width: int) -> int:
        self._layout.activate()
        return self._layout.totalHeightForWidth(width) if self._layout.hasHeightForWidth() else self.sizeHint().height()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.grew.emit()
        return super().event(event)


def round_row(parent: RowView, tools: RowTools, part: RoundPart) -> RoundRow:
    """One that tells the row it stands in."""
    row = RoundRow(parent, tools, part.report)
    row.grew.connect(parent.height_changed)
    row.action.connect(parent.action)
    row.picked.connect(partial(parent.action.emit, Reveal(part.id)))
    return row


class RoundsTotal:
    """The line under the rounds of an answer: what all of them took, and one more."""

    def __init__(self, row: RowView) -> None:
        self._row = row
        self._words = ""
        self._line: QWidget | None = None

    def of(self, parts: Sequence[Part], actions: Sequence[Action]) -> QWidget | None:
        """None for fewer than two rounds."""
        reports = [part.report for part in parts if isinstance(part, RoundPart)]
        more = next((one for one in actions if one.what is Plain.ONE_MORE_ROUND), None)
        words = total_words(reports) if len(reports) > 1 else ""
        if (look := words + (more.label if more else "")) != self._words:
            self._words = look
            if self._line is not None:
                self._line.hide()
                self._line.deleteLater()
            self._line = self._make(words, more) if words else None
        return self._line

    def _make(self, words: str, more: Action | None) -> QWidget:
        theme = self._row.tools.theme
        line = QWidget(self._row)
        line.setObjectName("roundsTotal")
        box = QHBoxLayout(line)
        box.setContentsMargins(theme.space(3), 0, theme.space(1), 0)
        box.addWidget(SafeLabel(words, line, role="meta"), 1)
        if more is not None:
            button = QPushButton(more.label, line)
            button.setProperty("kind", "link")
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._row.action.emit, more.what))
            box.addWidget(button)
        line.setFixedHeight(theme.space(4))
        line.show()
        return line


class RoundBody(QFrame):
    action = Signal(object)

    def __init__(self, parent: QWidget, theme: Theme, report: RoundReport) -> None:
        super().__init__(parent)
        self.setProperty("card", "sunken")
        grid = QGridLayout(self)
        grid.setContentsMargins(theme.space(3), theme.space(1), theme.space(2), theme.space(1))
        grid.setHorizontalSpacing(theme.space(1.5))
        grid.setVerticalSpacing(theme.space(1))
        grid.setColumnStretch(1, 1)
        self.changes: ChangesView | None = None
        if report.missing or report.verdict:
            self._put(grid, _("Verdict"), _wrapped(self, verdict_words(report)))
        if report.next:
            self._put(grid, _("Asked"), _wrapped(self, ", ".join(map(tool_title, report.next))))
        if report.found:
            self._put(grid, _("New"), _wrapped(self, "\n".join(report.found)))
        if report.draft and report.before:
            self.changes = ChangesView(self, theme, report.before, report.draft)
            self._put(grid, _("Changed in the answer"), self.changes)
            self._put(grid, "", SafeLabel(self.changes.words, self, role="meta"))
        elif report.draft and report.can_answer:
            self._put(grid, _("Answer of this round"), _wrapped(self, report.draft))
        holder = QWidget(self)
        buttons = FlowLayout(theme.space(0.5), holder)
        self.use = QPushButton(use_words(report), holder)
        self.again = QPushButton(_("Again from this round"), holder)
        self.again.setProperty("kind", "quiet")
        for button in (self.use, self.again):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        self.use.setVisible(report.can_answer)
        self.again.setVisible(bool(report.first_step) and report.can_answer)
        self.use.clicked.connect(partial(self.action.emit, UseRound(report.number)))
        self.again.clicked.connect(partial(self.action.emit, RunFromStep(report.first_step)))
        if report.can_answer:
            self._put(grid, "", holder)

    def _put(self, grid: QGridLayout, name: str, widget: QWidget) -> None:
        row = grid.rowCount()
        label = SafeLabel(name, self, role="meta")
        label.setWordWrap(True)
        label.setMaximumWidth(110)
        grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(widget, row, 1)


class ChangesView(QTextEdit):
    """Two texts in one: what went is struck out, what came is green."""

    def __init__(self, parent: QWidget, theme: Theme, before: str, after: str) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("flat", True)
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
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def heightForWidth(self, width: int) -> int:
        document = self.document().clone()
        document.setTextWidth(width)
        return round(document.size().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setFixedHeight(self.heightForWidth(self.width()))


def verdict_words(report: RoundReport) -> str:
    """ "Missing: the price → Search the web"."""
    if report.verdict == "enough":
        return _("Enough")
    if not report.verdict:
        return ""
    words = _("Missing: {what}").format(what=report.missing) if report.missing else _("Not enough yet")
    titles = ", ".join(map(tool_title, report.next))
    return f"{words} → {titles}" if titles else words


def cost_words(report: RoundReport) -> str:
    parts = []
    if report.tokens:
        parts.append(tokens_text(report.tokens))
    if report.seconds >= 0.05:
        parts.append(seconds_text(report.seconds))
    return " · ".join(parts)


def total_words(reports: Sequence[RoundReport]) -> str:
    """ "3 rounds in total · 4,700 tokens · 15 s"."""
    words = [ngettext("{n} round in total", "{n} rounds in total", len(reports)).format(n=len(reports))]
    if tokens := sum(report.tokens for report in reports):
        words.append(tokens_text(tokens))
    if (seconds := sum(report.seconds for report in reports)) >= 0.05:
        words.append(seconds_text(seconds))
    return " · ".join(words)


def use_words(report: RoundReport) -> str:
    """With its price, where the answer still has to be written."""
    words = _("Use the answer of round {n}").format(n=report.number)
    if report.draft or not report.answer_tokens:
        return words
    return _("{button} (≈ {tokens})").format(button=words, tokens=tokens_text(report.answer_tokens))


def _wrapped(parent: QWidget, text: str) -> SafeLabel:
    label = SafeLabel(text, parent)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
