"""What of a row can be found, part by part, and where each part shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from app.core.run.messages import Call, Message, Text
from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.items import AssistantRow, CardPart, Part, Row, TextPart, ToolPart, markdown_of
from app.ui.chat.rows.tool import ToolCard
from app.ui.render.parts.code import CodeView
from app.ui.render.parts.plain import PlainBlock
from app.ui.render.parts.text_view import TextView
from app.ui.widgets.safe_text import SafeLabel

View = QTextEdit | QPlainTextEdit
_LONGEST = 200_000
"""Characters of one part that are searched."""
_DEEPEST = 12


class FindPart(NamedTuple):
    part: str
    """Id of the part, "" for a row that is one piece."""
    text: str


def pieces_of(row: Row) -> list[FindPart]:
    if not isinstance(row, AssistantRow):
        return [FindPart("", bare(markdown_of(row)))]
    return [FindPart(part.id, _text(part)) for part in row.parts]


def text_of(message: Message) -> str:
    """The same of a message that has no row yet: what was said, what tools gave, what cards say."""
    texts: list[str] = []
    for part in message.parts:
        if isinstance(part, Text):
            texts.append(bare(part.text))
        elif isinstance(part, Call) and part.result is not None:
            texts.append(part.result.text[:_LONGEST])
            texts += strings_of(part.result.card)
    return "\n".join(texts)


def bare(text: str) -> str:
    """Markdown without the marks that stand within words on the screen."""
    return text[:_LONGEST].replace("**", "").replace("`", "").replace("~~", "")


def strings_of(value: Any, depth: int = 0) -> Iterator[str]:
    """The texts a card shows, in order."""
    if isinstance(value, str):
        yield value[:_LONGEST]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
    elif depth < _DEEPEST:
        inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
        for one in inside:
            yield from strings_of(one, depth + 1)


def _text(part: Part) -> str:
    match part:
        case TextPart(text=text):
            return bare(text)
        case ToolPart(arguments=arguments, result=result):
            return f"{arguments[:_LONGEST]}\n{result[:_LONGEST]}"
        case CardPart(payload=payload):
            data = payload.get("payload") if isinstance(payload, Mapping) else payload
            return "\n".join(strings_of(data))
        case _:
            return ""


# ------------------------------------------------------------ on the screen


def widget_of(row: QWidget, part: str) -> QWidget:
    """Where a part is shown; the row itself if it is one piece."""
    if isinstance(row, AssistantRowView) and part:
        return row.part_widget(part) or row
    return row


def views_in(widget: QWidget) -> list[View]:
    """The texts in it, top to bottom, in which single words can be marked."""
    found: list[View] = [
        *widget.findChildren(TextView),
        *widget.findChildren(CodeView),
        *widget.findChildren(PlainBlock),
    ]
    return sorted(
        (view for view in found if not view.isHidden()), key=lambda view: view.mapTo(widget, QPoint(0, 0)).y()
    )


def labels_in(widget: QWidget) -> list[SafeLabel]:
    """Words of cards, which are marked as a whole."""
    return [] if isinstance(widget, ToolCard) else widget.findChildren(SafeLabel)


def unfold(row: QWidget, part: str) -> None:
    """What is folded comes into sight: the work, the text beside a card, the result of a tool call."""
    widget = row.reveal(part) if isinstance(row, AssistantRowView) else row
    if isinstance(widget, ToolCard) and not widget.is_unfolded():
        widget.toggle()
