"""What the splitter says to the body: how the page changes with the text that came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.ui.render.markdown.blocks import Block, TableBlock, TextRun

BLOCKS_IN_A_STEP = 4


@dataclass(frozen=True, slots=True)
class Settled:
    """These blocks follow what is finished; the tail is void."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Tail:
    """These blocks are at the end for now; they replace the former tail."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class CodeOpened:
    language: str


@dataclass(frozen=True, slots=True)
class CodeGrew:
    text: str


@dataclass(frozen=True, slots=True)
class TableOpened:
    table: TableBlock


@dataclass(frozen=True, slots=True)
class TableGrew:
    rows: tuple[tuple[tuple[TextRun, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Closed:
    """The open code or table is complete."""


Change = Settled | Tail | CodeOpened | CodeGrew | TableOpened | TableGrew | Closed


def in_steps(change: Change) -> Iterator[Change]:
    """Many cards at once would take longer than a slice."""
    if not isinstance(change, Settled) or len(change.blocks) <= BLOCKS_IN_A_STEP:
        yield change
        return
    for at in range(0, len(change.blocks), BLOCKS_IN_A_STEP):
        yield Settled(change.blocks[at : at + BLOCKS_IN_A_STEP])
