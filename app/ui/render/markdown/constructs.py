"""What only appends while it is open, without the parser: a code fence, and the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class Fence:
    """An open code fence: knows its closing line and takes off its indentation."""

    def __init__(self, opening: str) -> None:
        bare = opening.lstrip(" ")
        self._indent = len(opening) - len(bare)
        self._mark = bare[0]
        self._length = len(bare) - len(bare.lstrip(self._mark))
        self.held = ""
        """The beginning of a line that may become the closing one."""
        self._first = True
        self._inside_line = False

    def take_held(self) -> str:
        held, self.held = self.held, ""
        return held

    def closes(self, line: str, *, continues: bool = True) -> bool:
        """`continues`: the line may be the rest of one that was shown in part."""
        if self._inside_line and continues:
            return False
        bare = line.strip(" \t")
        indent = len(line) - len(line.lstrip(" "))
        return indent < 4 and len(bare) >= self._length and not bare.strip(self._mark)

    def may_close(self, line: str, *, continues: bool) -> bool:
        return bool(line) and not (self._inside_line and continues) and not line.strip(" \t" + self._mark)

    def joined(self, lines: Sequence[str], *, complete: bool) -> str:
        """What to append for these lines; the line break is before each line but the first."""
        parts: list[str] = []
        for line in lines:
            if self._inside_line:
                parts.append(line)
            else:
                parts.append("" if self._first else "\n")
                parts.append(self._unindented(line))
                self._first = False
            self._inside_line = not complete
        return "".join(parts)

    def _unindented(self, line: str) -> str:
        indent = len(line) - len(line.lstrip(" "))
        return line[min(indent, self._indent) :]


@dataclass(slots=True)
class OpenTable:
    head: str
    """Header and delimiter line, parsed again before new rows so that they are understood as rows."""
    held: str = ""
