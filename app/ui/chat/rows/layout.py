"""Which parts of an answer stand where: the answer first, the work that led to it folded above (design.md 1 and 3).

    header · work line (plan, calls, rounds, text of steps, supporting cards) · what needs the person · answer · more

Beside an answer card its own summary is shown; the model's text folds under "more" and is never dropped (ruling 40).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.core.tools.card import is_answer

from .items import AssistantRow, CardPart, NotePart, Part, PlanCardPart, RoundPart, TextPart, ToolPart


@dataclass(frozen=True, slots=True)
class AnswerLayout:
    work: tuple[Part, ...] = ()
    shown: tuple[Part, ...] = ()
    more: tuple[Part, ...] = ()
    cards: Mapping[str, CardPart] = field(default_factory=dict)
    """What supports the answer, by the id of the call that made it: shown when that call is unfolded."""

    @property
    def card(self) -> CardPart | None:
        """What the person asked for."""
        return next((part for part in self.shown if isinstance(part, CardPart) and is_answer(part.payload)), None)


def layout_of(item: AssistantRow) -> AnswerLayout:
    parts = item.parts
    last_call = max((place for place, part in enumerate(parts) if isinstance(part, ToolPart)), default=-1)
    answers = [place for place, part in enumerate(parts) if isinstance(part, CardPart) and is_answer(part.payload)]
    if item.is_action and not answers:
        answers = [place for place, part in enumerate(parts) if isinstance(part, CardPart)]
    answer = answers[-1] if answers else -1
    work: list[Part] = []
    shown: list[Part] = []
    more: list[Part] = []
    cards: dict[str, CardPart] = {}
    calls = {part.id for part in parts if isinstance(part, ToolPart)}
    for place, part in enumerate(parts):
        match part:
            case PlanCardPart():
                work.insert(0, part)
            case ToolPart() | RoundPart():
                work.append(part)
            case CardPart():
                call = f"call-{part.id.removeprefix('card-')}"
                if place != answer and call in calls and not _asks(part):
                    cards[call] = part
                else:
                    shown.append(part)
            case TextPart():
                is_step = part.is_remark or place < last_call
                (work if is_step else more if answers else shown).append(part)
            case NotePart(level=level, actions=actions):
                (work if level == "info" and calls and not actions else shown).append(part)
    return AnswerLayout(tuple(work), tuple(shown), tuple(more), cards)


def _asks(part: CardPart) -> bool:
    """A card the person answers stands in sight, whoever made it."""
    own = part.payload if isinstance(part.payload, Mapping) else {}
    if own.get("card") != "checklist":
        return own.get("card") in ("choice", "form", "file")
    payload = own.get("payload")
    items = payload.get("items") if isinstance(payload, Mapping) else None
    return isinstance(items, list) and any(
        isinstance(item, Mapping) and item.get("state") == "error" and item.get("actions") for item in items
    )
