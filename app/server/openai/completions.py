"""`POST /v1/chat/completions`: an agent as a chat model, streaming or not."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from json.encoder import encode_basestring
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from app.core.ids import new_id
from app.core.run.events import LoopEnd, ToolCalled
from app.core.tools.tool import canonical_args

from ..access import client_of
from ..errors import ApiError, bad_request, json_response, openai_error_body
from ..request_body import field, read_object, required_text
from ..sse import EventStream, frame
from ..waiting import unless_gone
from .answering import Answering, AnswerPiece, Calls, Exchange
from .caller_tools import read_tools
from .conversation import conversation_of, read_messages
from .settings import overrides_of

_PLACE = "text of a token"
_FINISH = {"cut": "length", "filtered": "content_filter"}


async def completions(request: Request, answering: Answering) -> Response:
    body = await read_object(request)
    model = required_text(body, "model")
    if field(body, "n", int, 1) != 1:
        raise bad_request("n is 1: an agent gives one answer", "n")
    tools, _forms = read_tools(None if body.get("tool_choice") == "none" else body.get("tools"))
    conversation = conversation_of(read_messages(body.get("messages")))
    wants_stream = field(body, "stream", bool, False)
    options = field(body, "stream_options", dict, {})
    exchange = await answering.begin(model, conversation, tools, overrides_of(body), client_of(request))
    writer = _Writer(exchange, bool(options.get("include_usage")), bool(options.get("include_progress")))
    if wants_stream:
        return EventStream(writer.frames(answering), lambda: answering.leave(exchange))
    try:
        return await unless_gone(request, writer.whole(answering))
    finally:
        answering.leave(exchange)


class _Writer:
    def __init__(self, exchange: Exchange, with_usage: bool, with_progress: bool) -> None:
        self._exchange, self._with_usage, self._with_progress = exchange, with_usage, with_progress
        self._id, self._created = f"chatcmpl-{new_id()}", int(time.time())
        self._around_text: tuple[str, str] | tuple[()] = ()

    async def frames(self, answering: Answering) -> AsyncGenerator[bytes, None]:
        yield self._chunk({"role": "assistant", "content": ""})
        try:
            async for chunk in answering.chunks(self._exchange):
                match chunk:
                    case AnswerPiece("text", text):
                        yield self._text_chunk(text)
                    case AnswerPiece("reasoning", text):
                        yield self._chunk({"reasoning_content": text})
                    case AnswerPiece("progress", text) if self._with_progress:
                        yield self._chunk({"progress": text})
                    case Calls(calls):
                        yield self._chunk({"tool_calls": [{"index": n, **_call(one)} for n, one in enumerate(calls)]})
                        yield self._chunk({}, finish="tool_calls")
                    case LoopEnd() as end:
                        yield self._chunk({}, finish=_FINISH.get(end.stop_reason, "stop"))
                        if self._with_usage:
                            yield frame({**self._head("chat.completion.chunk"), "choices": [], "usage": _usage(end)})
        except ApiError as error:
            yield frame(openai_error_body(error))
        yield frame("[DONE]")

    async def whole(self, answering: Answering) -> Response:
        texts: dict[str, list[str]] = {"text": [], "reasoning": [], "progress": []}
        async for chunk in answering.chunks(self._exchange):
            match chunk:
                case AnswerPiece(kind, text):
                    texts[kind].append(text)
                case Calls(calls):
                    content = "".join(texts["text"]) or None
                    return self._answer({"content": content, "tool_calls": list(map(_call, calls))}, "tool_calls", None)
                case LoopEnd() as end:
                    message: dict[str, Any] = {"content": end.answer}
                    if texts["reasoning"]:
                        message["reasoning_content"] = "".join(texts["reasoning"])
                    return self._answer(message, _FINISH.get(end.stop_reason, "stop"), end)
        raise ApiError(500, "INTERNAL", "the run has ended without an end")

    def _answer(self, message: dict[str, Any], finish: str, end: LoopEnd | None) -> Response:
        choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish, "logprobs": None}
        return json_response({**self._head("chat.completion"), "choices": [choice], "usage": _usage(end)})

    def _text_chunk(self, text: str) -> bytes:
        """As `_chunk`, but all that is the same for every token is written once."""
        if not self._around_text:
            whole = self._chunk({"content": _PLACE}).decode()
            head, _place, tail = whole.partition(f'"{_PLACE}"')
            self._around_text = (head, tail)
        head, tail = self._around_text
        return f"{head}{encode_basestring(text)}{tail}".encode("utf-8", "replace")

    def _chunk(self, delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return frame({**self._head("chat.completion.chunk"), "choices": [choice]})

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self._id, "object": kind, "created": self._created, "model": self._exchange.model}


def _call(call: ToolCalled) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": canonical_args(call.args)}}


def _usage(end: LoopEnd | None) -> dict[str, Any]:
    """A response that ends with calls has used what the end of the run counts."""
    if end is None:
        return {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    usage = end.usage
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }
