"""Documents into the store: what is new or changed is read, in groups of files, while the group before is stored.

A file is stored whole or not at all, so a break – a cancel, a kill, a power cut – costs the files of one group, and the
next reading goes on where this one stopped. Afterwards come the vectors, if a model for them is set.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from app.core.errors import TriptychError
from app.core.knowledge import SUFFIXES, IndexedPassage, KnowledgeBase, SourceFile
from app.core.passages import PassageStore
from app.knowledge.reading import DocumentReader

from .vectors import PassageVectors

MOST_FILES = 200_000
_GROUP_FILES, _GROUP_PASSAGES, _GROUP_SECONDS = 200, 1_000, 0.5
"""What one transaction takes at most, and how long it waits for more: many small ones cost the index its merging."""
_LEFT_OUT = {"node_modules", "__pycache__", ".git", ".svn", ".hg", ".venv"}

_Read = tuple[SourceFile, Sequence[IndexedPassage]]


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
    vectors: tuple[int, int] = (0, 0)
    """Passages that have one, and all; (0, 0) before their turn, and where no model is set."""
    fault: TriptychError | None = None
    """Why the vectors could not be made. What was read is kept."""

    @property
    def is_over(self) -> bool:
        """All files are read; vectors may still be made."""
        return self.done >= self.total


class Importer:
    def __init__(self, store: PassageStore, reader: DocumentReader, vectors: PassageVectors) -> None:
        self._store, self._reader, self._vectors = store, reader, vectors

    async def read_anew(self, base: KnowledgeBase) -> AsyncGenerator[Progress, None]:
        """One state per file and per round of vectors. May be closed or cancelled at any time."""
        stored = {file.path: file for file in await self._store.files(base.id)}
        look = await asyncio.to_thread(_look, base, stored)
        await self._store.remove_files(look.gone)
        state = Progress(base.id, look.unchanged, look.total, removed=len(look.gone), failed=look.failed)
        yield state
        async with aclosing(self._groups(look.changed, stored)) as groups:
            async for group in groups:
                await self._store_group(group)
                for file, _passages in group:
                    is_same = file.error == "same"
                    failed = state.failed if is_same or not file.error else (*state.failed, (file.path, file.error))
                    state = replace(
                        state, done=state.done + 1, path=file.path, failed=failed,
                        read=state.read + (not file.error),
                    )  # fmt: skip
                    yield state
        try:
            async with aclosing(self._vectors.fill(base.id)) as rounds:
                async for done in rounds:
                    state = replace(state, vectors=done)
                    yield state
        except TriptychError as error:
            self._vectors.fault = error
            yield replace(state, fault=error)

    async def has_changed(self, base: KnowledgeBase) -> bool:
        """Whether there is anything to read or to forget."""
        stored = {file.path: file for file in await self._store.files(base.id)}
        look = await asyncio.to_thread(_look, base, stored)
        return bool(look.gone or look.changed)

    async def _store_group(self, group: Sequence[_Read]) -> None:
        """What has the content it had is noted, not stored again."""
        await self._store.put_files([one for one in group if one[0].error != "same"])
        for file, _passages in group:
            if file.error == "same":
                await self._store.note_unchanged(file.n, file.changed, file.size)

    async def _groups(
        self, changed: Sequence[SourceFile], stored: Mapping[str, SourceFile]
    ) -> AsyncGenerator[list[_Read], None]:
        """As they come from the reading process."""
        waiting = _Waiting()

        async def read() -> None:
            wanted = [(file.path, _known(stored.get(file.path))) for file in changed]
            try:
                async with aclosing(self._reader.read_all(wanted)) as answers:
                    facts = iter(changed)
                    async for answer in answers:
                        file = replace(next(facts), hash=answer.hash, error=answer.error, passages=len(answer.passages))
                        await waiting.put((file, answer.passages))
            finally:
                waiting.end()

        reading = asyncio.create_task(read())
        try:
            while group := await waiting.take():
                yield group
            await reading  # raises what it has failed with
        finally:
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading


class _Waiting:
    """Files that are read and not stored: as many as a group at most, while the group before is stored."""

    def __init__(self) -> None:
        self._files: deque[_Read] = deque()
        self._passages = 0
        self._is_over = False
        self._some, self._enough, self._room = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def put(self, one: _Read) -> None:
        self._files.append(one)
        self._passages += len(one[1])
        self._some.set()
        if len(self._files) >= _GROUP_FILES or self._passages >= _GROUP_PASSAGES:
            self._enough.set()
        if len(self._files) >= _GROUP_FILES:
            self._room.clear()
            await self._room.wait()

    def end(self) -> None:
        self._is_over = True
        self._some.set()
        self._enough.set()

    async def take(self) -> list[_Read]:
        """A group, when it is full or nothing has filled it for a while; none at the end."""
        await self._some.wait()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._enough.wait(), _GROUP_SECONDS)
        group: list[_Read] = []
        passages = 0
        while self._files and passages < _GROUP_PASSAGES:
            group.append(self._files.popleft())
            passages += len(group[-1][1])
        self._passages -= passages
        self._room.set()
        if not self._is_over:
            if not self._files:
                self._some.clear()
            if self._passages < _GROUP_PASSAGES:
                self._enough.clear()
        return group


def _known(stored: SourceFile | None) -> str:
    return stored.hash if stored is not None and not stored.error else ""


@dataclass(frozen=True, slots=True)
class _Look:
    """What is on the disk, against what is stored."""

    total: int
    unchanged: int
    failed: tuple[tuple[str, str], ...]
    """Of the unchanged, those that could not be read the last time."""
    gone: Sequence[int]
    changed: Sequence[SourceFile]


def _look(base: KnowledgeBase, stored: Mapping[str, SourceFile]) -> _Look:
    away = _away(base.sources, stored)
    paths = list(_documents([source for source in base.sources if source not in away]))
    changed: list[SourceFile] = []
    failed: list[tuple[str, str]] = []
    for path in paths:
        file = stored.get(path)
        try:
            facts = os.stat(path)  # noqa: PTH116 - once per file of a large folder
            size, moment = facts.st_size, facts.st_mtime
        except OSError:
            size, moment = 0, 0.0
        if file is None or not moment or (file.changed, file.size) != (moment, size):
            changed.append(SourceFile(file.n if file else 0, base.id, path, size=size, changed=moment))
        elif file.error:
            failed.append((path, file.error))
    there = set(paths)
    unreachable = {path for path in stored if path not in there and path.startswith(tuple(away.values()))}
    failed += [(source, "away") for source in away]
    gone = [file.n for path, file in stored.items() if path not in there and path not in unreachable]
    total = len(paths) + len(unreachable)
    return _Look(total, total - len(changed), tuple(failed), gone, changed)


def _away(sources: Sequence[str], stored: Mapping[str, SourceFile]) -> dict[str, str]:
    """Folders of which something was read and that are not there now, with what the paths in them begin with.

    A drive, a share, another person's computer: what was read of them stays.
    """
    folders = {source: source.rstrip("/\\") + os.sep for source in sources if not Path(source).exists()}
    return {one: start for one, start in folders.items() if any(path.startswith(start) for path in stored)}


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
