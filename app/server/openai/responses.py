"""`POST /v1/responses`: the same answers in the form of the responses protocol, streaming or not."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from app.core.errors import UnknownName
from app.core.ids import new_id
from app.core.run.events import LoopEnd, ToolCalled
from app.core.tools.tool import canonical_args

from ..access import client_of
from ..errors import ApiError, bad_request, json_response, openai_error_body
from ..request_body import check_text, field, read_object, required_text
from ..sse import EventStream, frame
from ..waiting import unless_gone
from .answering import Answering, AnswerPiece, Calls, Exchange
from .caller_tools import FREE_TEXT, CallerForm, grouped_name, read_tools
from .conversation import WireMessage, call_arguments, conversation_of, read_content
from .settings import overrides_of

MOST_STORED = 200
"""Responses that `previous_response_id` can name, while the program runs."""
_MOST_ITEMS = 2_000


class Responses:
    def __init__(self, answering: Answering) -> None:
        self._answering = answering
        self._stored: OrderedDict[tuple[str, str], list[WireMessage]] = OrderedDict()
        """Conversations by client and response id."""

    async def create(self, request: Request) -> Response:
        body, client = await read_object(request), client_of(request)
        model = required_text(body, "model")
        tools, forms = read_tools(None if body.get("tool_choice") == "none" else body.get("tools"), of_responses=True)
        messages = [*self._before(field(body, "previous_response_id", str, ""), client.name), *read_input(body)]
        if instructions := field(body, "instructions", str, ""):
            messages = [WireMessage("system", instructions), *messages]
        conversation = conversation_of(messages)
        wants_stream = field(body, "stream", bool, False)
        exchange = await self._answering.begin(model, conversation, tools, overrides_of(body), client)
        stores = body.get("store") is not False
        writer = _Writer(exchange, body, forms)

        def leave() -> None:
            self._answering.leave(exchange)
            if stores and writer.said is not None:
                turns = [one for one in messages if one.role not in ("system", "developer")]
                self._stored[client.name, writer.id] = [*turns, writer.said]
                while len(self._stored) > MOST_STORED:
                    self._stored.popitem(last=False)

        if wants_stream:
            return EventStream(writer.frames(self._answering), leave)
        try:
            return await unless_gone(request, writer.whole(self._answering))
        finally:
            leave()

    def _before(self, id: str, client: str) -> list[WireMessage]:
        if not id:
            return []
        if (client, id) not in self._stored:
            raise UnknownName("response", id, [response_id for owner, response_id in self._stored if owner == client])
        return list(self._stored[client, id])


def read_input(body: dict[str, Any]) -> list[WireMessage]:
    """A text, or items: messages, calls, and what calls returned. Raises ApiError 400."""
    raw = body.get("input")
    if isinstance(raw, str):
        message = WireMessage("user")
        read_content(raw, message, "input")
        return [message]
    if not isinstance(raw, list) or not raw or len(raw) > _MOST_ITEMS:
        raise bad_request("input is neither a text nor a list of items", "input")
    return [one for n, item in enumerate(raw) if (one := _item(item, f"input[{n}]")) is not None]


def _item(item: Any, where: str) -> WireMessage | None:
    if not isinstance(item, dict):
        raise bad_request(f"{where} is no object", where)
    match item.get("type", "message"):
        case "message":
            role = item.get("role")
            if role not in ("system", "developer", "user", "assistant"):
                raise bad_request(f"{where}.role is none of system, developer, user, assistant", where)
            message = WireMessage(role)
            read_content(item.get("content"), message, f"{where}.content")
            return message
        case "function_call":
            call = (_text(item, "call_id", where), _called(item, where), call_arguments(item.get("arguments")))
            return WireMessage("assistant", calls=[call])
        case "custom_tool_call":
            text = item.get("input")
            if not isinstance(text, str):
                raise bad_request(f"{where}.input is not a text", where)
            check_text(text, where)
            custom = (_text(item, "call_id", where), _called(item, where), {FREE_TEXT: text})
            return WireMessage("assistant", calls=[custom])
        case "function_call_output" | "custom_tool_call_output":
            message = WireMessage("tool", call_id=_text(item, "call_id", where))
            read_content(item.get("output"), message, f"{where}.output")
            return message
        case "reasoning" | "item_reference" | "web_search_call" | "file_search_call" | "code_interpreter_call":
            return None  # its own thoughts of before; the answer holds what came of them
        case kind:
            raise bad_request(f"{where}: items of the type {kind!r} are not taken", where)


def _text(item: dict[str, Any], name: str, where: str) -> str:
    text = item.get(name)
    if not isinstance(text, str) or not text:
        raise bad_request(f"{where}.{name} is missing", f"{where}.{name}")
    return text


def _called(item: dict[str, Any], where: str) -> str:
    """The name as the model was told it."""
    group = item.get("namespace") or ""
    if not isinstance(group, str):
        raise bad_request(f"{where}.namespace is not a text", f"{where}.namespace")
    return grouped_name(group, _text(item, "name", where))


class _Writer:
    """Builds the output items while the run goes on, and tells each step of it."""

    def __init__(self, exchange: Exchange, body: dict[str, Any], forms: Mapping[str, CallerForm]) -> None:
        self.id = f"resp_{new_id()}"
        self.said: WireMessage | None = None
        """The answer, once it is complete."""
        self._exchange, self._body, self._forms = exchange, body, forms
        self._created, self._number = time.time(), -1
        self._output: list[dict[str, Any]] = []
        self._open: dict[str, Any] | None = None
        """The item that text or reasoning is added to."""

    # ------------------------------------------------------------ streaming

    async def frames(self, answering: Answering) -> AsyncGenerator[bytes, None]:
        yield self._event("response.created", response=self._response("in_progress"))
        yield self._event("response.in_progress", response=self._response("in_progress"))
        try:
            async for chunk in answering.chunks(self._exchange):
                match chunk:
                    case AnswerPiece("text" | "reasoning" as kind, text):
                        for data in self._add(kind, text):
                            yield data
                    case Calls(calls):
                        for data in self._close():
                            yield data
                        for call in calls:
                            for data in self._call(call):
                                yield data
                        self._complete(calls)
                        yield self._event("response.completed", response=self._response("completed"))
                    case LoopEnd() as end:
                        for data in self._close():
                            yield data
                        self._complete((), end.answer)
                        status = "incomplete" if end.stop_reason in ("cut", "filtered") else "completed"
                        yield self._event(f"response.{status}", response=self._response(status, end))
        except ApiError as error:
            yield self._event("response.failed", response=self._response("failed", None, error))

    async def whole(self, answering: Answering) -> Response:
        """Of a run that has ended the answer alone; with calls what was said before them."""
        texts: list[str] = []
        async for chunk in answering.chunks(self._exchange):
            match chunk:
                case AnswerPiece("text", text):
                    texts.append(text)
                case AnswerPiece("reasoning", text):
                    self._add("reasoning", text)
                case Calls(calls):
                    self._whole_text("".join(texts))
                    for call in calls:
                        self._call(call)
                    self._complete(calls)
                    return json_response(self._response("completed"))
                case LoopEnd() as end:
                    self._whole_text(end.answer)
                    self._complete((), end.answer)
                    status = "incomplete" if end.stop_reason in ("cut", "filtered") else "completed"
                    return json_response(self._response(status, end))
        raise ApiError(500, "INTERNAL", "the run has ended without an end")

    def _whole_text(self, text: str) -> None:
        if text:
            self._add("text", text)
        self._close()

    def _complete(self, calls: tuple[ToolCalled, ...], answer: str = "") -> None:
        texts = (part["text"] for item in self._output if item["type"] == "message" for part in item["content"])
        arguments = [(one.id, one.name, dict(one.args)) for one in calls]
        self.said = WireMessage("assistant", answer or "".join(texts), calls=arguments)

    # ------------------------------------------------------------ items

    def _add(self, kind: str, text: str) -> list[bytes]:
        item_type = "message" if kind == "text" else "reasoning"
        frames = []
        if self._open is None or self._open["type"] != item_type:
            frames += self._close()
            frames += self._begin(item_type)
        item, place = self._open, len(self._output) - 1
        assert item is not None, "an item was begun one line above"
        if item_type == "message":
            item["content"][0]["text"] += text
            frames.append(
                self._event("response.output_text.delta", item_id=item["id"], output_index=place, content_index=0,
                            delta=text, logprobs=[])
            )  # fmt: skip
        else:
            item["summary"][0]["text"] += text
            frames.append(
                self._event("response.reasoning_summary_text.delta", item_id=item["id"], output_index=place,
                            summary_index=0, delta=text)
            )  # fmt: skip
        return frames

    def _begin(self, item_type: str) -> list[bytes]:
        place = len(self._output)
        if item_type == "message":
            item: dict[str, Any] = {
                "id": f"msg_{new_id()}", "type": "message", "role": "assistant", "status": "in_progress", "content": [],
            }  # fmt: skip
            part, name = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}, "content"
        else:
            item = {"id": f"rs_{new_id()}", "type": "reasoning", "summary": []}
            part, name = {"type": "summary_text", "text": ""}, "summary"
        added = self._event("response.output_item.added", output_index=place, item=item)
        item[name] = [part]
        self._output.append(item)
        self._open = item
        return [added, self._part_event("added", item, place)]

    def _close(self) -> list[bytes]:
        item, place = self._open, len(self._output) - 1
        if item is None:
            return []
        self._open = None
        if item["type"] == "message":
            item["status"] = "completed"
            done = self._event(
                "response.output_text.done", item_id=item["id"], output_index=place, content_index=0,
                text=item["content"][0]["text"], logprobs=[],
            )  # fmt: skip
        else:
            done = self._event(
                "response.reasoning_summary_text.done", item_id=item["id"], output_index=place, summary_index=0,
                text=item["summary"][0]["text"],
            )  # fmt: skip
        return [
            done,
            self._part_event("done", item, place),
            self._event("response.output_item.done", output_index=place, item=item),
        ]

    def _part_event(self, what: str, item: dict[str, Any], place: int) -> bytes:
        if item["type"] == "message":
            return self._event(
                f"response.content_part.{what}", item_id=item["id"], output_index=place, content_index=0,
                part=item["content"][0],
            )  # fmt: skip
        return self._event(
            f"response.reasoning_summary_part.{what}", item_id=item["id"], output_index=place, summary_index=0,
            part=item["summary"][0],
        )  # fmt: skip

    def _call(self, call: ToolCalled) -> list[bytes]:
        form = self._forms.get(call.name) or CallerForm(call.name)
        kind, name, said = (
            ("custom_tool_call", "input", str(call.args.get(FREE_TEXT, "")))
            if form.is_custom
            else ("function_call", "arguments", canonical_args(call.args))
        )
        place = len(self._output)
        item = {
            "id": f"{'ctc' if form.is_custom else 'fc'}_{new_id()}", "type": kind, "call_id": call.id,
            "name": form.name, **({"namespace": form.group} if form.group else {}), name: "", "status": "in_progress",
        }  # fmt: skip
        frames = [self._event("response.output_item.added", output_index=place, item=item)]
        whole = {**item, name: said, "status": "completed"}
        self._output.append(whole)
        where = {"item_id": item["id"], "output_index": place}
        done = {name: said} if form.is_custom else {name: said, "name": form.name}
        return [
            *frames,
            self._event(f"response.{kind}_{name}.delta", **where, delta=said),
            self._event(f"response.{kind}_{name}.done", **where, **done),
            self._event("response.output_item.done", output_index=place, item=whole),
        ]

    # ------------------------------------------------------------ the whole

    def _event(self, kind: str, **fields: Any) -> bytes:
        self._number += 1
        return frame({"type": kind, "sequence_number": self._number, **fields}, event=kind)

    def _response(self, status: str, end: LoopEnd | None = None, error: ApiError | None = None) -> Any:
        body, usage = self._body, None
        if end is not None:
            usage = {
                "input_tokens": end.usage.input,
                "input_tokens_details": {"cached_tokens": end.usage.cached},
                "output_tokens": end.usage.output,
                "output_tokens_details": {"reasoning_tokens": end.usage.reasoning},
                "total_tokens": end.usage.input + end.usage.output,
            }
        reason = "content_filter" if end is not None and end.stop_reason == "filtered" else "max_output_tokens"
        return {
            "id": self.id,
            "object": "response",
            "created_at": self._created,
            "status": status,
            "error": {"code": "server_error", "message": openai_error_body(error)["error"]["message"]}
            if error
            else None,
            "incomplete_details": {"reason": reason} if status == "incomplete" else None,
            "instructions": body.get("instructions"),
            "metadata": body.get("metadata") or {},
            "model": self._exchange.model,
            "output": self._output,
            "parallel_tool_calls": body.get("parallel_tool_calls") is not False,
            "previous_response_id": body.get("previous_response_id"),
            "temperature": body.get("temperature"),
            "tool_choice": body.get("tool_choice") or "auto",
            "tools": body.get("tools") or [],
            "top_p": body.get("top_p"),
            "usage": usage,
        }
