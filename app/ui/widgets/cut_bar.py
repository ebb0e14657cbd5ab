"""Below a result of which the model read a part: how much that was, the whole of it, and more of it next time."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

_LIMITS = (2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 100_000, 200_000)
"""Characters of one result; the last is the largest a profile allows."""


class CutBar(QWidget):
    all_asked = Signal()
    limit_chosen = Signal(int)
    """Characters of one result."""

    def __init__(self, theme: Theme, kept: int, whole: int, *, can_show: bool = True, can_raise: bool = True) -> None:
        super().__init__()
        self.setObjectName("cutBar")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.5))
        text = _("The model read {kept} of {all} characters").format(kept=f"{kept:,}", all=f"{whole:,}")
        words = SafeLabel(text, role="meta")
        words.setWordWrap(True)
        layout.addWidget(words)
        row = QHBoxLayout()
        row.setSpacing(theme.space(2))
        self.show_all = _link("showAllButton", _("Show all"))
        self.show_all.clicked.connect(self._ask_all)
        self.show_all.setVisible(can_show)
        row.addWidget(self.show_all)
        self.raise_limit = _link("raiseLimitButton", _("Raise the limit for this agent"))
        self.raise_limit.clicked.connect(self._show_limits)
        self.raise_limit.setVisible(can_raise)
        row.addWidget(self.raise_limit)
        row.addStretch(1)
        layout.addLayout(row)
        self.limits = QMenu(self.raise_limit)
        for limit in larger_limits(kept, whole):
            entry = self.limits.addAction(_("{n} characters").format(n=f"{limit:,}"))
            entry.triggered.connect(partial(self._choose, limit))

    def show_gone(self) -> None:
        self.show_all.setText(_("The whole result is no longer stored"))

    def _ask_all(self, _checked: bool = False) -> None:
        self.show_all.setEnabled(False)
        self.all_asked.emit()

    def _show_limits(self) -> None:
        self.limits.popup(self.raise_limit.mapToGlobal(self.raise_limit.rect().bottomLeft()))

    def _choose(self, limit: int, _checked: bool = False) -> None:
        self.limit_chosen.emit(limit)


def larger_limits(kept: int, whole: int) -> list[int]:
    """Round figures above what was kept, up to one that holds the whole."""
    figures = [limit for limit in _LIMITS if limit > kept]
    enough = next((n for n, limit in enumerate(figures) if limit >= whole), len(figures))
    return figures[: enough + 1][-4:]


def _link(name: str, title: str) -> QPushButton:
    button = QPushButton(title)
    button.setObjectName(name)
    button.setProperty("kind", "link")
    button.setAutoDefault(False)
    return button
