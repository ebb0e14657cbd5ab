"""The main text of an HTML page; a plain reader takes over if trafilatura finds none."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from html.parser import HTMLParser

LONGEST_HTML = 1_500_000
"""Characters that are read; a page of more is read from its beginning."""
_SKIPPED = frozenset(
    "script style noscript template svg head iframe object nav footer aside form button select".split()
)
_BLOCKS = frozenset(
    "p div section article main header h1 h2 h3 h4 h5 h6 li ul ol table tr blockquote pre br hr dt dd caption".split()
)
_DEEPEST = 250


@dataclass(frozen=True, slots=True)
class Readable:
    text: str
    title: str = ""
    published: str = ""


def readable(html: str, url: str = "") -> Readable:
    """Takes a moment for long pages: call it in a thread."""
    html = html[:LONGEST_HTML]
    plain = _Plain()
    plain.read(html)
    article = _extracted(html, url) if plain.depth < _DEEPEST else None
    if article is not None and len(article.text) * 20 >= min(len(plain.text), 4_000):
        return Readable(article.text, article.title or plain.title, article.published)
    return Readable(plain.text, plain.title)


def _extracted(html: str, url: str) -> Readable | None:
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # what it cannot read is no error of ours
    logging.getLogger("htmldate").setLevel(logging.CRITICAL)
    try:
        from trafilatura import bare_extraction

        document = bare_extraction(
            html,
            url=url or None,
            include_comments=False,
            include_tables=True,
            with_metadata=True,
            favor_precision=False,
        )
    except Exception:  # noqa: BLE001 - a library over markup of strangers; the plain reader takes over
        return None
    if document is None:
        return None
    body = document.as_dict() if hasattr(document, "as_dict") else document
    text = body.get("text") or ""
    return Readable(text.strip(), str(body.get("title") or ""), str(body.get("date") or "")) if text.strip() else None


class _Plain(HTMLParser):
    """All the text there is, block by block; title and depth on the way."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._pieces: list[str] = []
        self._skipping = 0
        self._in_title = False
        self._open = 0
        self.depth = 0
        self.title = ""

    def read(self, html: str) -> None:
        try:
            self.feed(html)
            self.close()
        except (AssertionError, ValueError):
            pass  # markup it gives up on: what came before stays

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self._open += 1
        self.depth = max(self.depth, self._open)
        self._in_title = tag == "title"
        if tag in _SKIPPED:
            self._skipping += 1
        elif tag in _BLOCKS:
            self._pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._open = max(0, self._open - 1)
        self._in_title = False
        if tag in _SKIPPED:
            self._skipping = max(0, self._skipping - 1)
        elif tag in _BLOCKS:
            self._pieces.append("\n")

    def handle_startendtag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self._pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title = (self.title + data)[:300].strip()
        elif not self._skipping:
            self._pieces.append(data)

    @property
    def text(self) -> str:
        lines = (" ".join(line.split()) for line in "".join(self._pieces).splitlines())
        return "\n".join(line for line in lines if line)
