"""The final answer as JSON by a schema: found, checked, repaired at most twice, never a lost run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any

from app.core.run.chat_model import AssistantTurn
from app.core.run.events import RunEvent
from app.core.schema import check
from app.core.schema.work import TooMuchWork
from app.core.text.i18n import say_in, worded_in

from ..context import RunContext
from ..finish import fault_in, find_json
from ..request import prompts
from ..step import ModelStep, end_step, without_calls
from .loop import keep_budget, speaking

REPAIRS = 2
MOST_FAULTS = 10
MOST_WORK = 300_000
"""Steps of one check, on a thread beside the window: a second or so."""


async def structured(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    """After a mode has concluded: its answer against the profile's schema."""
    schema, end = ctx.request.profile.output_schema, ctx.state.conclusion
    if schema is None or end is None or end.stop_reason in ("clarification", "plan_only", "filtered"):
        return
    text, language = end.answer, ctx.request.language
    reading = await asyncio.to_thread(read_by_schema, text, schema, language)
    for _repair in range(REPAIRS):
        if not reading.faults or not reading.is_mendable:
            break
        async for event in keep_budget(ctx):
            yield event
        step = ModelStep(ctx, nudge=prompts.schema_repair(schema, reading.faults), purpose="answer", schema=schema)
        async for event in speaking(ctx, step):
            yield event
        for event in end_step(ctx):
            yield event
        text = step.message.text
        ctx.add(without_calls(step.message) if text else AssistantTurn("(nothing)"))
        reading = await asyncio.to_thread(read_by_schema, text, schema, language)
    faults = reading.faults
    ctx.state.structured, ctx.state.structured_error = (
        (reading.value, None) if not faults else (None, "; ".join(faults))
    )
    if not faults:
        ctx.conclude(text, end.stop_reason)


@dataclass(frozen=True, slots=True)
class SchemaReading:
    value: Any = None
    faults: tuple[str, ...] = ()
    """What is wrong, a sentence each."""
    is_mendable: bool = True
    """Another answer may do better: it is not the schema that is at fault."""


def read_by_schema(text: str, schema: Mapping[str, Any], language: str = "en") -> SchemaReading:
    """The JSON of an answer, held against a schema that anybody may have written: nothing is fetched, the work is
    counted."""
    try:
        value = find_json(text)
    except ValueError as error:
        words = say_in(language, "the answer holds no JSON: {error}", error=fault_in(language, error))
        return SchemaReading(faults=(words,))
    try:
        faults = check.faults(schema, value, most=MOST_FAULTS, work=MOST_WORK)
    except TooMuchWork:
        return SchemaReading(
            value, (say_in(language, "the answer cannot be held against the schema: that would take too long"),), False
        )
    except check.Unresolved as error:
        words = say_in(
            language, "the schema refers to {target}, which it does not hold; nothing is fetched", target=error
        )
        return SchemaReading(value, (words,), False)
    return SchemaReading(value, tuple(f"{_place(one)}: {worded_in(language, one.message)}"[:300] for one in faults))


def _place(fault: check.Fault) -> str:
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault.path)
