"""Wikipedia by its API: search, and the text of an article with its revision and licence. No key is needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from app.core.errors import ToolError
from app.core.http import WebClient
from app.core.text.i18n import N_
from app.core.tools.endpoint import Endpoint

from ..search.base import WebHit, listed, plain
from .answers import asked_json

WIKIPEDIA = Endpoint(
    "web.wikipedia",
    "https://{language}.wikipedia.org/w/api.php",
    N_("Wikipedia"),
    credit="Wikipedia, CC BY-SA 4.0",
    pace=0.5,
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,12})?$")
_SCRIPTS = (
    ("\u3040", "\u30ff", "ja"), ("\uac00", "\ud7af", "ko"), ("\u4e00", "\u9fff", "zh"),
    ("\u0400", "\u04ff", "ru"), ("\u0600", "\u06ff", "ar"), ("\u0370", "\u03ff", "el"),
)  # fmt: skip
MOST_OPTIONS = 12


@dataclass(frozen=True, slots=True)
class Article:
    title: str
    url: str
    text: str
    revision: int
    changed: str
    sections: tuple[str, ...]


def language_of(text: str) -> str:
    """Of the edition a question is for, by its letters."""
    for low, high, language in _SCRIPTS:
        if any(low <= char <= high for char in text):
            return language
    return "en"


def _edition(language: str) -> str:
    if not _LANGUAGE.fullmatch(language):
        message = N_("{language} is no language of Wikipedia; use two letters such as zh or en")
        raise ToolError("BAD_ARGUMENTS", message, values={"language": language[:20]})
    return language


async def search(http: WebClient, addresses: Mapping[str, str], query: str, language: str, count: int) -> list[WebHit]:
    body = await asked_json(
        http, WIKIPEDIA, addresses,
        {
            "action": "query", "list": "search", "srsearch": query, "srlimit": count, "srprop": "snippet|timestamp",
            "format": "json", "formatversion": 2, "utf8": 1,
        },
        language=_edition(language),
    )  # fmt: skip
    return [
        WebHit(title, _url(language, title), plain(row.get("snippet")), str(row.get("timestamp") or "")[:10])
        for row in listed(body, "query", "search")
        if (title := str(row.get("title") or ""))
    ]


def _url(language: str, title: str) -> str:
    return f"https://{language}.wikipedia.org/wiki/{quote(title.replace(' ', '_'), safe='/:(),')}"


def named(title_or_url: str, language: str) -> tuple[str, str]:
    """Title and language, also of an address of an article."""
    if "://" not in title_or_url:
        return title_or_url.strip(), language or language_of(title_or_url)
    parts = urlsplit(title_or_url)
    host = (parts.hostname or "").split(".")
    if host[-2:] != ["wikipedia", "org"] or not parts.path.startswith(("/wiki/", "/zh-")):
        raise ToolError("BAD_ARGUMENTS", N_("that is no address of an article of Wikipedia; use fetch_page for others"))
    own = host[0] if len(host) > 2 and host[0] not in ("www", "m") else "en"
    return unquote(parts.path.split("/", 2)[2]).replace("_", " "), own


async def article(http: WebClient, addresses: Mapping[str, str], title: str, language: str) -> Article:
    """Raises ToolError NO_MATCH, DISAMBIGUATION with the articles to choose from."""
    body = await asked_json(
        http, WIKIPEDIA, addresses,
        {
            "action": "query", "prop": "extracts|info|pageprops|revisions|links", "titles": title, "redirects": 1,
            "explaintext": 1, "exsectionformat": "wiki", "inprop": "url", "ppprop": "disambiguation",
            "rvprop": "ids|timestamp", "plnamespace": 0, "pllimit": 50, "format": "json", "formatversion": 2,
        },
        language=_edition(language),
    )  # fmt: skip
    pages = listed(body, "query", "pages")
    page: Mapping[str, Any] = pages[0] if pages else {}
    if not page or page.get("missing") or page.get("invalid"):
        near = [hit.title for hit in await search(http, addresses, title, language, 5)]
        hint = ", ".join(near)
        raise ToolError("NO_MATCH", N_("there is no article “{title}”"), hint=hint, values={"title": title[:80]})
    if "disambiguation" in (page.get("pageprops") or {}):
        options = [str(link.get("title")) for link in listed(page, "links")][:MOST_OPTIONS]
        message = N_("“{title}” may be several things; choose one of the articles")
        raise ToolError("DISAMBIGUATION", message, hint="; ".join(options), values={"title": title[:80]})
    revisions = listed(page, "revisions")
    revision = revisions[0] if revisions else {}
    text = str(page.get("extract") or "").strip()
    sections = tuple(re.findall(r"^={2,3} ?([^=\n]{1,200}?) ?={2,3}$", text, re.MULTILINE))
    name = str(page.get("title") or title)
    return Article(
        name, str(page.get("canonicalurl") or page.get("fullurl") or _url(language, name)), text,
        int(revision.get("revid") or page.get("lastrevid") or 0), str(revision.get("timestamp") or "")[:10], sections,
    )  # fmt: skip


def chosen_sections(text: str, wanted: list[str]) -> str:
    """The opening and the sections of these names; the whole where none of them is there."""
    names = {name.casefold().strip() for name in wanted}
    kept: list[str] = []
    keeping, depth = True, 0
    for line in text.splitlines():
        match = re.fullmatch(r"(={2,6}) ?(.{1,200}?) ?={2,6}", line)
        if match:
            if keeping and depth and len(match.group(1)) > depth:
                pass  # a part of a section that is wanted
            else:
                keeping = match.group(2).casefold() in names
                depth = len(match.group(1)) if keeping else 0
        if keeping:
            kept.append(line)
    chosen = "\n".join(kept).strip()
    return chosen if any(line.startswith("==") for line in kept) else text
