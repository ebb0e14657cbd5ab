"""A passage where it stands: with the text around it, and of a PDF the picture of its page."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

from app.core.errors import UnknownName
from app.core.knowledge import PagePicture, Passage
from app.core.passages import PassageStore
from app.knowledge.loaders import Unreadable
from app.knowledge.ranking import best_line
from app.knowledge.reading import DocumentReader


@dataclass(frozen=True, slots=True)
class ShownPassage:
    path: str
    passage: Passage
    before: str
    after: str
    """The passages next to it in the document, "" at its ends."""
    line: str
    """Of the passage, what answers the question best; "" without a question."""
    is_stale: bool
    """The file is not there any more, or is not what was read."""
    picture: PagePicture | None = None

    @property
    def name(self) -> str:
        return Path(self.path).name


class PassageShowing:
    def __init__(self, reader: DocumentReader | None = None) -> None:
        """A reading process of its own: who looks at a page does not wait for an import."""
        self._reader = reader or DocumentReader(seconds=20.0)

    async def close(self) -> None:
        await self._reader.close()

    async def show(self, store: PassageStore, base: str, path: str, place: int, query: str = "") -> ShownPassage:
        """Raises UnknownName."""
        passages = await store.document([base], path)
        if not 0 <= place < len(passages):
            raise UnknownName("document", path)
        passage = passages[place]
        line = best_line(query, passage.text, is_wrapped=bool(passage.page)) if query else ""
        stored = next((file for file in await store.files(base) if file.path == path), None)
        is_stale = stored is None or await asyncio.to_thread(_changed, path) != (stored.changed, stored.size)
        picture = None
        if passage.page and path.lower().endswith(".pdf") and not is_stale:
            picture = await self._picture(path, passage, line)
        before, after = (passages[n].text if 0 <= n < len(passages) else "" for n in (place - 1, place + 1))
        return ShownPassage(path, passage, before, after, line, is_stale, picture)

    async def _picture(self, path: str, passage: Passage, line: str) -> PagePicture | None:
        """None where the page cannot be drawn: the text is there."""
        try:
            return await self._reader.picture(Path(path), passage.page, line or passage.text)
        except Unreadable:
            return None


def _changed(path: str) -> tuple[float, int]:
    try:
        facts = os.stat(path)  # noqa: PTH116 - as the import does
    except OSError:
        return 0.0, -1
    return facts.st_mtime, facts.st_size
