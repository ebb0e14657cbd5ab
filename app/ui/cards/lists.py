"""Cards that are lists of lines: facts, checks, sources, and the keys of a kind nobody knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from app.core.text.i18n import N_, _
from app.core.tools.card_markdown import as_text, mappings
from app.ui.cards.action_bar import LineButtons, ids_of
from app.ui.cards.parts.collapse import shortened
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible

_STATES: Mapping[str, tuple[str, str, str]] = {
    "ok": ("check", "ok", N_("in order")),
    "warn": ("alert", "warn", N_("warning")),
    "error": ("alert", "error", N_("error")),
    "todo": ("circle", "muted", N_("to do")),
}
_LABELS = 24
"""Steps of the grid the labels' column takes at most."""
_LABELS_SHARE = 0.35
"""Of the width, at most."""


def key_values(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    """Label, value and a note below it."""
    rows = [
        (as_text(item.get("label")), as_text(item.get("value")), as_text(item.get("note")))
        for item in mappings(payload, "items")
    ]
    return shortened(rows, partial(_pairs, theme), theme)


def listing(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    rows = [(str(key), as_text(value)[:2_000], "") for key, value in payload.items() if key != "title"]
    return shortened(rows, partial(_pairs, theme), theme)


PassageOpener = Callable[[str, str, str], None]
"""Shows a passage: base, document with its place, what was asked for. The base "" is the folder of the session."""


def checklist(
    payload: Mapping[str, Any], theme: Theme, buttons: LineButtons | None = None, passages: PassageOpener | None = None
) -> QWidget:
    """An item that knows its remedy has its button beside it, and one that names a passage the way there."""
    return shortened(mappings(payload, "items"), partial(_checks, theme, buttons, passages), theme)


def sources(payload: Mapping[str, Any], theme: Theme, passages: PassageOpener | None = None) -> QWidget:
    """Number, title, address. The address is text: links are opened from the answer, after a question.

    A passage of a knowledge base has a button that opens it, where `passages` can.
    """
    items = mappings(payload, "items")
    if passages is not None and any(isinstance(item.get("passage"), Mapping) for item in items):
        return shortened(items, partial(_passages, theme, passages), theme)
    rows = [
        (as_text(item.get("n")), as_text(item.get("title")), " · ".join(filter(None, _about(item)))) for item in items
    ]
    return shortened(rows, partial(_pairs, theme), theme)


def _passages(theme: Theme, opener: PassageOpener, items: list[Mapping[str, Any]]) -> QWidget:
    holder, grid = _grid(theme)
    for row, item in enumerate(items):
        title = as_text(item.get("title"))
        grid.addWidget(_wrapped(as_text(item.get("n")), "meta"), row * 2, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(_wrapped(title), row * 2, 1, Qt.AlignmentFlag.AlignTop)
        if note := " · ".join(filter(None, _about(item))):
            grid.addWidget(_wrapped(note, "meta"), row * 2 + 1, 1)
        if (button := way_to(item.get("passage"), title, opener)) is not None:
            grid.addWidget(button, row * 2, 2, Qt.AlignmentFlag.AlignTop)
    grid.setColumnStretch(1, 1)
    return holder


def way_to(place: object, title: str, opener: PassageOpener | None) -> QPushButton | None:
    """The button that opens a passage; None where none is named, or nobody can open it."""
    if not isinstance(place, Mapping) or opener is None:
        return None
    base, document, query = (as_text(place.get(key)) for key in ("base", "doc", "query"))
    button = QPushButton(_("Open") if base else _("Go to it"))
    button.setProperty("kind", "link")
    button.setAutoDefault(False)
    button.setAccessibleName(_("Open the passage: {title}").format(title=visible(title)))
    button.clicked.connect(partial(_open, opener, base, document, query))
    return button


def _open(opener: PassageOpener, base: str, document: str, query: str, _checked: bool = False) -> None:
    opener(base, document, query)


def _about(item: Mapping[str, Any]) -> tuple[str, str]:
    return as_text(item.get("url")), as_text(item.get("note"))


def _pairs(theme: Theme, rows: list[tuple[str, str, str]]) -> QWidget:
    metrics = QFontMetrics(theme.font("meta"))
    widest = max((metrics.horizontalAdvance(line) for row in rows for line in row[0][:200].split("\n")), default=0)
    holder, grid = _grid(theme, _PairsLayout(min(widest + 2, theme.space(_LABELS))))
    for row, (label, value, note) in enumerate(rows):
        name = _wrapped(label, "meta")
        name.setMaximumWidth(theme.space(_LABELS))
        grid.addWidget(name, row * 2, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(_wrapped(value), row * 2, 1, Qt.AlignmentFlag.AlignTop)
        if note:
            grid.addWidget(_wrapped(note, "meta"), row * 2 + 1, 1)
    return holder


def _checks(
    theme: Theme, buttons: LineButtons | None, passages: PassageOpener | None, items: list[Mapping[str, Any]]
) -> QWidget:
    holder, grid = _grid(theme)
    group = ""
    for number, item in enumerate(items):
        row = number * 2  # a line above each item, for the name of its group
        if (head := as_text(item.get("group"))) and head != group:
            group = head
            grid.addWidget(SafeLabel(head, role="strong"), row * 2, 0, 1, 3)
        row += 1
        icon, token, word = _STATES.get(as_text(item.get("state")), _STATES["todo"])
        sign = QLabel()
        sign.setPixmap(theme.pixmap(icon, token, 16, ratio=holder.devicePixelRatioF()))
        sign.setAccessibleName(_(word))
        grid.addWidget(sign, row * 2, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(_wrapped(as_text(item.get("text"))), row * 2, 1)
        if hint := as_text(item.get("hint")):
            grid.addWidget(_wrapped(hint, "meta"), row * 2 + 1, 1)
        if buttons is not None and (own := buttons(ids_of(item))) is not None:
            grid.addWidget(own, row * 2, 2, Qt.AlignmentFlag.AlignTop)
        if (way := way_to(item.get("passage"), as_text(item.get("text")), passages)) is not None:
            grid.addWidget(way, row * 2, 3, Qt.AlignmentFlag.AlignTop)
    return holder


class _PairsLayout(QGridLayout):
    """Labels in one line as far as their share of the width goes: left to itself, a grid takes from both columns."""

    def __init__(self, labels: int) -> None:
        super().__init__()
        self._labels = labels

    def heightForWidth(self, width: int) -> int:
        self._divide(width)
        return super().heightForWidth(width)

    def setGeometry(self, place: QRect) -> None:
        self._divide(place.width())
        super().setGeometry(place)

    def minimumSize(self) -> QSize:
        self._divide(0)
        return super().minimumSize()

    def _divide(self, width: int) -> None:
        labels = min(self._labels, round(width * _LABELS_SHARE))
        if labels != self.columnMinimumWidth(0):
            self.setColumnMinimumWidth(0, labels)


def _grid(theme: Theme, grid: QGridLayout | None = None) -> tuple[QWidget, QGridLayout]:
    holder = QWidget()
    grid = grid or QGridLayout()
    holder.setLayout(grid)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(theme.space(2))
    grid.setVerticalSpacing(theme.space(0.5))
    grid.setColumnStretch(1, 1)
    return holder, grid


def _wrapped(text: str, role: str = "") -> SafeLabel:
    label = SafeLabel(text, role=role)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
