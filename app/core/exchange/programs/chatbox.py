"""What Chatbox exports: one object, with each conversation under a key of its own; older ones have them in a list.

A conversation has the messages of its last topic, those of earlier topics (`threads`) and other versions
(`messageForksHash`: after which message, and what followed it).
"""

from __future__ import annotations

from collections.abc import Iterator

from app.core.run.messages import Part, Reasoning

from ..document import Body, SessionDocument
from ..foreign_parts import ImportContext, MessageBuilder, as_text, body_of, dicts, document, moment, text_of, texts
from .tables import DatabaseTables
from .versions import MessageNode, read_versions

_KEY, _OLD = "session:", "chat-sessions"


def is_chatbox(tables: DatabaseTables) -> bool:
    names = tables.names()
    return _OLD in names or any(name.startswith(_KEY) for name in names)


def read_chatbox(tables: DatabaseTables, reading: ImportContext) -> Iterator[SessionDocument]:
    for name in tables.names():
        if name.startswith(_KEY):
            yield from _session(body_of(tables.value(name)), reading)
    for session in tables.rows(_OLD):
        yield from _session(session, reading)


def _session(session: Body, reading: ImportContext) -> Iterator[SessionDocument]:
    id, title = text_of(session.get("id")), text_of(session.get("name"))
    forks = body_of(session.get("messageForksHash"))
    for thread in dicts(session.get("threads")):
        name = " – ".join(part for part in (title, text_of(thread.get("name"))) if part)
        whole, key = dicts(thread.get("messages")), f"{id}-{text_of(thread.get('id'))}"
        yield _document(key, name, moment(thread.get("createdAt")), whole, forks, session, reading)
    yield _document(id, title, 0.0, dicts(session.get("messages")), forks, session, reading)


def _document(
    id: str, title: str, created: float, listed: list[Body], forks: Body, session: Body, reading: ImportContext
) -> SessionDocument:
    nodes: dict[str, MessageNode] = {}
    last = _chain(listed, "", nodes)
    waiting = list(nodes)
    for after in waiting:  # grows while it is read: a version may have versions itself
        fork = body_of(forks.get(after))
        for n, other in enumerate(dicts(fork.get("lists"))):
            first_new = len(nodes)
            if n != fork.get("position"):
                _chain(dicts(other.get("messages")), after, nodes)
            waiting += list(nodes)[first_new:]

    def read(message: Body, step: int, line: MessageBuilder) -> None:
        _read(message, step, line, reading)

    messages = read_versions(nodes, last, read, reading.remarks)
    return document(id, title, created, 0.0, messages, pinned=session.get("starred"))


def _chain(listed: list[Body], before: str, nodes: dict[str, MessageNode]) -> str:
    for message in listed:
        id = text_of(message.get("id"))
        if not id or id in nodes:
            id = f"#{len(nodes)}"
        nodes[id] = MessageNode(before, message)
        before = id
    return before


def _read(message: Body, step: int, line: MessageBuilder, reading: ImportContext) -> None:
    role, created = reading.role(message.get("role"), with_tools=True), moment(message.get("timestamp"))
    if role is None:
        return
    step = step if role == "assistant" else 0
    thought = text_of(message.get("reasoningContent"))
    line.add(role, [Reasoning(thought, step)] if thought and step else [], created)
    for part in dicts(message.get("contentParts")):
        if part.get("type") == "tool-call" and step:
            id, name = text_of(part.get("toolCallId")), text_of(part.get("toolName"))
            line.call(step, id, name, part.get("args"), created)
            if part.get("state") != "call":
                line.result(id, name, as_text(part.get("result")), ok=part.get("state") != "error", created=created)
        else:
            line.add(role, _part(part, step, reading), created)
    if not dicts(message.get("contentParts")):
        line.add(role, texts(text_of(message.get("content")), step), created)
    line.add(role, [*_files(message, reading)], created)
    line.by_model(text_of(message.get("model")))
    reading.remarks.add("errors", int(bool(text_of(message.get("error")))))


def _part(part: Body, step: int, reading: ImportContext) -> list[Part]:
    kind, text = text_of(part.get("type")), text_of(part.get("text"))
    if kind == "text":
        return texts(text, step)
    if kind == "reasoning":
        return [Reasoning(text, step)] if text and step else texts(text, step)
    if kind == "image":
        return [reading.picture("", "picture"), *texts(text_of(part.get("ocrResult")), step)]
    if kind == "info":
        reading.remarks.add("hidden")
    else:
        reading.unknown(kind)
    return []


def _files(message: Body, reading: ImportContext) -> Iterator[Part]:
    for file in dicts(message.get("files")):
        yield reading.file("", text_of(file.get("name")), is_picture=False)
    for link in dicts(message.get("links")):
        yield reading.file("", text_of(link.get("title")) or text_of(link.get("url")), is_picture=False)
    for picture in dicts(message.get("pictures")):
        yield reading.inline_picture(text_of(picture.get("url")))
