"""The backup of Cherry Studio: `data.json`, beside the files of its `Data` folder.

A topic is a conversation. The blocks of its messages lie in a table of their own (`message_blocks`); older backups have
the text in the message. Several models may answer one question (`askId`). Names of topics stand in the settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
    sources,
    text_of,
    texts,
)
from .tables import DatabaseTables, Group, by_field
from .versions import MessageNode, read_versions

_SETTINGS = ("localStorage", "persist:cherry-studio")
_TEXTS = frozenset(("main_text", "translation", "compact"))


def is_cherry(tables: DatabaseTables) -> bool:
    return "topics" in tables.names("indexedDB")


def read_cherry(tables: DatabaseTables, reading: ImportContext) -> Iterator[SessionDocument]:
    named = _topics(tables.value(*_SETTINGS))
    _ids, blocks = tables.grouped(by_field("messageId"), "indexedDB", "message_blocks")
    for topic in tables.rows("indexedDB", "topics"):
        about = named.get(text_of(topic.get("id")), {})
        created, updated = moment(about.get("createdAt")), moment(about.get("updatedAt"))
        messages = _messages(dicts(topic.get("messages")), blocks, reading)
        name = about.get("name") or topic.get("name")
        yield document(topic.get("id"), name, created, updated, messages, pinned=about.get("pinned"))


def _topics(settings: Any) -> dict[str, Body]:
    """What is known of each topic, by its id: values of the settings are JSON texts within a JSON text."""
    stored = body_of(decoded(settings)) if isinstance(settings, str) else {}
    assistants = body_of(decoded(text_of(stored.get("assistants"))))
    listed = [*dicts(assistants.get("assistants")), body_of(assistants.get("defaultAssistant"))]
    return {text_of(topic.get("id")): topic for one in listed for topic in dicts(one.get("topics"))}


def _messages(listed: list[Body], blocks: Group, reading: ImportContext) -> Any:
    nodes: dict[str, MessageNode] = {}
    tail = ""
    chosen = ""
    """The question whose answer the person has picked among several."""
    for n, message in enumerate(listed):
        id, asked = text_of(message.get("id")) or f"#{n}", text_of(message.get("askId"))
        if message.get("type") == "clear" or id in nodes:
            continue
        is_answer = message.get("role") == "assistant" and asked in nodes
        nodes[id] = MessageNode(asked if is_answer else tail, message)
        is_picked = message.get("foldSelected") is True or message.get("useful") is True
        if not is_answer or chosen != asked or is_picked:
            tail = id
        if is_answer and is_picked:
            chosen = asked

    def read(message: Body, step: int, line: MessageBuilder) -> None:
        _read(message, blocks(text_of(message.get("id"))), step, line, reading)

    return read_versions(nodes, tail, read, reading.remarks)


def _read(message: Body, blocks: list[Body], step: int, line: MessageBuilder, reading: ImportContext) -> None:
    role, created = reading.role(message.get("role")), moment(message.get("createdAt"))
    if role is None:
        return
    step = step if role == "assistant" else 0
    listed = message.get("blocks")
    order = {id: n for n, id in enumerate(listed if isinstance(listed, list) else []) if isinstance(id, str)}
    cited: list[Body] = []
    for block in sorted(blocks, key=lambda one: order.get(text_of(one.get("id")), len(order))):
        if block.get("type") == "citation":
            cited += _cited(block)
        elif block.get("type") == "tool" and step:
            _tool(block, step, created, line)
        else:
            line.add(role, _block(block, step, reading), created)
    if not blocks:
        line.add(role, _old(message, step, reading), created)
    line.add(role, texts(sources(cited, reading), step), created)
    line.by_model(text_of(body_of(message.get("model")).get("id")) or text_of(message.get("modelId")))


def _block(block: Body, step: int, reading: ImportContext) -> list[Part]:
    kind, content = text_of(block.get("type")), text_of(block.get("content"))
    if kind in _TEXTS:
        return texts(content, step)
    if kind == "thinking":
        return [Reasoning(content, step)] if content and step else texts(content, step)
    if kind == "code":
        from ..markdown import fenced

        return texts(fenced(content, text_of(block.get("language"))), step)
    if kind in ("image", "file"):
        return _files(block, reading)
    if kind == "video":
        reading.remarks.add("sounds")
    elif kind == "error":
        reading.remarks.add("errors")
    else:
        reading.unknown(kind)
    return []


def _files(block: Body, reading: ImportContext) -> list[Part]:
    file = body_of(block.get("file"))
    is_picture = block.get("type") == "image"
    if file:
        name = text_of(file.get("origin_name")) or text_of(file.get("name"))
        return [reading.file(text_of(file.get("id")), name, is_picture=is_picture)]
    drawn = body_of(body_of(block.get("metadata")).get("generateImageResponse")).get("images")
    addresses = [block.get("url"), *(drawn if isinstance(drawn, list) else [])]
    return [reading.inline_picture(one) for one in addresses if isinstance(one, str) and one]


def _tool(block: Body, step: int, created: float, line: MessageBuilder) -> None:
    raw = body_of(body_of(block.get("metadata")).get("rawMcpToolResponse"))
    name = text_of(block.get("toolName")) or text_of(body_of(raw.get("tool")).get("name"))
    id = text_of(block.get("toolId")) or text_of(raw.get("id"))
    line.call(step, id, name, block.get("arguments") or raw.get("arguments"), created)
    content = block.get("content")
    pieces = dicts(body_of(content).get("content"))
    text = "\n".join(text_of(piece.get("text")) for piece in pieces) or as_text(content)
    line.result(id, name, text, ok=body_of(content).get("isError") is not True, created=created)


def _cited(block: Body) -> Iterator[Body]:
    results = body_of(block.get("response")).get("results")
    yield from dicts(results)
    yield from dicts(body_of(results).get("results"))
    for chunk in dicts(body_of(results).get("groundingChunks")):
        yield body_of(chunk.get("web"))
    for one in dicts(block.get("knowledge")):
        yield {"url": one.get("sourceUrl")}


def _old(message: Body, step: int, reading: ImportContext) -> list[Part]:
    """Of a backup before there were blocks."""
    thought = text_of(message.get("reasoning_content"))
    parts: list[Part] = [Reasoning(thought, step)] if thought and step else []
    parts += texts(text_of(message.get("content")), step)
    for one in dicts(message.get("files")):
        name = text_of(one.get("origin_name")) or text_of(one.get("name"))
        parts.append(reading.file(text_of(one.get("id")), name, is_picture=one.get("type") == "image"))
    pictures = message.get("images")
    parts += [reading.inline_picture(text_of(one)) for one in (pictures if isinstance(pictures, list) else [])]
    return parts
