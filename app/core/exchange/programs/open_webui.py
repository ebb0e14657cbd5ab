"""The chats that Open WebUI exports: a list, each with a tree of messages in `chat.history`.

Thoughts and calls of tools stand in the text of an answer, as `<details>` elements with attributes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from app.core.run.messages import Part, Reasoning

from ..document import Body, SessionDocument
from ..foreign_blocks import block_parts, blocks_of
from ..foreign_parts import (
    ImportContext,
    MessageBuilder,
    body_of,
    decoded,
    dicts,
    document,
    moment,
    sources,
    text_of,
    texts,
)
from .versions import MessageNode, read_versions

_OPENS, _CLOSES = '<details type="', "</details>"
_ATTRIBUTE = re.compile(r'([a-z_]{1,30})="([^"]*)"')
_LONGEST_TAG = 1_000_000


def is_open_webui(item: Body) -> bool:
    return isinstance(body_of(_chat(item).get("history")).get("messages"), dict)


def _chat(item: Body) -> Body:
    return body_of(item.get("chat")) or item


def read_open_webui(item: Body, reading: ImportContext) -> SessionDocument:
    chat = _chat(item)
    history = body_of(chat.get("history"))
    entries = {id: one for id, one in body_of(history.get("messages")).items() if isinstance(one, dict)}
    nodes = {id: MessageNode(text_of(one.get("parentId")), one) for id, one in entries.items()}

    def read(message: Body, step: int, line: MessageBuilder) -> None:
        _read(message, step, line, reading)

    messages = read_versions(nodes, text_of(history.get("currentId")), read, reading.remarks)
    created = moment(item.get("created_at"), chat.get("timestamp"))
    title, updated = item.get("title") or chat.get("title"), moment(item.get("updated_at"))
    pinned, archived = item.get("pinned"), item.get("archived")
    return document(item.get("id"), title, created, updated, messages, pinned=pinned, archived=archived)


def _read(message: Body, step: int, line: MessageBuilder, reading: ImportContext) -> None:
    role, created = reading.role(message.get("role")), moment(message.get("timestamp"))
    if role is None:
        return
    step = step if role == "assistant" else 0
    for block in blocks_of(message.get("content")):
        if step and block.get("type") == "text" and _OPENS in text_of(block.get("text")):
            _answer(text_of(block.get("text")), step, created, line, reading)
        else:
            line.add(role, block_parts(block, step, reading), created)
    line.add(role, texts(sources(_cited(message), reading), step), created)
    line.add(role, [*_files(message, reading)], created)
    line.by_model(text_of(message.get("model")))
    reading.remarks.add("errors", int(bool(body_of(message.get("error")))))


def _answer(text: str, step: int, created: float, line: MessageBuilder, reading: ImportContext) -> None:
    place = 0
    while (start := text.find(_OPENS, place)) >= 0:
        opened = text.find(">", start, start + _LONGEST_TAG)
        end = text.find(_CLOSES, opened) if opened >= 0 else -1
        if end < 0:
            break
        line.add("assistant", texts(text[place:start].strip("\n"), step), created)
        attributes = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(text[start:opened])}
        _details(attributes, text[opened + 1 : end], step, created, line, reading)
        place = end + len(_CLOSES)
    line.add("assistant", texts(text[place:].strip("\n"), step), created)


def _details(
    attributes: dict[str, str], inner: str, step: int, created: float, line: MessageBuilder, reading: ImportContext
) -> None:
    body = inner.rpartition("</summary>")[2].strip()
    match attributes.get("type", ""):
        case "reasoning":
            lines = (one.removeprefix(">").removeprefix(" ") for one in html.unescape(body).splitlines())
            parts: list[Part] = [Reasoning(whole, step)] if (whole := "\n".join(lines)) else []
            line.add("assistant", parts, created)
        case "tool_calls" | "code_interpreter" as kind:
            id, name = attributes.get("id", ""), attributes.get("name", kind)
            arguments = decoded(attributes.get("arguments", ""))
            line.call(step, id, name, decoded(arguments) if isinstance(arguments, str) else arguments, created)
            result = decoded(attributes.get("result", "") or attributes.get("output", ""))
            line.result(id, name, result if isinstance(result, str) else body or "", created=created)
        case kind:
            reading.unknown(kind)


def _cited(message: Body) -> Iterator[Body]:
    for one in dicts(message.get("sources")) or dicts(message.get("citations")):
        source = body_of(one.get("source"))
        name = text_of(source.get("name"))
        address = text_of(source.get("url")) or name
        titles = [text_of(about.get("source")) for about in dicts(one.get("metadata"))]
        yield {"url": next((it for it in (address, *titles) if it.startswith("http")), ""), "title": name}


def _files(message: Body, reading: ImportContext) -> Iterator[Part]:
    for file in dicts(message.get("files")):
        address, name = text_of(file.get("url")), text_of(file.get("name"))
        if address.startswith(("data:", "https:", "http:")):
            yield reading.inline_picture(address, name)
        else:
            yield reading.file(text_of(file.get("id")), name, is_picture=file.get("type") == "image")
