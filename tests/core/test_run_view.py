"""The state of a run: the same live and stored, what each consumer asks of it, and constant work per token."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.core.run import events as e
from app.core.run.chat_model import Usage
from app.core.run.event_line import Stamped
from app.core.run.event_values import CallStatus, ErrorInfo
from app.core.run.plan import PlanStep
from app.core.run.view import RunView, TextItem, answer_cards, supporting_cards, work_rows, work_summary
from app.core.tools.card import Card
from app.ui.run_presenter.answer import tool_state
from tests.core.strategies import ENDS, EVENTS, IDS, STARTS, STEPS, WORDS
from tests.grammar import check_view

ASKED: st.SearchStrategy[e.RunEvent] = st.one_of(
    st.builds(e.Approval, IDS, IDS, WORDS, st.just({}), WORDS),
    st.builds(e.ApprovalAnswer, IDS, st.sampled_from(["once", "deny"])),
    st.builds(e.Question, IDS, WORDS),
    st.builds(e.Answer, IDS, WORDS),
    st.builds(e.Retry, STEPS, st.just(1.0), WORDS),
    st.builds(e.BudgetLevel, WORDS, st.just(1.0), st.just(2.0), st.sampled_from(["warn", "pause"])),
    st.builds(e.RoundStart, STEPS, STEPS),
    st.builds(e.RoundVerdict, STEPS, st.sampled_from(["enough", "more"])),
    st.builds(e.SubRun, IDS, WORDS),
    st.builds(e.Steered, STEPS, WORDS),
)


@given(STARTS, st.lists(EVENTS | ASKED, max_size=40), st.none() | ENDS)
def test_a_stored_run_folded_again_is_the_view_that_was_live(
    start: e.LoopStart, between: list[e.RunEvent], end: e.Terminal | None
) -> None:
    events = [start, *between, *([end] if end else [])]
    check_view([Stamped(n, n / 4, "r", "s", event) for n, event in enumerate(events)])


def view(*events: tuple[e.RunEvent, float] | e.RunEvent) -> RunView:
    seen = RunView()
    for one in events:
        event, t = one if isinstance(one, tuple) else (one, 0.0)
        seen.apply(event, t)
    return seen


def call(id: str, *, name: str = "search", plan_step: int | None = None) -> e.ToolCalled:
    return e.ToolCalled(1, id, name, {"q": id}, plan_step=plan_step)


def result(id: str, status: CallStatus = "ok", *, name: str = "search", **more: Any) -> e.ToolReturned:
    return e.ToolReturned(1, id, name, status == "ok", status, f"{id} found\nmore", "text", 4, 4, False, 500, **more)


STARTED = e.LoopStart("travel", "react", "script/x", "where?")


def test_a_token_costs_the_same_at_any_length() -> None:
    """Not by the clock: a token makes one change and adds no item."""
    seen = view(STARTED, e.StepStart(1, 8, 3), e.Token(1, "x"))
    for _n in range(20_000):
        changes = seen.apply(e.Token(1, "x"), 1.0)
        assert [(change.what, change.text) for change in changes] == [("grew", "x")]
    texts = [item for item in seen.items if isinstance(item, TextItem)]
    assert len(seen.items) == 3
    assert len(texts[0].text) == 20_001


def test_every_call_is_a_row_with_its_state() -> None:
    seen = view(
        STARTED,
        e.StepStart(1, 8, 3),
        *(call(f"c{n}") for n in range(7)),
        e.ToolStarted(1, "c0", "search"),
        result("c0"),
        result("c1", "error"),
        result("c2", "denied"),
        result("c3", "repeat", repeat="c0"),
        e.ToolStarted(1, "c4", "search"),
        e.Approval("a1", "c5", "search", {}, "rule"),
    )
    rows = [(row.id, row.state, row.result, row.seconds, row.is_repeat) for row in work_rows(seen)]
    assert rows == [
        ("c0", "done", "c0 found", 0.5, False),
        ("c1", "failed", "c1 found", 0.5, False),
        ("c2", "skipped", "c2 found", 0.5, False),
        ("c3", "done", "c3 found", 0.5, True),
        ("c4", "running", "", None, False),
        ("c5", "waiting", "", None, False),
        ("c6", "pending", "", None, False),
    ]
    assert [wait.kind for wait in seen.open_waits] == ["approval"]
    summary = work_summary(seen)
    assert (len(summary.tools), summary.failures, summary.waiting, summary.count) == (3, 1, 1, 0)
    seen.apply(e.LoopError("cancelled", ErrorInfo("CANCELLED", "")), 1.0)
    assert {row.state for row in work_rows(seen)[4:]} == {"stopped"}
    assert not seen.open_waits


def test_a_call_that_ends_with_a_question_to_the_person_has_not_failed() -> None:
    """A calendar of a plan without a date asks for it: the work said "1 failed" beside the form."""
    form = Card("form", {"title": "When does the trip start?", "fields": []}).to_json()
    asking = result("c0", "error", display=form)
    plain = result("c1", "error", display=Card("table", {}).to_json())
    seen = view(STARTED, e.StepStart(1, 8, 3), call("c0"), call("c1"), asking, plain)
    assert [row.state for row in work_rows(seen)] == ["asks", "failed"]
    assert work_summary(seen).failures == 1
    assert [tool_state(one) for one in (asking, plain)] == ["asks", "failed"]


def test_a_plan_says_how_many_rows_there_will_be_and_where_the_run_is() -> None:
    steps = (
        PlanStep(1, "search", {"q": "x"}, "look for it"),
        PlanStep(2, "none", {}, "think it over"),
        PlanStep(3, "save", {}, "keep it"),
    )
    seen = view(STARTED, e.PlanMade("goal", steps, 1))
    assert seen.place == (0, 3)
    assert [(row.name, row.state) for row in work_rows(seen)] == [
        ("search", "pending"),
        ("", "pending"),
        ("save", "pending"),
    ]
    for event in (
        e.PlanStepChanged(1, "running"),
        call("c1", plan_step=1),
        result("c1"),
        e.PlanStepChanged(1, "done"),
        e.PlanStepChanged(2, "running"),
        call("c2"),
    ):
        seen.apply(event)
    rows = [(row.id, row.description, row.plan_step) for row in work_rows(seen)]
    assert rows == [("c1", "look for it", 1), ("c2", "think it over", 2), ("plan 3", "keep it", 3)]
    assert seen.place == (2, 3)
    assert (seen.activity.kind, seen.activity.number, seen.activity.limit) == ("plan", 2, 3)


def test_waiting_for_the_person_is_no_working_time() -> None:
    seen = view(
        (STARTED, 0.0),
        (e.Approval("a", "c", "save", {}, "rule"), 2.0),
        (e.Question("q", "which?"), 3.0),
        (e.ApprovalAnswer("a", "once"), 6.0),
        (e.Answer("q", "this"), 8.0),
        (e.Retry(1, 2.0, "RATE_LIMIT"), 9.0),
        (e.Token(1, "x"), 11.0),
        (e.LoopEnd("x", "answered", seconds=12.0), 12.0),
    )
    assert (seen.waited, seen.seconds) == (6.0, 6.0)


def test_text_before_a_call_is_no_part_of_the_answer() -> None:
    seen = view(STARTED, e.Token(1, "Let me see."), call("c1"), result("c1"), e.Token(2, "It is "), e.Token(2, "42."))
    assert seen.answer == "It is 42."
    assert seen.text_of(1) == "Let me see."
    seen.apply(e.LoopEnd("It is 42!", "answered"))
    assert seen.answer == "It is 42!"


def test_what_a_step_of_the_plan_says_and_a_replaced_draft_are_no_part_of_the_answer() -> None:
    steps = (PlanStep(1, "none", {}, "think"), PlanStep(2, "none", {}, "think again"))
    seen = view(STARTED, e.PlanMade("goal", steps, 1))
    for number in (1, 2):
        seen.apply(e.PlanStepChanged(number, "running"))
        seen.apply(e.Token(number, f"thought {number}. "))
        seen.apply(e.PlanStepChanged(number, "done"))
    seen.apply(e.Token(3, "A draft."))
    assert seen.answer == "A draft."
    for event in (e.RoundStart(1, 3), e.RoundVerdict(1, "more"), e.Token(4, "The answer.")):
        seen.apply(event)
    assert seen.answer == "The answer."
    remarks = [item.text for item in seen.items if isinstance(item, TextItem) and item.is_remark]
    assert remarks == ["thought 1. ", "thought 2. ", "A draft."]


def test_what_is_taken_back_or_turns_out_to_be_thinking_is_no_answer() -> None:
    seen = view(STARTED, e.Thinking(1, "hm"), e.Token(1, "wrong"), e.Discard(1), e.Token(1, "let me think"))
    seen.apply(e.Reclassify(1, "thinking"))
    assert (seen.answer, seen.text_of(role="thinking")) == ("", "let me think")
    seen.apply(e.Reclassify(1, "token"))
    assert (seen.answer, seen.text_of(role="thinking")) == ("let me think", "")


def test_a_round_says_what_was_missing_what_was_asked_and_what_it_cost() -> None:
    seen = view(
        (STARTED, 0.0),
        (e.StepStart(1, 8, 3), 0.0),
        (e.StepEnd(1, "stop", Usage(10, 1), 900), 1.0),
        (e.RoundStart(1, 3), 1.0),
        (e.RoundVerdict(1, "more", "the price", next=("search",)), 2.0),
        (e.StepStart(2, 8, 3), 2.0),
        (call("c1"), 3.0),
        (e.StepEnd(2, "stop", Usage(20, 2), 900), 5.0),
    )
    (round,) = seen.rounds
    assert round.verdict is not None
    assert (round.verdict.missing, round.verdict.next) == ("the price", ("search",))
    assert (round.usage.total, round.total.total, round.seconds) == (22, 33, 4.0)
    assert work_rows(seen)[0].round == 1


def test_the_answer_card_stands_apart_from_what_supports_it() -> None:
    trip = {"card": "itinerary", "payload": {}, "role": "answer"}
    check = Card("table", {}).to_json()
    seen = view(STARTED, call("c1"), result("c1", display=check), call("c2"), result("c2", display=trip))
    assert answer_cards(seen) == [trip]
    assert supporting_cards(seen) == [check]


def test_runs_at_the_same_time_are_each_in_the_call_that_started_it() -> None:
    calls = [call(id, name="task") for id in ("c1", "c2", "c3")]
    begun = [e.ToolStarted(1, id, "task") for id in ("c1", "c2", "c3")]
    inner = [e.SubRun("r2", "explore", "c2"), e.SubRun("r3", "explore", "c3")]
    seen = view(STARTED, *calls, *begun, *inner, result("c3", name="task"), e.SubRun("r1", "explore", "c1"))
    assert [[sub.run for sub in row.sub_runs] for row in work_rows(seen)] == [["r1"], ["r2"], ["r3"]]
    assert [sub.run for row in work_rows(seen) for sub in row.sub_runs if sub.ended is not None] == ["r3"]


def test_a_run_inside_is_nested_in_the_call_that_started_it() -> None:
    seen = RunView()
    lines = [
        Stamped(0, 0.0, "r", "s", STARTED),
        Stamped(1, 0.1, "r", "s", call("c1", name="task")),
        Stamped(2, 0.2, "r", "s", e.ToolStarted(1, "c1", "task")),
        Stamped(3, 0.3, "r", "s", e.SubRun("inner", "research")),
        Stamped(0, 0.4, "inner", "s", e.LoopStart("research", "react", "m", "look"), "r"),
        Stamped(1, 0.5, "inner", "s", call("c1", name="web_search"), "r"),
        Stamped(0, 0.6, "deeper", "s", e.LoopStart("assistant", "direct", "m", "say"), "inner"),
    ]
    for line in lines:
        seen.take(line)
    (row,) = work_rows(seen)
    inner, deeper = seen.inner(row.sub_runs[0].run), seen.inner("deeper")
    assert inner is not None
    assert inner.start is not None
    assert (row.name, inner.start.agent, [one.name for one in work_rows(inner)]) == ("task", "research", ["web_search"])
    assert deeper is not None
    assert deeper.mode == "direct"
    seen.apply(result("c1", name="task"), 2.0)
    assert row.sub_runs[0].ended == 2.0
