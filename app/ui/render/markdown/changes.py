"""What the splitter says to the body: how the page changes with the text that came."""

from __future__ import annotations

from dataclasses import dataclass

from app.ui.render.markdown.blocks import Block, TableBlock, TextRun


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
    table: TableBlock


@dataclass(frozen=True, slots=True)
class TableGrew:
    rows: tuple[tuple[tuple[TextRun, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Closed:
    """The open code or table is complete."""


Change = Settled | Tail | CodeOpened | CodeGrew | TableOpened | TableGrew | Closed
