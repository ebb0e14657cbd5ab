"""A session with variants is a tree; the messages shown are one branch of it.

An answer belongs to the question it names as its parent; a second answer to the same question is a variant of the
first. A question follows the message it names; one that names another question replaces it as its edited form. A
message that names nothing (or something deleted) follows the one stored before it. The newest variant is shown unless
another was chosen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..run.messages import Message

ROOT = ""
"""Stands for the beginning, where a choice is named by what it follows."""


@dataclass(frozen=True, slots=True)
class Branch:
    messages: tuple[Message, ...] = ()
    """Oldest first."""
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each message of the line that has some: all of them, itself too, oldest first."""
    follows: Mapping[str, str] = field(default_factory=dict)
    """For each message of the line what it follows: the name of the choice made there."""


class Tree:
    def __init__(self, messages: Sequence[Message], hidden: Collection[str] = ()) -> None:
        """`hidden` are messages about to be deleted."""
        self._messages = {message.id: message for message in messages}
        self._hidden = hidden
        self._follows = _follows(messages)
        self._after: dict[str, list[str]] = {}
        for id, before in self._follows.items():
            self._after.setdefault(before, []).append(id)

    def line(self, choices: Mapping[str, str] | None = None) -> Branch:
        """`choices` names, by what they follow, the variants to be read."""
        chosen = choices or {}
        messages: list[Message] = []
        variants: dict[str, tuple[str, ...]] = {}
        follows: dict[str, str] = {}
        here = ROOT
        while True:
            place, options = self._options(here)
            if not options:
                return Branch(tuple(messages), variants, follows)
            here = chosen[place] if chosen.get(place) in options else options[-1]
            messages.append(self._messages[here])
            follows[here] = place
            if len(options) > 1:
                variants[here] = tuple(options)

    def lost_with(self, id: str) -> list[str]:
        """What cannot be read any more when a message is gone: itself, and all behind it if it had variants."""
        siblings = [one for one in self._after.get(self._follows[id], ()) if one != id and one not in self._hidden]
        return [id, *self._behind(id)] if siblings else [id]

    def _options(self, place: str) -> tuple[str, list[str]]:
        """What may come next; past hidden messages, as if they were not there."""
        while True:
            following = self._after.get(place, [])
            seen = [id for id in following if id not in self._hidden]
            if seen or not following:
                return place, seen
            place = following[-1]

    def _behind(self, id: str) -> Iterator[str]:
        waiting = list(self._after.get(id, ()))
        while waiting:
            one = waiting.pop()
            yield one
            waiting += self._after.get(one, ())


def _follows(messages: Sequence[Message]) -> dict[str, str]:
    known: dict[str, Message] = {}
    follows: dict[str, str] = {}
    last = ROOT
    for message in messages:
        parent = known.get(message.parent or "")
        if parent is None:
            follows[message.id] = last
        elif message.role == parent.role == "user":
            follows[message.id] = follows[parent.id]
        else:
            follows[message.id] = parent.id
        known[message.id] = message
        last = message.id
    return follows
