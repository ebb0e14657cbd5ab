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
    """Name of an argument and its value of the pieces that are taken, a text or a list; None where none is."""

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
        place = as_text(hunk.get("place")) or _("Line {n}").format(n=as_text(hunk.get("line")))
        box = QCheckBox(place)
        box.setChecked(True)
        box.setAccessibleName(_("Take the change: {place}").format(place=place))
        box.toggled.connect(self._toggled)
        self.boxes[as_text(hunk.get("id"))] = box
        return box

    def _toggled(self, _is_taken: bool) -> None:
        is_any = any(box.isChecked() for box in self.boxes.values())
        for name, pieces in self._builds.items():
            listed = pieces if isinstance(pieces, list) else []
            self.changed.emit(name, self._built(listed) if is_any else None)

    def _built(self, pieces: list[object]) -> str | list[object]:
        """A text of its pieces, or the items of a list that are taken."""
        items = [piece for piece in pieces if isinstance(piece, Mapping) and "item" in piece]
        if items:
            return [piece["item"] for piece in items if self._is_taken(piece)]
        return "".join(map(self._piece, pieces))

    def _is_taken(self, piece: Mapping[str, Any]) -> bool:
        box = self.boxes.get(as_text(piece.get("hunk")))
        return box is None or box.isChecked()

    def _piece(self, piece: object) -> str:
        if not isinstance(piece, Mapping):
            return as_text(piece)
        return as_text(piece.get("new" if self._is_taken(piece) else "old"))
