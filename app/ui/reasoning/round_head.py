"""A reflection round in the outline: its verdict and its price in one line, which folds the round."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app.core.run.view import RoundItem
from app.core.text.i18n import _
from app.ui import texts
from app.ui.reasoning import words
from app.ui.reasoning.entry import OutlineEntry
from app.ui.theme import Theme
from app.ui.widgets.safe_text import set_safe_tooltip


class RoundHead(OutlineEntry):
    folded = Signal()
    """Folded or unfolded; `is_folded` says which."""

    def __init__(self, theme: Theme, item: RoundItem) -> None:
        super().__init__(theme)
        self.number = item.number
        self.members: list[OutlineEntry] = []
        self.is_folded = False
        rule = QFrame()
        rule.setProperty("line", True)
        rule.setFixedHeight(1)
        self._layout.insertWidget(0, rule)
        self._layout.setContentsMargins(0, theme.space(1), 0, 0)
        self.line.opens = self.line.is_open = True
        self.show_round(item)

    def show_round(self, item: RoundItem) -> None:
        """Its verdict, and what it and the run have used so far."""
        parts: list[str] = []
        icon, token = "refresh", "accent"
        title = texts.round_title(item.number, item.limit)
        if (verdict := item.verdict) is not None:
            title = texts.verdict_title(verdict.round, item.limit, verdict.verdict, verdict.missing)
            icon, token = ("check", "ok") if verdict.verdict == "enough" else ("refresh", "warn")
        if item.usage.total:
            parts.append(words.tokens(item.usage))
        if item.seconds:
            parts.append(texts.seconds_text(item.seconds))
        if item.total.total:
            parts.append(_("total {tokens}").format(tokens=words.tokens(item.total)))
        if verdict is not None and verdict.next:
            parts.append("→ " + ", ".join(verdict.next))
        self.describe(icon, token, title, detail=" · ".join(parts))
        set_safe_tooltip(self.line, f"{title}\n{self.line.detail}")

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
