"""References to cells in formulas and ranges, moved where rows are inserted by repeating a block of rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_TEXT = r'"(?:[^"]|"")*"'
_SHEET = r"(?:'(?:[^']|'')+'|[^\W\d][\w.]*)!"
_CELL = r"\$?[A-Za-z]{1,3}\$?\d{1,7}"
_ROWS = r"\$?\d{1,7}:\$?\d{1,7}"
_PIECES = re.compile(rf"{_TEXT}|(?P<sheet>{_SHEET})?(?<![\w.$:])(?P<ref>{_CELL}(?::{_CELL})?|{_ROWS})(?![\w(:.])")
_PLACE = re.compile(r"(\$?[A-Za-z]{0,3})(\$?)(\d+)")
_SHARED = re.compile(rf"{_TEXT}|{_SHEET}|(?<![\w.$])(\$?)([A-Za-z]{{1,3}})(\$?)(\d{{1,7}})(?![\w(.])")
Mover = Callable[[int, int, bool, bool], tuple[int, int]]
"""First and last row of a reference, whether each is absolute; the rows it has then."""


@dataclass(frozen=True, slots=True)
class RepeatedRows:
    """Rows `first` to `last`, from 1, that stand `copies` times in place of once."""

    first: int
    last: int
    copies: int

    @property
    def size(self) -> int:
        return self.last - self.first + 1

    @property
    def added(self) -> int:
        return (self.copies - 1) * self.size

    def row(self, row: int) -> int:
        return row if row <= self.last else row + self.added

    def outside(self, first: int, last: int, _fixed: bool = False, _also: bool = False) -> tuple[int, int]:
        """Of a reference beside the block: what reaches over the whole block reaches over all of its copies."""
        is_over = first <= self.first and last >= self.last
        return self.row(first), last + self.added if is_over else self.row(last)

    def inside(self, copy: int) -> Mover:
        """Of a reference in copy number `copy`, from 0: its own rows go with it."""

        def end(row: int, is_fixed: bool) -> int:
            if self.first <= row <= self.last:
                return row if is_fixed else row + copy * self.size
            return self.row(row)

        return lambda first, last, fixed, also: (end(first, fixed), end(last, also))


def moved(formula: str, own: Mover | None, others: Mapping[str, Mover], *, grows: bool = False) -> str:
    """`own` moves references without a sheet, `others` those with one, by its name; `grows` as for `moved_range`."""

    def new(match: re.Match[str]) -> str:
        ref = match["ref"]
        if ref is None:
            return match.group()
        sheet = match["sheet"] or ""
        mover = others.get(sheet[:-1].strip("'").replace("''", "'")) if sheet else own
        return sheet + (moved_range(ref, mover, grows=grows) if mover is not None else ref)

    return _PIECES.sub(new, formula)


def moved_range(ref: str, mover: Mover, *, grows: bool = False) -> str:
    """A1, A1:B2, 1:3. A single cell becomes a range only where it `grows` with what is repeated."""
    places = [_PLACE.fullmatch(each) for each in ref.split(":")]
    if not 1 <= len(places) <= 2 or None in places:
        return ref
    first, last = places[0], places[-1]
    assert first is not None
    assert last is not None
    top, bottom = mover(int(first[3]), int(last[3]), bool(first[2]), bool(last[2]))
    ends = [f"{first[1]}{first[2]}{top}", f"{last[1]}{last[2]}{bottom}"]
    return ":".join(ends) if len(places) == 2 or (grows and top != bottom) else ends[0]


def moved_ranges(refs: str, mover: Mover) -> str:
    """Several, of a condition or a check: they hold for each copy."""
    return " ".join(moved_range(ref, mover, grows=True) for ref in refs.split())


def copied(formula: str, rows: int, columns: int) -> str:
    """As a program writes it that copies the cell so many rows down and columns to the right."""

    def new(match: re.Match[str]) -> str:
        if match[2] is None:
            return match.group()
        column = match[2] if match[1] else _letters(_number(match[2]) + columns)
        return f"{match[1]}{column}{match[3]}{match[4] if match[3] else int(match[4]) + rows}"

    return _SHARED.sub(new, formula)


def _number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def _letters(number: int) -> str:
    text = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text
