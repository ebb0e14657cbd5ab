"""Documents in words: why one could not be read, and where in it a passage stands."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.errors import KnowledgeServerFailed, TriptychError
from app.core.knowledge import Passage
from app.core.text.i18n import N_, _

from .errors import fault_text as error_fault

FAULTS: Mapping[str, str] = {
    "large": N_("the file is larger than 200 MB"),
    "empty": N_("there is no text in it"),
    "password": N_("it is locked by a password"),
    "damaged": N_("the file is damaged or not of the kind its name says"),
    "scan": N_("its pages are pictures without text"),
    "bomb": N_("it would unpack to more than any document needs"),
    "binary": N_("it is no text"),
    "time": N_("reading it took too long and was stopped"),
    "memory": N_("reading it needed too much memory and was stopped"),
    "gone": N_("the file is not there any more"),
    "away": N_("the folder is not there now; what was read of it is kept"),
    "denied": N_("you may not read this file"),
    "kind": N_("files of this kind are not read"),
}


def fault_text(code: str) -> str:
    return _(FAULTS.get(code, FAULTS["damaged"]))


def search_fault_text(error: TriptychError) -> str:
    """What a search went on without, and why."""
    why = error_fault(error)
    if isinstance(error, KnowledgeServerFailed):
        return _("The bases on the server were not searched: {why}").format(why=why)
    return _("Searched without the model: {why}").format(why=why)


def place_text(passage: Passage) -> str:
    """Where in its document a passage stands: page, sheet and row, headings."""
    pieces = [
        _("page {n}").format(n=passage.page) if passage.page else "",
        passage.sheet,
        _("row {n}").format(n=passage.row) if passage.row and passage.sheet else "",
        passage.heading,
    ]
    return " · ".join(piece for piece in pieces if piece)
