"""The threads of Jan: folders with `thread.json` and `messages.jsonl`, one message a line.

Here they come as one object, `{"thread": …, "messages": […]}`; of a file of messages alone, without the thread.
"""

from __future__ import annotations

from app.core.run.messages import Part, Reasoning

from ..document import Body, SessionDocument
from ..foreign_parts import (
    ImportContext,
    MessageBuilder,
    as_text,
    body_of,
    decoded,
    dicts,
    document,
    moment,
    text_of,
    texts,
)


def is_jan(item: Body) -> bool:
    messages = dicts(item.get("messages"))
    return "thread" in item and bool(messages) and all(one.get("object") == "thread.message" for one in messages)


def read_jan(item: Body, reading: ImportContext) -> SessionDocument:
    thread = body_of(item.get("thread"))
    line = MessageBuilder()
    model = next((text_of(body_of(one.get("model")).get("id")) for one in dicts(thread.get("assistants"))), "")
    for step, message in enumerate(dicts(item.get("messages")), 1):
        _read(message, step, line, reading)
        line.by_model(text_of(body_of(message.get("metadata")).get("modelId")) or model)
    title = text_of(thread.get("title")) or body_of(thread.get("metadata")).get("title")
    created, updated = moment(thread.get("created")), moment(thread.get("updated"))
    is_pinned = thread.get("isFavorite") or body_of(thread.get("metadata")).get("is_favorite")
    return document(thread.get("id"), title, created, updated, line.messages(), pinned=is_pinned)


def _read(message: Body, step: int, line: MessageBuilder, reading: ImportContext) -> None:
    role, created = reading.role(message.get("role"), with_tools=True), moment(message.get("created_at"))
    if role is None:
        return
    step = step if role == "assistant" else 0
    content = message.get("content")
    for block in dicts(content):
        if block.get("type") == "tool_call" and step:
            id, name = text_of(block.get("tool_call_id")), text_of(block.get("tool_name"))
            line.call(step, id, name, block.get("input"), created)
            if block.get("output") is not None:
                line.result(id, name, as_text(block.get("output")), created=created)
        else:
            line.add(role, _block(block, step, reading), created)
    line.add(role, texts(text_of(content), step), created)
    for call in dicts(body_of(message.get("metadata")).get("tool_calls")) if step else ():
        _called(call, step, created, line)
    for file in dicts(message.get("attachments")):
        line.add(role, [reading.file("", text_of(file.get("file_id")), is_picture=False)], created)
    reading.remarks.add("errors", int(message.get("status") == "error"))


def _block(block: Body, step: int, reading: ImportContext) -> list[Part]:
    kind = text_of(block.get("type"))
    text = text_of(body_of(block.get("text")).get("value")) or text_of(block.get("text"))
    if kind == "text":
        return texts(text, step)
    if kind == "reasoning":
        return [Reasoning(text, step)] if text and step else texts(text, step)
    if kind in ("image_url", "image"):
        return [reading.inline_picture(text_of(body_of(block.get("image_url")).get("url")))]
    reading.unknown(kind)
    return []


def _called(call: Body, step: int, created: float, line: MessageBuilder) -> None:
    tool = body_of(call.get("tool"))
    function = body_of(tool.get("function"))
    id, name = text_of(tool.get("id")), text_of(function.get("name"))
    line.call(step, id, name, decoded(text_of(function.get("arguments"))), created)
    response = call.get("response")
    pieces = [text_of(one.get("text")) for one in dicts(body_of(response).get("content"))]
    text = "\n".join(pieces) or as_text(body_of(response).get("error")) or as_text(response)
    line.result(id, name, text, ok=not body_of(response).get("error"), created=created)
