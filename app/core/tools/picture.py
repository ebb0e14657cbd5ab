"""Pictures of cards and printed pages: made by the window, wanted by tools. Without a window there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .card import Card


class CardPainter(Protocol):
    def __call__(self, card: Card) -> bytes:
        """The whole card as a PNG file. Called on the thread of the window; takes a fraction of a second."""


class PagePrinter(Protocol):
    def __call__(self, html: str, title: str, one_page: bool = False) -> bytes:
        """A page as a PDF file; with `one_page` it is made smaller until it is one. Blocks: call it on a thread of its
        own."""


@dataclass
class CardPictures:
    """Given to tools as `ToolContext.resources["pictures"]`; the window adds its painter when it is ready."""

    painter: CardPainter | None = None
    printer: PagePrinter | None = None
