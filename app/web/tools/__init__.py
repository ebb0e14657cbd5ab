"""What a model can call of the web, whatever its agent's trade. To add a tool: a function with `@tool`, a line here."""

from .highlights import import_highlights, search_readwise_highlights
from .pages import fetch_page
from .scholar import scholar_search
from .search import web_search
from .wikipedia import wikipedia_page, wikipedia_search

WEB_TOOLS = (
    web_search,
    fetch_page,
    wikipedia_search,
    wikipedia_page,
    scholar_search,
    search_readwise_highlights,
    import_highlights,
)
