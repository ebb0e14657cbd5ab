"""Where bases are kept: on this computer and, where one is set up, on a server; a base's id says where it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.errors import KnowledgeServerFailed
from app.core.knowledge import SERVER
from app.core.passages import PassageStore
from app.knowledge.reading import DocumentReader
from app.storage.knowledge.file import KnowledgeFile
from app.storage.knowledge.server.connection import Server
from app.storage.knowledge.server.store import ServerStore
from app.storage.knowledge.server.vectors import ServerVectors
from app.storage.knowledge.store import KnowledgeStore
from app.storage.knowledge.vectors import VectorStore

from .importing import Importer
from .models import KnowledgeModels
from .server import SharedServer
from .vectors import PassageVectors


@dataclass(frozen=True, slots=True)
class KnowledgePlace:
    store: PassageStore
    vectors: PassageVectors
    importer: Importer


class KnowledgePlaces:
    def __init__(
        self, file: KnowledgeFile, models: KnowledgeModels, reader: DocumentReader, shared: SharedServer | None
    ) -> None:
        self._models, self._reader, self._shared = models, reader, shared
        self.local = self._place(KnowledgeStore(file), PassageVectors(VectorStore(file), models))
        self._server: tuple[Server, KnowledgePlace] | None = None

    async def server(self) -> KnowledgePlace | None:
        """None where none is set up."""
        connection = await self._shared.connection() if self._shared is not None else None
        if connection is None:
            return None
        if self._server is None or self._server[0] is not connection:
            vectors = PassageVectors(ServerVectors(connection), self._models)
            self._server = (connection, self._place(ServerStore(connection), vectors))
        return self._server[1]

    async def of(self, base: str) -> KnowledgePlace:
        """Raises KnowledgeServerFailed for one on a server where none is set up."""
        if not base.startswith(SERVER):
            return self.local
        place = await self.server()
        if place is None:
            raise KnowledgeServerFailed("no server is set up", reason="SERVER_NONE")
        return place

    async def split(self, bases: Sequence[str]) -> list[tuple[KnowledgePlace, list[str]]]:
        """The bases of each place, those of this computer first."""
        here, there = ([one for one in bases if one.startswith(SERVER) is is_there] for is_there in (False, True))
        local = [(self.local, here)] if here else []
        return [*local, (await self.of(there[0]), there)] if there else local

    def _place(self, store: PassageStore, vectors: PassageVectors) -> KnowledgePlace:
        return KnowledgePlace(store, vectors, Importer(store, self._reader, vectors))
