"""What a model's tool calls say of the question: the slots of the domain that their arguments fill.

A model without rules reports no slots of its own; what it made of the question is in its calls. So the chips of the
window show the same as with the offline rules. Slots of earlier questions stay, as remembered ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.core.reading.numerals import numbers
from app.core.reading.text import normalise
from app.core.run.chat_model import UserTurn
from app.core.run.events import Understood
from app.core.run.messages import Fact, Message
from app.core.run.understood import UnderstoodSlot
from app.core.slots import SlotArgument
from app.core.text.i18n import say_in

from .context import RunContext


def understood_of_calls(ctx: RunContext) -> Iterator[Understood]:
    """One event where the calls that have succeeded since the last look changed a slot."""
    calls, ctx.state.fresh_arguments = ctx.state.fresh_arguments, []
    if ctx.state.model_reads_slots or not ctx.request.slot_arguments:
        return
    by_id = {slot.id: slot for slot in (ctx.state.understood or ctx.state.slots_before)}
    for args in calls:
        for declared in ctx.request.slot_arguments:
            value = _value(args, declared)
            if value is not None and (declared.id not in by_id or by_id[declared.id].value != value):
                by_id[declared.id] = _slot(declared, value, ctx)
    slots = tuple(by_id[declared.id] for declared in ctx.request.slot_arguments if declared.id in by_id)
    if calls and slots and slots != ctx.state.understood:
        ctx.state.understood = slots
        yield Understood(ctx.state.step, slots)


def slots_of_history(history: Sequence[Message]) -> tuple[UnderstoodSlot, ...]:
    """What the newest answer understood, as remembered slots; what was assumed stays so."""
    facts = (part.event for message in reversed(history) for part in reversed(message.parts) if isinstance(part, Fact))
    newest = next((event.slots for event in facts if isinstance(event, Understood) and event.slots), ())
    return tuple(
        replace(slot, source="remembered") if slot.source == "said" else slot
        for slot in newest
        if slot.source != "unknown"
    )


def _value(args: Mapping[str, Any], declared: SlotArgument) -> Any:
    for path in declared.arguments:
        value: Any = args
        for name in path.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        items = value if isinstance(value, list) else [value]
        if items and all(isinstance(item, str | int | float) and item != "" for item in items):
            return value
    return None


def _slot(declared: SlotArgument, value: Any, ctx: RunContext) -> UnderstoodSlot:
    items, language = value if isinstance(value, list) else [value], ctx.request.language
    joint = say_in(language, "{first}, {next}", first="", next="")
    kinds = ((bool, "flag"), (int | float, "number"), (list, "list"))
    is_said = all(_is_said(item, normalise(ctx.request.query)) for item in items)
    return UnderstoodSlot(
        declared.id,
        say_in(language, declared.label),
        value,
        joint.join(map(str, items)),
        "said" if is_said else "assumed",
        sum(isinstance(turn, UserTurn) for turn in ctx.state.turns) if is_said else 0,
        next((kind for cls, kind in kinds if isinstance(value, cls)), "text"),
    )


def _is_said(item: str | float, question: str) -> bool:
    """Whether the question has it in these words; the model may have chosen it else."""
    if isinstance(item, str):
        return normalise(item) in question
    return any(number.value == item for number in numbers(question))
