"""A reflection round in one line: verdict, what was missing, what was asked, what it cost. It unfolds to what it found
and what it changed in the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.core.run.analysis.round_report import RoundReport
from app.core.text.i18n import _
from app.ui.chat.rows.base import RowTools, icon_label
from app.ui.widgets.safe_text import SafeLabel

from .body import RoundBody
from .words import cost_words, verdict_words

_LOOKS = {"enough": ("check", "ok"), "more": ("refresh", "accent"), "": ("refresh", "muted")}


class RoundRow(QWidget):
    grew = Signal()
    turned = Signal()
    """Folded or unfolded by the person."""
    action = Signal(object)
    """A RowAction."""

    def __init__(self, parent: QWidget, tools: RowTools, report: RoundReport) -> None:
        super().__init__(parent)
        self._tools, self._report = tools, report
        self._held: tuple[QWidget, ...] = ()
        theme = tools.theme
        self.is_touched = False
        """The person has said whether it is open."""
        self.line = QPushButton(self)
        self.line.setObjectName("roundLine")
        self.line.setProperty("kind", "fold")
        self.line.setFixedHeight(theme.space(5))
        self.line.setCursor(Qt.CursorShape.PointingHandCursor)
        self.line.setAutoDefault(False)
        self.line.clicked.connect(self.toggle)
        self._box = QHBoxLayout(self.line)
        self._box.setContentsMargins(theme.space(2), 0, theme.space(2), 0)
        self._box.setSpacing(theme.space(1))
        self.body: RoundBody | None = None
        self.show_report(report)

    @property
    def report(self) -> RoundReport:
        return self._report

    @property
    def is_open(self) -> bool:
        return self.body is not None

    def show_report(self, report: RoundReport) -> None:
        """The round went on; what is unfolded is made anew where it shows something else."""
        before, self._report = self._report, report
        self._show_line()
        if self.body is not None and _unfolds_to(before) != _unfolds_to(report):
            self._drop_body()
            self._make_body()

    def _show_line(self) -> None:
        while (item := self._box.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        theme, report = self._tools.theme, self._report
        icon, token = _LOOKS.get(report.verdict, _LOOKS[""])
        title = _("Round {round}/{limit}").format(round=report.number, limit=report.limit)
        chevron = "chevron-down" if self.is_open else "chevron-right"
        parts = (
            icon_label(self.line, theme, icon, token),
            SafeLabel(title, self.line, role="strong"),
            SafeLabel(verdict_words(report), self.line, elide=True),
            SafeLabel(cost_words(report), self.line, role="meta"),
            icon_label(self.line, theme, chevron, "muted", 14),
        )
        for place, part in enumerate(parts):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._box.addWidget(part, 1 if place == 2 else 0)
            part.show()
        self.line.setAccessibleName(" · ".join(filter(None, (title, verdict_words(report), cost_words(report)))))
        self.line.setAccessibleDescription(_("Fold") if self.is_open else _("Unfold"))

    def toggle(self) -> None:
        self.is_touched = True
        self.open(is_open=not self.is_open)
        self.turned.emit()

    def open(self, *, is_open: bool) -> None:
        if is_open == self.is_open:
            return
        if is_open:
            self._make_body()
        else:
            self._drop_body()
        self._show_line()
        self.grew.emit()

    def hold(self, parts: Sequence[QWidget]) -> None:
        """What the round looked up and said; shown in it while it is unfolded."""
        self._held = tuple(parts)
        if self.body is not None:
            self.body.hold(self._held)

    def _make_body(self) -> None:
        self.body = RoundBody(self, self._tools.theme, self._report)
        self.body.action.connect(self.action)
        self.body.hold(self._held)
        self.body.show()

    def _drop_body(self) -> None:
        body, self.body = self.body, None
        if body is not None:
            body.release(self.parentWidget() or self)
            body.hide()
            body.deleteLater()

    def wanted(self, width: int) -> int:
        height = self.line.height()
        self.line.setGeometry(0, 0, width, height)
        if self.body is not None:
            body = self.body.wanted(width)
            self.body.setGeometry(0, height, width, body)
            height += body
        return height

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.grew.emit()
        return super().event(event)


def _unfolds_to(report: RoundReport) -> tuple[object, ...]:
    return (report.missing, report.found, report.draft, report.before, report.can_answer, report.answer_tokens)
