"""Papers in arXiv (Atom), Crossref and OpenAlex (JSON): one form for all three."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from app.core.errors import ToolError
from app.core.http import WebClient
from app.core.text.i18n import N_
from app.core.tools.endpoint import Endpoint

from ..search.base import listed, plain
from .answers import asked, asked_json
from .atom import AtomEntry, entries_of

ARXIV = Endpoint("web.arxiv", "https://export.arxiv.org/api/query", "arXiv", credit="arXiv.org", pace=3.0)
CROSSREF = Endpoint("web.crossref", "https://api.crossref.org/works", "Crossref", credit="Crossref (CC0)", pace=0.5)
OPENALEX = Endpoint("web.openalex", "https://api.openalex.org/works", "OpenAlex", credit="OpenAlex (CC0)", pace=0.2)
Catalogue = Literal["arxiv", "crossref", "openalex"]
MOST_AUTHORS = 8


@dataclass(frozen=True, slots=True)
class Paper:
    title: str
    url: str
    doi: str = ""
    authors: list[str] = field(default_factory=list)
    year: int | None = None
    venue: str = ""
    abstract: str = ""
    cited: int | None = None
    pdf: str = ""


async def papers(
    http: WebClient, addresses: Mapping[str, str], catalogue: Catalogue, query: str, count: int, year_from: int | None
) -> list[Paper]:
    match catalogue:
        case "arxiv":
            papers = await _arxiv(http, addresses, query, count, year_from)
        case "crossref":
            params: dict[str, Any] = {"query": query, "rows": count}
            if year_from:
                params["filter"] = f"from-pub-date:{year_from}"
            body = await asked_json(http, CROSSREF, addresses, params)
            papers = [_crossref(item) for item in listed(body, "message", "items")]
        case _:
            params = {"search": query, "per-page": count}
            if year_from:
                params["filter"] = f"from_publication_date:{year_from}-01-01"
            body = await asked_json(http, OPENALEX, addresses, params)
            papers = [_openalex(item) for item in listed(body, "results")]
    return [paper for paper in papers if paper.title and paper.url][:count]


# ---------------------------------------------------------------- arXiv


async def _arxiv(
    http: WebClient, addresses: Mapping[str, str], query: str, count: int, year_from: int | None
) -> list[Paper]:
    words = " AND ".join(f"all:{word}" for word in query.replace(":", " ").replace('"', " ").split()[:12])
    if year_from:
        words += f" AND submittedDate:[{year_from}01010000 TO 299912312359]"
    params = {"search_query": words, "max_results": count, "sortBy": "relevance"}
    reply = await asked(http, ARXIV, addresses, params)
    entries = entries_of(reply.body.decode("utf-8", "replace"))
    if entries is None:
        raise ToolError("UPSTREAM", N_("{service} answered in a form that cannot be read"), values={"service": "arXiv"})
    for entry in entries:
        if "api/errors" in entry.one("id"):
            why = plain(entry.one("summary"), 200)
            raise ToolError("UPSTREAM", N_("{service} failed: {why}"), values={"service": "arXiv", "why": why})
    return [_arxiv_paper(entry) for entry in entries]


def _arxiv_paper(entry: AtomEntry) -> Paper:
    published = entry.one("published")
    return Paper(
        entry.one("title"), entry.one("id").replace("http://", "https://", 1), entry.one("arxiv:doi"),
        entry.every("name")[:MOST_AUTHORS], int(published[:4]) if published[:4].isdigit() else None,
        entry.one("arxiv:journal_ref") or "arXiv", entry.one("summary"), pdf=entry.one("pdf"),
    )  # fmt: skip


# ---------------------------------------------------------------- Crossref and OpenAlex


def _crossref(item: Mapping[str, Any]) -> Paper:
    authors = [
        " ".join(filter(None, [author.get("given"), author.get("family")])) or str(author.get("name") or "")
        for author in listed(item, "author")
    ]
    issued = item.get("issued") if isinstance(item.get("issued"), Mapping) else {}
    parts = issued.get("date-parts") if isinstance(issued, Mapping) else None
    year = parts[0][0] if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0] else None
    doi = str(item.get("DOI") or "")
    return Paper(
        plain(_first(item.get("title"))), f"https://doi.org/{doi}" if doi else str(item.get("URL") or ""), doi,
        authors[:MOST_AUTHORS], year if isinstance(year, int) else None, plain(_first(item.get("container-title"))),
        plain(item.get("abstract")), _count(item.get("is-referenced-by-count")),
    )  # fmt: skip


def _openalex(item: Mapping[str, Any]) -> Paper:
    authors = [
        str(author.get("display_name") or "")
        for one in listed(item, "authorships")
        if isinstance(author := one.get("author"), Mapping)
    ]
    location = item.get("primary_location") if isinstance(item.get("primary_location"), Mapping) else {}
    assert isinstance(location, Mapping)
    source = location.get("source")
    access = item.get("open_access")
    doi = str(item.get("doi") or "").removeprefix("https://doi.org/")
    return Paper(
        plain(item.get("display_name") or item.get("title")),
        str(item.get("doi") or location.get("landing_page_url") or item.get("id") or ""), doi,
        authors[:MOST_AUTHORS], _count(item.get("publication_year")),
        plain(source.get("display_name")) if isinstance(source, Mapping) else "",
        _abstract(item.get("abstract_inverted_index")), _count(item.get("cited_by_count")),
        str(access.get("oa_url") or "") if isinstance(access, Mapping) else "",
    )  # fmt: skip


def _abstract(index: Any) -> str:
    """OpenAlex gives each word with its places."""
    if not isinstance(index, Mapping):
        return ""
    places = [(place, str(word)) for word, found in index.items() if isinstance(found, list) for place in found[:200]]
    return plain(" ".join(word for _place, word in sorted(p for p in places if isinstance(p[0], int))[:400]))


def _first(value: Any) -> str:
    return str(value[0]) if isinstance(value, list) and value else str(value) if isinstance(value, str) else ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
