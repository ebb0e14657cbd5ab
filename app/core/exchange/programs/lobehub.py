"""What LobeHub (LobeChat) exports: tables of sessions, topics and messages.

The older form has them in `state`, with the tools of an answer in its message; the newer, a copy of its database, in
`data`, with a table of plugin calls. A conversation is what has the same session, topic and thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.core.run.messages import Message, Reasoning

from ..document import Body, SessionDocument
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
from .tables import DatabaseTables
from .versions import MessageNode, read_versions

_PLACES = ("state", "data")


def is_lobe(tables: DatabaseTables) -> bool:
    return any("messages" in tables.names(place) for place in _PLACES)


def read_lobe(tables: DatabaseTables, reading: ImportContext) -> Iterator[SessionDocument]:
    place = next(place for place in _PLACES if "messages" in tables.names(place))
    sessions = _by_id(tables.rows(place, "sessions"))
    topics = _by_id(tables.rows(place, "topics"))
    plugins = _by_id(tables.rows(place, "messagePlugins"))
    keys, group = tables.grouped(_conversation, place, "messages")
    for key in keys:
        listed = sorted(group(key), key=lambda one: moment(one.get("createdAt")))
        session = sessions.get(text_of(listed[0].get("sessionId")), {})
        topic = topics.get(text_of(listed[0].get("topicId")), {})
        about = topic or session
        title = text_of(topic.get("title")) or _title(session)
        created, updated = moment(about.get("createdAt")), moment(about.get("updatedAt"))
        messages = _messages(listed, plugins, reading)
        pinned = topic.get("favorite") or session.get("pinned")
        yield document(_id(listed[0]), title, created, updated, messages, pinned=pinned)


def _by_id(rows: Iterator[Body]) -> dict[str, Body]:
    return {text_of(row.get("id")): row for row in rows}


def _conversation(message: Body) -> str:
    return "\n".join(text_of(message.get(name)) for name in ("sessionId", "topicId", "threadId"))


def _id(message: Body) -> str:
    return "-".join(part for name in ("topicId", "threadId") if (part := text_of(message.get(name))))


def _title(session: Body) -> str:
    return text_of(session.get("title")) or text_of(body_of(session.get("meta")).get("title"))


def _messages(listed: list[Body], plugins: dict[str, Body], reading: ImportContext) -> list[Message]:
    """One after the other; where a message says which of its answers was shown, as its versions."""
    nodes: dict[str, MessageNode] = {}
    before = ""
    shown_of: dict[str, int] = {}
    for n, message in enumerate(listed):
        id = text_of(message.get("id")) or f"#{n}"
        if id in nodes:
            id = f"{id}#{n}"
        parent = text_of(message.get("parentId"))
        nodes[id] = MessageNode(parent if parent in shown_of else before, message)
        index = body_of(message.get("metadata")).get("activeBranchIndex")
        if isinstance(index, int) and not isinstance(index, bool):
            shown_of[id] = index
        before = id

    def read(message: Body, step: int, line: MessageBuilder) -> None:
        _read(message, plugins.get(text_of(message.get("id")), {}), step, line, reading)

    return read_versions(nodes, _shown(nodes, shown_of), read, reading.remarks)


def _shown(nodes: dict[str, MessageNode], shown_of: dict[str, int]) -> str:
    followers: dict[str, list[str]] = {}
    for id, node in nodes.items():
        followers.setdefault(node.parent, []).append(id)
    here = ""
    while after := followers.get(here):
        index = shown_of.get(here, -1)
        here = after[index] if 0 <= index < len(after) else after[-1]
    return here


def _read(message: Body, plugin: Body, step: int, line: MessageBuilder, reading: ImportContext) -> None:
    role, created, content = message.get("role"), moment(message.get("createdAt")), text_of(message.get("content"))
    if role == "system":
        reading.remarks.add("system")
    elif role in ("tool", "function"):
        called = body_of(message.get("plugin")) or plugin
        id = text_of(message.get("tool_call_id")) or text_of(plugin.get("toolCallId"))
        if not line.result(id, _name(called), content, ok=not message.get("pluginError"), created=created):
            reading.remarks.add("results")
    elif role == "user":
        line.add("user", [*texts(content, 0), *_files(message, reading)], created)
    elif role == "assistant":
        thought = text_of(body_of(message.get("reasoning")).get("content"))
        line.add("assistant", [Reasoning(thought, step)] if thought else [], created)
        line.add("assistant", texts(content, step), created)
        cited = dicts(body_of(message.get("search")).get("citations"))
        line.add("assistant", texts(sources(cited, reading), step), created)
        line.add("assistant", _files(message, reading), created)
        for tool in dicts(message.get("tools")):
            line.call(step, text_of(tool.get("id")), _name(tool), decoded(text_of(tool.get("arguments"))), created)
        line.by_model(_model(message))
        reading.remarks.add("errors", int(bool(body_of(message.get("error")))))
    else:
        reading.unknown(role)


def _name(tool: Body) -> str:
    return ".".join(part for name in ("identifier", "apiName") if (part := text_of(tool.get(name))))


def _model(message: Body) -> str:
    named = (message.get("fromModel"), message.get("model"), body_of(message.get("extra")).get("fromModel"))
    return next((found for one in named if (found := text_of(one))), "")


def _files(message: Body, reading: ImportContext) -> list[Any]:
    listed = message.get("files")
    names = listed if isinstance(listed, list) else []
    found: list[Any] = [reading.file(text_of(one), "", is_picture=False) for one in names]
    for name, is_picture in (("imageList", True), ("fileList", False)):
        for one in dicts(message.get(name)):
            address = text_of(one.get("url"))
            if is_picture and address.startswith(("data:", "https:", "http:")):
                found.append(reading.inline_picture(address, text_of(one.get("alt"))))
            else:
                title = text_of(one.get("name")) or text_of(one.get("alt"))
                found.append(reading.file(text_of(one.get("id")), title, is_picture=is_picture))
    return found
