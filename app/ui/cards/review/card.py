"""The review card: its lines in a list of their own, below it the sum and what has been changed so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.core.text.i18n import _, ngettext
from app.core.tools.card_markdown import as_text
from app.ui.cards.review.line_list import ReviewList
from app.ui.cards.review.lines import ReviewPicks, lines_of, total_after, total_of
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible

_LONGEST = 200
_TALLEST = 62
"""Steps of the grid the list may be high before it scrolls by itself."""


def review(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    return ReviewBody(payload, theme)


class ReviewBody(QWidget):
    def __init__(self, payload: Mapping[str, Any], theme: Theme) -> None:
        super().__init__()
        self._payload = payload
        self.picks = ReviewPicks(lines_of(payload))
        self.list = ReviewList(self.picks, payload, theme)
        self.list.setObjectName("reviewList")
        self.list.changed.connect(self._renew)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(1))
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self.list)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.moved.connect(self._follow)
        self._tallest = theme.space(_TALLEST)
        column.addWidget(self.area)
        foot = QHBoxLayout()
        foot.setSpacing(theme.space(1))
        self.after = SafeLabel("", role="meta", elide=True)
        self.after.setObjectName("reviewAfter")
        foot.addWidget(self.after, 1)
        self.total = SafeLabel("", role="strong")
        self.total.setObjectName("reviewTotal")
        foot.addWidget(self.total)
        self.remember = QCheckBox(visible(as_text(payload.get("remember")))[:_LONGEST])
        self.remember.setObjectName("reviewRemember")
        self.remember.toggled.connect(self._remembered)
        if as_text(payload.get("remember")) and any(line.choices for line in self.picks.lines):
            column.addWidget(self.remember)
        else:
            self.remember.setParent(self)
            self.remember.hide()
        column.addLayout(foot)
        self.list.remember_wanted.connect(self.remember.toggle)
        self._renew()

    def values(self) -> dict[str, Any]:
        """What has been picked, as arguments of the button that confirms."""
        return self.picks.values()

    def _remembered(self, is_on: bool) -> None:
        self.picks.remember = is_on

    def _renew(self) -> None:
        sign, total = as_text(self._payload.get("sign")), total_of(self._payload)
        label = as_text(self._payload.get("total_label"))
        self.total.setText(f"{label} {sign}{total:,.2f}".strip())
        changed, left = self.picks.changed_count(), self.picks.open_count()
        words = [ngettext("{n} line left", "{n} lines left", left).format(n=left)] if left else []
        if changed:
            after = f"{sign}{total_after(self._payload, self.picks.added()):,.2f}"
            words.insert(0, _("{n} changed; after confirming {total}").format(n=changed, total=after))
        elif self.list.has_cells:
            words.append(_("F2 or a double click edits a cell"))
        self.after.setText(self.list.refused or " · ".join(words))
        height = min(self.list.sizeHint().height(), self._tallest)
        if self.area.height() != height or self.area.minimumHeight() != height:
            self.area.setFixedHeight(height)
            self.updateGeometry()

    def _follow(self, top: int, bottom: int) -> None:
        self.area.ensureVisible(0, bottom, 0, 0)
        self.area.ensureVisible(0, top, 0, 0)
