"""A file as text whose bytes are kept: its encoding, mark, line ends and last newline are those it had.

An edit replaces the bytes of what was found and no other byte of the file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

from app.core.errors import ToolError
from app.core.text import encodings
from app.core.text.i18n import N_


class Binary(Exception):
    """No text."""


@dataclass(frozen=True, slots=True)
class TextFile:
    text: str
    """As it stands, with its own line ends."""
    encoding: str
    mark: bytes = b""
    """The byte order mark it begins with."""

    @property
    def plain(self) -> str:
        """With line ends as a model writes them."""
        return self.text.replace("\r\n", "\n")

    @property
    def newline(self) -> str:
        """The line end that is in it most often."""
        crlf = self.text.count("\r\n")
        return "\r\n" if crlf * 2 > self.text.count("\n") else "\n"

    def to_bytes(self) -> bytes:
        """Raises ToolError ENCODING where a sign does not exist in its encoding."""
        try:
            return self.mark + self.text.encode(self.encoding)
        except UnicodeEncodeError as error:
            sign = self.text[error.start]
            raise ToolError(
                "ENCODING", N_("{sign} cannot be written in {encoding}, the encoding of the file"),
                hint=N_("use signs that it has"), values={"sign": repr(sign), "encoding": self.encoding},
            ) from error  # fmt: skip

    def places(self, old: str) -> list[tuple[int, int]]:
        """Where `old` stands, whatever the line ends are; begin and end in `text`."""
        wanted = old.replace("\r\n", "\n")
        plain = self.plain
        folds = [at - n for n, at in enumerate(_positions(self.text, "\r\n"))]
        matches = []
        for begin in _positions(plain, wanted):
            end = begin + len(wanted)
            matches.append((begin + bisect_left(folds, begin), end + bisect_left(folds, end)))
        return matches

    def replaced(self, places: list[tuple[int, int]], new: str) -> TextFile:
        """The line ends of `new` become those of the file; where it has both, those of the place."""
        pieces, last = [], 0
        for begin, end in places:
            pieces += [self.text[last:begin], self._in_its_lines(new, begin, end)]
            last = end
        return replace(self, text="".join([*pieces, self.text[last:]]))

    def _in_its_lines(self, new: str, begin: int, end: int) -> str:
        plain, here = new.replace("\r\n", "\n"), self.text[begin:end]
        newline = self.newline if "\n" not in here else "\r\n" if "\r\n" in here else "\n"
        return plain if newline == "\n" else plain.replace("\n", newline)


def read_text(data: bytes) -> TextFile:
    """Raises Binary."""
    try:
        content = encodings.decoded(data, exact=True)
    except encodings.NoText as error:
        raise Binary from error
    return TextFile(content.text, content.encoding, content.mark)


def _positions(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    while wanted and at >= 0:
        yield at
        at = text.find(wanted, at + len(wanted))


def line_of(text: str, place: int) -> int:
    """From 1."""
    return text.count("\n", 0, place) + 1


def sentence_of_binary(path: str) -> ToolError:
    return ToolError("BINARY", N_("{path} is no text"), values={"path": path[:120]})
