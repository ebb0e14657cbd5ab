"""A JSON text too long to be held in memory: its values one after the other, as deep as is asked."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from .strict_json import ImportRefused, refuse_depth, refuse_pieces, strict_decoder

PIECE = 1_000_000
LARGEST_VALUE = 50_000_000
"""Characters of one value: of a conversation, or of what else is read as a whole."""
MOST_MEMBERS = 1_000_000
EACH = "*"
"""Ends the path of what stands in a list."""
_SPACE = re.compile(r"[ \t\r\n]*")

Path = tuple[str, ...]
Enters = Callable[[Path, str], bool]


class ByteSource(Protocol):
    def read(self, size: int, /) -> bytes: ...


class JsonStream:
    def __init__(self, source: ByteSource) -> None:
        self._source = source
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self._decoder = strict_decoder()
        self._text, self._place, self._is_whole = "", 0, False

    def begins_with(self, mark: str) -> bool:
        return self._peek() == mark

    def walk(self, enters: Enters) -> Iterator[tuple[Path, Any]]:
        """Values with their paths. `enters` says whether a list (`[`) or an object (`{`) is read piece by piece.

        Raises ImportRefused.
        """
        yield from self._walk((), enters)
        if self._peek():
            raise self._fault("something stands after the end")

    def _walk(self, path: Path, enters: Enters) -> Iterator[tuple[Path, Any]]:
        opened = self._peek()
        if opened not in ("[", "{") or not enters(path, opened):
            yield path, self._value()
            return
        self._place += 1
        if opened == "[":
            yield from self._items(path, enters)
        else:
            yield from self._members(path, enters)

    def _items(self, path: Path, enters: Enters) -> Iterator[tuple[Path, Any]]:
        if self._took("]"):
            return
        while True:
            yield from self._walk((*path, EACH), enters)
            if self._took("]"):
                return
            self._expect(",")

    def _members(self, path: Path, enters: Enters) -> Iterator[tuple[Path, Any]]:
        names: set[str] = set()
        if self._took("}"):
            return
        while True:
            if self._peek() != '"':
                raise self._fault("a key is expected")
            name = str(self._value())
            if name in names:
                raise ImportRefused("the JSON has a key twice in one object", reason="JSON_TWICE")
            names.add(name)
            if len(names) > MOST_MEMBERS:
                raise ImportRefused("the JSON has too many pieces", reason="JSON_PIECES")
            self._expect(":")
            yield from self._walk((*path, name), enters)
            if self._took("}"):
                return
            self._expect(",")

    # ------------------------------------------------------------ the text

    def _value(self) -> Any:
        self._peek()
        refused: json.JSONDecodeError | None = None
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._place)
            except json.JSONDecodeError as error:
                refused = error
            except RecursionError as error:
                raise ImportRefused("the JSON is nested too deeply", reason="JSON_DEPTH") from error
            except ImportRefused:
                raise
            except ValueError as error:
                raise ImportRefused(f"the file is not usable JSON: {error}", reason="JSON_NUMBER") from error
            else:
                if end < len(self._text) or self._is_whole:
                    self._place = end
                    refuse_depth(value)
                    return value
            if self._is_whole:
                raise self._fault(refused.msg if refused else "it ends too early")
            held = len(self._text) - self._place
            if held > LARGEST_VALUE:
                most = LARGEST_VALUE // 1_000_000
                raise ImportRefused(f"a part of the file is larger than {most} MB", reason="PART_LARGE", most=most)
            self._more(max(PIECE, held))

    def _more(self, size: int) -> None:
        data = self._source.read(size)
        try:
            added = self._decode.decode(data, final=not data)
        except UnicodeDecodeError as error:
            raise ImportRefused("the file is not UTF-8 text", reason="NOT_UTF8") from error
        refuse_pieces(added)
        self._text, self._place = self._text[self._place :] + added, 0
        self._is_whole = not data

    def _peek(self) -> str:
        while True:
            space = _SPACE.match(self._text, self._place)
            self._place = space.end() if space else self._place
            if self._place < len(self._text):
                return self._text[self._place]
            if self._is_whole:
                return ""
            self._more(PIECE)

    def _took(self, mark: str) -> bool:
        if self._peek() != mark:
            return False
        self._place += 1
        return True

    def _expect(self, mark: str) -> None:
        if not self._took(mark):
            raise self._fault(f"{mark} is expected")

    def _fault(self, why: str) -> ImportRefused:
        return ImportRefused(f"the file is not JSON: {why}", reason="NOT_JSON_PART")
