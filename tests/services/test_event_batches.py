"""Texts that follow one another are one line of the log, and nobody who reads it is told anything else."""

from __future__ import annotations

from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from app.core.run.event_line import Stamped
from app.core.run.events import LoopStart, RunEvent, Thinking, Token, ToolText
from app.core.run.transcript import Fold, fold
from app.services.runs.event_batches import Gathering
from tests.core.strategies import ENDS, EVENTS, STEPS
from tests.services.test_chat import said

MOST = 20
DELTAS = st.builds(Token, STEPS, st.text(max_size=9)) | st.builds(Thinking, STEPS, st.text(max_size=9))
LINES = st.lists(st.one_of(DELTAS, DELTAS, DELTAS, EVENTS), max_size=60)
MOMENTS = st.lists(st.integers(0, 60), max_size=8).map(set)


def stamped(events: list[RunEvent]) -> list[Stamped]:
    return [Stamped(seq, seq / 8, "r", "s", event, "outer") for seq, event in enumerate(events)]


def gathered(lines: list[Stamped], given_at: set[int], refused_at: set[int]) -> list[Stamped]:
    """As a log has it: given in batches, some of them refused by the disk and given again."""
    gathering = Gathering(MOST)
    log: list[Stamped] = []
    for place, line in enumerate(lines):
        gathering.take(line)
        if place in given_at | refused_at:
            batch = gathering.give()
            if place in refused_at:
                gathering.give_back(batch)
            else:
                log += batch
    return log + gathering.give()


@given(LINES, ENDS, MOMENTS, MOMENTS)
def test_the_log_tells_what_was_said_live_and_counts_its_own_lines(
    events: list[RunEvent], end: RunEvent, given_at: set[int], refused_at: set[int]
) -> None:
    live = stamped([LoopStart("assistant", "react", "m", "q"), *events, end])
    log = gathered(live, given_at, refused_at)
    assert [line.seq for line in log] == list(range(len(log)))
    assert fold([line.event for line in log], "a", run="r") == fold([line.event for line in live], "a", run="r")
    assert said(log) == said(live)
    times = [line.t for line in log]
    assert times == sorted(times)
    assert set(times) <= {line.t for line in live}, "a line has the time of its first piece"


@given(LINES, MOMENTS)
def test_what_is_written_so_far_folds_into_what_is_shown_so_far(events: list[RunEvent], given_at: set[int]) -> None:
    gathering, shown = Gathering(MOST), Fold("a")
    log: list[Stamped] = []
    for place, line in enumerate(stamped(events)):
        gathering.take(line)
        shown.apply(line.event)
        if place in given_at:
            log += gathering.give()
            assert fold([line.event for line in log], "a") == shown.message()


def test_neighbours_of_one_kind_and_step_are_one_line_and_others_are_not() -> None:
    events: list[RunEvent] = [
        Thinking(1, "a"), Thinking(1, "b"), Token(1, "c"), Token(2, "d"), Token(2, "e"),
        ToolText(2, "x", "f"), ToolText(2, "x", "g"), ToolText(2, "y", "h"),
    ]  # fmt: skip
    log = gathered(stamped(events), set(), set())
    assert [line.event for line in log] == [
        Thinking(1, "ab"), Token(1, "c"), Token(2, "de"), ToolText(2, "x", "fg"), ToolText(2, "y", "h"),
    ]  # fmt: skip
    assert [line.t for line in log] == [0.0, 2 / 8, 3 / 8, 5 / 8, 7 / 8]
    assert {line.parent for line in log} == {"outer"}


def test_a_line_that_was_given_does_not_grow() -> None:
    gathering = Gathering(MOST)
    first, second = stamped([Token(1, "on the disk "), Token(1, "and more")])
    gathering.take(first)
    (written,) = gathering.give()
    gathering.take(second)
    (later,) = gathering.give()
    assert (written.event, written.seq) == (Token(1, "on the disk "), 0)
    assert (later.event, later.seq) == (Token(1, "and more"), 1)
    assert gathering.give() == []


@given(st.lists(st.text(min_size=1, max_size=9), min_size=1, max_size=60))
def test_a_long_text_is_several_lines_so_that_a_replay_streams(pieces: list[str]) -> None:
    log = gathered(stamped([Token(1, piece) for piece in pieces]), set(), set())
    sizes = [len(cast(Token, line.event).text) for line in log]
    assert all(size < MOST + 9 for size in sizes)
    assert all(size >= MOST for size in sizes[:-1])


def test_the_characters_that_wait_are_counted_from_the_last_batch_on() -> None:
    gathering = Gathering(MOST)
    for line in stamped([Token(1, "abc"), Thinking(1, "de"), Token(1, "f")]):
        gathering.take(line)
    assert gathering.chars == 6
    gathering.give()
    assert gathering.chars == 0
