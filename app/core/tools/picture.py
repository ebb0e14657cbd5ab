"""Pictures of cards: painted by the window, wanted by tools. Where no window is, there is no painter and no picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .card import Card


class CardPainter(Protocol):
    def __call__(self, card: Card) -> bytes:
        """The whole card as a PNG file. Called on the thread of the window; takes a fraction of a second."""


@dataclass
class CardPictures:
    """Handed to tools as `ToolContext.resources["pictures"]`; the window puts its painter in when it stands."""

    painter: CardPainter | None = None
