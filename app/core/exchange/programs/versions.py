"""Trees of messages, as other programs keep them, as the versions of a session of ours.

A node names the one it follows. Every line from the beginning to an end is read; what lines have in common is there
once, the line that was shown last becomes the one that is shown here. Links that lead nowhere or in a circle are cut.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.core.ids import new_id
from app.core.run.messages import Message

from ..document import Body
from ..foreign_parts import MessageBuilder, text_of
from ..remarks import Remarks

MOST_COPIED = 2_000_000
"""Messages that may stand in more than one line while they are read; further branches are left out and counted."""

Read = Callable[[Body, int, MessageBuilder], None]
"""Adds what a node says; the number counts the messages of its line from 1."""


@dataclass(frozen=True, slots=True)
class MessageNode:
    parent: str
    """The id of the node before it; what names none begins a line."""
    body: Body | None
    """None for one that says nothing and only ties others together."""


def nodes_of(mapping: Body) -> dict[str, MessageNode]:
    """Of a table by id, whose entries have a `parent` and a `message`."""
    entries = {id: node for id, node in mapping.items() if isinstance(node, dict)}
    return {
        id: MessageNode(
            text_of(node.get("parent")), message if isinstance(message := node.get("message"), dict) else None
        )
        for id, node in entries.items()
    }


def read_versions(nodes: Mapping[str, MessageNode], shown: str, read: Read, remarks: Remarks) -> list[Message]:
    """`shown` is the last node of the line that was shown; of an unknown one, the last in the file is."""
    followers, begins, lost = _linked(nodes, shown)
    remarks.add("branches", lost)
    lines: list[list[Message]] = []
    room = MOST_COPIED
    waiting = [(id, MessageBuilder(), 1) for id in reversed(begins)]
    while waiting:
        id, line, step = waiting.pop()
        if (body := nodes[id].body) is not None:
            read(body, step, line)
            step += 1
        after = followers.get(id, [])
        if not after:
            lines.append(line.messages())
            continue
        cost = (len(after) - 1) * step
        if cost > room:
            remarks.add("branches", sum(_count(one, followers) for one in after[:-1]))
            after, cost = after[-1:], 0
        room -= cost
        copies = [line.copy() for _ in after[:-1]]
        waiting += reversed([(one, copy, step) for one, copy in zip(after, [*copies, line], strict=True)])
    return merged(lines, remarks)


def _linked(nodes: Mapping[str, MessageNode], shown: str) -> tuple[dict[str, list[str]], list[str], int]:
    """What follows each node and what begins a line, the shown one last of each; and how many lie in a circle."""
    line = _line(nodes, shown if shown in nodes else next(reversed(list(nodes)), ""))
    on_line = set(line)
    first = line[-1] if line else ""
    followers: dict[str, list[str]] = {}
    begins: list[str] = []
    for id, node in nodes.items():
        is_first = id == first or node.parent not in nodes
        (begins if is_first else followers.setdefault(node.parent, [])).append(id)
    for listed in (begins, *followers.values()):
        listed.sort(key=on_line.__contains__)
    reached = sum(_count(id, followers) for id in begins)
    return followers, begins, len(nodes) - reached


def _line(nodes: Mapping[str, MessageNode], id: str) -> list[str]:
    """From the last node back to the first; a circle ends where it closes."""
    line: dict[str, None] = {}
    while id in nodes and id not in line:
        line[id] = None
        id = nodes[id].parent
    return list(line)


def _count(id: str, followers: Mapping[str, Sequence[str]]) -> int:
    waiting, count = [id], 0
    while waiting:
        waiting += followers.get(waiting.pop(), ())
        count += 1
    return count


def merged(lines: Sequence[Sequence[Message]], remarks: Remarks) -> list[Message]:
    """The lines as messages of one session, where `Tree` finds each of them; the last line is the one shown."""
    if len(lines) == 1:
        return list(lines[0])
    stored: dict[str, Message] = {}
    alike: dict[int, str] = {}
    """Of the object that was stored, its id there: lines that begin alike share their first messages."""
    first = ""
    for line in lines:
        before = ""
        for message in line:
            if id(message) in alike:
                before = alike[id(message)]
                continue
            if not before and first and "assistant" in (message.role, stored[first].role):
                remarks.add("branches", len(line))  # nothing before it to which it could be tied
                break
            name = message.id if message.id not in stored else new_id()
            parent = before or first or None
            stored[name] = replace(message, id=name, parent=parent)
            alike[id(message)] = name
            first, before = first or name, name
    return list(stored.values())
