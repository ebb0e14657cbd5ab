"""What a session has read: pages, search hits, papers, highlights, each with its text at that time.

Tools that fetch call `keep_source`, tools that cite call `sources_of`. The id of a source follows from its address, so
parallel calls need no counter. A page replaces the snippet of a search; changed content becomes the next version, and
older versions stay.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, Protocol, get_args

from .stores import Document, DocumentStore
from .text.addresses import canonical_url, domain_of

SourceKind = Literal["snippet", "page", "wikipedia", "scholar", "highlight", "document"]
LONGEST_TEXT = 2_000_000
"""Characters of one source that are kept."""


@dataclass(frozen=True, slots=True)
class Source:
    id: str
    url: str
    """Or what stands for one: `highlight:42`."""
    title: str
    kind: SourceKind
    text: str
    accessed: str
    """When it was read, as an ISO time."""
    published: str = ""
    sha256: str = ""
    version: int = 1

    @property
    def domain(self) -> str:
        return domain_of(self.url) if "://" in self.url else self.kind

    @property
    def is_whole(self) -> bool:
        """More than what a list of hits says of it."""
        return self.kind != "snippet"


class ReadPage(Protocol):
    """A fetched page and its text."""

    @property
    def url(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def published(self) -> str: ...


class PageReader(Protocol):
    """Handed to tools as `ToolContext.resources["web"]`."""

    async def fetch(self, url: str) -> ReadPage:
        """Raises ToolError."""


def source_id(url: str) -> str:
    return "s-" + hashlib.sha256(canonical_url(url).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def new_source(
    url: str, title: str, kind: SourceKind, text: str, *, published: str = "", now: datetime | None = None
) -> Source:
    text = text[:LONGEST_TEXT]
    accessed = (now or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
    return Source(source_id(url), url, title[:300], kind, text, accessed, published[:40], text_hash(text))


async def keep_source(store: DocumentStore | None, session: str, source: Source) -> Source:
    """As it is stored now. Without a store nothing is kept, and the source is as it was given."""
    if store is None:
        return source
    stored = await find_source(store, session, source.id)
    if stored is not None and (stored.sha256 == source.sha256 or (stored.is_whole and not source.is_whole)):
        return stored
    document = await store.put(_kind(session), source.id, asdict(replace(source, version=0)))
    return replace(source, version=document.version)


async def find_source(store: DocumentStore | None, session: str, id: str, version: int | None = None) -> Source | None:
    if store is None:
        return None
    document = await store.get(_kind(session), id, version)
    return _read(document) if document is not None else None


async def sources_of(store: DocumentStore | None, session: str) -> list[Source]:
    """The newest version of each, in the order they came."""
    if store is None:
        return []
    sources = [_read(document) for document in await store.list(_kind(session))]
    return [source for source in reversed(sources) if source is not None]


def _kind(session: str) -> str:
    return f"source:{session}"


def _read(document: Document) -> Source | None:
    body = document.body
    if not isinstance(body, Mapping) or body.get("kind") not in get_args(SourceKind):
        return None
    texts: dict[str, Any] = {
        name: str(body.get(name) or "") for name in ("id", "url", "title", "text", "accessed", "published", "sha256")
    }
    return Source(**texts, kind=body["kind"], version=document.version)
