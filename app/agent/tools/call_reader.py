"""A call of a message as far as its form goes: one of the first, arguments that can be read, a known tool, corrected.

What the hooks make of the arguments, and what they leave unknown, comes after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.core.arguments import Note
from app.core.errors import near_names
from app.core.run.chat_model import CallTurn
from app.core.text.i18n import N_, say_in, worded_in
from app.core.tools.tool import TASK, Tool, ToolResult, mend_call

from ..context import RunContext
from .gate import Turned
from .sound_result import finite_call

MOST_CALLS = 10
"""Calls of one message that are looked at; a model that asks for hundreds has lost its way."""


@dataclass
class ReadCall:
    call: CallTurn
    tool: Tool | None = None
    args: dict[str, Any] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    """What was corrected of the arguments."""
    turned: Turned | None = None
    """Why it cannot run."""


def read_call(ctx: RunContext, call: CallTurn, *, any_number: bool, place: int, hooked: bool) -> ReadCall:
    """`place` of the call in its message; a plan may have `any_number` of calls. `hooked`: rules come after this, and
    may give a field that the tool does not know the name it has, so no stray is noted yet."""
    read = ReadCall(finite_call(call), ctx.tool(call.name))
    try:
        if place >= MOST_CALLS and not any_number:
            why = say_in(ctx.request.language, "only the first {n} calls of a message are made", n=MOST_CALLS)
            hint = say_in(ctx.request.language, "ask for the rest in the next step")
            raise Turned("error", ToolResult.failure("TOO_MANY_CALLS", why, hint=hint))
        answer = _given(read.call, ctx.request.language)
        if read.tool is None:
            raise _unknown(ctx, call.name)
        mended = mend_call(read.tool, answer, ctx.day)
        read.args, read.notes = mended.args, mended.notes
        if read.tool.drops_unknown and not hooked:
            read.notes = [*mended.notes, *mend_call(read.tool, mended.args, ctx.day, drops_unknown=True).notes]
    except Turned as turned:
        read.turned = turned
    return read


def _given(call: CallTurn, language: str) -> Mapping[str, Any]:
    if call.error is not None or call.args is None:
        why = worded_in(language, call.error or N_("the arguments are no JSON object"))
        hint = say_in(language, "send one JSON object")
        raise Turned("error", ToolResult.failure("BAD_ARGUMENTS", why, hint=hint))
    return call.args


def _unknown(ctx: RunContext, name: str) -> Turned:
    near = near_names(name, ctx.services.tools)
    hint = (
        say_in(ctx.request.language, "did you mean {names}?", names=", ".join(near))
        if near
        else say_in(ctx.request.language, "the tools are {names}", names=", ".join(ctx.services.tools))
    )
    if ctx.request.is_inner and name == TASK:
        why = say_in(ctx.request.language, "a helper has no helpers of its own")
        return Turned("error", ToolResult.failure("DEPTH", why, hint=say_in(ctx.request.language, "do it yourself")))
    if ctx.services.permissions.word(name) == "deny":
        why = say_in(ctx.request.language, "{name} is denied to this agent", name=name)
        return Turned(
            "denied", ToolResult.failure("DENIED", why, hint=say_in(ctx.request.language, "go on without it"))
        )
    why = say_in(ctx.request.language, "there is no tool {name}", name=repr(name))
    return Turned("error", ToolResult.failure("UNKNOWN_TOOL", why, hint=hint))
