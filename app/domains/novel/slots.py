"""What the offline rules can read of a sentence about a book: a file to import, and the words to look for."""

from __future__ import annotations

import re

from app.core.slots import SlotReader, Slots, Surroundings, Table
from app.domains.kit.topic import TOPIC

_KINDS = r"\.(?:txt|md|markdown|docx|epub)"
_FILE = re.compile(
    rf"[\"“'「《](?P<quoted>[^\"”'」》\n]{{1,400}}{_KINDS})[\"”'」》]"
    rf"|(?P<bare>(?:~|/|[A-Za-z]:[\\/])[^\n\"“”'，。；]{{1,400}}?{_KINDS})(?![A-Za-z0-9])"
    rf"|(?P<name>[^\s\"“”'，。；:：]{{1,200}}?{_KINDS})(?![A-Za-z0-9])",
    re.IGNORECASE,
)


def read_file(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """A path as it was written; a bare name is one of the picked folder."""
    match = _FILE.search(around.question)
    if match is None:
        return {}
    path = match["quoted"] or match["bare"] or _without_verb(match["name"], table)
    return {name: path} if path else {}


def read_format(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """The first value of `words` of which a word occurs; the ending of a file that is named says nothing."""
    rest = _FILE.sub(" ", around.question).casefold()
    return next(({name: value} for value, words in table["words"].items() if any(one in rest for one in words)), {})


def _without_verb(path: str, table: Table) -> str:
    """Chinese puts no blank between the verb and the name: 导入旧书.txt."""
    while lead := next((one for one in table.get("leads", ()) if path.startswith(one)), ""):
        path = path[len(lead) :]
    return path


SLOTS = (SlotReader("book_file", read_file, whole=True), SlotReader("book_format", read_format, whole=True), TOPIC)
