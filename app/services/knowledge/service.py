"""Knowledge bases as a person uses them: folders and files are added, read anew when they change, and searched.

A file is read again when its content has changed, told by its hash (`importing.py`).
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

from app.core.errors import BadInput, KnowledgeServerFailed, TriptychError, UnknownName
from app.core.knowledge import SERVER, Completion, Hit, KnowledgeBase, Passage, SourceFile
from app.core.text.named import named_in, unknown_in
from app.knowledge.reading import DocumentReader
from app.storage.knowledge.file import KnowledgeFile

from ..changes import Changes
from .importing import Progress
from .models import KnowledgeModels
from .places import KnowledgePlaces
from .searching import PassageSearch
from .server import SharedServer
from .showing import PassageShowing, ShownPassage
from .watching import FolderWatch


class KnowledgeService:
    def __init__(
        self,
        file: KnowledgeFile,
        models: KnowledgeModels,
        server: SharedServer | None = None,
        reader: DocumentReader | None = None,
    ) -> None:
        self._file, self._reader = file, reader or DocumentReader()
        self.models, self.server = models, server
        self._places = KnowledgePlaces(file, models, self._reader, server)
        self._search = PassageSearch(self._places, models)
        self._showing = PassageShowing()
        self._watch = FolderWatch(self)
        self._changes: Changes[str] = Changes()
        self._turns: dict[str, asyncio.Lock] = {}
        self.listed: tuple[KnowledgeBase, ...] = ()
        """As `bases` gave them last: for forms that cannot wait."""
        self.server_fault: KnowledgeServerFailed | None = None
        """Why `bases` could not ask the server the last time; those it gave before are named all the same."""

    @property
    def fault(self) -> TriptychError | None:
        """Why the last search went by words alone although a model is set, or was not ranked by one."""
        return self._search.fault

    async def vectors(self, base: str) -> tuple[int, int]:
        """How many passages of a base have a vector, and how many there are; (0, 0) where no model is set."""
        return await (await self._places.of(base)).vectors.state(base)

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Told the id of a base that has changed."""
        return self._changes.listen(listener)

    def tell_changed(self, base: str) -> None:
        """Its rows were written by somebody else: a restore."""
        self._changes.notify(base)

    async def close(self) -> None:
        await self._watch.stop()
        await self._showing.close()
        await self._reader.close()
        if self.server is not None:
            await self.server.close()
        await self._file.close()

    # ------------------------------------------------------------ bases

    async def bases(self) -> list[KnowledgeBase]:
        bases = await self._places.local.store.bases()
        self.server_fault = None
        if (shared := await self._places.server()) is not None:
            try:
                bases += await shared.store.bases()
            except KnowledgeServerFailed as error:
                self.server_fault = error
                bases += [base for base in self.listed if base.is_shared]
        self.listed = tuple(bases)
        return bases

    async def known(self, ids: Sequence[str]) -> list[KnowledgeBase]:
        """Those of these ids that exist."""
        return [base for base in await self.bases() if base.id in ids]

    async def named_in(self, text: str) -> list[KnowledgeBase]:
        """Those that a question names as `@name` or `@id`; it is then answered from them alone."""
        by_name = await self._by_name(text)
        return list({by_name[name].id: by_name[name] for name in named_in(text, by_name)}.values())

    async def unknown_in(self, text: str) -> list[str]:
        """What a question names with an @ and is no base; nothing while there is none, then an @ is an @."""
        by_name = await self._by_name(text)
        return unknown_in(text, by_name) if by_name else []

    async def _by_name(self, text: str) -> dict[str, KnowledgeBase]:
        if "@" not in text and "＠" not in text:
            return {}
        return {name: base for base in await self.bases() for name in (base.id, base.name)}

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

    async def add(self, name: str, paths: Sequence[Path], *, shared: bool = False) -> KnowledgeBase:
        """These folders and files to the base of that name, which is made if need be: `shared`, on the server.

        Raises BadInput for a path that is not there, KnowledgeServerFailed.
        """
        for path in paths:
            if not await asyncio.to_thread(path.exists):
                raise BadInput(f"there is no {path}", reason="NO_PATH", path=str(path))
        bases = await self.bases()
        if shared and self.server_fault is not None:
            raise self.server_fault
        named = next((base for base in bases if base.name == name and base.is_shared is shared), None)
        base = named or KnowledgeBase(_id_of(name, [one.id for one in bases], SERVER if shared else ""), name)
        added = [str(path.expanduser().absolute()) for path in paths]
        base = replace(base, sources=tuple(dict.fromkeys([*base.sources, *added])))
        await (await self._places.of(base.id)).store.put_base(base)
        self._changes.notify(base.id)
        return base

    def begin_watching(self) -> None:
        """For a process that stays: changes in watched bases are read by themselves from now on."""
        self._watch.start()

    async def look_at_watched(self) -> None:
        """Now, not at the next look. Raises nothing."""
        await self._watch.look()

    async def watch(self, id: str, *, on: bool) -> None:
        """Whether changes in the folders of a base are read by themselves. Raises UnknownName."""
        base = await self.base(id)
        await (await self._places.of(base.id)).store.put_base(replace(base, watched=on))
        self._changes.notify(base.id)

    async def has_changed(self, base: KnowledgeBase) -> bool:
        return await (await self._places.of(base.id)).importer.has_changed(base)

    async def remove(self, id: str) -> None:
        """The base and all that was read; the documents themselves stay. Raises UnknownName."""
        base = await self.base(id)
        await (await self._places.of(base.id)).store.remove_base(base.id)
        self._changes.notify(base.id)

    async def files(self, id: str) -> list[SourceFile]:
        base = await self.base(id)
        return await (await self._places.of(base.id)).store.files(base.id)

    # ------------------------------------------------------------ reading

    async def read_anew(self, id: str) -> AsyncGenerator[Progress, None]:
        """Reads what is new or changed and drops what is gone, one state per file. May be cancelled at any time."""
        base = await self.base(id)
        async with self._turns.setdefault(base.id, asyncio.Lock()):
            try:
                importer = (await self._places.of(base.id)).importer
                async with aclosing(importer.read_anew(base)) as states:
                    async for state in states:
                        yield state
            finally:
                self._changes.notify(base.id)

    async def passages_of(self, path: Path) -> list[Passage]:
        """The text of one file that belongs to no base. Raises Unreadable."""
        return await self._reader.read(path)

    # ------------------------------------------------------------ searching

    async def search(self, bases: Sequence[str], query: str, limit: int = 5, *, folder: str = "") -> list[Hit]:
        """Passages that fit a question, best first, near-duplicates once. Works without any model."""
        return await self._search.search(bases, query, limit, folder)

    async def show(self, base: str, path: str, place: int, query: str = "") -> ShownPassage:
        """A passage of a hit where it stands; of a PDF with the picture of its page.

        Raises UnknownName, KnowledgeServerFailed.
        """
        return await self._showing.show((await self._places.of(base)).store, base, path, place, query)

    async def read(self, bases: Sequence[str], id: str, start: int = 0, characters: int = 4_000) -> tuple[str, int]:
        """Raises UnknownName. `id` is that of a hit, then its passage is where the text begins, or a path."""
        path, _, place = id.rpartition("#")
        path, place = (path, place) if path and place.isdigit() else (id, "")
        for held, ids in await self._places.split(bases):
            if passages := await held.store.document(ids, path):
                break
        else:
            raise UnknownName("document", path)
        texts = [passage.text for passage in passages]
        before = sum(len(text) + 2 for text in texts[: int(place)]) if place else 0
        whole = "\n\n".join(texts)
        begin = before + max(0, start)
        return whole[begin : begin + characters], len(whole)


def _id_of(name: str, taken: Sequence[str], start: str) -> str:
    plain = start + (re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or f"base-{int(time.time())}")
    return next(id for id in (plain, *(f"{plain}-{n}" for n in range(2, 10_000))) if id not in taken)
