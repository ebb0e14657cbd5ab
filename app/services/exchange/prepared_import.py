"""An import between its two halves: everything was read and checked, nothing is stored yet.

What was read lies in a file without a name, so that memory stays small and a process that is killed leaves nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import IO

from app.core.exchange.document import Body, SessionDocument

from .import_reading import ImportReader
from .import_work import ImportWork

_PICTURE = re.compile(r'"att:([0-9a-f]{64})"')


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """One of the file, to be chosen or not."""

    title: str
    program: str
    """"" for one of our own."""
    messages: int
    created: float
    digest: str
    refs: frozenset[str]
    """Files that belong to it."""
    place: int
    known: bool = False
    """It was imported before."""


class PreparedImport:
    def __init__(self, reader: ImportReader, work: ImportWork) -> None:
        self._reader, self._file = reader, reader.spool()
        self.work = work
        self.conversations: list[FoundConversation] = []
        self.remarks: tuple[str, ...] = ()

    def close(self) -> None:
        self._file.close()
        self._reader.close()

    def keep(self, document: SessionDocument) -> None:
        place = self._file.seek(0, 2)
        fields: Body = {"is_dated": document.is_dated, "program": document.program, "body": document.to_json()}
        line = json.dumps(fields).encode()
        self._file.write(line + b"\n")
        session = document.session
        self.conversations.append(
            FoundConversation(
                _title(document), document.program, len(document.messages), float(session["created"]),
                document.digest(), frozenset(_refs(document)), place,
            )
        )  # fmt: skip
        self.work.found += 1

    def documents(self, chosen: Collection[int]) -> StoredDocuments:
        return StoredDocuments(self._file, [self.conversations[n].place for n in sorted(chosen)], self.work)

    def files(self, chosen: Collection[int]) -> Mapping[str, Callable[[], bytes]]:
        """What belongs to the chosen ones, by hash; read when it is asked for."""
        wanted = {ref for n in chosen for ref in self.conversations[n].refs}
        attachments = self._reader.kept
        return {ref: _Content(attachments, ref) for ref in sorted(wanted) if ref in attachments}


class _Content:
    def __init__(self, kept: Mapping[str, bytes], ref: str) -> None:
        self._kept, self._ref = kept, ref

    def __call__(self) -> bytes:
        return self._kept[self._ref]


class StoredDocuments:
    """Read one by one, as often as is asked."""

    def __init__(self, file: IO[bytes], places: list[int], work: ImportWork) -> None:
        self._file, self._places, self._work = file, places, work

    def __iter__(self) -> Iterator[SessionDocument]:
        self._work.stored, self._work.to_store = 0, len(self._places)
        for place in self._places:
            self._work.check()
            self._file.seek(place)
            fields = json.loads(self._file.readline())
            body = fields["body"]
            extra = {key: value for key, value in body.items() if key not in _TOP}
            yield SessionDocument(
                body["session"], body["messages"], body["runs"], extra, fields["is_dated"], fields["program"]
            )
            self._work.stored += 1


_TOP = ("format", "version", "session", "messages", "runs")


def _title(document: SessionDocument) -> str:
    if title := str(document.session["title"]).strip():
        return title
    texts = (str(part.get("text") or "") for message in document.messages for part in message["parts"])
    return " ".join(next((text for text in texts if text.strip()), "").split())[:80]


def _refs(document: SessionDocument) -> Iterator[str]:
    parts = [part for message in document.messages for part in message["parts"]]
    yield from (str(part["ref"]) for part in parts if part.get("kind") == "file" and part.get("ref"))
    cards = [(part.get("result") or {}).get("display") for part in parts if part.get("kind") == "tool"]
    yield from _PICTURE.findall(json.dumps(cards))
