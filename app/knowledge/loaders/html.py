"""HTML by lxml: the text in its order under its headings, without scripts, styles and hidden elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.core.knowledge import Passage

from . import Unreadable
from .sections import Sections
from .text import decoded

_LEFT_OUT = {"script", "style", "noscript", "template", "head", "svg", "nav", "iframe", "object"}
_BLOCKS = {
    "p", "div", "li", "tr", "br", "table", "ul", "ol", "section", "article", "header", "footer", "blockquote", "pre",
    "dt", "dd", "figure", "figcaption", "hr", "main", "aside", "td", "th",
}  # fmt: skip
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])", re.IGNORECASE
)
_DECLARED = re.compile(rb"""charset=["']?([\w-]+)""", re.IGNORECASE)
_DEEPEST = 250


def passages(path: Path) -> Iterator[Passage]:
    yield from of_markup(path.read_bytes())


def of_markup(data: bytes) -> Iterator[Passage]:
    import lxml.etree
    import lxml.html

    text = _text(data)
    if not text.strip():
        return
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=False, remove_comments=True, remove_pis=True)
    try:
        root = lxml.html.document_fromstring(text.encode("utf-8"), parser=parser)
    except (lxml.etree.ParserError, lxml.etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable("damaged") from error
    sections = Sections()
    pieces: list[str] = []
    for kind, value in _walk(root):
        if kind == 0:
            pieces.append(value)
            continue
        yield from sections.passage(_joined(pieces))
        title = " ".join(value.split())
        sections.open(kind, title)
        pieces = [title, "\n"]
    yield from sections.passage(_joined(pieces))


def _text(data: bytes) -> str:
    declared = _DECLARED.search(data[:2048])
    return decoded(data, [declared[1].decode("ascii")] if declared is not None else [])


def _walk(root: Any) -> Iterator[tuple[int, str]]:
    """(0, text) or (level, heading), in document order, without recursion."""
    stack: list[tuple[Any, int, bool]] = [(root, 0, False)]
    while stack:
        node, depth, is_end = stack.pop()
        tag = node.tag if isinstance(node.tag, str) else ""
        if is_end:
            if tag in _BLOCKS:
                yield 0, "\n"
            if node.tail:
                yield 0, node.tail
            continue
        stack.append((node, depth, True))
        if not tag or tag in _LEFT_OUT or depth > _DEEPEST or _is_hidden(node):
            continue
        if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
            yield int(tag[1]), "".join(node.itertext())
            continue
        if tag in _BLOCKS:
            yield 0, "\n"
        if node.text:
            yield 0, node.text
        stack.extend((child, depth + 1, False) for child in reversed(node))


def _is_hidden(node: Any) -> bool:
    return node.get("hidden") is not None or bool(_HIDDEN.search(node.get("style") or ""))


def _joined(pieces: list[str]) -> str:
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)
