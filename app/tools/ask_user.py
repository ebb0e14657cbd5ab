"""A question to the person, in the middle of a run."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.core.tools.tool import ToolContext, ToolResult, tool


@tool("user", title=N_("Ask you"), icon="question", read_only=False, exclusive=True)
async def ask_user(
    ctx: ToolContext,
    question: Annotated[str, Field(min_length=1, max_length=2_000)],
    options: Annotated[list[str], Field(max_length=8, description="Answers to choose from, if there are some")] = [],  # noqa: B006 - pydantic copies it
) -> ToolResult:
    """Ask the person one short question and wait for the answer. Only when nothing can be assumed sensibly."""
    if ctx.ask is None:
        raise ToolError("NOBODY_THERE", ctx.say("nobody can answer here"), hint=ctx.say("assume something and say so"))
    answer = await ctx.ask(question, tuple(options))
    return ToolResult.success({"answer": answer}, answer)
