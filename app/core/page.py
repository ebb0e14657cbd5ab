"""A page beside the chat: the texts of a picked folder, read and written there, and boards about them.

A domain whose agents work in a folder may offer one (`Domain.page`). It is data and blocking functions; the window
draws every page alike, and its buttons are calls of the domain's tools (mode `action`), through the same gate.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .tools.card import Card, CardAction


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One text of the folder, in the list beside the editor."""

    id: str
    title: str
    group: str = ""
    """The volume or part it belongs to."""
    count: int = 0
    goal: int = 0


@dataclass(frozen=True, slots=True)
class PageTerm:
    """A word of the texts that something is known of; what is forbidden is marked as a fault."""

    name: str
    about: str
    is_forbidden: bool = False


@dataclass(frozen=True, slots=True)
class PageBoard:
    id: str
    label: str


@dataclass(frozen=True, slots=True)
class PageAction:
    """What can be done with a selected passage."""

    id: str
    label: str
    wants_wish: bool = False
    """The person says in words what they want of it."""


@dataclass(frozen=True, slots=True)
class PageContents:
    title: str
    entries: tuple[PageEntry, ...] = ()
    terms: tuple[PageTerm, ...] = ()
    boards: tuple[PageBoard, ...] = ()
    actions: tuple[PageAction, ...] = ()
    remarks: tuple[str, ...] = ()
    """Sentences about what others have changed in the folder, and what of it cannot be read."""
    newest: str = ""
    """The text to begin with."""


@dataclass(frozen=True, slots=True)
class PageShare:
    """A part of what a request about the text would hold."""

    label: str
    characters: int


@dataclass(frozen=True, slots=True)
class PageText:
    id: str
    text: str
    sha: str
    """Of the text: it is written over only while it is this one."""
    goal: int = 0
    draft: str = ""
    """Label of a version that waits to be accepted; "" where none does. Its card is the board `DRAFT`."""
    is_indented: bool = False
    """Paragraphs begin two characters in, as Chinese books have them."""


TEXT = "text"
"""In the place of a board's id: the open text itself."""
DRAFT = "draft"
"""The board of the version that waits to be accepted into the open text."""


class FolderPage(Protocol):
    """Every method blocks and is called in a thread. Raises ToolError for what cannot be read or written."""

    @property
    def writers(self) -> frozenset[str]:
        """Tools that tell the text they write while they write it (`ToolText`)."""

    def contents(self, folder: Path, language: str) -> PageContents | None:
        """None where nothing of its kind is in the folder."""

    def text(self, folder: Path, id: str, language: str) -> PageText: ...

    def part(self, folder: Path, id: str, quote: str) -> str:
        """The id of the text that holds these words, where a long one is divided into several."""

    def shares(self, folder: Path, id: str, language: str) -> tuple[tuple[PageShare, ...], int]:
        """What a request about the text would hold, in its order, and the characters it may have together."""

    def sha(self, folder: Path, id: str) -> str:
        """Of the text as it stands in its file now; "" where it is gone."""

    def save(self, folder: Path, id: str, text: str, base: str, *, keeps: bool) -> str:
        """The sum of the text that is written; `keeps`: what it was becomes a version first.

        Raises ToolError STALE where the file holds another text than `base`; then `text` is kept as a version.
        """

    def board(self, folder: Path, board: str, id: str, language: str) -> Card: ...

    def action(
        self, folder: Path, action: str, id: str, passage: tuple[int, int], wish: str, language: str
    ) -> CardAction:
        """The call that an action on a passage, from one character to another, stands for."""

    def count(self, text: str) -> int: ...

    def count_text(self, count: int, goal: int, language: str) -> str: ...
