"""The messages of a request of the OpenAI protocol as a conversation of ours: history, question, results of calls.

Such a client sends the whole conversation each time. It becomes a temporary session that is gone when the answer is
complete; nothing of it reaches the disk.
"""

from __future__ import annotations

import base64
import binascii
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.core.errors import BadInput
from app.core.exchange.strict_json import refuse_depth
from app.core.ids import TEMPORARY, new_id
from app.core.run.events import ToolCalled, ToolReturned
from app.core.run.messages import Attachment, Call, Message, Part, Text
from app.core.tools.finite import loads
from app.services.exchange.attachments import AttachmentService

from ..errors import bad_request
from ..request_body import check_text

MOST_MESSAGES = 2_000
GO_ON = "Go on with the results of the calls above."
_TEXT_TYPES = ("text", "input_text", "output_text", "refusal")
_SYSTEM = ("system", "developer")


@dataclass(frozen=True, slots=True)
class Picture:
    data: bytes


@dataclass(slots=True)
class WireMessage:
    """One message, whichever of the two forms it came in."""

    role: str
    text: str = ""
    pictures: list[Picture] = field(default_factory=list)
    calls: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    """Id, name and arguments."""
    call_id: str = ""
    """Of a result."""


@dataclass(frozen=True, slots=True)
class WireConversation:
    instructions: str
    history: Sequence[WireMessage]
    question: WireMessage
    results: Mapping[str, str]
    """What the caller's tools returned to the last answer, by call id."""


def read_messages(messages: Any) -> list[WireMessage]:
    """Raises ApiError 400 naming the message."""
    if not isinstance(messages, list) or not messages:
        raise bad_request("messages is not a list of messages", "messages")
    if len(messages) > MOST_MESSAGES:
        raise bad_request(f"more than {MOST_MESSAGES:,} messages", "messages")
    return [_message(one, f"messages[{n}]") for n, one in enumerate(messages)]


def conversation_of(messages: Sequence[WireMessage]) -> WireConversation:
    """Results at the end belong to the last answer; without a question of a person there is none."""
    instructions = "\n\n".join(one.text for one in messages if one.role in _SYSTEM and one.text)
    turns = [one for one in messages if one.role not in _SYSTEM]
    last = len(turns)
    while last and turns[last - 1].role == "tool":
        last -= 1
    results = {one.call_id: one.text for one in turns[last:]}
    if results:
        return WireConversation(instructions, turns, WireMessage("user", GO_ON), results)
    if not turns or turns[-1].role != "user":
        raise bad_request("the last message is neither a question nor the result of a call", "messages")
    return WireConversation(instructions, turns[:-1], turns[-1], {})


async def stored_history(history: Sequence[WireMessage], session: str, attachments: AttachmentService) -> list[Message]:
    """As messages of a session: what others call assistant and tool messages is one answer with its calls."""
    stored: list[Message] = []
    for one in history:
        if one.role == "user":
            parts = await parts_of(one, session, attachments)
            stored.append(Message(new_id(TEMPORARY), "user", parts, time.time(), _parent(stored)))
            continue
        if one.role == "assistant":
            called = tuple(Call(ToolCalled(1, id, name, args), started=True) for id, name, args in one.calls)
            text: tuple[Part, ...] = (Text(one.text, 1),) if one.text else ()
            stored.append(Message(new_id(TEMPORARY), "assistant", (*text, *called), time.time(), _parent(stored)))
            continue
        stored[:] = [_with_result(message, one) for message in stored]
    return stored


def _parent(stored: Sequence[Message]) -> str | None:
    return stored[-1].id if stored else None


def _with_result(message: Message, result: WireMessage) -> Message:
    """The result stands beside its call; what the caller's program returns was written by others."""
    parts = [
        Call(
            part.call,
            started=True,
            result=ToolReturned(
                1, part.call.id, part.call.name, True, "ok", result.text[:200], result.text, len(result.text),
                len(result.text), False, 0, untrusted=True,
            ),
        )
        if isinstance(part, Call) and part.call.id == result.call_id
        else part
        for part in message.parts
    ]  # fmt: skip
    return Message(message.id, message.role, tuple(parts), message.created, message.parent)


async def parts_of(message: WireMessage, session: str, attachments: AttachmentService) -> tuple[Part, ...]:
    """Raises PictureRefused."""
    files: list[Attachment] = [
        await attachments.add_image(f"picture {n}", picture.data, session)
        for n, picture in enumerate(message.pictures, 1)
    ]
    return (*((Text(message.text),) if message.text else ()), *files)


def _message(raw: Any, where: str) -> WireMessage:
    if not isinstance(raw, dict):
        raise bad_request(f"{where} is no object", where)
    role = raw.get("role")
    if role not in (*_SYSTEM, "user", "assistant", "tool", "function"):
        raise bad_request(f"{where}.role is none of system, developer, user, assistant, tool", f"{where}.role")
    message = WireMessage("tool" if role == "function" else role)
    read_content(raw.get("content"), message, f"{where}.content")
    if message.role == "tool":
        call_id = raw.get("tool_call_id")
        if not isinstance(call_id, str) or not call_id:
            raise bad_request(f"{where}.tool_call_id is missing", f"{where}.tool_call_id")
        message.call_id = call_id
    calls = raw.get("tool_calls") or []
    if not isinstance(calls, list):
        raise bad_request(f"{where}.tool_calls is not a list", f"{where}.tool_calls")
    message.calls = [_call(one, f"{where}.tool_calls[{n}]") for n, one in enumerate(calls)]
    return message


def _call(raw: Any, where: str) -> tuple[str, str, dict[str, Any]]:
    function = raw.get("function") if isinstance(raw, dict) else None
    if (
        not isinstance(function, dict)
        or not isinstance(raw.get("id"), str)
        or not isinstance(function.get("name"), str)
    ):
        raise bad_request(f"{where} has no id or name", where)
    return raw["id"], function["name"], call_arguments(function.get("arguments"))


def call_arguments(text: Any) -> dict[str, Any]:
    """Of a call that the caller has stored; none where it has lost them."""
    try:
        args = loads(text) if isinstance(text, str) and text else {}
        refuse_depth(args)
        json.dumps(args, ensure_ascii=False).encode()
    except (BadInput, ValueError, RecursionError):
        args = {}
    return args if isinstance(args, dict) else {}


def read_content(content: Any, message: WireMessage, where: str) -> None:
    """A text, or a list of parts: texts and pictures as `data:` URLs."""
    if content is None:
        return
    if isinstance(content, str):
        check_text(content, where)
        message.text = content
        return
    if not isinstance(content, list):
        raise bad_request(f"{where} is neither a text nor a list of parts", where)
    texts = []
    for n, part in enumerate(content):
        kind = part.get("type") if isinstance(part, dict) else None
        if kind in _TEXT_TYPES:
            text = part.get("text", part.get("refusal"))
            if not isinstance(text, str):
                raise bad_request(f"{where}[{n}].text is not a text", f"{where}[{n}]")
            check_text(text, where)
            texts.append(text)
        elif kind in ("image_url", "input_image"):
            message.pictures.append(_picture(part, f"{where}[{n}]"))
        else:
            raise bad_request(f"{where}[{n}] is neither text nor picture", f"{where}[{n}]")
    message.text = "\n".join(texts)


def _picture(part: Mapping[str, Any], where: str) -> Picture:
    """Only what travels in the request: an address would be fetched by this computer for somebody else."""
    url = part.get("image_url")
    url = url.get("url") if isinstance(url, dict) else url
    head, comma, data = url.partition(",") if isinstance(url, str) else ("", "", "")
    if not comma or not head.startswith("data:image/") or not head.endswith(";base64"):
        raise bad_request(f"{where}: pictures are taken as data: URLs in base64 only", where)
    try:
        return Picture(base64.b64decode(data, validate=True))
    except (binascii.Error, ValueError) as error:
        raise bad_request(f"{where}: the picture is no base64", where) from error
