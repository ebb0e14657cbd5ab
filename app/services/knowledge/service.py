"""Knowledge bases as a person uses them: folders and files are added, read anew when they change, and searched.

Reading goes file by file: each is whole in the store before the next begins, so a break costs one file and the next
`read_anew` goes on where it stopped. A file is read again when its content has changed, told by its hash.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.core.errors import BadInput, UnknownName
from app.core.knowledge import SUFFIXES, Completion, Hit, KnowledgeBase, SourceFile
from app.core.text.named import named_in
from app.knowledge.loaders import LARGEST, Unreadable
from app.knowledge.reading import DocumentReader
from app.storage.knowledge.store import KnowledgeStore

from ..changes import Changes
from .searching import PassageSearch

MOST_FILES = 200_000
_LEFT_OUT = {"node_modules", "__pycache__", ".git", ".svn", ".hg", ".venv"}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far reading a base has come. `failed` are files that could not be read, with their codes."""

    base: str
    done: int
    total: int
    path: str = ""
    read: int = 0
    removed: int = 0
    failed: tuple[tuple[str, str], ...] = ()

    @property
    def is_over(self) -> bool:
        return self.done >= self.total


class KnowledgeService:
    def __init__(self, store: KnowledgeStore, reader: DocumentReader | None = None) -> None:
        self._store, self._reader = store, reader or DocumentReader()
        self._search = PassageSearch(store)
        self._changes: Changes[str] = Changes()
        self._turns: dict[str, asyncio.Lock] = {}
        self.listed: tuple[KnowledgeBase, ...] = ()
        """As `bases` gave them last: for forms that cannot wait."""

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Told the id of a base that has changed."""
        return self._changes.listen(listener)

    async def close(self) -> None:
        await self._reader.close()
        await self._store.close()

    # ------------------------------------------------------------ bases

    async def bases(self) -> list[KnowledgeBase]:
        found = await self._store.bases()
        self.listed = tuple(found)
        return found

    async def known(self, ids: Sequence[str]) -> list[KnowledgeBase]:
        """Those of these ids that exist."""
        return [base for base in await self.bases() if base.id in ids]

    async def named_in(self, text: str) -> list[KnowledgeBase]:
        """Those that a question names as `@name` or `@id`; it is then answered from them alone."""
        if "@" not in text:
            return []
        by_name = {name: base for base in await self.bases() for name in (base.id, base.name)}
        return list({by_name[name].id: by_name[name] for name in named_in(text, by_name)}.values())

    async def completions(self, typed: str, limit: int = 8) -> list[Completion]:
        """What an @ in the composer may become: bases whose name holds what was typed after it, best first."""
        wanted = typed.removeprefix("@").strip().lower()
        fitting = [base for base in await self.bases() if wanted in base.name.lower() or wanted in base.id]
        fitting.sort(key=lambda base: (not base.name.lower().startswith(wanted), base.name.lower()))
        return [Completion(f"@{base.name}", base.name, ", ".join(base.sources)) for base in fitting[:limit]]

    async def base(self, id: str) -> KnowledgeBase:
        """By id or name. Raises UnknownName."""
        every = await self.bases()
        for base in every:
            if id in (base.id, base.name):
                return base
        raise UnknownName("knowledge base", id, [base.id for base in every])

    async def add(self, name: str, paths: Sequence[Path]) -> KnowledgeBase:
        """These folders and files to the base of that name, which is made if need be. Raises BadInput for a path that
        is not there."""
        for path in paths:
            if not await asyncio.to_thread(path.exists):
                raise BadInput(f"there is no {path}", reason="NO_PATH", path=str(path))
        named = {base.name: base for base in await self.bases()}
        base = named.get(name) or KnowledgeBase(_id_of(name, [one.id for one in named.values()]), name)
        added = [str(path.expanduser().absolute()) for path in paths]
        base = replace(base, sources=tuple(dict.fromkeys([*base.sources, *added])))
        await self._store.put_base(base)
        self._changes.tell(base.id)
        return base

    async def remove(self, id: str) -> None:
        """The base and all that was read; the documents themselves stay. Raises UnknownName."""
        base = await self.base(id)
        await self._store.remove_base(base.id)
        self._changes.tell(base.id)

    async def files(self, id: str) -> list[SourceFile]:
        return await self._store.files((await self.base(id)).id)

    # ------------------------------------------------------------ reading

    async def read_anew(self, id: str) -> AsyncIterator[Progress]:
        """Reads what is new or changed and drops what is gone, one state per file. May be cancelled at any time."""
        base = await self.base(id)
        async with self._turns.setdefault(base.id, asyncio.Lock()):
            paths = await asyncio.to_thread(lambda: list(_documents(base.sources)))
            stored = {file.path: file for file in await self._store.files(base.id)}
            there = set(paths)
            gone = [file for path, file in stored.items() if path not in there]
            for file in gone:
                await self._store.remove_file(file.n)
            state = Progress(base.id, 0, len(paths), removed=len(gone))
            yield state
            for done, path in enumerate(paths, 1):
                changed = await self._read(base.id, path, stored.get(path))
                state = replace(state, done=done, path=path)
                if changed is not None and changed.error:
                    state = replace(state, failed=(*state.failed, (path, changed.error)))
                elif changed is not None:
                    state = replace(state, read=state.read + 1)
                yield state
            self._changes.tell(base.id)

    async def _read(self, base: str, path: str, stored: SourceFile | None) -> SourceFile | None:
        """None: it is as it was."""
        try:
            facts = await asyncio.to_thread(os.stat, path)
        except OSError:
            file = SourceFile(0, base, path, error="gone")
            await self._store.put_file(file, [])
            return file
        if stored is not None and (stored.changed, stored.size) == (facts.st_mtime, facts.st_size):
            return stored if stored.error else None
        file = SourceFile(0, base, path, size=facts.st_size, changed=facts.st_mtime)
        try:
            if facts.st_size > LARGEST:
                raise Unreadable("large")
            file = replace(file, hash=await asyncio.to_thread(_hash, path))
            if stored is not None and stored.hash == file.hash and not stored.error:
                await self._store.note_unchanged(stored.n, facts.st_mtime, facts.st_size)
                return None
            passages = await self._reader.read(Path(path))
            if not passages:
                raise Unreadable("empty")
        except Unreadable as error:
            file, passages = replace(file, error=error.code), []
        except PermissionError:
            file, passages = replace(file, error="denied"), []
        except OSError:
            file, passages = replace(file, error="gone"), []
        await self._store.put_file(file, passages)
        return replace(file, passages=len(passages))

    # ------------------------------------------------------------ searching

    async def search(self, bases: Sequence[str], query: str, limit: int = 5, *, folder: str = "") -> list[Hit]:
        """Passages that fit a question, best first, near-duplicates once. Works without any model."""
        return await self._search.search(bases, query, limit, folder)

    async def read(self, bases: Sequence[str], id: str, start: int = 0, characters: int = 4_000) -> tuple[str, int]:
        """Raises UnknownName. `id` is that of a hit, then its passage is where the text begins, or a path."""
        path, _, place = id.rpartition("#")
        path, place = (path, place) if path and place.isdigit() else (id, "")
        passages = await self._store.document(bases, path)
        if not passages:
            raise UnknownName("document", path)
        texts = [passage.text for passage in passages]
        before = sum(len(text) + 2 for text in texts[: int(place)]) if place else 0
        whole = "\n\n".join(texts)
        begin = before + max(0, start)
        return whole[begin : begin + characters], len(whole)


def _documents(sources: Sequence[str]) -> Iterator[str]:
    """Paths of readable files, sorted within each source. Links to folders are not followed; hidden ones are left."""
    seen: set[str] = set()
    for source in sources:
        for path in sorted(_below(source)):
            if path not in seen:
                seen.add(path)
                yield path
            if len(seen) >= MOST_FILES:
                return


def _below(source: str) -> Iterator[str]:
    if not Path(source).is_dir():
        yield source
        return
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _LEFT_OUT]
        for name in names:
            if name.lower().endswith(SUFFIXES) and not name.startswith((".", "~$")):
                yield str(Path(folder, name))


def _hash(path: str) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _id_of(name: str, taken: Sequence[str]) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or f"base-{int(time.time())}"
    return next(id for id in (plain, *(f"{plain}-{n}" for n in range(2, 10_000))) if id not in taken)
