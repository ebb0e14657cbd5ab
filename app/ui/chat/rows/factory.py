"""Which widget paints which kind of row."""

from __future__ import annotations

from typing import assert_never

from PySide6.QtWidgets import QWidget

from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.base import RowTools, RowView
from app.ui.chat.rows.items import AssistantRow, ErrorRow, NoticeRow, Row, SeparatorRow, UserRow
from app.ui.chat.rows.notices import ErrorRowView, NoticeRowView, SeparatorRowView
from app.ui.chat.rows.user import UserRowView


def make_row(item: Row, parent: QWidget, tools: RowTools) -> RowView:
    match item:
        case UserRow():
            return UserRowView(parent, tools, item)
        case AssistantRow():
            return AssistantRowView(parent, tools, item)
        case NoticeRow():
            return NoticeRowView(parent, tools, item)
        case ErrorRow():
            return ErrorRowView(parent, tools, item)
        case SeparatorRow():
            return SeparatorRowView(parent, tools, item)
        case _:
            assert_never(item)
