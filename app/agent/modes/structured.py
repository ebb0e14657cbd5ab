"""The final answer as JSON by a schema: found, checked, repaired at most twice, never a lost run."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any

from app.core.run.chat_model import AssistantTurn
from app.core.run.events import RunEvent

from ..context import RunContext
from ..finish import find_json
from ..request import prompts
from ..step import ModelStep, end_step, without_calls
from .loop import keep_budget, speaking

REPAIRS = 2
MOST_FAULTS = 10


async def structured(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    """After a mode has concluded: its answer against the profile's schema."""
    schema, end = ctx.profile.output_schema, ctx.conclusion
    if schema is None or end is None or end.stop_reason in ("clarification", "plan_only", "filtered"):
        return
    text = end.answer
    value, faults = read_by_schema(text, schema)
    for _repair in range(REPAIRS):
        if not faults:
            break
        async for event in keep_budget(ctx):
            yield event
        step = ModelStep(ctx, nudge=prompts.schema_repair(schema, faults), purpose="answer", schema=schema)
        async for event in speaking(ctx, step):
            yield event
        for event in end_step(ctx):
            yield event
        text = step.message.text
        ctx.add(without_calls(step.message) if text else AssistantTurn("(nothing)"))
        value, faults = read_by_schema(text, schema)
    ctx.structured, ctx.structured_error = (value, None) if not faults else (None, "; ".join(faults))
    if not faults:
        ctx.conclude(text, end.stop_reason)


def read_by_schema(text: str, schema: Mapping[str, Any]) -> tuple[Any, tuple[str, ...]]:
    """The JSON of an answer and what is wrong with it, a sentence each."""
    from jsonschema import Draft202012Validator

    try:
        value = find_json(text)
    except ValueError as error:
        return None, (f"the answer holds no JSON: {error}",)
    faults = sorted(Draft202012Validator(dict(schema)).iter_errors(value), key=lambda error: list(map(str, error.path)))
    return value, tuple(f"{error.json_path}: {error.message}"[:300] for error in faults[:MOST_FAULTS])
