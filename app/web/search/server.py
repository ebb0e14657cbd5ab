"""A search tool of an MCP server: which of its arguments is the query, and hits from whatever it returns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from .base import WebHit, WebQuery, plain

PREFIX = "mcp:"
"""What the id of such a service begins with: `mcp:<tool>`, the tool by the name agents call it."""
_QUERIES = (
    "query",
    "q",
    "search_query",
    "searchQuery",
    "keyword",
    "keywords",
    "search_term",
    "question",
    "text",
    "input",
)
_COUNTS = ("count", "num_results", "numResults", "max_results", "maxResults", "limit", "num", "top_k", "n")
_URLS = ("url", "link", "href", "source_url", "uri")
_TITLES = ("title", "name", "heading")
_TEXTS = ("snippet", "content", "description", "summary", "text", "excerpt")
_DATES = ("date", "published_date", "publishedDate", "datePublished", "published", "age")
_LABELLED = re.compile(
    r"^[ \t>*-]{0,6}(title|url|link|description|snippet|content|text|标题|链接|网址|摘要)"
    r"[ \t]{0,3}[:：][ \t]{0,3}(.+)$",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\((https?://[^()\s]{1,2000})\)")
_MOST = 5_000


def arguments(schema: Mapping[str, Any], query: WebQuery) -> dict[str, Any] | None:
    """None: it takes no query, so it is no search tool."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return None
    texts = [
        name for name, one in properties.items() if isinstance(one, Mapping) and one.get("type", "string") == "string"
    ]
    required = [name for name in schema.get("required") or () if name in texts]
    name = next((name for name in _QUERIES if name in texts), None) or (required[0] if len(required) == 1 else None)
    if name is None or any(other not in (name, *_COUNTS) for other in schema.get("required") or ()):
        return None
    counts = [key for key in _COUNTS if isinstance(properties.get(key), Mapping)]
    return {name: query.text, **({counts[0]: query.count} if counts else {})}


def hits(data: Any, count: int) -> list[WebHit]:
    """Objects with an address anywhere in the data; else lines that say `URL: …`; else links of Markdown."""
    results = [*_objects(data)]
    text = "\n".join(_texts(data))
    if not results and text.lstrip().startswith(("{", "[")):
        try:
            results = [*_objects(json.loads(text))]
        except (ValueError, RecursionError):
            results = []
    results = results or [*_lines(text)]
    results = results or [WebHit(plain(match.group(1)), match.group(2)) for match in _LINK.finditer(text[:200_000])]
    return list({hit.url: hit for hit in reversed(results)}.values())[::-1][:count]


def _objects(data: Any) -> Iterator[WebHit]:
    open_, steps = [data], 0
    while open_ and steps < _MOST:
        steps += 1
        node = open_.pop(0)
        if isinstance(node, Mapping):
            url = _first(node, _URLS)
            if url.startswith(("http://", "https://")):
                yield WebHit(
                    plain(_first(node, _TITLES)) or url, url, plain(_first(node, _TEXTS)), _first(node, _DATES)[:20]
                )
            else:
                open_ += node.values()
        elif isinstance(node, list | tuple):
            open_ += node


def _first(node: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((str(node[key]) for key in keys if isinstance(node.get(key), str) and node[key]), "")


def _texts(data: Any) -> Iterator[str]:
    open_, steps = [data], 0
    while open_ and steps < _MOST:
        steps += 1
        node = open_.pop(0)
        if isinstance(node, str):
            yield node
        elif isinstance(node, Mapping):
            open_ += node.values()
        elif isinstance(node, list | tuple):
            open_ += node


def _lines(text: str) -> Iterator[WebHit]:
    """Blocks of lines such as `Title: …`, `URL: …`; a title, or a second address, begins the next."""
    title = url = ""
    words: list[str] = []
    for line in text[:200_000].splitlines():
        match = _LABELLED.match(line)
        label = match.group(1).lower() if match else ""
        value = match.group(2).strip() if match else line.strip()
        if label in ("title", "标题") or (label in _ADDRESS and url):
            if url:
                yield WebHit(plain(title) or url, url, plain(" ".join(words)))
            title, url, words = (value, "", []) if label not in _ADDRESS else ("", value.strip("<>"), [])
        elif label in _ADDRESS:
            url = value.strip("<>")
        elif value:
            words.append(value)
    if url:
        yield WebHit(plain(title) or url, url, plain(" ".join(words)))


_ADDRESS = ("url", "link", "链接", "网址")
