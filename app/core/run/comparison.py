"""Two runs side by side: what each did, move by move, and where they part."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from .chat_model import Usage
from .events import (
    LoopEnd,
    LoopError,
    LoopStart,
    ModeSelected,
    Notice,
    PlanMade,
    RoundVerdict,
    RunEvent,
    ToolCalled,
    ToolReturned,
)
from .messages import Text
from .mode import REACT
from .outcome import exit_code_of
from .transcript import fold

FALLBACKS: Mapping[str, str] = {"direct_fallback": REACT, "plan_fallback": REACT}
"""Notices by which another mode takes over, and which."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run in numbers. `outcome` is its stop reason, or the code of its error."""

    agent: str
    mode: str
    model: str
    answer: str
    outcome: str
    steps: int
    tools: tuple[str, ...]
    usage: Usage
    seconds: float
    fallback: str = ""
    """The code of the notice by which another mode took over; "" = the run did what it was asked in."""

    @property
    def is_success(self) -> bool:
        return exit_code_of(self.outcome) != 1


@dataclass(frozen=True, slots=True)
class Move:
    """One thing a run did. `kind`: mode, fallback, plan, call, result, verdict, text, end."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    left: RunSummary
    right: RunSummary
    rows: tuple[tuple[Move | None, Move | None], ...]
    """Move by move; None where one run has ended."""
    first_difference: int | None
    """Index of the first row that is not equal on both sides; None = the runs did the same."""


def compare(left: Iterable[RunEvent], right: Iterable[RunEvent]) -> Comparison:
    one, other = list(left), list(right)
    rows = tuple(_aligned(list(moves(one)), list(moves(other))))
    first = next((n for n, (a, b) in enumerate(rows) if a != b), None)
    return Comparison(summary(one), summary(other), rows, first)


def _aligned(left: list[Move], right: list[Move]) -> Iterator[tuple[Move | None, Move | None]]:
    """What both did stands in one row, so that a move more on one side does not shift the rest."""
    for what, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        yield from zip(left[a:b], right[c:d], strict=True) if what == "equal" else zip_longest(left[a:b], right[c:d])


def summary(events: Iterable[RunEvent]) -> RunSummary:
    """Also of a run that has not ended: then with what there is."""
    log = list(events)
    start = next((event for event in log if isinstance(event, LoopStart)), None)
    chosen = next((event.mode for event in log if isinstance(event, ModeSelected)), "")
    end = log[-1] if log and isinstance(log[-1], LoopEnd | LoopError) else None
    fallback = next((event.code for event in log if isinstance(event, Notice) and event.code in FALLBACKS), "")
    tools = tuple(event.name for event in log if isinstance(event, ToolCalled))
    answer, outcome = "", ""
    if isinstance(end, LoopEnd):
        answer, outcome = end.answer, end.stop_reason
    elif isinstance(end, LoopError):
        answer, outcome = end.partial, end.error.code
    return RunSummary(
        start.agent if start else "",
        " → ".join(mode for mode in (start.mode if start else "", chosen, FALLBACKS.get(fallback, "")) if mode),
        start.model if start else "",
        answer,
        outcome,
        end.steps if end else 0,
        tools,
        end.usage if end else Usage(),
        end.seconds if end else 0.0,
        fallback,
    )


def moves(events: Iterable[RunEvent]) -> Iterator[Move]:
    """What is told of a run: times, ids and the size of pieces are left out, they always differ."""
    log = list(events)
    texts = {part.step: part.text for part in fold(log, "").parts if isinstance(part, Text) and part.text.strip()}
    for event in log:
        step = getattr(event, "step", None)
        if isinstance(event, ToolCalled) and step in texts:
            yield Move("text", texts.pop(step))
        match event:
            case ModeSelected(mode, reason):
                yield Move("mode", f"{mode} ({reason})")
            case Notice(code) if code in FALLBACKS:
                yield Move("fallback", f"{FALLBACKS[code]} ({code})")
            case PlanMade(goal, steps, _version):
                yield Move(
                    "plan", "\n".join([goal, *(f"{one.step}. {one.action}: {one.description}" for one in steps)])
                )
            case ToolCalled():
                args = json.dumps(dict(event.args), ensure_ascii=False, sort_keys=True, default=str)
                yield Move("call", f"{event.name} {args}")
            case ToolReturned():
                yield Move("result", f"{event.name} {event.status}: {event.summary}")
            case RoundVerdict(_round, verdict):
                yield Move("verdict", verdict)
            case LoopEnd():
                yield from (Move("text", text) for text in texts.values() if text != event.answer)
                yield Move("end", f"{event.stop_reason}: {event.answer}")
            case LoopError():
                yield from (Move("text", text) for text in texts.values())
                yield Move("end", f"{event.error.code}: {event.error.message}")
            case _:
                pass
