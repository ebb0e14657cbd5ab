"""A draft of a text: how much of it there is, the text in a book face, and what was found in it. Apart from the answer
until a button puts it where it belongs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from app.core.tools.card_markdown import as_text, mappings
from app.ui.cards.lists import PassageOpener, checklist, way_to
from app.ui.cards.parts.collapse import shortened
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

AT_FIRST = 8
"""Paragraphs that are there before somebody asks for the rest."""
NEARLY = 0.95
"""Share of the goal from which the bar counts as full (design.md 13)."""
_LONGEST = 20_000
_STEPS = 1_000
_SERIF = ("Noto Serif CJK SC", "Source Han Serif SC", "Songti SC", "SimSun", "Noto Serif", "Georgia", "serif")


def manuscript(payload: Mapping[str, Any], theme: Theme, passages: PassageOpener | None = None) -> QWidget:
    holder, column = _column(theme)
    column.addWidget(_count(payload, theme))
    paragraphs = [line for line in as_text(payload.get("text")).split("\n") if line.strip()]
    if paragraphs:
        column.addWidget(shortened(paragraphs, partial(_paragraphs, theme), theme, at_first=AT_FIRST))
    if (way := way_to(payload.get("passage"), as_text(payload.get("title")), passages)) is not None:
        column.addWidget(way, 0, Qt.AlignmentFlag.AlignLeft)
    if mappings(payload, "remarks"):
        column.addWidget(checklist({"items": payload["remarks"]}, theme))
    return holder


def book_font(theme: Theme) -> QFont:
    font = QFont(theme.font("body"))
    font.setFamilies([*_SERIF, *font.families()])
    return font


def _count(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    words, goal = _number(payload.get("words")), _number(payload.get("goal"))
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(theme.space(1))
    text = " · ".join(filter(None, (as_text(payload.get("count")), as_text(payload.get("state")))))
    if goal > 0:
        bar = QProgressBar()
        bar.setTextVisible(False)
        bar.setRange(0, _STEPS)
        bar.setValue(round(min(words / goal, 1.0) * _STEPS))
        bar.setFixedSize(88, 6)
        bar.setProperty("state", "ok" if words >= goal * NEARLY else "")
        bar.setAccessibleName(text)
        row.addWidget(bar, 0, Qt.AlignmentFlag.AlignVCenter)
    label = SafeLabel(text, role="meta")
    label.setWordWrap(True)
    row.addWidget(label, 1)
    return holder


def _paragraphs(theme: Theme, paragraphs: list[str]) -> QWidget:
    holder, column = _column(theme)
    font = book_font(theme)
    for words in paragraphs:
        label = SafeLabel(words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…")
        label.setWordWrap(True)
        label.setFont(font)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(label)
    return holder


def _column(theme: Theme) -> tuple[QWidget, QVBoxLayout]:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(1))
    return holder, column


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
