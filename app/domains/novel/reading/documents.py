"""Markdown, Word and EPUB as sections: level of the heading (0 for none), heading, text."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from app.core.errors import ToolError
from app.core.text.i18n import N_

Section = tuple[int, str, str]
MOST_UNPACKED = 300 * 1024 * 1024
_MOST_PARTS = 20_000
_ATX = re.compile(r"(#{1,6})[ \t]+(\S.*?)[ \t]*#*")
_FENCE = re.compile(r"[ \t]{0,3}(```+|~~~+)")
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_PACKAGE = "{http://www.idpf.org/2007/opf}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_XHTML = "{http://www.w3.org/1999/xhtml}"
_BLOCKS = frozenset(
    "p div section article blockquote li ul ol dl dt dd table tr pre figure figcaption header footer hr body".split()
)
_LEFT_OUT = frozenset("script style head nav svg math audio video iframe object template rt rp".split())


def _unreadable(why: str) -> ToolError:
    return ToolError("FORMAT", N_("the file cannot be read: {why}"), values={"why": why})


def markdown_sections(text: str) -> list[Section]:
    sections: list[Section] = []
    level, heading, lines, fence = 0, "", list[str](), ""
    for line in text.split("\n"):
        if match := _FENCE.match(line):
            fence = "" if fence and match[1].startswith(fence) else fence or match[1][:3]
        marks = None if fence or not line.startswith("#") else _ATX.fullmatch(line)
        if marks is None:
            lines.append(line)
            continue
        sections.append((level, heading, "\n".join(lines)))
        level, heading, lines = len(marks[1]), marks[2], []
    sections.append((level, heading, "\n".join(lines)))
    return [one for one in sections if one[1] or one[2].strip()]


# ---------------------------------------------------------------- packed documents


def _opened(data: bytes) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise _unreadable("damaged") from error
    parts = archive.infolist()
    if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
        raise _unreadable("it unpacks to more than can be taken")
    if any(part.flag_bits & 1 for part in parts):
        raise _unreadable("it is protected by a password")
    return archive


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        return archive.read(name)
    except (KeyError, zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError) as error:
        raise _unreadable(name) from error
    except Exception as error:  # zlib and lzma raise errors of their own
        raise _unreadable(name) from error


def _xml(data: bytes, *, forgiving: bool = False) -> Any:
    import lxml.etree

    head = data[:65_536]
    if b"<!ENTITY" in head:
        raise _unreadable("it declares entities")
    parser = lxml.etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=True, recover=forgiving, load_dtd=False
    )
    try:
        root = lxml.etree.fromstring(data, parser)
    except lxml.etree.XMLSyntaxError as error:
        raise _unreadable("damaged") from error
    if root is None:
        raise _unreadable("damaged")
    return root


def docx_sections(data: bytes) -> list[Section]:
    """Paragraphs in their order; what Word calls a heading by its style or outline level. Deleted text is left out."""
    with _opened(data) as archive:
        styles = _heading_styles(_xml(_part(archive, "word/styles.xml"))) if _has(archive, "word/styles.xml") else {}
        body = _xml(_part(archive, "word/document.xml")).find(f"{_W}body")
    if body is None:
        raise _unreadable("word/document.xml")
    sections: list[Section] = []
    level, heading, lines = 0, "", list[str]()
    for paragraph in body.iter(f"{_W}p"):
        text = _paragraph_text(paragraph)
        heading_level = _level_of(paragraph, styles)
        if not heading_level or not text.strip():
            lines.append(text)
            continue
        sections.append((level, heading, "\n".join(lines)))
        level, heading, lines = heading_level, " ".join(text.split()), []
    sections.append((level, heading, "\n".join(lines)))
    return [one for one in sections if one[1] or one[2].strip()]


def _has(archive: zipfile.ZipFile, name: str) -> bool:
    return name in archive.namelist()


def _heading_styles(root: Any) -> dict[str, int]:
    """Ids of styles that are headings, with their level: by name, by outline level, and by what they are based on."""
    levels: dict[str, int] = {}
    based: dict[str, str] = {}
    for style in root.iter(f"{_W}style"):
        id = style.get(f"{_W}styleId") or ""
        name = style.find(f"{_W}name")
        words = (name.get(f"{_W}val") or "").casefold() if name is not None else ""
        outline = style.find(f"{_W}pPr/{_W}outlineLvl")
        if words == "title":
            levels[id] = 1
        elif match := re.fullmatch(r"(?:heading|标题|標題)\s?([1-9])", words):
            levels[id] = int(match[1]) + 1
        elif outline is not None and (value := outline.get(f"{_W}val") or "").isdecimal() and int(value) < 9:
            levels[id] = int(value) + 2
        parent = style.find(f"{_W}basedOn")
        if parent is not None:
            based[id] = parent.get(f"{_W}val") or ""
    for id in based:
        above, steps = id, 0
        while above not in levels and above in based and steps < 10:
            above, steps = based[above], steps + 1
        if above in levels:
            levels.setdefault(id, levels[above])
    return levels


def _level_of(paragraph: Any, styles: dict[str, int]) -> int:
    outline = paragraph.find(f"{_W}pPr/{_W}outlineLvl")
    if outline is not None and (value := outline.get(f"{_W}val") or "").isdecimal():
        return int(value) + 2 if int(value) < 9 else 0
    style = paragraph.find(f"{_W}pPr/{_W}pStyle")
    return styles.get(style.get(f"{_W}val") or "", 0) if style is not None else 0


def _paragraph_text(paragraph: Any) -> str:
    pieces = []
    for node in paragraph.iter():
        if node.tag == f"{_W}t":
            pieces.append(node.text or "")
        elif node.tag == f"{_W}tab":
            pieces.append("\t" if node.getparent().tag == f"{_W}r" else "")
        elif node.tag in (f"{_W}br", f"{_W}cr"):
            pieces.append("\n")
    return "".join(pieces)


def epub_sections(data: bytes) -> tuple[str, list[Section]]:
    """Title of the book, and the documents of the spine in their order, cut at their headings."""
    with _opened(data) as archive:
        names = set(archive.namelist())
        if "META-INF/rights.xml" in names or "META-INF/sinf.xml" in names:
            raise _unreadable("it is protected by a password")
        rootfile = _xml(_part(archive, "META-INF/container.xml")).find(f".//{_CONTAINER}rootfile")
        if rootfile is None:
            raise _unreadable("META-INF/container.xml")
        place = rootfile.get("full-path") or ""
        package = _xml(_part(archive, place))
        title = package.findtext(f".//{_DC}title") or ""
        items = {item.get("id"): item for item in package.iter(f"{_PACKAGE}item")}
        sections: list[Section] = []
        for ref in package.iter(f"{_PACKAGE}itemref"):
            item = items.get(ref.get("idref"))
            if item is None or "nav" in (item.get("properties") or "").split():
                continue
            href = unquote((item.get("href") or "").split("#")[0])
            name = posixpath.normpath(posixpath.join(posixpath.dirname(place), href))
            if name in names:
                sections += _html_sections(_part(archive, name))
    return title.strip(), sections


def _html_sections(data: bytes) -> list[Section]:
    body = next(iter(_xml(data, forgiving=True).iter(f"{_XHTML}body", "body")), None)
    if body is None:
        return []
    sections: list[Section] = []
    level, heading, pieces = 0, "", list[str]()
    for kind, words in _walked(body):
        if kind == 0:
            pieces.append(words)
            continue
        sections.append((level, heading, _tidy(pieces)))
        level, heading, pieces = kind, " ".join(words.split()), []
    sections.append((level, heading, _tidy(pieces)))
    return [one for one in sections if one[1] or one[2].strip()]


def _walked(body: Any) -> Iterator[tuple[int, str]]:
    """Texts in their order, and headings with their level; without recursion, for nesting may be deep."""
    stack: list[tuple[Any, bool]] = [(body, False)]
    while stack:
        node, is_done = stack.pop()
        tag = node.tag.rpartition("}")[2].lower() if isinstance(node.tag, str) else ""
        if is_done:
            if tag in _BLOCKS:
                yield 0, "\n"
            yield 0, re.sub(r"\s+", " ", node.tail or "") if node is not body else ""
            continue
        if not tag or tag in _LEFT_OUT:
            yield 0, re.sub(r"\s+", " ", node.tail or "")
            continue
        if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
            words = "".join(_spoken(node)).strip()
            if words:
                yield int(tag[1]), words
            yield 0, re.sub(r"\s+", " ", node.tail or "")
            continue
        if tag in _BLOCKS or tag == "br":
            yield 0, "\n"
        yield 0, re.sub(r"[ \t\r\n]+", " ", node.text or "")
        stack.append((node, True))
        stack += [(child, False) for child in reversed(node)]


def _spoken(node: Any) -> Iterator[str]:
    for inner in node.iter():
        tag = inner.tag.rpartition("}")[2].lower() if isinstance(inner.tag, str) else ""
        if tag == "br":
            yield " "
        if tag and tag not in _LEFT_OUT:
            yield inner.text or ""
        if inner is not node:
            yield inner.tail or ""


def _tidy(pieces: list[str]) -> str:
    lines = (line.strip(" \t") for line in "".join(pieces).split("\n"))
    return re.sub(r"\n{2,}", "\n\n", "\n".join(line for line in lines)).strip("\n")
