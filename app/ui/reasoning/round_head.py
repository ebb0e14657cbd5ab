"""A reflection round in the outline: its verdict and its price in one line, which folds the round."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app.core.run.chat_model import Usage
from app.core.run.events import RoundVerdict
from app.core.text.i18n import _
from app.ui import texts
from app.ui.reasoning import words
from app.ui.reasoning.entry import OutlineEntry
from app.ui.theme import Theme
from app.ui.widgets.safe_text import set_safe_tooltip


class RoundHead(OutlineEntry):
    folded = Signal()
    """Folded or unfolded; `is_folded` says which."""

    def __init__(self, theme: Theme, number: int, title: str) -> None:
        super().__init__(theme)
        self.number = number
        self.members: list[OutlineEntry] = []
        self.is_folded = False
        self._usage, self._seconds, self._total = Usage(), 0.0, Usage()
        self._verdict: RoundVerdict | None = None
        rule = QFrame()
        rule.setProperty("line", True)
        rule.setFixedHeight(1)
        self._layout.insertWidget(0, rule)
        self._layout.setContentsMargins(0, theme.space(1), 0, 0)
        self.line.opens = self.line.is_open = True
        self.describe("refresh", "accent", title)

    def judge(self, verdict: RoundVerdict, limit: int) -> None:
        self._verdict = verdict
        self._title = texts.verdict_title(verdict.round, limit, verdict.verdict, verdict.missing)
        self._tell()

    def count(self, usage: Usage, seconds: float, total: Usage) -> None:
        """What the round has used so far, and the run with it."""
        self._usage, self._seconds, self._total = usage, seconds, total
        self._tell()

    def set_folded(self, is_folded: bool) -> None:
        if is_folded != self.is_folded:
            self.is_folded = is_folded
            self.line.is_open = not is_folded
            self.line.update()
            self.folded.emit()

    def text(self) -> str:
        head = f"— {self.line.title} —"
        return f"{head}\n{self.line.detail}" if self.line.detail else head

    def _clicked(self) -> None:
        self.set_folded(not self.is_folded)

    def _tell(self) -> None:
        parts: list[str] = []
        icon, token, title = "refresh", "accent", self.line.title
        if self._verdict is not None:
            title = self._title
            icon, token = ("check", "ok") if self._verdict.verdict == "enough" else ("refresh", "warn")
        if self._usage.total:
            parts.append(words.tokens(self._usage))
        if self._seconds:
            parts.append(texts.seconds_text(self._seconds))
        if self._total.total:
            parts.append(_("total {tokens}").format(tokens=words.tokens(self._total)))
        if self._verdict is not None and self._verdict.next:
            parts.append("→ " + ", ".join(self._verdict.next))
        self.describe(icon, token, title, detail=" · ".join(parts))
        set_safe_tooltip(self.line, f"{title}\n{self.line.detail}")
