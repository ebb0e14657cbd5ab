"""What a call would change, in its approval: of a change of text each piece can be left out before it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QScrollArea, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.tools.card_markdown import as_text, mappings
from app.ui.cards import make_card
from app.ui.cards.diff_progress import diff
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

_HIGHEST = 34
"""Steps of the grid; what is longer is scrolled."""
_MOST = 60
"""Pieces with a box of their own; a change of more of them is taken or refused as a whole."""


class Preview(QWidget):
    changed = Signal(str, object)
    """Name of an argument and its text of the pieces that are taken; None where none is."""

    def __init__(self, theme: Theme, card: Mapping[str, Any]) -> None:
        super().__init__()
        self.setObjectName("approvalPreview")
        payload = card.get("payload")
        self._payload: Mapping[str, Any] = payload if isinstance(payload, Mapping) else {}
        builds = self._payload.get("builds")
        self._builds: Mapping[str, Any] = builds if isinstance(builds, Mapping) else {}
        self.boxes: dict[str, QCheckBox] = {}
        hunks = mappings(self._payload, "hunks")
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(0.75))
        if title := as_text(self._payload.get("title")):
            column.addWidget(SafeLabel(title, role="meta"))
        if card.get("card") != "diff":
            card_widget = make_card(card, theme)
            if card_widget is not None:
                column.addWidget(card_widget)
        elif self._builds and 1 < len(hunks) <= _MOST:
            for hunk in hunks:
                column.addWidget(self._box(hunk), 0, Qt.AlignmentFlag.AlignLeft)
                column.addWidget(diff({"hunks": [hunk]}, theme))
        else:
            column.addWidget(diff({"hunks": hunks}, theme))
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        area.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)
        area.setFixedHeight(min(theme.space(_HIGHEST), inner.sizeHint().height() + theme.space(1)))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    def _box(self, hunk: Mapping[str, Any]) -> QCheckBox:
        box = QCheckBox(_("Line {n}").format(n=as_text(hunk.get("line"))))
        box.setChecked(True)
        box.setAccessibleName(_("Take the change at line {n}").format(n=as_text(hunk.get("line"))))
        box.toggled.connect(self._toggled)
        self.boxes[as_text(hunk.get("id"))] = box
        return box

    def _toggled(self, _is_taken: bool) -> None:
        is_any = any(box.isChecked() for box in self.boxes.values())
        for name, pieces in self._builds.items():
            listed = pieces if isinstance(pieces, list) else []
            self.changed.emit(name, "".join(map(self._piece, listed)) if is_any else None)

    def _piece(self, piece: object) -> str:
        if not isinstance(piece, Mapping):
            return as_text(piece)
        box = self.boxes.get(as_text(piece.get("hunk")))
        return as_text(piece.get("new" if box is None or box.isChecked() else "old"))
