"""Knowledge bases from one file to another: a copy of the whole file, and single bases out of such a copy."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw

from app.core.errors import DataDamaged
from app.core.knowledge import IndexedPassage, KnowledgeBase, Passage
from app.core.session.search import spaced

from ..db.columns import number, row_of, text
from ..db.connection import FAULTS, connect_for_reading
from .file import VERSION, KnowledgeFile
from .store import KnowledgeStore
from .vectors import VectorStore

_GROUP = 200
_VECTORS = (
    "SELECT m.ref, m.dimension, p.place, v.data FROM vector v JOIN passage p ON p.n = v.passage"
    " JOIN vector_model m ON m.id = v.model WHERE p.file = ?"
)
_NUMBERS = "SELECT p.place, p.n FROM passage p JOIN file f ON f.n = p.file WHERE f.base = ? AND f.path = ?"
_PASSAGES = "SELECT text, page, sheet, row, heading FROM passage WHERE file = ? ORDER BY place"


async def copy_whole(file: KnowledgeFile, target: Path) -> bool:
    """On one state of a file others may be writing to. False: there is none yet."""

    def work(cursor: apsw.Cursor) -> bool:
        copy = apsw.Connection(str(target))
        try:
            with copy.backup("main", cursor.connection, "main") as backup:
                backup.step(-1)
            copy.pragma("journal_mode", "delete")
        finally:
            copy.close()
        return True

    return await file.read(work, False)


def check_copy(path: Path) -> None:
    """Raises DataDamaged for what is no sound knowledge file of a known version, and for one with code of its own."""
    try:
        connection = connect_for_reading(path)
        try:
            is_known = 0 < int(connection.pragma("user_version")) <= VERSION
            foreign = connection.execute("SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')").get
            is_sound = is_known and not foreign and connection.pragma("quick_check") == "ok"
        finally:
            connection.close()
    except FAULTS as error:
        raise DataDamaged("the knowledge bases of the backup cannot be read", reason="BACKUP_PIECE") from error
    if not is_sound:
        raise DataDamaged("the knowledge bases of the backup are not sound", reason="BACKUP_PIECE")


async def add_base(here: KnowledgeFile, other: KnowledgeFile, id: str, base: KnowledgeBase) -> None:
    """The base `id` of `other` with its files, passages and vectors, here as `base`; whole, or not at all."""
    store, theirs = KnowledgeStore(here), KnowledgeStore(other)
    await store.put_base(base)
    try:
        files = await theirs.files(id)
        for start in range(0, len(files), _GROUP):
            group = files[start : start + _GROUP]
            read = [(replace(file, n=0, base=base.id), await _passages(other, file.n)) for file in group]
            await store.put_files(read)
            for file in group:
                await _add_vectors(here, other, file.n, base.id, file.path)
    except BaseException:
        await asyncio.shield(store.remove_base(base.id))
        raise


async def _passages(other: KnowledgeFile, file: int) -> Sequence[IndexedPassage]:
    def work(cursor: apsw.Cursor) -> list[Passage]:
        return [row_of(Passage, row) for row in cursor.execute(_PASSAGES, (file,))]

    return [_indexed(passage) for passage in await other.read(work, list[Passage]())]


def _indexed(passage: Passage) -> IndexedPassage:
    """The index holds no text of its own, so its words are found anew, as when the document was read."""
    words = spaced(f"{passage.heading}\n{passage.text}" if passage.heading else passage.text)
    return IndexedPassage(passage, None if words == passage.text else words)


async def _add_vectors(here: KnowledgeFile, other: KnowledgeFile, file: int, base: str, path: str) -> None:
    rows = await other.read(lambda cursor: cursor.execute(_VECTORS, (file,)).fetchall(), list[Any]())
    if not rows:
        return
    places = await here.read(lambda cursor: cursor.execute(_NUMBERS, (base, path)).fetchall(), list[Any]())
    numbers = {number(place): number(n) for place, n in places}
    by_model: dict[tuple[str, int], list[tuple[int, bytes]]] = defaultdict(list)
    for ref, dimension, place, data in rows:
        if (n := numbers.get(number(place))) is not None:
            by_model[text(ref), number(dimension)].append((n, bytes(data)))
    for (ref, dimension), vectors in by_model.items():
        await VectorStore(here).put(ref, dimension, vectors)
