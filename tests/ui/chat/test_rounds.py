"""A reflection round in the chat: one line, and what it unfolds to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.run.analysis.round_report import RoundReport
from app.ui.cards.factory import CardFactory
from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.base import RowTools
from app.ui.chat.rows.items import Action, AssistantRow, RoundPart, ToolPart
from app.ui.chat.rows.rounds.row import RoundRow
from app.ui.chat.rows.row_actions import Plain, RunFromStep, UseRound
from app.ui.chat.rows.tool import ToolCard
from app.ui.chat.view import ChatView
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.formulas import Formulas
from app.ui.render.parts.highlight import Highlighter
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel
from tests.ui import screen

MORE = RoundReport(
    2, 3, "more", "the source", ("look_around",), ("2 offers",), 1_230, 3.5, "It costs 115.", "It costs 120.", 3,
    can_answer=True,
)  # fmt: skip


@pytest.fixture
def row(qtbot: QtBot) -> Iterator[RoundRow]:
    theme, home = Theme(), QWidget()
    qtbot.addWidget(home)
    tools = RowTools(Formats(theme, Formulas(home), None), Highlighter(theme, home), CardFactory())
    made = RoundRow(home, tools, MORE)
    home.resize(700, 500)
    home.show()
    made.setGeometry(0, 0, 700, made.wanted(700))
    made.show()
    yield made
    home.hide()  # until then it keeps what the row stands in


def test_a_round_is_one_line_that_unfolds_to_what_it_changed(row: RoundRow, qtbot: QtBot) -> None:
    assert row.wanted(700) == row.line.height()
    told = "Round 2/3 · Missing: the source → look_around · 1,230 tokens · 3.5 s"
    assert row.line.accessibleName() == told
    QTest.keyClick(row.line, Qt.Key.Key_Space)
    assert row.body is not None
    row.resize(700, row.wanted(700))
    assert row.body.changes is not None
    assert row.body.changes.toPlainText() == "It costs 120.115."
    assert row.body.changes.words == "+4 −4 characters"
    heard: list[object] = []
    row.action.connect(heard.append)
    use, again = row.body.use, row.body.again
    qtbot.waitUntil(lambda: screen.why_not(use) == screen.why_not(again) == "")
    screen.click(use)
    screen.click(again)
    assert heard == [UseRound(2), RunFromStep(3)]
    QTest.keyClick(row.line, Qt.Key.Key_Space)
    assert row.wanted(700) == row.line.height()


def test_a_round_without_an_answer_says_what_one_would_cost(row: RoundRow) -> None:
    row.show_report(replace(MORE, draft="", before="", answer_tokens=410))
    row.toggle()
    assert row.body is not None
    assert row.body.use.text() == "Use the answer of round 2 (≈ 410 tokens)"
    row.show_report(replace(MORE, verdict="enough", missing="", next=(), can_answer=False))
    assert row.body.use.isHidden()


def test_under_two_rounds_stands_what_they_took_and_one_more_is_a_click_away(qtbot: QtBot) -> None:
    first = replace(MORE, number=1, tokens=1_900, seconds=6.0, draft="", before="")
    parts = (RoundPart("round-1", first), RoundPart("round-2", MORE))
    actions = (Action(Plain.ONE_MORE_ROUND, "One more round"),)
    view = ChatView(Theme())
    qtbot.addWidget(view)
    view.resize(700, 600)
    view.show()
    view.set_rows([AssistantRow("a", "Agent", parts=parts, answer="It costs 115.", actions=actions)])
    answer = view.list.widget("a")
    assert isinstance(answer, AssistantRowView)
    assert not answer.findChildren(QWidget, "roundsTotal"), "folded with the rounds"
    answer.open_work()
    (total,) = answer.findChildren(QWidget, "roundsTotal")
    assert [one.full_text() for one in total.findChildren(SafeLabel)] == ["2 rounds in total · 3,130 tokens · 9.5 s"]
    more, changes = total.findChildren(QPushButton)
    qtbot.waitUntil(lambda: screen.why_not(more) == "")
    with qtbot.waitSignal(view.row_action) as heard:
        screen.click(more)
    assert heard.args == ["a", Plain.ONE_MORE_ROUND]
    screen.click(changes)
    rows = answer.findChildren(RoundRow)
    assert [row.is_open for row in rows] == [False, True], "the second changed the answer of the first"


def test_a_round_holds_its_calls_and_folds_when_the_next_begins(qtbot: QtBot) -> None:
    """One line per round: what it looked up is a click away, and in sight while it is looked up."""
    first, second = (replace(MORE, number=number, can_answer=False) for number in (1, 2))
    calls = [ToolPart(f"call-{n}", "look_around", "done", summary=f"{n} offers") for n in range(3)]
    begun = (calls[0], RoundPart("round-1", first), calls[1])
    both = (*begun, RoundPart("round-2", second), calls[2])
    view = ChatView(Theme())
    qtbot.addWidget(view)
    view.resize(700, 600)
    view.show()
    live = AssistantRow("a", "Agent", parts=begun, busy=True)
    view.set_rows([live])
    answer = view.list.widget("a")
    assert isinstance(answer, AssistantRowView)

    def seen() -> list[str]:
        cards = sorted(answer.findChildren(ToolCard), key=lambda card: card.mapTo(answer, QPoint(0, 0)).y())
        return [card.part.summary for card in cards if card.isVisible()]

    qtbot.waitUntil(lambda: seen() == ["0 offers", "1 offers"])
    view.update_row("a", parts=both)
    qtbot.waitUntil(lambda: seen() == ["0 offers", "2 offers"])  # the first round is over
    rows = {row.report.number: row for row in answer.findChildren(RoundRow)}
    screen.click(rows[1].line)
    qtbot.waitUntil(lambda: seen() == ["0 offers", "1 offers", "2 offers"])
    assert rows[1].isAncestorOf(answer.part_widget("call-1") or view)
    screen.click(rows[1].line)
    screen.click(rows[2].line)
    assert seen() == ["0 offers"]
    assert answer.reveal("call-2") is not None, "found, or asked for from the pane"
    assert seen() == ["0 offers", "2 offers"]
