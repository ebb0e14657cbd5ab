"""Events to message and back, in any order events may come."""

from __future__ import annotations

import contextlib
import json

from hypothesis import given
from hypothesis import strategies as st

from app.core.run.event_line import EVENT_TYPES, Stamped, event_from_json, event_to_json
from app.core.run.events import Discard, Notice, PlanMade, PlanStepChanged, Reclassify, RunEvent, Thinking, Token
from app.core.run.messages import Fact, Message, PlanPart, Reasoning, Text, user_message
from app.core.run.plan import PlanStep
from app.core.run.transcript import Fold, fold, replay
from tests.core.strategies import ATTACHMENTS, ENDS, EVENTS, STARTS, TEXT, messages


@given(messages())
def test_what_is_replayed_folds_into_itself(message: Message) -> None:
    assert fold(replay(message), message.id, created=message.created, run=message.run) == message


@given(st.lists(EVENTS, max_size=20))
def test_whatever_comes_the_projection_is_stable(said: list[RunEvent]) -> None:
    message = fold(said, "m")
    again = fold(replay(message), "m")
    assert again.text == message.text
    assert fold(replay(again), "m") == again


@given(messages())
def test_a_message_survives_its_json(message: Message) -> None:
    body = json.loads(json.dumps(message.to_json()))
    assert Message.from_json(body).to_json() == body


@given(TEXT, st.lists(ATTACHMENTS, max_size=2))
def test_a_question_survives_its_json(text: str, files: list[object]) -> None:
    message = user_message("u", text, created=1.5, attachments=tuple(files))  # type: ignore[arg-type]
    assert Message.from_json(json.loads(json.dumps(message.to_json()))) == message
    assert list(replay(message)) == []


def test_unknown_fields_of_an_imported_message_are_kept() -> None:
    body = {"id": "m", "role": "user", "parts": [{"kind": "text", "text": "x"}], "mood": "curious"}
    assert Message.from_json(body).to_json()["mood"] == "curious"


@given(st.one_of(EVENTS, ENDS, STARTS), st.integers(0, 10**6), st.floats(0, 1e6), st.none() | st.just("parent"))
def test_a_stamped_event_survives_its_line(event: RunEvent, seq: int, t: float, parent: str | None) -> None:
    line = json.loads(json.dumps(Stamped(seq, t, "r", "s", event, parent).to_json()))
    assert (line["v"], line["seq"], line["type"]) == (1, seq, event.type)
    assert Stamped.from_json(line).to_json() == line


def test_unknown_fields_of_a_line_are_passed_over() -> None:
    line = {"v": 1, "seq": 0, "t": 0.0, "run": "r", "session": "s", "type": "token", "step": 1, "text": "x", "new": 1}
    assert Stamped.from_json(line).event == Token(1, "x")


def test_R21_a_list_of_a_damaged_line_holds_what_its_field_says_or_the_line_is_refused() -> None:
    line = {"type": "tool_call", "step": 1, "id": "a", "name": "clock", "args": {}}
    damaged: list[object] = [None, 5, "x", {}, [None], [3], ["code"], [[]]]
    taken = []
    for value in damaged:
        with contextlib.suppress(TypeError):
            taken.append((value, event_from_json({**line, "mended": value})))
    assert taken == []


def test_every_event_has_a_name_of_its_own() -> None:
    assert len(EVENT_TYPES) == len({cls.type for cls in EVENT_TYPES.values()})
    assert all(name == cls.type for name, cls in EVENT_TYPES.items())


def test_fields_that_are_none_are_left_out_of_the_line() -> None:
    assert event_to_json(PlanStepChanged(1, "done")) == {"type": "plan_step", "step": 1, "status": "done"}
    assert event_from_json({"type": "plan_step", "step": 1, "status": "done"}) == PlanStepChanged(1, "done")


# ---------------------------------------------------------------- the fold


def test_deltas_of_one_kind_and_step_are_one_part() -> None:
    said: list[RunEvent] = [
        Thinking(1, "a"),
        Thinking(1, "b"),
        Token(1, "c"),
        Token(1, "d"),
        Token(2, "e"),
        Thinking(2, "f"),
    ]
    assert fold(said, "m").parts == (Reasoning("ab", 1), Text("cd", 1), Text("e", 2), Reasoning("f", 2))


def test_a_discarded_step_leaves_nothing_of_its_text() -> None:
    said: list[RunEvent] = [
        Token(1, "keep"),
        Thinking(2, "x"),
        Token(2, "gone"),
        Notice("n"),
        Discard(2),
        Token(2, "new"),
    ]
    assert fold(said, "m").parts == (Text("keep", 1), Fact(Notice("n")), Text("new", 2))


def test_reclassified_text_joins_the_thinking_before_it() -> None:
    said: list[RunEvent] = [Thinking(1, "a"), Token(1, "b"), Reclassify(1, "thinking"), Token(1, "c")]
    assert fold(said, "m").parts == (Reasoning("ab", 1), Text("c", 1))


def test_a_plan_is_one_part_as_it_stands_now() -> None:
    steps = (PlanStep(1, "add", {}, "sum"),)
    said: list[RunEvent] = [
        PlanMade("g", steps, 1),
        Token(1, "x"),
        PlanStepChanged(1, "failed", "no"),
        PlanMade("h", steps, 2),
    ]
    plan = fold(said[:3], "m").parts[0]
    assert isinstance(plan, PlanPart)
    assert (plan.plan.steps[0].status, plan.plan.steps[0].error) == ("failed", "no")
    again = fold(said, "m").parts
    assert isinstance(again[0], PlanPart)
    assert (again[0].plan.goal, again[0].plan.version, len(again)) == ("h", 2, 2)


def test_an_answer_without_an_end_is_streaming() -> None:
    assert fold([Token(1, "x")], "m").state == "streaming"


def test_the_visible_text_is_that_of_all_steps_or_of_one() -> None:
    folding = Fold("m")
    for event in (Token(1, "a"), Thinking(1, "no"), Token(2, "b")):
        folding.apply(event)
    assert (folding.visible_text(), folding.visible_text(2)) == ("ab", "b")


def test_results_and_starts_of_unknown_calls_are_passed_over() -> None:
    from app.core.run.events import ToolStarted

    assert fold([ToolStarted(1, "nobody", "add")], "m").parts == ()
