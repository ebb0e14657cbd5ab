"""What a reflection round did: its verdict, what it found, what it cost, and what it changed in the answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from ..view import RoundItem, RunView, TextItem

LONGEST = 40_000
"""Characters of an answer above which changes are looked for line by line."""
MOST_COMPARED = 1_000_000
"""Pairs of words; above it the time would be felt."""
_WORDS = re.compile(r"[A-Za-z0-9_.,%¥$€'’-]+|\s+|.", re.DOTALL)
"""A word, a gap, or one character: Chinese has no gaps between its words."""
_LINES = re.compile(r"[^\n]*\n|[^\n]+")


class Piece(NamedTuple):
    kind: Literal["same", "removed", "added"]
    text: str


@dataclass(frozen=True, slots=True)
class RoundReport:
    number: int
    limit: int
    verdict: str = ""
    """enough or more; "" while it is not known."""
    missing: str = ""
    next: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    """What its tools returned, in half a line each."""
    tokens: int = 0
    seconds: float = 0.0
    """Of its request and its tools; waiting for the person does not count."""
    draft: str = ""
    """The answer it came to; "" = it only looked further."""
    before: str = ""
    """The answer before it, if there was one."""
    first_step: int = 0
    """The request it began with; 0 = not known."""
    can_answer: bool = False
    """The run went on behind it, so its answer is another one."""
    answer_tokens: int = 0
    """What an answer from its results would cost, by the request that followed it; 0 = not known."""


def round_report(view: RunView, item: RoundItem) -> RoundReport:
    verdict, number = item.verdict, item.number
    steps = [step for step in view.steps.values() if step.round == number and step.end is not None]
    calls = [call for call in view.calls.values() if call.round == number and call.result is not None]
    model = sum(step.end.ms for step in steps if step.end is not None) / 1_000
    tools = max((call.result.ms for call in calls if call.result is not None), default=0) / 1_000
    later = [step for step in view.steps.values() if step.round > number and step.end is not None]
    following = min(later, key=lambda step: step.step, default=None)
    is_last = bool(view.rounds) and view.rounds[-1] is item
    return RoundReport(
        number,
        item.limit,
        verdict.verdict if verdict is not None else "",
        (verdict.missing or "") if verdict is not None else "",
        verdict.next if verdict is not None else (),
        tuple(call.result.summary for call in calls if call.result is not None and call.result.summary),
        sum(step.end.usage.total for step in steps if step.end is not None),
        model + tools,
        view.answer if is_last and view.is_over and not view.failure else _draft(view, number),
        next((text for n in range(number - 1, -1, -1) if (text := _draft(view, n))), ""),
        min((step.step for step in steps), default=0),
        can_answer=not is_last and view.is_over,
        answer_tokens=following.end.usage.total if following is not None and following.end is not None else 0,
    )


def _draft(view: RunView, number: int) -> str:
    """What the last request of a round said without calling anything."""
    with_calls = {call.step for call in view.calls.values()}
    steps = [step.step for step in view.steps.values() if step.round == number and step.step not in with_calls]
    if not steps:
        return ""
    texts = (item for item in view.items if isinstance(item, TextItem) and item.role == "visible")
    return "".join(item.text for item in texts if item.step == max(steps)).strip()


def changed_words(before: str, after: str) -> tuple[Piece, ...]:
    """`after` against `before`, word by word; neighbours of one kind are joined. What would take long is one change."""
    parts = _LINES if len(before) + len(after) > LONGEST else _WORDS
    old, new = parts.findall(before), parts.findall(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    left, right = old[start : len(old) - end], new[start : len(new) - end]
    pieces = [Piece("same", "".join(old[:start]))]
    if len(left) * len(right) > MOST_COMPARED:
        pieces += [Piece("removed", "".join(left)), Piece("added", "".join(right))]
    else:
        for what, a, b, c, d in SequenceMatcher(None, left, right).get_opcodes():
            if what == "equal":
                pieces.append(Piece("same", "".join(left[a:b])))
            else:
                pieces += [Piece("removed", "".join(left[a:b])), Piece("added", "".join(right[c:d]))]
    pieces.append(Piece("same", "".join(old[len(old) - end :])))
    return tuple(piece for piece in pieces if piece.text)


def _common(left: list[str], right: list[str]) -> int:
    """How many at the beginning are equal."""
    pairs = zip(left, right, strict=False)
    return next((n for n, (one, other) in enumerate(pairs) if one != other), min(len(left), len(right)))
