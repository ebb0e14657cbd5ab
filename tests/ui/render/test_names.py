"""M09 of the security page: hostile names in every place that shows a name; literal, and nothing is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.ui.cards import make_card
from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.items import AssistantRow, File, TextPart, ToolPart, UserRow
from app.ui.chat.rows.tool import ToolCard
from app.ui.chat.view import ChatView
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, safe_tooltip

NAMES = [
    "![x](file:///etc/passwd)",
    "![x](//canary.test/s/x.png)",
    "![x](\\\\canary.test\\s\\x.png)",
    "![x](qrc:/x.png)",
    "<img src='//canary.test/s' onerror=alert(1)>",
    "<table background='file:///etc/passwd'><tr><td>x</table>",
    "<style>@import 'http://canary.test'</style>",
    "<iframe src='http://canary.test'></iframe>",
    "<svg><image href='file:///etc/passwd'/></svg>",
]
hostile = pytest.mark.parametrize("name", NAMES)


class TipPage(QTextDocument):
    """A text laid out as Qt lays out a tool tip; it remembers what it looked for."""

    def __init__(self, tip: str) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.setHtml(tip)
        self.idealWidth()

    def loadResource(self, _kind: int, name: Any) -> Any:
        self.asked.append(name if isinstance(name, str) else name.toString())
        return QImage(1, 1, QImage.Format.Format_ARGB32)


def test_the_page_of_a_tool_tip_would_look_for_a_picture_of_raw_words() -> None:
    assert set(TipPage("<img src='//canary.test/s'>").asked) == {"//canary.test/s"}


def assert_literal(widget: QWidget, name: str) -> None:
    """The name is there to be read, and no label of Qt's takes any text for markup."""
    labels = widget.findChildren(QLabel)
    assert name in [label.full_text() for label in labels if isinstance(label, SafeLabel)]
    for label in labels:
        assert label.textFormat() is Qt.TextFormat.PlainText
    for tip in {part.toolTip() for part in [widget, *widget.findChildren(QWidget)]}:
        page = TipPage(tip)
        assert page.asked == []
        assert "\ufffc" not in page.toPlainText()  # the sign that stands for a picture
        assert name not in tip or "<" not in name


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> QApplication:
    """Nothing is laid out without one."""
    return qapp


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ChatView]:
    made = ChatView(Theme())
    qtbot.addWidget(made)
    made.resize(900, 900)
    made.show()
    yield made
    made.close_down()


@hostile
def test_M09_names_of_agents_tools_and_files_are_literal_in_the_chat(view: ChatView, name: str) -> None:
    called = ToolPart("call-c", "search", "done", name, name, name)
    view.set_rows(
        [
            UserRow("u", "hi", attachments=(File(name, note=name),)),
            AssistantRow("a", name, mode=name, parts=(called, TextPart("t", "hello")), stop_reason="Answered"),
            AssistantRow("b", "A", parts=(ToolPart("call-d", name, "done"),)),
        ]
    )
    for row_id in ("u", "a"):
        row = view.list.widget(row_id)
        assert row is not None
        assert_literal(row, name)
    row = view.list.widget("b")
    assert isinstance(row, AssistantRowView)
    row.open_work()
    card = row.findChild(ToolCard)
    assert isinstance(card, ToolCard)
    assert_literal(card, name)


@hostile
def test_M09_a_title_is_literal(qtbot: QtBot, name: str) -> None:
    made = make_card({"card": "document", "payload": {"title": name, "markdown": "x"}}, Theme())
    assert made is not None
    qtbot.addWidget(made)
    assert_literal(made, name)


@hostile
def test_M09_a_tool_tip_is_literal(name: str) -> None:
    page = TipPage(safe_tooltip(name))
    assert page.toPlainText() == name
    assert page.asked == []


@hostile
def test_M09_a_dialog_is_literal(qtbot: QtBot, name: str) -> None:
    made = AskDialog(None, Theme(), name, name, [("ok", "OK", "primary")])
    qtbot.addWidget(made)
    made.show()
    assert_literal(made, name)
