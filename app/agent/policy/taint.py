"""Tracks untrusted and private text in one run: the gate asks here before anything is sent or written.

Untrusted content stays in the conversation through compaction, in sub-agents, and in later questions of the session.
Text of private results is kept (bounded) to recognise a call that would send it out of this computer; what the person
wrote is not private. Matching is linear in the text, for hostile text too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_plus, urlsplit

from app.core.run.events import ToolReturned
from app.core.run.messages import Attachment, Call, Message, Text
from app.core.tools.tool import Tool, ToolResult

KEPT = 400_000
"""Characters of private text that are remembered, the newest."""
LOOKED_AT = 20_000
"""Characters of arguments that are compared; what is longer is asked about anyway."""
ENOUGH = 12
"""So much text in common is no accident; a Chinese character counts for two."""
MOST_PIECES = 5
LONGEST_FOUND = 2_000
"""Characters of an address a search may have found that is read without asking."""
_STRIDE = 3
_PLACES = 8
_WORK = 200_000
_WIDE_FROM = "\u2e80"


@dataclass
class Taint:
    """Shared by a run and the runs inside it."""

    sources: list[str] = field(default_factory=list)
    """Where untrusted content came from, in order, each once."""
    in_folder: set[str] = field(default_factory=set)
    """Those of the sources that lie in the folder of the session, or are helpers that saw nothing beyond it."""
    own_words: list[str] = field(default_factory=list)
    """What the person wrote in this session."""
    found: set[str] = field(default_factory=set)
    """Addresses of hits of this run's own searches, as the search service named them."""
    _private: list[str] = field(default_factory=list)

    def note_call(self, tool: Tool, args: Mapping[str, Any], result: ToolResult) -> tuple[bool, bool]:
        """Whether the result was untrusted and whether it was private."""
        if result.ok and tool.permission == "net" and not tool.anywhere:
            self.found.update(address for address in result.found if _is_plain_address(address))
        untrusted = result.ok and (tool.untrusted or result.is_untrusted)
        private = result.ok and (tool.reads_private or result.is_private)
        if untrusted:
            self.add_source(_origin(tool, args), in_folder=self.is_inside(tool))
        if private:
            self.add_private(result.for_model())
        return untrusted, private

    def note_history(self, messages: Iterable[Message], tools: Mapping[str, Tool]) -> None:
        """What the session's earlier runs have read, and what the person has added."""
        for message in messages:
            for part in message.parts:
                if isinstance(part, Attachment):
                    self.add_source(part.origin or f"file {part.name}")
                    self.add_private(part.text)
                elif isinstance(part, Text) and message.role == "user" and part.origin:
                    self.add_source(part.origin)
                elif isinstance(part, Text) and message.role == "user":
                    self.own_words.append(part.text)
                elif isinstance(part, Call) and part.result is not None and part.result.ok:
                    self._note_stored(part.result, part.call.args, tools.get(part.call.name))

    def _note_stored(self, result: ToolReturned, args: Mapping[str, Any], tool: Tool | None) -> None:
        if result.untrusted or (tool is not None and tool.untrusted):
            is_inside = result.inside or (tool is not None and tool.confined)
            self.add_source(_origin(tool, args) if tool is not None else result.name, in_folder=is_inside)
        if result.private or (tool is not None and tool.reads_private):
            self.add_private(result.text)

    def add_source(self, source: str, *, in_folder: bool = False) -> None:
        """A source that comes from elsewhere once stays so."""
        if source not in self.sources:
            self.sources.append(source)
            if in_folder:
                self.in_folder.add(source)
        elif not in_folder:
            self.in_folder.discard(source)

    def beyond_folder(self) -> tuple[str, ...]:
        return tuple(source for source in self.sources if source not in self.in_folder)

    def is_inside(self, tool: Tool | None) -> bool:
        """Whether what this tool returns comes from the folder alone. A run inside shares this taint: whatever it has
        read is here already."""
        return tool is not None and (tool.confined or (tool.inner_run and not self.beyond_folder()))

    def add_private(self, text: str) -> None:
        if text.strip():
            self._private.append(_plain(text[:KEPT]))
        while sum(map(len, self._private)) > KEPT and len(self._private) > 1:
            del self._private[0]

    def goes_only_to_found(self, args: Mapping[str, Any]) -> bool:
        """Whether every text among the arguments is, to the letter, an address the run's own searches found."""
        texts = [value for value in args.values() if not isinstance(value, int | float)]
        return bool(texts) and all(isinstance(text, str) and text in self.found for text in texts)

    def shared_with(self, args: Mapping[str, Any]) -> tuple[str, ...]:
        """The pieces of these arguments that are in something private and not in the person's own words."""
        if not self._private:
            return ()
        strings = list(_strings(args))
        texts = [_plain(text) for text in dict.fromkeys((*strings, *map(unquote_plus, strings)))]
        if sum(map(len, strings)) > LOOKED_AT:
            return (texts[0][:60],)
        own_text = _plain("\n".join(self.own_words))
        found: dict[str, None] = {}
        for text in texts:
            for piece in (*_telling_words(text, self._private), *_common(text, self._private)):
                if piece.strip() and piece.strip() not in own_text:
                    found[piece.strip()] = None
        return tuple(found)[:MOST_PIECES]


def _is_plain_address(text: str) -> bool:
    """An address of the web that reads as what it is: no name and password, no letters that imitate others in the
    host, of a length that carries no message."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    is_web = parts.scheme in ("http", "https") and port in (None, 80, 443) and "@" not in parts.netloc
    is_readable = text.isprintable() and " " not in text and host.isascii() and "xn--" not in host
    return is_web and is_readable and "." in host and len(text) <= LONGEST_FOUND


def _origin(tool: Tool, args: Mapping[str, Any]) -> str:
    """The tool and, where that is what it asks, the site or path."""
    if tool.subject is None:
        return tool.name
    try:
        return f"{tool.name} {tool.subject(args)[:80]}".strip()
    except Exception:  # noqa: BLE001 - a plug-in's function: its name is enough then
        return tool.name


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)


# ---------------------------------------------------------------- the comparison


def _telling_words(text: str, private: Sequence[str]) -> Iterator[str]:
    """Numbers of cards and telephones, addresses, keys: short, and still nobody else's."""
    word = ""
    for char in f"{text} ":
        if char.isalnum() or char in "@._+-":
            word += char
            continue
        if _tells(word) and any(word in one for one in private):
            yield word
        word = ""


def _tells(word: str) -> bool:
    digits = sum(char.isdigit() for char in word)
    if len(word) < 6 or not (digits or "@" in word):
        return False
    is_date = digits + word.count("-") + word.count(".") == len(word) and len(word) <= 10
    return not is_date


def _common(text: str, private: Sequence[str]) -> Iterator[str]:
    """Long stretches of `text` that are in a private text word for word."""
    places: dict[str, list[int]] = {}
    for at in range(len(text) - _STRIDE + 1):
        where = places.setdefault(text[at : at + _STRIDE], [])
        if len(where) < _PLACES:
            where.append(at)
    work = _WORK
    for other in private:
        at = 0
        while at + _STRIDE <= len(other):
            longest = 0
            for place in places.get(other[at : at + _STRIDE], ()):
                begin, end, right = _stretch(text, place, other, at)
                work -= end - begin
                longest = max(longest, right)
                if _weight(text[begin:end]) >= ENOUGH:
                    yield text[begin:end]
            if work < 0:
                yield text[:60]  # nothing honest repeats itself so often
                return
            at += max(_STRIDE, longest - _STRIDE)


def _stretch(text: str, place: int, other: str, at: int) -> tuple[int, int, int]:
    """Begin and end in `text` of what both have in common around here, and its length to the right."""
    remaining = 0
    while remaining < min(place, at) and remaining < 400 and text[place - remaining - 1] == other[at - remaining - 1]:
        remaining += 1
    right = 0
    most = min(len(text) - place, len(other) - at, 2_000)
    while right < most and text[place + right] == other[at + right]:
        right += 1
    return place - remaining, place + right, right


def _weight(piece: str) -> int:
    return sum(2 if char >= _WIDE_FROM else 1 for char in piece if char.isalnum())
