"""What a child likes, as far as it was seen: a radar with its words, proposals, and behind lines the trend and what it
all rests on. The numbers are estimates, and the card says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from app.core.tools.card_markdown import as_text, mappings, texts
from app.ui.cards.chart import chart
from app.ui.cards.parts.collapse import shortened
from app.ui.cards.parts.radar import Radar, RadarValue
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

FEW = 3
"""Observations below which a value is a guess."""


def interests(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    labels = payload.get("labels")
    words: Mapping[str, Any] = labels if isinstance(labels, Mapping) else {}
    body = QWidget()
    column = _column(body, theme)
    for text in (as_text(payload.get("summary")), as_text(payload.get("note"))):
        if text:
            column.addWidget(_label(text))
    rows = mappings(payload, "dimensions")
    column.addWidget(
        Radar([RadarValue(as_text(one.get("label")), _number(one, "strength"), _is_sure(one)) for one in rows], theme)
    )
    for one in rows:
        if _number(one, "n"):
            column.addWidget(_dimension(one))
    for one in mappings(payload, "suggestions"):
        column.addWidget(_suggestion(one, theme))
    if trend := mappings(payload, "trend"):
        _folded(column, as_text(words.get("trend")), partial(chart, {"kind": "line", "series": trend}, theme))
    if evidence := mappings(payload, "evidence"):
        lines = [" · ".join(filter(None, (as_text(one.get(k)) for k in ("date", "text", "sub")))) for one in evidence]
        _folded(column, as_text(words.get("evidence")), partial(shortened, lines, partial(_lines, theme), theme))
    column.addWidget(_label(as_text(words.get("disclaimer")), "meta"))
    return body


def _dimension(one: Mapping[str, Any]) -> QWidget:
    figures = f"{as_text(one.get('label'))} {as_text(one.get('strength'))}"
    about = [as_text(one.get("basis")), as_text(one.get("category")), ", ".join(texts(one, "objects"))]
    reason = as_text(one.get("reasoning"))
    return _label(" – ".join(filter(None, [f"{figures} · {' · '.join(filter(None, about))}", reason])))


def _suggestion(one: Mapping[str, Any], theme: Theme) -> QWidget:
    holder = QFrame()
    holder.setProperty("card", "saying")
    column = _column(holder, theme)
    column.setContentsMargins(theme.space(1.5), theme.space(0.5), 0, theme.space(0.5))
    column.addWidget(_label(as_text(one.get("title")), "strong"))
    for text in (as_text(one.get("text")), " · ".join(texts(one, "activities"))):
        if text:
            column.addWidget(_label(text))
    column.addWidget(_label(as_text(one.get("why")), "meta"))
    return holder


def _folded(column: QVBoxLayout, title: str, make: Any) -> None:
    line = QPushButton(f"{title} ›".replace("&", "&&"))
    line.setProperty("kind", "link")
    line.setAutoDefault(False)
    line.clicked.connect(partial(_unfold, column, line, make))
    column.addWidget(line)


def _unfold(column: QVBoxLayout, line: QPushButton, make: Any, _checked: bool = False) -> None:
    column.insertWidget(column.indexOf(line), make())
    line.hide()


def _lines(theme: Theme, lines: list[str]) -> QWidget:
    holder = QWidget()
    column = _column(holder, theme)
    column.setSpacing(theme.space(0.5))
    for line in lines:
        column.addWidget(_label(f"• {line}"))
    return holder


def _column(holder: QWidget, theme: Theme) -> QVBoxLayout:
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(1))
    return column


def _is_sure(one: Mapping[str, Any]) -> bool:
    return _number(one, "n") >= FEW


def _number(one: Mapping[str, Any], key: str) -> float:
    value = one.get(key)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


def _label(text: str, role: str = "") -> SafeLabel:
    label = SafeLabel(text, role=role)
    label.setWordWrap(True)
    if not text:
        label.hide()
    return label
