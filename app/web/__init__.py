"""The web for tools of any agent: search services, pages, Wikipedia, catalogues of papers, highlights.

`compose` builds one `Web` over the guarded client and gives it to tools as `ToolContext.resources["web"]`; services/web
knows the search services, their order and their keys. What is read is stored as a source of the session
(core/sources.py), so that it can be quoted and checked later.

    search      one file per service: a request, and hits from its answer
    pages       fetch, encoding, readable text, PDF, robots
    catalogues  Wikipedia, arXiv, Crossref, OpenAlex
    highlights  what a person marked while reading: Readwise, csv, md, json
    tools       what a model can call
"""

from urllib.parse import urlsplit

from .search import SERVICES
from .web import SearchChoice, Web

SEARCH_PACES = {host: one.pace for one in SERVICES.values() if (host := urlsplit(one.address).hostname)}
"""Seconds between two requests, by host."""

__all__ = ["SEARCH_PACES", "SearchChoice", "Web"]
