"""A message that grows, split into what is finished and the little that may still change.

`feed` takes pieces of any size and says what to do with the page. Everything but the last
top-level block is finished and never parsed again; list items finish one by one; an open fence
and an open table only append. So the work for a token does not grow with the message.
Reference links that are defined later, and a few rare constructs, need the parse of the whole
at the end: that is the body's affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from app.ui.render.blocks import Block, Code, Line, Run, Table, start_number, to_blocks
from app.ui.render.markdown import Env, parse
from app.ui.render.sanitize import displayable

LONG_TAIL = 2_000
"""From here on a block is parsed only when it has grown by an eighth; meanwhile text is appended."""

LONGEST_BLOCK = 20_000
"""A block longer than this is shown as plain text: the parser and Qt are not linear on it."""

_PLAIN_LINE = 2_000
_UNDECIDED = frozenset("-=*_#>+`~|:.0123456789 \t[]xX")


@dataclass(frozen=True, slots=True)
class Settled:
    """These blocks follow what is finished; the tail is void."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Tail:
    """These blocks stand at the end for now; they replace the former tail."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class CodeOpened:
    language: str


@dataclass(frozen=True, slots=True)
class CodeGrew:
    text: str


@dataclass(frozen=True, slots=True)
class TableOpened:
    table: Table


@dataclass(frozen=True, slots=True)
class TableGrew:
    rows: tuple[tuple[tuple[Run, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Closed:
    """The open code or table is complete."""


Change = Settled | Tail | CodeOpened | CodeGrew | TableOpened | TableGrew | Closed


class Splitter:
    def __init__(self, env: Env | None = None) -> None:
        self._env: Env = env if env is not None else {}
        self._tail = ""
        self._carriage = ""
        self._number: int | None = None
        """The next number, while the tail begins inside an ordered list."""
        self._parsed = 0
        """Length of the tail at its last parse."""
        self._shown: list[Block] = []
        self._fence: _Fence | None = None
        self._table: _OpenTable | None = None
        self._changes: list[Change] = []

    def feed(self, text: str) -> list[Change]:
        self._changes = []
        self._drain(self._normalised(text))
        return self._changes

    def finish(self) -> list[Change]:
        """Show what was held back and close what is open."""
        self._changes = []
        if self._fence is None and self._table is None:
            self._drain(self._parse_tail(final=True))
        if self._table is not None and self._table.held.strip():
            self._drain("\n")
            if self._table is None:
                self._drain(self._parse_tail(final=True))
        if self._table is not None:
            self._close_table()
        if self._fence is not None:
            held = self._fence.take_held()
            if held and not self._fence.closes(held):
                self._grow_code(self._fence, [held])
            self._close_fence()
        if self._shown:
            self._settle(self._shown)
        self._tail = ""
        return self._changes

    def _drain(self, rest: str) -> None:
        while rest:
            if self._fence is not None:
                rest = self._feed_fence(self._fence, rest)
            elif self._table is not None:
                rest = self._feed_table(self._table, rest)
            else:
                rest = self._feed_tail(rest)

    def _normalised(self, text: str) -> str:
        text = self._carriage + text
        self._carriage = ""
        if "\r" in text:
            if text.endswith("\r"):
                text, self._carriage = text[:-1], "\r"
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text

    # -- ordinary text

    def _feed_tail(self, text: str) -> str:
        self._tail += text
        size = len(self._tail)
        if size > LONG_TAIL and size < self._parsed * 9 // 8 and "\n\n" not in text and "```" not in text:
            self._append_unparsed(text)
            return ""
        return self._parse_tail()

    def _append_unparsed(self, text: str) -> None:
        """Keep a long block growing on the screen between two parses."""
        run = Run(displayable(text.replace("\n", "\u2028")))
        last = self._shown[-1] if self._shown else None
        if isinstance(last, Line):
            self._shown[-1] = last._replace(runs=(*last.runs, run))
            self._changes.append(Tail(tuple(self._shown)))

    def _parse_tail(self, *, final: bool = False) -> str:
        source = self._tail if final else _decided(self._tail)
        self._parsed = len(self._tail)
        if len(source) > LONGEST_BLOCK and not final:
            return self._settle_or_give_up(source)
        tokens = parse(source, self._env)
        cut = _last_start(tokens)
        if cut is None:
            self._show_tail([])
            return ""
        at, line = cut
        if at:
            self._settle_until(tokens, at, line)
            tokens = _from(tokens, at)
        elif line:
            # Blank lines and link definitions before the first block.
            self._tail = self._tail[_offset_of_line(self._tail, line) :]
            self._parsed = len(self._tail)
        rest = self._open_construct(tokens)
        if rest is not None:
            return rest
        self._show_tail(to_blocks(tokens, self._number))
        return ""

    def _settle_or_give_up(self, source: str) -> str:
        """Past the limit: settle the finished blocks if there are any, else show plain text."""
        head = source[:LONGEST_BLOCK]
        tokens = parse(head, self._env)
        cut = _last_start(tokens)
        if cut is not None and cut[0]:
            self._settle_until(tokens, *cut)
            rest, self._tail = self._tail, ""
            return rest
        if cut is not None and tokens[cut[0]].type in ("fence", "table_open"):
            inside = self._open_construct(tokens)
            if inside is not None:
                return inside + source[LONGEST_BLOCK:] + self._tail[len(source) :]
        self._settle(_plain_blocks(head))
        rest, self._tail = self._tail[LONGEST_BLOCK:], ""
        return rest

    def _settle_until(self, tokens: list[Token], at: int, line: int) -> None:
        blocks = to_blocks(tokens[:at], self._number)
        self._number = _number_after(tokens, at, self._number)
        self._settle(blocks)
        self._tail = self._tail[_offset_of_line(self._tail, line) :]
        self._parsed = len(self._tail)

    def _settle(self, blocks: Sequence[Block]) -> None:
        self._changes.append(Settled(tuple(blocks)))
        self._shown = []

    def _show_tail(self, blocks: list[Block]) -> None:
        self._shown = blocks
        self._changes.append(Tail(tuple(blocks)))

    # -- constructs that only append

    def _open_construct(self, tokens: Sequence[Token]) -> str | None:
        """Begin an open fence or table; returns the text that belongs into it, None if neither."""
        if not tokens:
            return None
        token = tokens[0]
        if token.type == "fence":
            opening, newline, rest = self._tail.partition("\n")
            if not newline:
                return None
            self._number = None
            self._fence = _Fence(opening)
            code = to_blocks([token])[0]
            self._changes.append(Tail(()))
            self._changes.append(CodeOpened(code.language if isinstance(code, Code) else ""))
        elif token.type == "table_open":
            lines = self._tail.split("\n", 2)
            if len(lines) < 3:
                return None
            self._number = None
            head = to_blocks(parse(f"{lines[0]}\n{lines[1]}\n", self._env))
            if len(head) != 1 or not isinstance(head[0], Table):
                return None
            self._table = _OpenTable(f"{lines[0]}\n{lines[1]}\n")
            self._changes.append(Tail(()))
            self._changes.append(TableOpened(head[0]))
            rest = lines[2]
        else:
            return None
        self._tail, self._shown, self._parsed = "", [], 0
        return rest

    def _feed_fence(self, fence: _Fence, text: str) -> str:
        lines = (fence.take_held() + text).split("\n")
        last = lines.pop()
        for number, line in enumerate(lines):
            if fence.closes(line, continues=number == 0):
                self._grow_code(fence, lines[:number])
                self._close_fence()
                return "\n".join([*lines[number + 1 :], last])
        self._grow_code(fence, lines)
        if fence.may_close(last, continues=not lines):
            fence.held = last
        elif last:
            self._grow_code(fence, [last], complete=False)
        return ""

    def _grow_code(self, fence: _Fence, lines: Sequence[str], *, complete: bool = True) -> None:
        grown = fence.joined(lines, complete=complete)
        if grown:
            self._changes.append(CodeGrew(grown))

    def _close_fence(self) -> None:
        self._fence = None
        self._changes.append(Closed())

    def _feed_table(self, table: _OpenTable, text: str) -> str:
        complete, newline, last = (table.held + text).rpartition("\n")
        if not newline:
            table.held = last
            return ""
        tokens = parse(table.head + complete, self._env)
        block = to_blocks(tokens[: _end_of_first(tokens)])[0]
        if isinstance(block, Table) and block.rows:
            self._changes.append(TableGrew(block.rows))
        lines = complete.split("\n")
        used = (tokens[0].map or [0, 2])[1] - 2
        if used >= len(lines):
            table.held = last
            return ""
        self._close_table()
        return "\n".join([*lines[used:], last])

    def _close_table(self) -> None:
        self._table = None
        self._changes.append(Closed())


class _Fence:
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
        """What to append for these lines; the line break stands before each line but the first."""
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
class _OpenTable:
    head: str
    """Header and delimiter line, parsed again before new rows so that they are understood as rows."""
    held: str = ""


def _decided(tail: str) -> str:
    """The tail without a last line that could still become anything.

    A single `-` under a paragraph would flash as a heading, the header of a table as prose.
    """
    start = tail.rfind("\n") + 1
    line = tail[start:]
    if line and len(line) < 40 and _UNDECIDED.issuperset(line):
        tail = tail[:start]
    paragraph = tail.rfind("\n\n") + 2 if "\n\n" in tail else 0
    last = tail[paragraph:]
    if last.startswith("|") and last.count("\n") <= 1 and len(last) < LONG_TAIL:
        return tail[:paragraph]
    return tail


def _last_start(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Index and source line where the last unfinished part begins; list items count as parts."""
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        if token.level == 0 and token.nesting >= 0 and token.map:
            if token.type in ("bullet_list_open", "ordered_list_open"):
                return _last_item(tokens, index, token.map[0])
            return index, token.map[0]
    return None


def _last_item(tokens: Sequence[Token], opening: int, first_line: int) -> tuple[int, int]:
    for index in range(len(tokens) - 1, opening + 1, -1):
        token = tokens[index]
        if token.type == "list_item_open" and token.level == 1 and token.map:
            return (index, token.map[0]) if token.map[0] > first_line else (opening, first_line)
    return opening, first_line


def _opening_before(tokens: list[Token], at: int) -> int:
    return max(index for index in range(at) if tokens[index].level == 0 and tokens[index].nesting == 1)


def _from(tokens: list[Token], at: int) -> list[Token]:
    """The tokens from there on; a list that was cut through gets its opening again."""
    if tokens[at].type != "list_item_open":
        return tokens[at:]
    return [tokens[_opening_before(tokens, at)], *tokens[at:]]


def _number_after(tokens: list[Token], at: int, number: int | None) -> int | None:
    """The number of the item at `at`, if the cut goes through an ordered list."""
    if tokens[at].type != "list_item_open":
        return None
    opening = _opening_before(tokens, at)
    if tokens[opening].type != "ordered_list_open":
        return None
    first = number if number is not None and opening == 0 else start_number(tokens[opening])
    return first + sum(1 for token in tokens[opening:at] if token.type == "list_item_open" and token.level == 1)


def _end_of_first(tokens: Sequence[Token]) -> int:
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting == -1:
            return index + 1
    return len(tokens)


def _offset_of_line(text: str, line: int) -> int:
    at = 0
    for _ in range(line):
        at = text.index("\n", at) + 1
    return at


def _plain_blocks(text: str) -> list[Block]:
    """Text that is too long for the parser, a line of the page for each piece of it."""
    lines = [piece for line in text.split("\n") for piece in _pieces(line)]
    return [Line("p", (Run(displayable(line)),)) for line in lines if line]


def _pieces(line: str) -> list[str]:
    return [line[start : start + _PLAIN_LINE] for start in range(0, len(line), _PLAIN_LINE)]
