"""The Novel studio: a book kept consistent while it is written, in plain files of the author's.

`model` is the book as data; `reading` takes in books of others; `store` keeps the book in its folder; `continuity`
checks it without a model; `planning` checks plans of chapters; `export` writes the book out; `tools` find the words.
"""

from app.core.domain import Domain
from app.core.resources import domain_dir

from .notes import notes_of
from .page import NovelPage
from .slots import SLOTS
from .tools import (
    boards,
    cards,
    checking,
    claims,
    exchange,
    planner,
    planning,
    proposals,
    reading,
    steps,
    versions,
    writing,
)

TOOLS = (
    *reading.TOOLS,
    *planning.TOOLS,
    *planner.TOOLS,
    *versions.TOOLS,
    *writing.TOOLS,
    *steps.TOOLS,
    *cards.TOOLS,
    *checking.TOOLS,
    *claims.TOOLS,
    *boards.TOOLS,
    *proposals.TOOLS,
    *exchange.TOOLS,
)
DOMAIN = Domain("novel", TOOLS, domain_dir("novel"), slots=SLOTS, folder_notes=notes_of, page=NovelPage())

__all__ = ["DOMAIN", "TOOLS"]
