"""The answer by schema as the arguments of a tool: for models that accept tools or a schema in a request, but not both.

The tool is never executed. A message that calls it alone is the answer; if it comes with other calls it is ignored,
because their results are not in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.core.run.chat_model import AssistantTurn, Finished, ToolSpec

NAME = "final_answer"
_DESCRIPTION = "Give the final answer to the whole question, once nothing is missing. Its arguments are the answer."


def offered(schema: Mapping[str, Any] | None, tools: Sequence[ToolSpec]) -> tuple[ToolSpec, ...]:
    """With `tools`, where the schema can be that of arguments and no tool has this name; else none."""
    if schema is None or schema.get("type") != "object" or any(tool.name == NAME for tool in tools):
        return ()
    return (ToolSpec(NAME, _DESCRIPTION, schema),)


def taken(finished: Finished) -> tuple[Finished, str]:
    """The message with the answer as its text, and what of it has not been told yet."""
    turn = finished.turn
    others = tuple(call for call in turn.calls if call.name != NAME)
    if len(others) == len(turn.calls):
        return finished, ""
    if others:
        return replace(finished, turn=replace(turn, calls=others)), ""
    text = ("\n\n" if turn.text.strip() else "") + turn.calls[0].args_text
    finish = "stop" if finished.finish == "tool_calls" else finished.finish
    return replace(finished, turn=_as_text(turn, turn.text + text), finish=finish), text


def _as_text(turn: AssistantTurn, text: str) -> AssistantTurn:
    """What the provider wants back beside a message with calls is not sent with one that has none."""
    return replace(turn, text=text, calls=(), echo=None)
