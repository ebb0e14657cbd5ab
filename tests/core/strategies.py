"""Events and messages for property tests, drawn from the types themselves."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, get_args

from hypothesis import strategies as st

from app.core.run.chat_model import Usage
from app.core.run.event_values import CallStatus, ErrorInfo, ErrorReason, PhaseName, StopReason
from app.core.run.events import (
    Compacted,
    Discard,
    LoopEnd,
    LoopError,
    LoopStart,
    Notice,
    PhaseStart,
    PlanMade,
    PlanStepChanged,
    Reclassify,
    RunEvent,
    StepEnd,
    StepStart,
    Terminal,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
    ToolStarted,
    Understood,
)
from app.core.run.messages import Attachment, Call, Fact, Message, Part, PlanPart, Reasoning, Text
from app.core.run.outcome import outcome_of
from app.core.run.plan import Plan, PlanStep, PlanStepStatus
from app.core.run.understood import SlotSource, UnderstoodSlot

TEXT = st.text(max_size=12)
WORDS = st.text(min_size=1, max_size=12)
STEPS = st.integers(1, 4)
IDS = st.sampled_from(["c1", "c2", "c3"])
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(TEXT, JSON, max_size=3)
COUNTS = st.integers(0, 10**9)
USAGE = st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS, st.booleans())
PLAN_STEPS = st.builds(
    PlanStep,
    step=st.integers(1, 4),
    action=WORDS,
    params=OBJECTS,
    description=WORDS,
    needs=st.lists(STEPS, max_size=3).map(tuple),
    status=st.sampled_from(get_args(PlanStepStatus)),
    error=TEXT,
)

SLOTS = st.builds(
    UnderstoodSlot,
    id=WORDS,
    label=TEXT,
    value=OBJECTS,
    source=st.sampled_from(get_args(SlotSource)),
    choices=st.lists(st.tuples(WORDS, TEXT), max_size=2).map(tuple),
)
STARTS = st.builds(LoopStart, WORDS, WORDS, WORDS, TEXT, OBJECTS)
CALLED = st.builds(ToolCalled, STEPS, IDS, WORDS, OBJECTS, why=st.none() | WORDS, plan_step=st.none() | STEPS)
RETURNED = st.builds(
    ToolReturned,
    step=STEPS,
    id=IDS,
    name=WORDS,
    ok=st.booleans(),
    status=st.sampled_from(get_args(CallStatus)),
    summary=TEXT,
    text=TEXT,
    chars=COUNTS,
    kept_chars=COUNTS,
    truncated=st.booleans(),
    ms=COUNTS,
    display=st.none() | OBJECTS,
    error=st.none() | OBJECTS,
    repeat=st.none() | IDS,
)
ENDS: st.SearchStrategy[Terminal] = st.builds(
    LoopEnd, TEXT, st.sampled_from(get_args(StopReason)), usage=USAGE, tools=st.lists(WORDS, max_size=2).map(tuple)
) | st.builds(
    LoopError,
    st.sampled_from(get_args(ErrorReason)),
    st.builds(ErrorInfo, WORDS, TEXT, TEXT, st.booleans(), OBJECTS),
    partial=TEXT,
    usage=USAGE,
)
FACTS: st.SearchStrategy[RunEvent] = st.one_of(
    st.builds(StepStart, STEPS, STEPS, COUNTS),
    st.builds(StepEnd, STEPS, WORDS, USAGE, COUNTS, st.none() | COUNTS, st.none() | OBJECTS),
    st.builds(PhaseStart, st.sampled_from(get_args(PhaseName)), TEXT),
    st.builds(Notice, WORDS, TEXT, OBJECTS),
    st.builds(Understood, STEPS, st.lists(SLOTS, max_size=2).map(tuple), st.none() | OBJECTS),
    st.builds(Compacted, COUNTS, COUNTS, st.lists(WORDS, max_size=2).map(tuple)),
)
EVENTS: st.SearchStrategy[RunEvent] = st.one_of(
    st.builds(Token, STEPS, WORDS),
    st.builds(Thinking, STEPS, WORDS),
    st.builds(Discard, STEPS),
    st.builds(Reclassify, STEPS, st.sampled_from(["thinking", "token"])),
    st.builds(PlanMade, TEXT, st.lists(PLAN_STEPS, min_size=1, max_size=3).map(tuple), st.integers(1, 3)),
    st.builds(PlanStepChanged, STEPS, st.sampled_from(get_args(PlanStepStatus)), st.none() | TEXT),
    CALLED,
    st.builds(ToolStarted, STEPS, IDS, WORDS),
    RETURNED,
    FACTS,
)


@st.composite
def messages(draw: st.DrawFn) -> Message:
    """An answer as a run leaves it: neighbours of one kind and step are one part, ids are unique."""
    parts: list[Part] = []
    for kind in draw(st.lists(st.sampled_from(["text", "reasoning", "call", "plan", "fact"]), max_size=8)):
        parts.append(_part(draw, kind, len(parts)))
    joined = [
        part
        for place, part in enumerate(parts)
        if not (place and _joins(parts[place - 1], part)) and not (_is_plan(part) and any(map(_is_plan, parts[:place])))
    ]
    while any(_joins(a, b) for a, b in pairwise(joined)):
        joined = [part for place, part in enumerate(joined) if not (place and _joins(joined[place - 1], part))]
    end = draw(st.none() | ENDS)
    return Message(
        "m", "assistant", tuple(joined), draw(st.floats(0, 1e10)), None, draw(st.none() | WORDS),
        draw(st.none() | STARTS), end, outcome_of(end).state if end else "streaming",
    )  # fmt: skip


def _part(draw: st.DrawFn, kind: str, place: int) -> Part:
    match kind:
        case "text":
            return Text(draw(WORDS), draw(STEPS))
        case "reasoning":
            return Reasoning(draw(WORDS), draw(STEPS))
        case "plan":
            return PlanPart(Plan(draw(TEXT), tuple(draw(st.lists(PLAN_STEPS, max_size=2))), draw(STEPS)))
        case "fact":
            return Fact(draw(FACTS))
    made = draw(CALLED)
    call = ToolCalled(made.step, f"c{place}", made.name, made.args, made.dialect, made.why, made.plan_step)
    result = draw(st.none() | RETURNED)
    if result is not None:
        fields = {name: getattr(result, name) for name in result.__slots__}
        result = ToolReturned(**{**fields, "id": call.id})
    return Call(call, draw(st.booleans()), result)


def _joins(before: Part, part: Part) -> bool:
    return (
        type(before) is type(part) and isinstance(part, Text | Reasoning) and getattr(before, "step", None) == part.step
    )


def _is_plan(part: Part) -> bool:
    return isinstance(part, PlanPart)


ATTACHMENTS = st.builds(Attachment, WORDS, WORDS, TEXT, TEXT)
