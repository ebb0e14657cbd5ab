"""Events become the same row whether they are seen live or read from the disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from app.core.run import events as e
from app.core.run.chat_model import Usage
from app.core.run.event_values import CallStatus, ErrorInfo
from app.core.run.messages import user_message
from app.core.run.plan import PlanStep
from app.core.run.transcript import fold
from app.core.run.view import RunView
from app.core.wording.figures import kept_text
from app.core.wording.runs import using_tool
from app.ui.chat.rows.items import (
    AssistantRow,
    CardPart,
    LaterRow,
    NotePart,
    Pause,
    PlanCardPart,
    RoundPart,
    TextPart,
    ToolPart,
    UserRow,
)
from app.ui.chat.rows.row_actions import Follow, Plain
from app.ui.run_presenter import AnswerBuilder, RunProgress
from app.ui.run_presenter.canvas import RowCanvas
from app.ui.run_presenter.stored import AgentLabel, answer_row, blank_row, rows_of

FACES = {"travel": AgentLabel("Travel planner", "map")}
END = e.LoopEnd("It is 42.", "enough", usage=Usage(100, 20), steps=2, seconds=3.5)


def call(id: str = "c1") -> e.ToolCalled:
    return e.ToolCalled(1, id, "calculator", {"expression": "6*7"})


def result(id: str = "c1", status: CallStatus = "ok", **more: Any) -> e.ToolReturned:
    return e.ToolReturned(1, id, "calculator", status == "ok", status, "42", "42", 2, 2, False, 7, **more)


RUN: tuple[e.RunEvent, ...] = (
    e.LoopStart("travel", "auto", "script/x", "what is 6*7?"),
    e.ModeSelected("react", "lookup_words", ("查询",)),
    e.PhaseStart("understanding"),
    e.StepStart(1, 8, 3),
    e.Thinking(1, "multiply"),
    e.Token(1, "Let me "),
    e.Token(1, "see."),
    call(),
    e.ToolStarted(1, "c1", "calculator"),
    result(display={"card": "table", "payload": {}}),
    e.StepEnd(1, "tool_calls", Usage(50, 10), 900),
    e.RoundStart(2, 3),
    e.RoundVerdict(2, "more", missing="the price", next=("calculator",)),
    e.StepStart(2, 8, 3),
    e.Token(2, "It is 42."),
    e.StepEnd(2, "stop", Usage(50, 10), 700),
    END,
)


def live(events: Sequence[e.RunEvent]) -> tuple[AssistantRow, RowCanvas]:
    canvas = RowCanvas(blank_row("m1", "travel", FACES, 0.0))
    answer, view = AnswerBuilder(canvas), RunView()
    for event in events:
        answer.show(view, view.apply(event))
    return canvas.row(), canvas


def parts(events: Sequence[e.RunEvent], kind: type) -> list[Any]:
    return [part for part in live(events)[0].parts if isinstance(part, kind)]


def test_a_stored_answer_looks_as_it_did_live() -> None:
    seen, _canvas = live(RUN)
    stored = answer_row(fold(RUN, "m1"), FACES)
    assert stored == seen
    assert stored.agent == "Travel planner"


def test_parallel_calls_look_live_as_they_do_stored() -> None:
    """Each card stands with its call, though all calls came before the first result."""
    card = {"card": "table", "payload": {}}
    both = (call("c1"), call("c2"), result("c2", display=card), result("c1", display=card))
    run = (RUN[0], e.StepStart(1, 8, 3), *both, e.Token(2, "It is 42."), END)
    seen, _canvas = live(run)
    assert [part.id for part in seen.parts][:4] == ["call-c1", "card-c1", "call-c2", "card-c2"]
    stored = answer_row(fold(run, "m1"), FACES)
    assert [part.id for part in stored.parts][:4] == ["call-c1", "card-c1", "call-c2", "card-c2"]
    assert stored == seen


def test_the_row_tells_the_run_in_its_order() -> None:
    row, _canvas = live(RUN)
    assert [type(part) for part in row.parts] == [TextPart, ToolPart, CardPart, RoundPart, TextPart]
    assert (row.mode, row.mode_reason) == ("ReAct", "ReAct – matched: 查询")
    assert (row.stop_reason, row.seconds, row.tokens) == ("Knew enough", 3.5, 120)
    part = row.parts[3]
    assert isinstance(part, RoundPart)
    report = part.report
    assert (report.number, report.limit, report.verdict, report.missing) == (2, 3, "more", "the price")
    assert report.next == ("calculator",)
    assert not row.busy


def test_text_taken_back_disappears_and_text_that_was_thinking_too() -> None:
    assert parts([e.Token(1, "half an ans"), e.Discard(1), e.Token(1, "an answer")], TextPart)[0].text == "an answer"
    assert parts([e.Token(1, "hm, let me think"), e.Reclassify(1, "thinking")], TextPart) == []
    shown = parts([e.Thinking(1, "It is 42."), e.Reclassify(1, "token")], TextPart)
    assert [part.text for part in shown] == ["It is 42."]


def test_an_answer_that_never_streamed_is_shown_once() -> None:
    assert [part.text for part in parts([END], TextPart)] == ["It is 42."]
    assert [part.text for part in parts([e.Token(1, "It is 42.\n"), END], TextPart)] == ["It is 42.\n"]


@pytest.mark.parametrize(
    ("status", "state"),
    [("ok", "done"), ("error", "failed"), ("denied", "skipped"), ("blocked", "skipped"), ("interrupted", "stopped")],
)
def test_every_outcome_of_a_call_has_a_state(status: CallStatus, state: str) -> None:
    assert parts([call(), result(status=status)], ToolPart)[0].state == state


def test_a_repeat_says_that_nothing_ran() -> None:
    assert parts([call(), result(status="repeat", repeat="c0")], ToolPart)[0].repeated


def test_a_repeat_paints_no_card_again_in_logs_of_before_either() -> None:
    card = {"card": "table", "payload": {}}
    again = result("c1", status="repeat", repeat="c0", display=card)
    assert [part.id for part in parts([call("c0"), result("c0", display=card), call("c1"), again], CardPart)] == [
        "card-c0"
    ]


def test_what_was_kept_from_an_earlier_run_says_its_age() -> None:
    part = parts([call(), result(cached=True, age=300.0)], ToolPart)[0]
    assert (part.age, part.milliseconds) == (300.0, None)


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (59.0, "kept from a moment ago"),
        (60.0, "kept from 1 minute ago"),
        (7_199.0, "kept from 119 minutes ago"),
        (7_200.0, "kept from 2 hours ago"),
    ],
)
def test_ages_are_told_in_minutes_and_hours(age: float, words: str) -> None:
    assert kept_text(age) == words


def test_a_retry_is_told_and_forgotten_when_it_worked() -> None:
    retry = e.Retry(1, 2.0, "RATE_LIMIT")
    assert "Trying again" in parts([retry], NotePart)[0].text
    assert parts([retry, e.Token(1, "ok"), e.StepEnd(1, "stop", Usage(), 5)], NotePart) == []
    assert live([retry])[0].pause == Pause(2.0, 2.0)
    assert live([retry, e.Token(1, "ok")])[0].pause is None


def test_an_error_tells_what_happened_what_to_do_and_what_the_provider_said() -> None:
    error = e.LoopError("api", ErrorInfo("AUTH", "Incorrect API key provided"), partial="")
    note = parts([error], NotePart)[-1]
    assert note.level == "error"
    assert "did not accept the key" in note.text
    assert "Incorrect API key provided" in note.hint
    assert [action.what for action in note.actions] == [Follow("providers"), Follow("retry"), Follow("model")]


def test_an_error_of_a_provider_names_its_place_and_one_that_may_pass_is_no_red_one() -> None:
    """What happened and where, in one sentence; at most three ways out."""
    at: dict[str, Any] = {"address": "api.example.com:443"}
    cases: list[tuple[str, dict[str, Any], str, str]] = [
        ("AUTH", at, "error", "api.example.com:443 does not accept this key."),
        ("NETWORK", at, "error", "Cannot reach api.example.com:443."),
        ("RATE_LIMIT", {**at, "retry_after": 41.6}, "warn", "api.example.com:443 is busy, wait 42 s."),
        ("RATE_LIMIT", {**at, "retry_after": None}, "warn", "api.example.com:443 is busy."),
        ("SERVER", at, "warn", "api.example.com:443 has trouble."),
    ]  # fmt: skip
    wrong = []
    for code, params, level, words in cases:
        note = parts([e.LoopError("api", ErrorInfo(code, "because", params=params))], NotePart)[-1]
        if (note.level, note.text) != (level, words) or not 2 <= len(note.actions) <= 3 or not note.hint:
            wrong.append((code, note))
    assert wrong == []


def test_stopping_tells_the_round_and_what_was_kept() -> None:
    stopped = e.LoopError("cancelled", ErrorInfo("CANCELLED", "stopped"), partial="x")
    row, _canvas = live([e.RoundStart(2, 3), call(), result(), stopped])
    assert row.stop_reason == "Stopped by you in round 2; 1 result kept"
    assert [action.what for action in row.actions][:2] == [Plain.REGENERATE, Plain.CONTINUE]


@pytest.mark.parametrize(
    ("status", "kept", "took"),
    [("ok", 1, 7), ("error", 0, 7), ("interrupted", 0, None), ("denied", 0, None), ("repeat", 1, None)],
)
def test_R35_only_what_came_back_is_a_result_that_was_kept(status: CallStatus, kept: int, took: int | None) -> None:
    stopped = e.LoopError("cancelled", ErrorInfo("CANCELLED", "stopped"), partial="x")
    row, _canvas = live([call(), result(status=status), stopped])
    assert row.stop_reason == ("Stopped by you; 1 result kept" if kept else "Stopped by you")
    (part,) = [part for part in row.parts if isinstance(part, ToolPart)]
    assert part.milliseconds == took


def test_a_plan_is_a_part_of_the_answer_and_follows_its_steps() -> None:
    steps = (PlanStep(1, "search", {}, "look"), PlanStep(2, "none", {}, "think"))
    row, _canvas = live([e.PlanMade("three days", steps, 1), e.PlanStepChanged(1, "failed", "no network")])
    (plan,) = [part for part in row.parts if isinstance(part, PlanCardPart)]
    assert [(step.title, step.state, step.note) for step in plan.steps] == [
        ("look", "failed", "no network"),
        ("think", "waiting", ""),
    ]


def test_stored_messages_become_rows_that_are_made_when_they_are_needed() -> None:
    plan = e.PlanMade("goal", (PlanStep(1, "none", {}, "think"),), 1)
    messages = [
        user_message("q1", "one", created=0.0),
        fold(RUN, "a1"),
        user_message("q2", "two", created=0.0),
        fold((RUN[0], plan, END), "a2"),
    ]
    rows = list(rows_of(messages, FACES))
    assert [type(row) for row in rows] == [LaterRow] * 4
    first, last = rows[1], rows[3]
    assert isinstance(first, LaterRow)
    assert isinstance(last, LaterRow)
    question = rows[0]
    assert isinstance(question, LaterRow)
    assert isinstance(asked := question.make(), UserRow)
    assert asked.text == "one"
    made, newest = first.make(), last.make()
    assert isinstance(made, AssistantRow)
    assert isinstance(newest, AssistantRow)
    assert Plain.REGENERATE in [action.what for action in made.actions]
    assert Plain.CONTINUE not in [action.what for action in made.actions]
    assert newest.actions


def test_progress_tells_the_state_in_words() -> None:
    view, progress, words = RunView(), RunProgress(), []
    for event in RUN:
        view.apply(event)
        if progress.show(view):
            words.append(progress.words)
    assert words == [
        "Understanding the task",
        "Thinking",
        "Writing the answer",
        using_tool("calculator"),
        "Reflecting (2/3)",
        "Ready",
    ]
    assert progress.is_over


def test_progress_counts_the_steps_of_a_plan() -> None:
    view, progress = RunView(), RunProgress()
    steps = tuple(PlanStep(n, "none", {}, "x") for n in (1, 2, 3, 4))
    view.apply(e.PlanMade("goal", steps, 1))
    view.apply(e.PlanStepChanged(2, "running"))
    progress.show(view)
    assert progress.words == "Plan 2/4"


def test_what_a_tool_writes_is_shown_until_its_result_takes_its_place() -> None:
    begun: list[e.RunEvent] = [*RUN[:4], call(), e.ToolStarted(1, "c1", "calculator")]
    writing = [*begun, e.ToolText(1, "c1", "The ferry "), e.ToolText(1, "c1", "left.")]
    [text] = parts(writing, TextPart)
    assert text.text == "The ferry left."
    canvas = RowCanvas(blank_row("m1", "travel", FACES, 0.0))
    view = RunView()
    for event in writing:
        view.apply(event)
    AnswerBuilder(canvas).show_all(view)
    assert [part.text for part in canvas.row().parts if isinstance(part, TextPart)] == ["The ferry left."]
    assert parts([*writing, result()], TextPart) == []
