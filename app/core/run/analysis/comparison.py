"""Two runs side by side: what each did, move by move, and where they part."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from ..chat_model import Usage
from ..mode import REACT
from ..outcome import exit_code_of
from ..view import CallItem, EndItem, NoteItem, PlanItem, RoundItem, RunView, TextItem

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


def compare(left: RunView, right: RunView) -> Comparison:
    rows = tuple(_aligned(list(moves(left)), list(moves(right))))
    first = next((n for n, (a, b) in enumerate(rows) if a != b), None)
    return Comparison(summary(left), summary(right), rows, first)


def _aligned(left: list[Move], right: list[Move]) -> Iterator[tuple[Move | None, Move | None]]:
    """What both did is in one row, so that a move more on one side does not shift the rest."""
    for what, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        yield from zip(left[a:b], right[c:d], strict=True) if what == "equal" else zip_longest(left[a:b], right[c:d])


def summary(run: RunView) -> RunSummary:
    """Also of a run that has not ended: then with what there is."""
    start, end = run.start, run.end
    fallback = _fallback(run)
    chosen = run.chosen.mode if run.chosen is not None else ""
    outcome = run.failure.error.code if run.failure is not None else run.stop_reason
    return RunSummary(
        start.agent if start else "",
        " → ".join(mode for mode in (start.mode if start else "", chosen, FALLBACKS.get(fallback, "")) if mode),
        start.model if start else "",
        run.answer if end else "",
        outcome,
        end.steps if end else 0,
        tuple(item.call.name for item in run.calls.values()),
        end.usage if end else Usage(),
        end.seconds if end else 0.0,
        fallback,
    )


def _fallback(run: RunView) -> str:
    codes = (item.notice_code for item in run.items if isinstance(item, NoteItem))
    return next((code for code in codes if code in FALLBACKS), "")


def moves(run: RunView) -> Iterator[Move]:
    """What is told of a run: times, ids and the size of pieces are left out, they always differ."""
    text = ""
    for item in run.items:
        match item:
            case TextItem(role="visible"):
                text += item.text
            case NoteItem() if item.event is run.chosen and run.chosen is not None:
                yield Move("mode", f"{run.chosen.mode} ({run.chosen.reason})")
            case NoteItem(notice_code=code) if code in FALLBACKS:
                yield Move("fallback", f"{FALLBACKS[code]} ({code})")
            case PlanItem(versions=versions):
                for plan in versions:
                    steps = (f"{one.step}. {one.action}: {one.description}" for one in plan.steps)
                    yield Move("plan", "\n".join([plan.goal, *steps]))
            case CallItem():
                if text.strip():
                    yield Move("text", text)
                text = ""
                yield from _call(item)
            case RoundItem(verdict=verdict) if verdict is not None:
                yield Move("verdict", verdict.verdict)
            case EndItem():
                if text.strip() and text != item.answer:
                    yield Move("text", text)
                error = item.failure.error if item.failure is not None else None
                ended = f"{error.code}: {error.message}" if error else f"{item.stop_reason}: {item.answer}"
                yield Move("end", ended)
            case _:
                pass


def _call(item: CallItem) -> Iterator[Move]:
    args = json.dumps(dict(item.call.args), ensure_ascii=False, sort_keys=True, default=str)
    yield Move("call", f"{item.call.name} {args}")
    if item.result is not None:
        yield Move("result", f"{item.call.name} {item.result.status}: {item.result.summary}")
