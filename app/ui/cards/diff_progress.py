"""Cards of few words: how far something is, a change before and after."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QGridLayout, QProgressBar, QVBoxLayout, QWidget

from app.core.text.i18n import N_, _
from app.core.tools.card_markdown import as_text, mappings
from app.ui.cards.lists import listing
from app.ui.cards.parts.collapse import shortened
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

_LONGEST = 20_000
"""Characters of one text that are laid out; copying takes all of them."""
_STEPS = 1_000
_SIDES = (("old", "−", "error", N_("before")), ("new", "+", "ok", N_("after")))


def progress(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    value, total = _number(payload.get("value")), _number(payload.get("total"))
    if value is None or total is None or total <= 0:
        return listing(payload, theme)
    holder, column = _column(theme)
    bar = QProgressBar()
    bar.setTextVisible(False)
    bar.setRange(0, _STEPS)
    bar.setValue(round(min(max(value / total, 0.0), 1.0) * _STEPS))
    text = f"{as_text(value)} / {as_text(total)}"
    bar.setAccessibleName(text)
    column.addWidget(bar)
    column.addWidget(_text(" · ".join(filter(None, (text, as_text(payload.get("text"))))), "meta"))
    return holder


def diff(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    """Each change as the text before and the text after, told by sign and colour."""
    hunks = mappings(payload, "hunks")
    holder, column = _column(theme)
    if path := as_text(payload.get("path")):
        column.addWidget(_text(path, "meta"))
    column.addWidget(shortened(hunks, partial(_hunks, theme), theme))
    return holder


def _hunks(theme: Theme, hunks: list[Mapping[str, Any]]) -> QWidget:
    holder, column = _column(theme)
    for hunk in hunks:
        for key, sign, token, word in _SIDES:
            if words := as_text(hunk.get(key)):
                line = words.removesuffix("\n") or words  # the end of a line is none of its own
                column.addWidget(_side(sign, line, token, _(word), theme))
        if status := as_text(hunk.get("status")):
            column.addWidget(_text(status, "meta"))
    return holder


def _side(sign: str, words: str, token: str, named: str, theme: Theme) -> QWidget:
    frame = QFrame()
    frame.setProperty("card", token)
    frame.setAccessibleName(named)
    grid = QGridLayout(frame)
    grid.setContentsMargins(theme.space(1), theme.space(0.5), theme.space(1), theme.space(0.5))
    grid.setHorizontalSpacing(theme.space(1))
    grid.setColumnStretch(1, 1)
    font = theme.font("code")
    mark = SafeLabel(sign)
    mark.setFont(font)
    grid.addWidget(mark, 0, 0, Qt.AlignmentFlag.AlignTop)
    grid.addWidget(_text(words, font=font), 0, 1)
    return frame


def _column(theme: Theme) -> tuple[QWidget, QVBoxLayout]:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(0.5))
    return holder, column


def _text(words: str, role: str = "", font: QFont | None = None) -> SafeLabel:
    label = SafeLabel(words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…", role=role)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if font is not None:
        label.setFont(font)
    return label


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) < 1e15 and math.isfinite(value) else None
