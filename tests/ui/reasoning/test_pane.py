from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from app.core.run.chat_model import Usage
from app.core.run.event_values import ErrorInfo
from app.core.run.events import (
    Discard,
    LoopEnd,
    LoopError,
    Notice,
    PhaseStart,
    PlanMade,
    PlanStepChanged,
    Reclassify,
    Retry,
    RoundStart,
    RoundVerdict,
    RunEvent,
    StepEnd,
    StepStart,
    Thinking,
    Token,
)
from app.core.run.plan import PlanStep
from app.core.wording.tools import tool_title
from app.ui.main_window.header import WindowHeader
from app.ui.reasoning import ReasoningPane
from app.ui.reasoning.round_head import RoundHead
from app.ui.theme import Theme
from app.ui.widgets.cut_bar import larger_limits
from tests.ui.dialogs.work import Work
from tests.ui.reasoning.runs import HOSTILE, HOSTILE_SHOWN, STEPS, call, feed, react_run, result, start


@pytest.fixture
def work() -> Work:
    return Work()


@pytest.fixture
def pane(qtbot: QtBot, work: Work) -> ReasoningPane:
    pane = ReasoningPane(Theme(), spawn=work)
    qtbot.addWidget(pane)
    pane.resize(360, 700)
    pane.show()
    return pane


def titles(pane: ReasoningPane) -> list[str]:
    return [entry.line.title for entry in pane.outline.entries()]


def entry(pane: ReasoningPane, title: str) -> Any:
    return next(entry for entry in pane.outline.entries() if entry.line.title == tool_title(title))


def tab_titles(pane: ReasoningPane) -> list[str]:
    return [pane._tabs.tabText(n) for n in range(pane._tabs.count()) if pane._tabs.isTabVisible(n)]


def test_a_run_is_told_in_order_and_ends_with_its_reason(pane: ReasoningPane) -> None:
    for event in react_run():
        feed(pane, event, 0.0)
    assert titles(pane) == [
        "Settings",
        "Request 1 of 8",
        "Thinking",
        tool_title("search_cities"),
        "Request 2 of 8",
        "Answered",
    ]
    assert pane._badge.text() == "2 requests · 2.1 s"


def test_a_run_shown_at_once_looks_as_if_it_had_been_watched(pane: ReasoningPane) -> None:
    rounds: list[RunEvent] = [RoundStart(1, 3), RoundVerdict(1, "more", "the price", next=("search_cities",))]
    plan: list[RunEvent] = [
        PlanMade("a trip", STEPS, 1),
        PlanStepChanged(1, "running"),
        PlanStepChanged(1, "failed", "no such city"),
    ]
    waits: list[RunEvent] = [Retry(1, 4, "RATE_LIMIT", "429"), Thinking(3, "once more"), Notice("replanned", "")]
    run = react_run()
    run[-1:-1] = [*rounds, *plan, *waits]
    for n, event in enumerate(run):
        feed(pane, event, n / 4)
    watched = (pane.outline.text(), pane._badge.text(), tab_titles(pane), pane.timeline.as_json(), pane.graph.as_json())
    view = pane.view
    pane.clear()
    pane.show_all(view, live=False)
    shown = (pane.outline.text(), pane._badge.text(), tab_titles(pane), pane.timeline.as_json(), pane.graph.as_json())
    assert shown == watched


def test_a_thought_opened_while_text_comes_has_it_once(pane: ReasoningPane, qtbot: QtBot) -> None:
    feed(pane, Thinking(1, "first "))
    thought = entry(pane, "Thinking")
    thought.line.click()
    feed(pane, Thinking(1, "second "))
    thought.line.click()  # what just came has not been appended yet
    feed(pane, Thinking(1, "third"))
    qtbot.waitUntil(lambda: "third" in thought.body.view.text())
    assert thought.body.view.text() == "first second third"


def test_only_tabs_with_content_are_there(pane: ReasoningPane) -> None:
    assert tab_titles(pane) == ["Outline"]
    for event in react_run():
        feed(pane, event, 0.0)
    assert tab_titles(pane) == ["Outline", "Timeline", "Cost", "Raw"]
    feed(pane, PlanMade("a trip", STEPS, 1), 1.0)
    assert tab_titles(pane) == ["Outline", "Timeline", "Cost", "Raw"], "the plan is a card of the chat"
    pane.clear()
    assert tab_titles(pane) == ["Outline"]
    assert titles(pane) == []


def test_thinking_streams_open_and_folds_when_it_is_over(pane: ReasoningPane, qtbot: QtBot) -> None:
    feed(pane, StepStart(1, 8, 0), 0.0)
    feed(pane, Thinking(1, "first "), 0.1)
    thought = entry(pane, "Thinking")
    assert thought.is_open()
    feed(pane, Thinking(1, "second"), 0.2)
    view = thought.findChild(QPlainTextEdit)
    qtbot.waitUntil(lambda: view.toPlainText() == "first second")
    feed(pane, call(), 0.3)
    assert not thought.is_open()
    assert thought.line.detail == "first second"
    thought.line.click()
    assert thought.findChild(QPlainTextEdit).toPlainText() == "first second"


def test_thinking_a_person_opened_stays_open(pane: ReasoningPane) -> None:
    feed(pane, Thinking(1, "a"), 0.0)
    thought = entry(pane, "Thinking")
    thought.line.click()
    thought.line.click()
    feed(pane, call(), 0.1)
    assert thought.is_open()


def test_a_stored_run_is_shown_folded(pane: ReasoningPane) -> None:
    for event in react_run():
        feed(pane, event, 0.0, live=False)
    assert not any(entry.is_open() for entry in pane.outline.entries())
    assert entry(pane, "Thinking").line.detail == "Which cities fit?"


def test_text_taken_back_disappears_and_text_that_was_thinking_becomes_it(pane: ReasoningPane) -> None:
    feed(pane, Thinking(1, "wrong"), 0.0)
    feed(pane, Discard(1), 0.1)
    assert titles(pane) == []
    feed(pane, Token(2, "it was "), 0.2)
    feed(pane, Token(2, "thinking"), 0.2)
    feed(pane, Reclassify(2, "thinking"), 0.3)
    assert entry(pane, "Thinking").line.detail == "it was thinking"
    feed(pane, Reclassify(2, "token"), 0.4)
    assert titles(pane) == []


def test_a_call_opens_to_its_arguments_and_its_result(pane: ReasoningPane) -> None:
    feed(pane, call(city="成都"), 0.0)
    line = entry(pane, "search_cities")
    assert line.line.note == "City: 成都"
    line.line.click()
    feed(pane, result(text="the whole text"), 0.1)
    assert [view.toPlainText() for view in line.body.findChildren(QPlainTextEdit)] == ["city: 成都", "the whole text"]
    assert line.line.aside == "12 ms"


def test_a_cut_result_says_so_and_gives_the_whole(pane: ReasoningPane) -> None:
    pane.narrator.source = {"c1": "all of it"}.get
    feed(pane, call(), 0.0)
    feed(pane, result(text="all", kept=4_000, chars=31_202), 0.1)
    line = entry(pane, "search_cities")
    assert line.line.aside.startswith("cut")
    line.line.click()
    button = next(b for b in line.findChildren(QPushButton) if b.text() == "Show all")
    button.click()
    assert "all of it" in [view.toPlainText() for view in line.findChildren(QPlainTextEdit)]


async def test_the_whole_may_be_fetched_asynchronously(pane: ReasoningPane, work: Work) -> None:
    async def fetch(id: str) -> str | None:
        await asyncio.sleep(0)
        return f"whole of {id}"

    pane.narrator.source = fetch
    feed(pane, call(), 0.0)
    feed(pane, result(text="all", kept=4_000, chars=31_202), 0.1)
    line = entry(pane, "search_cities")
    line.line.click()
    next(b for b in line.findChildren(QPushButton) if b.text() == "Show all").click()
    await work.settled()
    assert "whole of c1" in [view.toPlainText() for view in line.findChildren(QPlainTextEdit)]


def test_T08_hostile_text_stays_literal_everywhere(pane: ReasoningPane) -> None:
    feed(pane, PhaseStart("understanding", HOSTILE), 0.0)
    feed(pane, Thinking(1, HOSTILE), 0.0)
    feed(pane, call(q=HOSTILE), 0.0)
    feed(pane, result(text=HOSTILE), 0.0)
    feed(pane, Notice("new_code", HOSTILE), 0.0)
    feed(pane, LoopError("api", ErrorInfo("STRANGE", HOSTILE)), 0.0)
    for line in pane.outline.entries():
        line.set_open(True)
        for text in (line.line.title, line.line.note, line.line.detail):
            assert "\u202e" not in text
            assert "\x1b" not in text
    shown = [view.toPlainText() for view in pane.findChildren(QPlainTextEdit)]
    assert HOSTILE_SHOWN in shown
    assert f"q: {HOSTILE_SHOWN}" in shown


def test_the_search_hides_what_does_not_match_and_looks_into_results(pane: ReasoningPane, qtbot: QtBot) -> None:
    for event in react_run():
        feed(pane, event, 0.0)
    pane.outline.search.setText("THREE cit")
    qtbot.waitUntil(lambda: pane.outline.found.text() == "1/6")
    assert [e.line.title for e in pane.outline.entries() if not e.isHidden()] == [tool_title("search_cities")]
    pane.outline.search.clear()
    qtbot.waitUntil(lambda: not any(e.isHidden() for e in pane.outline.entries()))


def test_copy_all_gives_the_whole_outline_as_text(pane: ReasoningPane) -> None:
    feed(pane, RoundStart(2, 3), 0.0)
    for event in react_run():
        feed(pane, event, 0.0)
    next(b for b in pane.findChildren(QToolButton) if b.accessibleName() == "Copy the outline").click()
    text = QGuiApplication.clipboard().text()
    assert "— Reflection round 2/3 —" in text
    assert "Which cities fit?" in text
    assert "→ three cities" in text


def test_a_click_names_the_step_so_that_the_chat_can_follow(pane: ReasoningPane, qtbot: QtBot) -> None:
    feed(pane, StepStart(3, 8, 0), 0.0)
    with qtbot.waitSignal(pane.place_activated) as clicked:
        entry(pane, "Request 3 of 8").line.click()
    assert clicked.args == [3, ""]


def test_a_verdict_says_what_is_missing_and_what_comes_next(pane: ReasoningPane) -> None:
    feed(pane, RoundStart(2, 3), 0.0)
    feed(pane, RoundVerdict(2, "more", "the price", next=("web_search",)), 0.1)
    line = entry(pane, "Round 2/3 – not enough: the price")
    assert line.line.detail == "→ web_search"


def test_a_retry_counts_down_and_stops_with_the_next_event(pane: ReasoningPane) -> None:
    feed(pane, Retry(1, 4, "RATE_LIMIT", "429"), 0.0)
    line = pane.outline.entries()[-1]
    assert line.line.aside == "in 4 s"
    pane.narrator._count_down()
    assert line.line.aside == "in 3 s"
    feed(pane, StepStart(1, 8, 0), 1.0)
    assert line.line.aside == ""


def test_steps_of_a_plan_change_in_place(pane: ReasoningPane) -> None:
    feed(pane, PlanMade("a trip", STEPS, 1), 0.0)
    feed(pane, PlanStepChanged(1, "running"), 0.1)
    feed(pane, PlanStepChanged(1, "failed", "no such city"), 0.2)
    line = entry(pane, "1. find a city")
    assert (line.line.detail, line.line.aside) == ("no such city", "Failed")
    assert titles(pane).count("1. find a city") == 1


def test_a_step_of_the_plan_and_its_call_are_one_entry(pane: ReasoningPane) -> None:
    steps = ("search_cities", "none")
    planned = tuple(PlanStep(n, action, {}, f"words {n}") for n, action in enumerate(steps, 1))
    feed(pane, PlanMade("goal", planned, 1), 0.0)
    before = len(pane.outline.entries())
    for event in (
        PlanStepChanged(1, "running"), replace(call("a"), plan_step=1), result("a"), PlanStepChanged(1, "done"),
        PlanStepChanged(2, "running"), replace(call("b"), plan_step=2), result("b"), PlanStepChanged(2, "done"),
    ):  # fmt: skip
        feed(pane, event, 0.0)
    shown = [one.line.title for one in pane.outline.entries()[before:]]
    search = tool_title("search_cities")
    assert shown == [f"1. {search}", "2. words 2", search], "what a step thinks up stands below it"
    first = pane.outline.entries()[before]
    assert (first.call, first.line.detail) == ("a", "3 found")


def test_the_search_of_the_outline_is_an_icon_until_it_is_wanted(pane: ReasoningPane) -> None:
    button = pane.outline.search_button
    assert not pane.outline.search.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert pane.outline.search.isVisible()
    QTest.keyClicks(pane.outline.search, "x")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (pane.outline.search.isVisible(), pane.outline.search.text()) == (False, "")


def test_a_stop_by_the_person_tells_what_is_kept(pane: ReasoningPane) -> None:
    feed(pane, call(), 0.0)
    feed(pane, result(), 0.1)
    feed(pane, LoopError("cancelled", ErrorInfo("CANCELLED", "stopped")), 0.2)
    assert titles(pane)[-1] == "Stopped by you; 1 result kept"


def test_the_clock_ends_with_the_run(pane: ReasoningPane) -> None:
    feed(pane, start(), 0.0)
    assert pane._tick.isActive()
    feed(pane, react_run()[-1], 2.0)
    assert not pane._tick.isActive()


def test_twenty_thousand_tokens_are_appended_in_few_pieces(pane: ReasoningPane, qtbot: QtBot) -> None:
    feed(pane, Thinking(1, ""), 0.0)
    view = entry(pane, "Thinking").findChild(QPlainTextEdit)
    changes: list[int] = []
    view.document().contentsChange.connect(lambda _at, _removed, added: changes.append(added))
    for n in range(20_000):
        feed(pane, Thinking(1, f"{n} "), 0.1)
    feed(pane, StepStart(2, 8, 0), 0.2)
    assert len(changes) < 100
    assert entry(pane, "Thinking").text().endswith("19999 ")


def test_accessible_names_carry_the_whole_line(pane: ReasoningPane) -> None:
    feed(pane, call(city="Paris"), 0.0)
    assert entry(pane, "search_cities").line.accessibleName() == f"{tool_title('search_cities')} · City: Paris"


def test_a_new_theme_keeps_what_is_shown(pane: ReasoningPane) -> None:
    for event in react_run():
        feed(pane, event, 0.0)
    entry(pane, "search_cities").line.click()
    pane.set_theme(Theme("dark", 1.5))
    assert entry(pane, "search_cities").is_open()
    assert pane.grab().height() > 0


def test_one_entry_is_copied_by_keyboard(pane: ReasoningPane) -> None:
    feed(pane, call(city="Paris"), 0.0)
    feed(pane, result(text="three cities"), 0.1)
    QTest.keyClick(entry(pane, "search_cities").line, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(f"{tool_title('search_cities')} · City: Paris · 12 ms\n")
    assert copied.endswith("city: Paris\n→ three cities")


def test_arrows_walk_through_the_entries_that_are_shown(pane: ReasoningPane, qtbot: QtBot) -> None:
    for event in react_run():
        feed(pane, event, 0.0)
    pane.activateWindow()
    qtbot.waitUntil(pane.isActiveWindow)
    lines = [shown.line for shown in pane.outline.entries()]
    lines[0].setFocus()
    QTest.keyClick(lines[0], Qt.Key.Key_Down)
    assert lines[1].hasFocus()
    QTest.keyClick(lines[1], Qt.Key.Key_Up)
    QTest.keyClick(lines[0], Qt.Key.Key_Up)
    assert lines[0].hasFocus()


# ---------------------------------------------------------------- rounds


def two_rounds(pane: ReasoningPane) -> list[RoundHead]:
    feed(pane, StepStart(1, 8, 2), 0.0)
    feed(pane, call("c1"), 0.5)
    feed(pane, result("c1"), 1.0)
    feed(pane, StepEnd(1, "tool_calls", Usage(100, 20), 400), 1.0)
    feed(pane, RoundStart(1, 3), 1.0)
    feed(pane, StepStart(2, 8, 2), 1.0)
    feed(pane, RoundVerdict(1, "more", "the price", next=("web_search",)), 2.0)
    feed(pane, call("c2", 2), 2.0)
    feed(pane, result("c2", 2), 3.0)
    feed(pane, StepEnd(2, "tool_calls", Usage(200, 30), 900), 3.5)
    feed(pane, RoundStart(2, 3), 3.5)
    feed(pane, StepStart(3, 8, 2), 3.5)
    feed(pane, RoundVerdict(2, "enough"), 4.0)
    feed(pane, StepEnd(3, "stop", Usage(300, 40), 900), 4.5)
    feed(pane, LoopEnd("x", "enough", steps=3, seconds=4.5), 4.5)
    return [entry for entry in pane.outline.entries() if isinstance(entry, RoundHead)]


def test_a_round_says_its_verdict_its_price_and_the_running_total(pane: ReasoningPane) -> None:
    first, second = two_rounds(pane)
    assert first.line.title == "Round 1/3 – not enough: the price"
    assert first.line.detail == "230 tokens · 2.5 s · total 350 tokens · → web_search"
    assert second.line.title == "Round 2/3 – enough"
    assert second.line.detail.endswith("total 690 tokens")


def test_a_round_folds_by_mouse_and_key_and_only_itself(pane: ReasoningPane, qtbot: QtBot) -> None:
    first, second = two_rounds(pane)
    first.line.click()
    assert all(entry.isHidden() for entry in first.members)
    assert not any(entry.isHidden() for entry in [*second.members, first, second])
    end = pane.outline.entries()[-1]
    second.line.setFocus()
    QTest.keyClick(second.line, Qt.Key.Key_Space)
    assert second.is_folded
    assert not end.isHidden()
    pane.outline.search.setText("search_cities")
    qtbot.waitUntil(lambda: not first.members[-1].isHidden())
    pane.outline.search.clear()
    qtbot.waitUntil(first.members[-1].isHidden)
    pane.reveal(2)
    assert not first.is_folded


def test_what_comes_into_a_folded_round_stays_folded(pane: ReasoningPane) -> None:
    feed(pane, RoundStart(1, 3), 0.0)
    head = next(entry for entry in pane.outline.entries() if isinstance(entry, RoundHead))
    head.line.click()
    feed(pane, call("c1"), 0.5)
    assert pane.outline.entries()[-1].isHidden()
    head.line.click()
    assert not pane.outline.entries()[-1].isHidden()


# ---------------------------------------------------------------- cut results


@pytest.mark.parametrize(
    ("kept", "whole", "offered"),
    [(4_000, 31_202, [8_000, 16_000, 32_000]), (500, 900_000, [32_000, 64_000, 100_000, 200_000]), (200_000, 1, [])],
)
def test_the_limits_offered_lead_up_to_one_that_holds_the_whole(kept: int, whole: int, offered: list[int]) -> None:
    assert larger_limits(kept, whole) == offered


def test_the_limit_of_a_cut_result_can_be_raised(pane: ReasoningPane, qtbot: QtBot) -> None:
    feed(pane, call("c1"), 0.0)
    feed(pane, result("c1", kept=4_000, chars=31_202), 0.5)
    entry = next(entry for entry in pane.outline.entries() if entry.call)
    entry.line.click()
    assert entry.body is not None
    button = next(b for b in entry.body.findChildren(QPushButton) if b.text() == "Raise the limit for this agent")
    QTest.keyClick(button, Qt.Key.Key_Space)
    menu = button.findChildren(QMenu)[0]
    with qtbot.waitSignal(pane.limit_raised) as raised:
        menu.actions()[-1].trigger()
    assert raised.args == [32_000]
    menu.close()


def test_every_tab_of_a_run_has_its_place_also_when_it_came_while_the_pane_was_shut(qtbot: QtBot, work: Work) -> None:
    pane = ReasoningPane(Theme(), spawn=work)
    qtbot.addWidget(pane)
    pane.resize(400, 600)
    for event in (*react_run(), PlanMade("a trip", STEPS, 1), *react_run()):
        feed(pane, event, 0.0)
    pane.show()
    feed(pane, StepStart(9, 9, 0), 0.0)
    assert all(pane._tabs.tabRect(n).width() > 20 for n in range(pane._tabs.count()))


@pytest.mark.parametrize("zoom", [1.0, 1.5])
def test_its_title_stands_on_one_line_with_the_header_of_the_chat(
    pane: ReasoningPane, qtbot: QtBot, zoom: float
) -> None:
    theme = Theme("light", zoom)
    header = WindowHeader(theme)
    qtbot.addWidget(header)
    header.resize(800, header.height())
    header.show()
    pane.set_theme(theme)
    for event in react_run():
        feed(pane, event, 1.0)
    middles = [
        one.title.mapTo(one, one.title.rect().center()).y()
        for one in (pane, header)
        if QTest.qWaitForWindowExposed(one)
    ]
    assert middles[0] == middles[1]
    assert pane._badge.height() < header.height() / 2


def test_a_heading_with_nothing_under_it_goes_when_the_next_one_comes(pane: ReasoningPane) -> None:
    """What looked like the beginning of an answer was what a step said before its call."""
    for phase in ("understanding", "executing", "answering", "executing"):
        feed(pane, PhaseStart(phase), 0.0)
        if phase == "executing":
            feed(pane, call(), 0.0)
    heads = [one.line.title for one in pane.outline.entries() if one.line.is_head]
    assert heads == ["Running tools", "Running tools"]
