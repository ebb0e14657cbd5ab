"""Tool calls that an agent makes itself, as the protocol reports them and as events of our run."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from app.agent.context import RunContext
from app.core.run.chat_model import CallTurn
from app.core.run.events import RunEvent, ToolCalled, ToolReturned, ToolStarted, ToolText
from app.core.tools.tool import ToolFailure, ToolResult, canonical_args
from app.mcp.texts import scrub, scrub_all

from .tools import OWN, diff_card

DIALECT: Final = "acp"
MOST_CALLS: Final = 2_000
LONGEST_TITLE: Final = 500
LONGEST_INPUT: Final = 20_000
LONGEST_TEXT: Final = 100_000
LONGEST_CHANGES: Final = 150_000
"""Characters of all changes of a call that are shown and agreed to: arguments have a limit."""
MOST_CONTENTS: Final = 50
_OVER: Final = ("completed", "failed")


@dataclass(slots=True)
class OwnCall:
    """`id` is ours; the agent's may be anything."""

    id: str
    name: str = OWN["other"].name
    args: dict[str, Any] = field(default_factory=lambda: {"title": ""})
    is_shown: bool = False
    is_started: bool = False
    is_over: bool = False
    written: str = ""
    """As far as it has been shown."""
    contents: list[Any] = field(default_factory=list)

    def learn(self, update: Any) -> None:
        """What an update says beyond what was known; what is shown already stays as it is shown."""
        if update.content is not None:
            self.contents = list(update.content)[:MOST_CONTENTS]
        args = dict(self.args)
        if update.title:
            args["title"] = scrub(update.title)[:LONGEST_TITLE]
        elif not args["title"]:
            args["title"] = scrub(update.tool_call_id)[:LONGEST_TITLE]
        paths = [scrub(one.path)[:4_096] for one in (update.locations or ())]
        paths += [scrub(one.path)[:4_096] for one in self.contents if one.type == "diff"]
        if paths:
            args["paths"] = list(dict.fromkeys([*args.get("paths", ()), *paths]))[:50]
        if update.raw_input not in (None, {}):
            arguments = scrub_all(update.raw_input)
            text = arguments if isinstance(arguments, str) else canonical_args(arguments)
            args["input"] = arguments if len(text) <= LONGEST_INPUT else text[:LONGEST_INPUT]
        if changes := self.changes:
            args["changes"] = changes
        self.args = args
        if update.kind:
            self.name = OWN.get(update.kind, OWN["other"]).name

    @property
    def changes(self) -> list[dict[str, Any]]:
        """Of files, as it shows them: path, old text (None: a new file) and new text."""
        edits = [
            {"path": scrub(one.path)[:4_096], "old": one.old_text and scrub(one.old_text), "new": scrub(one.new_text)}
            for one in self.contents
            if one.type == "diff"
        ]
        return edits if sum(len(one["new"]) + len(one["old"] or "") for one in edits) <= LONGEST_CHANGES else []


class OwnCalls:
    def __init__(self, ctx: RunContext) -> None:
        self._ctx = ctx
        self._known: dict[str, OwnCall] = {}

    def get(self, id: str) -> OwnCall:
        return self._known[id]

    def take(self, update: Any) -> Iterator[RunEvent]:
        """`tool_call`, `tool_call_update` or the call of a permission question; one for an unknown id begins a call.
        What exceeds the limit is not shown.

        Agents announce a call before they know what it is about: it is shown once it is more than announced.
        """
        call = self._known.get(update.tool_call_id)
        if call is None:
            if len(self._known) >= MOST_CALLS:
                return
            call = self._known[update.tool_call_id] = OwnCall(next(self._ctx.services.ids))
        if call.is_over:
            return
        call.learn(update)
        status = getattr(update, "status", None)
        if status in ("in_progress", *_OVER):
            yield from self.show(call)
        if status in ("in_progress", *_OVER) and not call.is_started:
            call.is_started = True
            yield ToolStarted(self._ctx.state.step, call.id, call.name)
        if status in _OVER:
            yield self._returned(call, update, is_ok=status == "completed")
        elif call.is_started and (text := texts_of(call.contents)).startswith(call.written) and text != call.written:
            yield ToolText(self._ctx.state.step, call.id, text[len(call.written) :])
            call.written = text

    def take_question(self, update: Any) -> Iterator[RunEvent]:
        """The call of a permission question: what it shows is about the question, and nothing the call has written."""
        own_call = self._known.get(update.tool_call_id)
        written = own_call.contents if own_call is not None else []
        yield from self.take(update)
        if (call := self._known.get(update.tool_call_id)) is not None:
            call.contents = written
            yield from self.show(call)

    def show(self, call: OwnCall) -> Iterator[RunEvent]:
        """With what is known of it by now."""
        if call.is_shown:
            return
        call.is_shown = True
        turn = CallTurn(call.id, call.name, canonical_args(call.args), call.args)
        self._ctx.state.open_calls[call.id] = turn
        yield ToolCalled(self._ctx.state.step, call.id, call.name, call.args, DIALECT)

    def show_announced(self) -> Iterator[RunEvent]:
        for call in self._known.values():
            yield from self.show(call)

    def _returned(self, call: OwnCall, update: Any, *, is_ok: bool) -> ToolReturned:
        ctx = self._ctx
        call.is_over = True
        text = texts_of(call.contents)
        if not text and update.raw_output is not None:
            output = scrub_all(update.raw_output)
            text = (output if isinstance(output, str) else canonical_args(output))[:LONGEST_TEXT]
        card = diff_card(call.changes) if call.changes else None
        failure = None if is_ok else ToolFailure("FAILED", text[:300] or str(call.args["title"]))
        summary = str(call.args["title"])
        result = ToolResult(is_ok, {"text": text}, summary, card, {"untrusted": True}, failure)
        ctx.state.results[call.id] = result
        ctx.state.open_calls.pop(call.id, None)
        ctx.state.tools_used.append(call.name)
        ctx.state.trace.append(
            {"step": ctx.state.step, "tool": call.name, "status": "ok" if is_ok else "error", "ms": 0}
        )
        limit = ctx.request.profile.tool_result_max_length
        return ToolReturned(
            step=ctx.state.step, id=call.id, name=call.name, ok=is_ok, status="ok" if is_ok else "error",
            summary=failure.message if failure else summary, text=text[:limit], chars=len(text),
            kept_chars=min(len(text), limit), truncated=len(text) > limit, ms=0,
            display=card.to_json() if card is not None else None,
            error=failure.to_json() if failure is not None else None, untrusted=True,
        )  # fmt: skip


def texts_of(contents: Sequence[Any]) -> str:
    """What a call shows as text."""
    parts = [text_of(one.content) for one in contents if one.type == "content"]
    return "\n".join(filter(None, parts))[:LONGEST_TEXT]


def text_of(block: Any) -> str:
    """A block of content as text; pictures and sound are only named."""
    match block.type:
        case "text":
            return scrub(block.text)
        case "resource_link":
            return scrub(f"[{block.name}]({block.uri})")
        case "resource":
            return scrub(getattr(block.resource, "text", "") or block.resource.uri)
        case kind:
            return f"[{kind}]"


async def outside(root: Path, args: Mapping[str, Any]) -> str:
    """The first path of a call that leads out of the folder; "" if none does."""

    def look() -> str:
        inside = Path(os.path.realpath(root))
        for path in args.get("paths", ()):
            if "\0" in path or not Path(os.path.realpath(inside / path)).is_relative_to(inside):
                return str(path)
        return ""

    return await asyncio.to_thread(look)
