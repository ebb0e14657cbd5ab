"""Lines of text broken at words for a terminal, as they stream; a Chinese sign is a word of its own."""

from __future__ import annotations

import re

from .style import width

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
_WIDE = "\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
_WORD = re.compile(rf"(?:\x1b\[[0-9;]*m)*[{_WIDE}]|[^\S\n]+|(?:\x1b\[[0-9;]*m|[^\s\x1b{_WIDE}])+|\n|\x1b")
_CLOSING = frozenset("，。；：！？、）》」』】”’%,.;:!?)]}")
"""Signs no line begins with; there is room for one behind the last column that is used."""
_BREAK_BEHIND = re.compile(rf"[\s{_WIDE}]")


class Wrap:
    """One paragraph or item: what is fed is printed at once, a space when it is known that a word follows."""

    def __init__(self, columns: int, hang: int = 0) -> None:
        """`hang`: how far the lines behind the first are moved in."""
        self._columns, self._hang = max(columns - 2, 20), hang
        self._column = 0
        self._space = ""

    def feed(self, text: str) -> str:
        out: list[str] = []
        for word in _WORD.findall(text):
            if word.isspace():
                self._space += word
                continue
            wide = width(_ESCAPE.sub("", word))
            fits = self._column + len(self._space) + wide <= self._columns
            if fits or not self._column or (word[-1] in _CLOSING and wide <= 2 and not self._space):
                out += [self._space, word]
                self._column += len(self._space) + wide
            else:
                out += ["\n", " " * self._hang, word]
                self._column = self._hang + wide
            self._space = ""
        return "".join(out)


def last_break(text: str, start: int, end: int) -> int:
    """Up to where a line that still grows may be printed: behind its last whole word; `start`, if there is none."""
    for at in range(end - 1, start - 1, -1):
        if _BREAK_BEHIND.match(text[at]):
            return at + 1
    return start
