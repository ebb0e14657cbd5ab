"""Conversations as other programs export them, as documents of ours.

Known: a list of chat messages of the OpenAI API, the `conversations.json` of ChatGPT and that of
Claude. Of branching conversations the line that was shown last is read. What has no place here
(pictures, system prompts) is counted in a remark. Nothing imported can run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from typing import Any

from app.core.ids import new_id
from app.core.run.events import ToolCalled, ToolReturned
from app.core.run.messages import Attachment, Call, Message, Part, Reasoning, Text

from .document import LATEST, NOT_RUN, Body, Remark, SessionDocument, not_run
from .strict_json import ImportRefused, shortened

MOST_SESSIONS = 20_000
_UNKNOWN = "this is no conversation this program knows how to read"


def read_foreign(value: Any, remark: Remark) -> list[SessionDocument]:
    """Raises ImportRefused if it is nothing that is known."""
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        value = value["messages"]
    if isinstance(value, dict) and ("mapping" in value or "chat_messages" in value):
        value = [value]
    if not isinstance(value, list) or not value or not all(isinstance(item, dict) for item in value):
        raise ImportRefused(_UNKNOWN, reason="NO_CONVERSATION")
    if len(value) > MOST_SESSIONS:
        message = f"there are more than {MOST_SESSIONS} conversations"
        raise ImportRefused(message, reason="MOST_SESSIONS", most=MOST_SESSIONS)
    if all("role" in item for item in value):
        return [_openai(value, remark)]
    if all("mapping" in item for item in value):
        return [_chatgpt(item, remark) for item in value]
    if all("chat_messages" in item for item in value):
        return [_claude(item, remark) for item in value]
    raise ImportRefused(_UNKNOWN, reason="NO_CONVERSATION")


def _document(id: Any, title: Any, created: float, updated: float, messages: list[Message]) -> SessionDocument:
    bodies = [message.to_json() for message in messages]
    _name(bodies, title)
    session = {
        "id": id if isinstance(id, str) and 0 < len(id) <= 100 else _own_id(bodies),
        "title": title[:1_000] if isinstance(title, str) else "",
        "agent": "", "mode": "", "created": created, "updated": updated or created,
        "pinned": False, "folder": "", "archived": False,
    }  # fmt: skip
    return SessionDocument(session, bodies)


def _own_id(bodies: list[Body]) -> str:
    return f"{bodies[0]['id']}-s" if bodies else new_id()


def _name(bodies: list[Body], title: Any) -> None:
    """Ids that follow from what was said: the same file read again gives the same document."""
    said = json.dumps([str(title), [{**body, "id": "", "parent": ""} for body in bodies]], ensure_ascii=True)
    seed = sha256(said.encode()).hexdigest()[:20]
    names = {body["id"]: f"{seed}-{n}" for n, body in enumerate(bodies)}
    for body in bodies:
        body["id"], body["parent"] = names[body["id"]], names.get(body["parent"])


def _with_parents(messages: Iterator[Message]) -> list[Message]:
    """Neighbours of one role become one message; an answer names the question before it."""
    line: list[Message] = []
    for message in messages:
        last = line[-1] if line else None
        if last is not None and last.role == message.role:
            line[-1] = Message(last.id, last.role, (*last.parts, *message.parts), last.created, last.parent)
            continue
        parent = last.id if message.role == "assistant" and last is not None else None
        line.append(Message(message.id, message.role, message.parts, message.created, parent))
    return [message for message in line if message.parts]


# ---------------------------------------------------------------- a list of chat messages


def _openai(items: list[Body], remark: Remark) -> SessionDocument:
    results = {_str(item.get("tool_call_id")): _content(item) for item in items if item.get("role") == "tool"}
    left_out = sum(item.get("role") in ("system", "developer") for item in items)
    if left_out:
        remark(f"{left_out} system messages were left out: here the agent has its own")
    messages = _with_parents(_openai_messages(items, results))
    if not messages:
        raise ImportRefused("there is no message of a person or a model in it", reason="NO_MESSAGE")
    return _document(None, "", 0.0, 0.0, messages)


def _openai_messages(items: list[Body], results: dict[str, str]) -> Iterator[Message]:
    for step, item in enumerate(items, 1):
        role = item.get("role")
        if role not in ("user", "assistant", "system", "developer", "tool", "function"):
            raise ImportRefused(f"a message has the role {shortened(role)}", reason="ROLE", role=shortened(role))
        if role == "user":
            yield Message(new_id(), "user", tuple(_texts(_content(item), 0)))
        elif role == "assistant":
            reasoning = item.get("reasoning_content")
            thought = [Reasoning(reasoning, step)] if isinstance(reasoning, str) and reasoning else []
            calls = [_openai_call(call, step, results) for call in _dicts(item.get("tool_calls"))]
            yield Message(new_id(), "assistant", (*thought, *_texts(_content(item), step), *calls))


def _openai_call(call: Body, step: int, results: dict[str, str]) -> Call:
    named = call.get("function")
    function: Body = named if isinstance(named, dict) else {}
    try:
        given = json.loads(_str(function.get("arguments")))
    except (ValueError, RecursionError):
        given = {"text": _str(function.get("arguments"))}
    id = _str(call.get("id")) or f"call-{step}"
    called = ToolCalled(step, id, _str(function.get("name")) or "tool", given if isinstance(given, dict) else {})
    return _returned(called, results.get(id))


def _returned(called: ToolCalled, text: str | None) -> Call:
    if text is None:
        return Call(called, False, not_run(called))
    first = text.strip().splitlines()[0][:200] if text.strip() else NOT_RUN
    size = len(text)
    return Call(
        called, True, ToolReturned(called.step, called.id, called.name, True, "ok", first, text, size, size, False, 0)
    )


# ---------------------------------------------------------------- ChatGPT


def _chatgpt(item: Body, remark: Remark) -> SessionDocument:
    mapping = item["mapping"] if isinstance(item["mapping"], dict) else {}
    line = _shown_line(mapping, item.get("current_node"))
    total = sum(1 for node in mapping.values() if isinstance(node, dict) and isinstance(node.get("message"), dict))
    messages = _with_parents(_chatgpt_messages(line))
    if total > len(line):
        remark(
            f"{_str(item.get('title')) or 'a conversation'}: {total - len(line)} messages of other branches left out"
        )
    created, updated = _seconds(item.get("create_time")), _seconds(item.get("update_time"))
    return _document(item.get("conversation_id") or item.get("id"), item.get("title"), created, updated, messages)


def _shown_line(mapping: Body, last: Any) -> list[Body]:
    """From the node shown last up to the root. A circle ends where it closes."""
    if not isinstance(last, str) or last not in mapping:
        said = {
            id: node for id, node in mapping.items() if isinstance(node, dict) and isinstance(node.get("message"), dict)
        }
        parents = {_str(node.get("parent")) for node in said.values()}
        ends = (id for id in reversed(said) if id not in parents)
        last = next(ends, None)
    line: list[Body] = []
    seen: set[str] = set()
    while isinstance(last, str) and last not in seen and isinstance(node := mapping.get(last), dict):
        seen.add(last)
        if isinstance(node.get("message"), dict):
            line.append(node["message"])
        last = node.get("parent")
    return line[::-1]


def _chatgpt_messages(line: list[Body]) -> Iterator[Message]:
    for step, item in enumerate(line, 1):
        author = item.get("author")
        role = author.get("role") if isinstance(author, dict) else None
        text, created = _content(item), _seconds(item.get("create_time"))
        if role == "user":
            yield Message(new_id(), "user", tuple(_texts(text, 0)), created)
        elif role == "assistant":
            yield Message(new_id(), "assistant", tuple(_texts(text, step)), created)


# ---------------------------------------------------------------- Claude


def _claude(item: Body, remark: Remark) -> SessionDocument:
    messages = _with_parents(_claude_messages(_dicts(item["chat_messages"])))
    created, updated = _moment(item.get("created_at")), _moment(item.get("updated_at"))
    return _document(item.get("uuid"), item.get("name"), created, updated, messages)


def _claude_messages(items: list[Body]) -> Iterator[Message]:
    for step, item in enumerate(items, 1):
        created = _moment(item.get("created_at"))
        if item.get("sender") == "human":
            yield Message(new_id(), "user", tuple(_claude_parts(item, 0)), created)
        elif item.get("sender") == "assistant":
            yield Message(new_id(), "assistant", tuple(_claude_parts(item, step)), created)


def _claude_parts(item: Body, step: int) -> Iterator[Part]:
    blocks = _dicts(item.get("content"))
    results = {
        _str(block.get("tool_use_id")): _content(block) for block in blocks if block.get("type") == "tool_result"
    }
    shown = False
    for block in blocks:
        if block.get("type") == "thinking" and step:
            yield Reasoning(_str(block.get("thinking")), step)
        elif block.get("type") == "tool_use" and step:
            given = block.get("input")
            id = _str(block.get("id")) or f"call-{step}"
            called = ToolCalled(step, id, _str(block.get("name")) or "tool", given if isinstance(given, dict) else {})
            yield _returned(called, results.get(id))
        elif block.get("type") == "text":
            shown = True
            yield from _texts(_str(block.get("text")), step)
    if not shown:
        yield from _texts(_str(item.get("text")), step)
    for file in _dicts(item.get("attachments")):
        yield Attachment("", _str(file.get("file_name")), "", _str(file.get("extracted_content")))


# ---------------------------------------------------------------- pieces


def _texts(text: str, step: int) -> Iterator[Text]:
    if text:
        yield Text(text, step)


def _content(item: Body) -> str:
    """A text, or the texts of a list of parts, of any of the three."""
    content = item.get("content")
    if isinstance(content, dict):
        content = content.get("parts") or content.get("text") or ""
    if isinstance(content, list):
        pieces = (part if isinstance(part, str) else _str(part.get("text")) for part in content if _has_text(part))
        return "\n".join(piece for piece in pieces if piece)
    return _str(content)


def _has_text(part: Any) -> bool:
    return isinstance(part, str | dict)


def _dicts(value: Any) -> list[Body]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _str(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _seconds(value: Any) -> float:
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LATEST
    return float(value) if good else 0.0


def _moment(value: Any) -> float:
    try:
        return _seconds(datetime.fromisoformat(_str(value)).timestamp())
    except (ValueError, OverflowError, OSError):
        return 0.0
