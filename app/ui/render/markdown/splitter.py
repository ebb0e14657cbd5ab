"""A message that grows, split into what is finished and the little that may still change.

`feed` takes pieces of any size and says what to do with the page. Everything but the last
top-level block is finished and never parsed again; list items finish one by one; an open fence
and an open table only append. So the work for a token does not grow with the message.
Reference links that are defined later, and a few rare constructs, need the parse of the whole
at the end: that is the body's affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.ui.render.markdown.blocks import Block, CodeBlock, TableBlock, TextLine, TextRun, to_blocks
from app.ui.render.markdown.changes import Change, Closed, CodeGrew, CodeOpened, Settled, TableGrew, TableOpened, Tail
from app.ui.render.markdown.constructs import Fence, OpenTable
from app.ui.render.markdown.cuts import end_of_first, last_start, number_after, offset_of_line, tokens_from
from app.ui.render.markdown.markdown import MOST_EFFORT, Env, effort, is_too_deep, parse
from app.ui.render.markdown.sanitize import displayable, fold_data

if TYPE_CHECKING:
    from markdown_it.token import Token

LONG_TAIL = 2_000
"""From here on a block is parsed only when it has grown by an eighth; meanwhile text is appended."""

COSTLY = 1_000
"""Effort of a parse from which on a block of any length is parsed again only when it has doubled."""

LONGEST_BLOCK = 10_000
"""A block longer than this is shown as plain text: the parser and Qt are not linear on it."""

_PLAIN_LINE = 2_000
_FRAMES = ("<details", "<summary", "</detail")
_LONGEST_FRAME = 400
_UNDECIDED = frozenset("-=*_#>+`~|:.0123456789 \t[]xX")


class Splitter:
    def __init__(self, env: Env | None = None) -> None:
        self._env: Env = env if env is not None else {}
        self._tail = ""
        self._carriage = ""
        self._number: int | None = None
        """The next number, while the tail begins inside an ordered list."""
        self._parsed = 0
        """Length of the tail at its last parse."""
        self._was_costly = False
        self._shown: list[Block] = []
        self._fence: Fence | None = None
        self._table: OpenTable | None = None
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
        waits = size < self._parsed * 2 if self._was_costly else LONG_TAIL < size < self._parsed * 9 // 8
        if waits and size <= LONGEST_BLOCK and "\n\n" not in text and "```" not in text:
            self._append_unparsed(text)
            return ""
        return self._parse_tail()

    def _append_unparsed(self, text: str) -> None:
        """Keep a long block growing on the screen between two parses."""
        run = TextRun(displayable(text.replace("\n", "\u2028")))
        last = self._shown[-1] if self._shown else None
        if isinstance(last, TextLine):
            self._shown[-1] = last._replace(runs=(*last.runs, run))
            self._changes.append(Tail(tuple(self._shown)))

    def _parse_tail(self, *, final: bool = False) -> str:
        source = self._tail if final else _decided(self._tail)
        self._parsed = whole = len(self._tail)
        cost = effort(source)
        self._was_costly = cost > COSTLY
        if cost > MOST_EFFORT:
            self._settle(_plain_blocks(source))
            rest, self._tail = self._tail[len(source) :], ""
            return rest
        if len(source) > LONGEST_BLOCK and not final:
            return self._settle_or_give_up(source)
        tokens = parse(source, self._env)
        cut = last_start(tokens)
        if cut is None:
            self._show_tail([])
            return ""
        at, line = cut
        if at:
            self._settle_until(tokens, at, line)
            tokens = tokens_from(tokens, at)
        elif line:
            # Blank lines and link definitions before the first block.
            self._tail = self._tail[offset_of_line(self._tail, line) :]
            self._parsed = len(self._tail)
        if is_too_deep(tokens):
            tail_text = source[whole - len(self._tail) :]
            self._settle(_plain_blocks(tail_text))
            rest, self._tail = self._tail[len(tail_text) :], ""
            return rest
        inside = self._open_construct(tokens)
        if inside is not None:
            return inside
        self._show_tail(to_blocks(tokens, self._number))
        return ""

    def _settle_or_give_up(self, source: str) -> str:
        """Past the limit: settle the finished blocks if there are any, else show plain text."""
        head = source[:LONGEST_BLOCK]
        tokens = parse(head, self._env)
        cut = last_start(tokens)
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
        done, end = tokens[:at], offset_of_line(self._tail, line)
        blocks = _plain_blocks(self._tail[:end]) if is_too_deep(done) else to_blocks(done, self._number)
        self._number = number_after(tokens, at, self._number)
        self._settle(blocks)
        self._tail = self._tail[end:]
        self._parsed, self._was_costly = len(self._tail), False

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
            self._fence = Fence(opening)
            code = to_blocks([token])[0]
            self._changes.append(Tail(()))
            self._changes.append(CodeOpened(code.language if isinstance(code, CodeBlock) else ""))
        elif token.type == "table_open":
            lines = self._tail.split("\n", 2)
            if len(lines) < 3:
                return None
            self._number = None
            head = to_blocks(parse(f"{lines[0]}\n{lines[1]}\n", self._env))
            if len(head) != 1 or not isinstance(head[0], TableBlock):
                return None
            self._table = OpenTable(f"{lines[0]}\n{lines[1]}\n")
            self._changes.append(Tail(()))
            self._changes.append(TableOpened(head[0]))
            rest = lines[2]
        else:
            return None
        self._tail, self._shown, self._parsed, self._was_costly = "", [], 0, False
        return rest

    def _feed_fence(self, fence: Fence, text: str) -> str:
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

    def _grow_code(self, fence: Fence, lines: Sequence[str], *, complete: bool = True) -> None:
        grown = fence.joined(lines, complete=complete)
        if grown:
            self._changes.append(CodeGrew(grown))

    def _close_fence(self) -> None:
        self._fence = None
        self._changes.append(Closed())

    def _feed_table(self, table: OpenTable, text: str) -> str:
        complete, newline, last = (table.held + text).rpartition("\n")
        if not newline:
            table.held = last
            return ""
        tokens = parse(table.head + complete, self._env)
        block = to_blocks(tokens[: end_of_first(tokens)])[0]
        if isinstance(block, TableBlock) and block.rows:
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


def _decided(tail: str) -> str:
    """The tail without a last line that could still become anything.

    A single `-` under a paragraph would flash as a heading, the header of a table as prose.
    """
    start = tail.rfind("\n") + 1
    line = tail[start:]
    if (len(line) < 40 and _UNDECIDED.issuperset(line)) or _begins_frame(line):
        tail = tail[:start]
    paragraph = tail.rfind("\n\n") + 2 if "\n\n" in tail else 0
    last = tail[paragraph:]
    if last.startswith("|") and last.count("\n") <= 1 and len(last) < LONG_TAIL:
        return tail[:paragraph]
    return tail


def _begins_frame(line: str) -> bool:
    """Whether it may become the frame of a folded part, whose title ends with the line."""
    head = line[:8].lower()
    return head[:1] == "<" and len(line) < _LONGEST_FRAME and any(tag.startswith(head) for tag in _FRAMES)


def _plain_blocks(text: str) -> list[Block]:
    """Text that is too long for the parser, a line of the page for each piece of it."""
    lines = [piece for line in fold_data(text).split("\n") for piece in _pieces(line)]
    return [TextLine("p", (TextRun(displayable(line)),)) for line in lines if line]


def _pieces(line: str) -> list[str]:
    return [line[start : start + _PLAIN_LINE] for start in range(0, len(line), _PLAIN_LINE)]
