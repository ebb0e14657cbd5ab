"""Which reader of written calls fits a request, and its finds as turns of the conversation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from app.core.run.chat_model import AssistantTurn, CallTurn, ModelRequest, ResultTurn, ToolSpec, UserTurn
from app.core.text.i18n import N_
from app.providers.request.build import UsedDialect
from app.providers.scrub import scrub
from app.providers.text_calls.parse import FoundCall
from app.providers.text_calls.reader import TextCalls
from app.providers.tool_arguments import read_arguments

_KEPT: Final = ("id", "name", "arguments", "parameters")
_CUT: Final = N_("the message was cut off before it was complete, so the call was not run")


def tools_just_taken_away(request: ModelRequest) -> bool:
    """No call may be made now, though calls were made before."""
    if request.tools and request.tool_choice != "none":
        return False
    return bool(request.tools) or any(isinstance(turn, ResultTurn) for turn in request.turns)


def reader_for(request: ModelRequest, dialect: UsedDialect, offered: Sequence[ToolSpec]) -> TextCalls | None:
    """None: nothing in this reply can be a call. Where tools were taken away, what is found is dropped."""
    if offered:
        return TextCalls(
            offered,
            eager=dialect != "native",
            thinking=dialect == "json",
            quoted=lambda text: _stands_in(request, text),
        )
    if not tools_just_taken_away(request):
        return None
    called = {call.name for turn in request.turns if isinstance(turn, AssistantTurn) for call in turn.calls}
    names = {tool.name for tool in request.tools} | called
    return TextCalls(names=names, thinking=dialect == "json")


def _stands_in(request: ModelRequest, markup: str) -> bool:
    """Whether the model only repeats what a tool returned or somebody pasted."""
    return any(isinstance(turn, ResultTurn | UserTurn) and markup in turn.text for turn in request.turns)


def read_failed(
    request: ModelRequest, offered: Sequence[ToolSpec], text: str, ids: Iterator[str]
) -> AssistantTurn | None:
    """What a server gives back as a generation it could not parse, if it holds calls that can be run."""
    reader = TextCalls(offered, quoted=lambda markup: _stands_in(request, markup))
    pieces = [*reader.feed(_unwrapped(text)), *reader.finish()] if offered else []
    calls = [piece for piece in pieces if isinstance(piece, FoundCall)]
    names = {tool.name for tool in offered}
    if not calls or any(call.args is None or call.name not in names for call in calls):
        return None
    visible = "".join(piece[1] for piece in pieces if not isinstance(piece, FoundCall) and piece[0] == "text")
    return AssistantTurn(scrub(visible).strip(), calls=tuple(call_turn(call, next(ids), whole=True) for call in calls))


def _unwrapped(text: str) -> str:
    """`<tool-use>{"tool_calls": [{…}]}</tool-use>` → its calls, one below the other."""
    inner = text.strip().removeprefix("<tool-use>").removesuffix("</tool-use>").strip()
    value, _error = read_arguments(inner)
    calls = value.get("tool_calls") if value is not None else None
    if not isinstance(calls, list):
        return text
    listed = [{**call, **call["function"]} if isinstance(call.get("function"), dict) else call for call in calls
              if isinstance(call, dict)]  # fmt: skip
    return "\n".join(
        json.dumps({key: call[key] for key in _KEPT if key in call}, ensure_ascii=False) for call in listed
    )


def call_turn(call: FoundCall, id: str, *, whole: bool) -> CallTurn:
    """`whole` is False when the message was cut; then no call can be run."""
    return CallTurn(
        id=id,
        name=scrub(call.name),
        args_text=scrub(call.args_text),
        args=call.args if whole else None,
        error=call.error if whole else _CUT,
        wire_id=scrub(call.wire_id),
        why=scrub(call.why),
    )
