"""Highlights in the program's own store: added once each, found again by words in either script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from app.core.stores import DocumentStore
from app.core.text.likeness import marks_of

from .read import Highlight

KIND = "highlights"


async def add(store: DocumentStore, highlights: Iterable[Highlight]) -> dict[str, int]:
    """added, updated, skipped."""
    shelves: dict[str, dict[str, Any]] = {}
    counts = {"added": 0, "updated": 0, "skipped": 0}
    changed: set[str] = set()
    for one in highlights:
        shelf = one.id[2:4]
        if shelf not in shelves:
            document = await store.get(KIND, shelf)
            shelves[shelf] = dict(document.body) if document is not None and isinstance(document.body, Mapping) else {}
        known, body = shelves[shelf].get(one.id), asdict(one)
        if known == body:
            counts["skipped"] += 1
            continue
        counts["updated" if known else "added"] += 1
        shelves[shelf][one.id] = body
        changed.add(shelf)
    for shelf in sorted(changed):
        await store.put(KIND, shelf, shelves[shelf])
    return counts


async def every(store: DocumentStore) -> list[Highlight]:
    matches = []
    for document in await store.list(KIND):
        if isinstance(document.body, Mapping):
            matches += [Highlight(**body) for body in document.body.values() if isinstance(body, Mapping)]
    return matches


def search(
    highlights: Iterable[Highlight],
    query: str,
    *,
    book: str = "",
    author: str = "",
    tag: str = "",
    since: str = "",
    limit: int = 10,
) -> list[Highlight]:
    """Those that share most words with the query come first; without any word in common, none."""
    wanted, whole = marks_of(query), "".join(query.casefold().split())
    scored = []
    for one in highlights:
        if book.casefold() not in one.title.casefold() or author.casefold() not in one.author.casefold():
            continue
        if tag and tag.casefold() not in (each.casefold() for each in one.tags):
            continue
        if since and one.highlighted_at[:10] < since:
            continue
        text = f"{one.text}\n{one.note}\n{one.title}\n{one.author}\n{' '.join(one.tags)}"
        score = len(wanted & marks_of(text, 20_000)) + (5 if whole and whole in "".join(text.casefold().split()) else 0)
        if score or not query.strip():
            scored.append((score, one.highlighted_at, one))
    scored.sort(key=lambda row: (row[0], row[1]), reverse=True)
    return [one for _score, _when, one in scored[:limit]]
