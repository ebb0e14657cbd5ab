"""Two runs, move by move."""

from __future__ import annotations

from dataclasses import replace

from app.core.run.analysis.comparison import compare, moves, summary
from app.core.run.event_values import ErrorInfo
from app.core.run.events import LoopError, RunEvent, Thinking, Token, ToolCalled
from app.core.run.view import view_of
from tests.storage.talk import CALL, END, RETURNED, START, STARTED, WHOLE


def test_the_same_run_has_no_difference_whatever_the_pieces_and_times() -> None:
    again: list[RunEvent] = [replace(RETURNED, ms=99) if event is RETURNED else event for event in WHOLE]
    again = [*again[:-3], Token(1, "It "), Token(1, "is done."), END]
    found = compare(view_of(WHOLE), view_of(again))
    assert found.first_difference is None
    assert all(left == right for left, right in found.rows)


def test_the_first_difference_is_marked_and_the_rest_stays_in_its_row() -> None:
    other = replace(CALL, id="c0", args={"query": "tea"})
    right: list[RunEvent] = [
        START,
        other,
        replace(RETURNED, id="c0"),
        CALL,
        STARTED,
        RETURNED,
        Token(1, "It is done."),
        END,
    ]
    found = compare(view_of(WHOLE), view_of(right))
    assert found.first_difference is not None
    left, there = found.rows[found.first_difference]
    assert left is None
    assert there is not None
    assert "tea" in there.text
    assert found.rows[-1][0] == found.rows[-1][1]


def test_a_run_in_numbers() -> None:
    told = summary(view_of(WHOLE))
    assert (told.mode, told.outcome, told.tools, told.answer) == ("react", "answered", ("search",), "It is done.")
    failed = summary(view_of([START, LoopError("api", ErrorInfo("NETWORK", "no"), partial="It")]))
    assert (failed.outcome, failed.answer) == ("NETWORK", "It")
    assert summary(view_of([])).outcome == ""


def test_text_before_a_call_is_a_move_of_its_own() -> None:
    events: list[RunEvent] = [START, Thinking(1, "hm"), Token(1, "Let me look."), ToolCalled(1, "c", "search", {}), END]
    assert [move.kind for move in moves(view_of(events))] == ["text", "call", "end"]
