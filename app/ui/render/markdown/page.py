"""The blocks a stream of changes has led to, for the comparison with one parse of the whole."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from app.ui.render.markdown.blocks import Block, CodeBlock, TableBlock, to_blocks
from app.ui.render.markdown.changes import Change, Closed, CodeGrew, CodeOpened, Settled, TableGrew, TableOpened, Tail
from app.ui.render.markdown.markdown import MOST_EFFORT, effort, is_too_deep, parse

MOST_AT_ONCE = 20_000
"""Characters that are parsed in one go."""


class PageBlocks:
    def __init__(self) -> None:
        self._settled: list[Block] = []
        self._tail: tuple[Block, ...] = ()
        self._code: list[str] = []
        self._table: list[TableBlock] = []

    def apply(self, change: Change) -> None:
        match change:
            case Settled(found):
                self._settled += found
                self._tail = ()
            case Tail(found):
                self._tail = found
            case CodeOpened(language):
                self._settled.append(CodeBlock(language, ""))
                self._code = []
            case CodeGrew(text):
                self._code.append(text)
            case TableOpened(table):
                self._settled.append(table)
                self._table = []
            case TableGrew(rows):
                self._table.append(TableBlock((), (), rows))
            case Closed():
                self._close()
            case _:
                assert_never(change)

    def blocks(self) -> list[Block]:
        return [*self._settled, *self._tail]

    def _close(self) -> None:
        last = self._settled[-1]
        if isinstance(last, CodeBlock):
            self._settled[-1] = last._replace(text="".join(self._code))
        elif isinstance(last, TableBlock):
            rows = tuple(row for part in self._table for row in part.rows)
            self._settled[-1] = last._replace(rows=last.rows + rows)


def parse_ahead(text: str) -> bool:
    """Before a body of this text is made; False where it was parsed already."""
    misses = parsed_text.cache_info().misses
    parsed_text(text)
    return parsed_text.cache_info().misses > misses


@lru_cache(16)
def parsed_text(text: str) -> tuple[Block, ...] | None:
    """As `blocks_at_once`, kept for a while: an answer that is scrolled to is parsed before it is made."""
    blocks = blocks_at_once(text)
    return None if blocks is None else tuple(blocks)


def blocks_at_once(text: str) -> list[Block] | None:
    """The blocks of all this, if one parse of it is short enough to be waited for and finds them all."""
    if len(text) > MOST_AT_ONCE or effort(text) > MOST_EFFORT:
        return None
    tokens = parse(text)
    return None if is_too_deep(tokens) else to_blocks(tokens)
