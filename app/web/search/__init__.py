"""The search services: `SERVICES` by id. To add one: a file with a `SearchService`, a line here."""

from .base import Freshness, SearchService, WebHit, WebQuery, hits_of
from .bocha import BOCHA
from .brave import BRAVE
from .exa import EXA
from .searxng import SEARXNG
from .serpapi import SERPAPI
from .tavily import TAVILY

SERVICES: dict[str, SearchService] = {one.id: one for one in (BOCHA, TAVILY, BRAVE, EXA, SERPAPI, SEARXNG)}

__all__ = ["SERVICES", "Freshness", "SearchService", "WebHit", "WebQuery", "hits_of"]
