"""A table, drawn by the one renderer of tables; with a `chart` in the payload, what it adds up to below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.tools.card_markdown import as_text, chart_lines, chart_values, mappings, table_columns
from app.ui.cards.chart import chart
from app.ui.cards.parts.layout_adapter import Held
from app.ui.render.markdown.blocks import TableBlock
from app.ui.render.markdown.inline import TextRun
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.table import TableCard
from app.ui.theme import Theme
from app.ui.widgets.safe_text import visible


def table(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    columns = table_columns(payload)
    head = tuple(_cell(column["label"]) for column in columns)
    aligns = tuple(column["align"] if column["align"] in ("right", "center") else "left" for column in columns)
    rows = tuple(tuple(_cell(as_text(row.get(c["key"]))) for c in columns) for row in mappings(payload, "rows"))
    body = _TableBody(TableBlock(head, aligns, rows), theme)
    chart_spec = payload.get("chart")
    charts = [one for one in (chart_spec if isinstance(chart_spec, list) else [chart_spec]) if isinstance(one, Mapping)]
    charts = [one for one in charts if chart_values(one) or chart_lines(one)]
    if not charts:
        return body
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(2))
    column.addWidget(body)
    for one in charts:
        column.addWidget(chart(one, theme))
    return holder


def _cell(text: str) -> tuple[TextRun, ...]:
    return (TextRun(visible(text)),)


class _TableBody(Held):
    def __init__(self, data: TableBlock, theme: Theme) -> None:
        super().__init__()
        table = TableCard(self, Formats(theme), data)
        table.grew.connect(self.updateGeometry)
        self.hold(table)
