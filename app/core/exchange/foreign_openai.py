"""Lists of chat messages as the APIs take them: Chat Completions, Responses, Messages."""

from __future__ import annotations

from typing import Any

from app.core.run.messages import Reasoning, Text

from .document import Body, SessionDocument
from .foreign_blocks import block_parts, blocks_of, text_of_blocks
from .foreign_parts import ImportContext, MessageBuilder, body_of, decoded, dicts, document, moment, text_of, texts
from .strict_json import ImportRefused, shortened

_ROLES = ("user", "assistant", "system", "developer", "tool", "function")
_ITEMS = ("message", "function_call", "function_call_output", "reasoning")
"""Of the Responses API: entries that need no role."""
_TIMES = ("created_at", "create_time", "created", "timestamp", "time", "date")


def is_chat_list(items: list[Body]) -> bool:
    return all("role" in item or item.get("type") in _ITEMS for item in items)


def read_openai(items: list[Body], reading: ImportContext, about: Body | None = None) -> SessionDocument:
    """`about` is what stands around the list, with a title and a time if there are any. Raises ImportRefused."""
    around = about or {}
    line = MessageBuilder()
    for step, item in enumerate(items, 1):
        _read(item, step, line, reading)
    if not line.messages():
        raise ImportRefused("there is no message of a person or a model in it", reason="NO_MESSAGE")
    created = moment(*(around.get(name) for name in _TIMES))
    updated = moment(*(around.get(name) for name in ("updated_at", "update_time", "updated")))
    return document(around.get("id"), around.get("title") or around.get("name"), created, updated, line.messages())


def _read(item: Body, step: int, line: MessageBuilder, reading: ImportContext) -> None:
    role, kind = item.get("role"), item.get("type")
    created = moment(
        *(item.get(name) for name in ("created_at", "create_time", "created", "timestamp", "time", "date"))
    )
    if role is None and kind in _ITEMS:
        _item(item, step, line, reading)
    elif role not in _ROLES:
        raise ImportRefused(f"a message has the role {shortened(role)}", reason="ROLE", role=shortened(role))
    elif role in ("system", "developer"):
        reading.remarks.add("system")
    elif role in ("tool", "function"):
        text, pictures = text_of_blocks(item.get("content"), reading)
        id, name = text_of(item.get("tool_call_id")), text_of(item.get("name"))
        if not line.result(id, name, text, pictures=pictures, created=created):
            reading.remarks.add("results")
    elif role == "user":
        _content(item, 0, created, line, reading)
    else:
        thought = next((text for name in ("reasoning_content", "reasoning") if (text := text_of(item.get(name)))), "")
        line.add("assistant", [Reasoning(thought, step)] if thought else [], created)
        _content(item, step, created, line, reading)
        for call in dicts(item.get("tool_calls")):
            _call(body_of(call.get("function")), text_of(call.get("id")), step, created, line)
        if isinstance(legacy := item.get("function_call"), dict):
            _call(legacy, "", step, created, line)


def _content(item: Body, step: int, created: float, line: MessageBuilder, reading: ImportContext) -> None:
    """In the Messages API calls and results are blocks too; a result is in a message of the person."""
    role = "assistant" if step else "user"
    for block in blocks_of(item.get("content")):
        kind = block.get("type")
        if kind == "tool_use":
            line.call(step, text_of(block.get("id")), text_of(block.get("name")), block.get("input"), created)
        elif kind == "tool_result":
            text, pictures = text_of_blocks(block.get("content"), reading)
            is_error = block.get("is_error") is True
            line.result(text_of(block.get("tool_use_id")), "", text, ok=not is_error, pictures=pictures)
        else:
            line.add(role, block_parts(block, step, reading), created)
    line.add(role, texts(text_of(item.get("refusal")), step), created)


def _item(item: Body, step: int, line: MessageBuilder, reading: ImportContext) -> None:
    kind = item.get("type")
    if kind == "function_call":
        _call(item, text_of(item.get("call_id")), step, 0.0, line)
    elif kind == "function_call_output":
        text, pictures = text_of_blocks(item.get("output"), reading)
        if not line.result(text_of(item.get("call_id")), "", text, pictures=pictures):
            reading.remarks.add("results")
    elif kind == "reasoning":
        blocks = [*blocks_of(item.get("summary")), *blocks_of(item.get("content"))]
        parts = [part for block in blocks for part in block_parts(block, step, reading)]
        line.add("assistant", [Reasoning(one.text, step) for one in parts if isinstance(one, Text | Reasoning)])
    else:
        raise ImportRefused(f"a message has the role {shortened(None)}", reason="ROLE", role=shortened(None))


def _call(function: Body, id: str, step: int, created: float, line: MessageBuilder) -> None:
    given: Any = function.get("arguments")
    args = decoded(given) if isinstance(given, str) else given
    line.call(step, id, text_of(function.get("name")), args if isinstance(args, dict) else {}, created)
