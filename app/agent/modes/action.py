"""Action: one call that a person made by a button of a card. No model, the same gate, the same log (ruling 39).

It is no mode one can choose, and counts in no rating or estimate.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.core.run.chat_model import CallTurn, ChatModel, ModelChunk, ModelRequest, ModelTraits
from app.core.run.events import RunEvent, ToolReturned
from app.core.run.mode import ACTION as ACTION_ID
from app.core.tools.card import is_answer
from app.core.tools.tool import canonical_args, mend_call

from ..context import RunContext
from ..policy.permission import call_hash
from ..policy.privacy import texts_in
from ..tools.executor import Batch
from .base import Mode

DIALECT = "card"
"""Of the call: no model wrote it."""


class NoModel:
    """Stands where a run needs a model and asks none."""

    ref = ""
    traits = ModelTraits(reads_everything=True)

    def stream(self, _request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        raise AssertionError("a card's button asks no model")

    async def aclose(self) -> None:
        pass


NO_MODEL: ChatModel = NoModel()


@dataclass(frozen=True, slots=True)
class PressedButton:
    """The one call of an action run, and the card that its own card takes the place of."""

    tool: str
    args: Mapping[str, Any]
    run: str
    call: str
    """"" where it takes nobody's place."""


def action_mode(button: PressedButton, *, approves: bool) -> Mode:
    """`approves`: the click answers for this call, as far as `Permissions.decide` lets it."""

    async def action(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
        for event in ctx.enter("executing"):
            yield event
        args, tool, privacy = dict(button.args), ctx.tool(button.tool), ctx.services.privacy
        texts = texts_in(args) if button.tool not in privacy.unguarded else []
        reply = await privacy.reply_to_texts(texts, ctx.request.profile)
        if reply is not None and tool is not None and tool.asks_model:
            ctx.conclude(reply.text, "answered")
            return
        call = CallTurn(next(ctx.services.ids), button.tool, canonical_args(args), args)
        if approves and tool is not None:
            # A form gives texts: the click answers for the call as it runs, with its numbers read.
            ctx.state.clicked.add(call_hash(tool, mend_call(tool, args, ctx.day).args))
        batch = Batch(ctx, [call], hooks=ctx.services.hooks, dialect=DIALECT)
        async for event in batch.events():
            yield _in_its_place(event, button) if isinstance(event, ToolReturned) else event
        result = batch.result_of(call.id)
        outcome = result.summary if result.error is None else result.error.message
        # What somebody wrote into a form is kept, and what a guard says to it stands before that.
        ctx.conclude(f"{reply.text}\n\n{outcome}" if reply is not None else outcome, "answered")

    return Mode(ACTION_ID, action)


def _in_its_place(event: ToolReturned, button: PressedButton) -> ToolReturned:
    """A file or a look-up that a button made stands by itself; a changed answer stands where the old one stood."""
    if not is_answer(event.display) or not button.call:
        return event
    assert event.display is not None
    return replace(event, display={**event.display, "replaces": {"run": button.run, "call": button.call}})
