"""What kind of source an address is: who publishes there, by its name alone, so the same every time."""

from __future__ import annotations

from typing import Literal

from app.core.sources import Source

Quality = Literal["primary", "reference", "press", "web", "snippet", "own"]

_PRIMARY_ENDS = (
    ".gov",
    ".edu",
    ".mil",
    ".int",
    ".gov.cn",
    ".edu.cn",
    ".ac.cn",
    ".ac.uk",
    ".gov.uk",
    ".gc.ca",
    ".go.jp",
    ".ac.jp",
)
_PRIMARY = frozenset(
    "who.int un.org oecd.org worldbank.org imf.org europa.eu nature.com science.org sciencedirect.com springer.com "
    "wiley.com ieee.org acm.org arxiv.org doi.org pubmed.ncbi.nlm.nih.gov ncbi.nlm.nih.gov iso.org w3.org ietf.org "
    "stats.gov.cn pbc.gov.cn cnki.net sec.gov".split()
)
_REFERENCE = frozenset(
    "wikipedia.org britannica.com baike.baidu.com wikidata.org stanford.edu plato.stanford.edu".split()
)
_PRESS = frozenset(
    "reuters.com apnews.com bbc.com bbc.co.uk nytimes.com ft.com economist.com wsj.com theguardian.com bloomberg.com "
    "xinhuanet.com news.cn people.com.cn cctv.com caixin.com thepaper.cn yicai.com chinadaily.com.cn".split()
)


def quality_of(source: Source) -> Quality:
    if source.kind == "highlight":
        return "own"
    if source.kind == "scholar":
        return "primary"
    if source.kind == "wikipedia" or _stands_in(source.domain, _REFERENCE):
        return "reference"
    if source.kind == "snippet":
        return "snippet"
    if source.domain.endswith(_PRIMARY_ENDS) or _stands_in(source.domain, _PRIMARY):
        return "primary"
    return "press" if _stands_in(source.domain, _PRESS) else "web"


def _stands_in(domain: str, names: frozenset[str]) -> bool:
    labels = domain.split(".")
    return any(".".join(labels[at:]) in names for at in range(len(labels) - 1))


def publisher(domain: str) -> str:
    """The part of a host by which two pages are of one house: `news.bbc.co.uk` → `bbc.co.uk`."""
    labels = domain.split(".")
    if len(labels) <= 2:
        return domain
    two_part = labels[-2] in {"co", "com", "org", "net", "gov", "edu", "ac", "go", "or", "ne"} and len(labels[-1]) == 2
    return ".".join(labels[-3:] if two_part else labels[-2:])
