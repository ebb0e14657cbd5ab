"""The book as EPUB 3, with the table of contents of EPUB 2 beside its own, for readers that know only that."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from html import escape
from uuid import NAMESPACE_URL, uuid5

from .pages import BookPage, Pages

_CONTAINER = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n'
)
_STYLE = """body { margin: 5%; line-height: 1.7; }
h1, h2 { text-align: center; margin: 2em 0 1.5em; page-break-after: avoid; }
p { margin: 0; text-indent: 2em; }
.cover { text-align: center; margin-top: 30%; }
.cover p { text-indent: 0; margin-top: 1em; }
"""


def to_epub(book: Pages, now: datetime) -> bytes:
    """`now` is the moment of change it names."""
    names = [f"page-{number:04}" for number in range(1, len(book.pages) + 1)]
    files = {
        "META-INF/container.xml": _CONTAINER,
        "EPUB/package.opf": _package(book, names, now),
        "EPUB/nav.xhtml": _xhtml(book, book.title, _navigation(book.pages, names), epub=True),
        "EPUB/toc.ncx": _ncx(book, names),
        "EPUB/style.css": _STYLE,
        "EPUB/cover.xhtml": _xhtml(book, book.title, _cover(book)),
    }
    for name, page in zip(names, book.pages, strict=True):
        files[f"EPUB/{name}.xhtml"] = _xhtml(book, page.heading, _page(page))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        # The first entry says what the file is, unpacked, so that it is known without opening the archive.
        stamp = (max(1980, now.year), now.month, now.day, now.hour, now.minute, now.second)
        archive.writestr(zipfile.ZipInfo("mimetype", stamp), "application/epub+zip", zipfile.ZIP_STORED)
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, stamp), text.encode("utf-8"), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _id(book: Pages) -> str:
    """The same for the same book, so that a reader takes a new export for a new edition and not another book."""
    return f"urn:uuid:{uuid5(NAMESPACE_URL, f'novel:{book.author}:{book.title}')}"


def _language(book: Pages) -> str:
    return book.language.replace("_", "-") or "und"


def _package(book: Pages, names: Sequence[str], now: datetime) -> str:
    moment = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    items = "".join(f'<item id="{n}" href="{n}.xhtml" media-type="application/xhtml+xml"/>\n' for n in names)
    creator = f"<dc:creator>{_text(book.author)}</dc:creator>\n" if book.author else ""
    about = f"<dc:description>{_text(book.synopsis)}</dc:description>\n" if book.synopsis else ""
    spine = "".join(f'<itemref idref="{name}"/>\n' for name in names)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">\n'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
        f'<dc:identifier id="id">{_id(book)}</dc:identifier>\n<dc:title>{_text(book.title) or "–"}</dc:title>\n'
        f"<dc:language>{_text(_language(book))}</dc:language>\n{creator}{about}"
        f'<meta property="dcterms:modified">{moment}</meta>\n</metadata>\n<manifest>\n'
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\n'
        '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>\n'
        '<item id="style" href="style.css" media-type="text/css"/>\n'
        '<item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>\n'
        f'{items}</manifest>\n<spine toc="ncx">\n<itemref idref="cover"/>\n{spine}</spine>\n</package>\n'
    )


def _xhtml(book: Pages, title: str, body: str, *, epub: bool = False) -> str:
    language = _text(_language(book))
    more = ' xmlns:epub="http://www.idpf.org/2007/ops"' if epub else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        f'<html xmlns="http://www.w3.org/1999/xhtml"{more} lang="{language}" xml:lang="{language}">\n'
        f'<head><meta charset="UTF-8"/><title>{_text(title) or "–"}</title>'
        f'<link rel="stylesheet" type="text/css" href="style.css"/></head>\n<body>\n{body}</body>\n</html>\n'
    )


def _cover(book: Pages) -> str:
    lines = "".join(f"<p>{_text(line)}</p>\n" for line in (book.author, *book.synopsis.split("\n")) if line)
    return f'<div class="cover">\n<h1>{_text(book.title) or "–"}</h1>\n{lines}</div>\n'


def _page(page: BookPage) -> str:
    level = "h1" if page.is_volume else "h2"
    paragraphs = "".join(f"<p>{_text(paragraph)}</p>\n" for paragraph in page.paragraphs)
    return f"<{level}>{_text(page.heading) or '–'}</{level}>\n{paragraphs}"


def _grouped(
    pages: Sequence[BookPage], names: Sequence[str]
) -> Iterator[tuple[tuple[str, str], list[tuple[str, str]]]]:
    """Each entry of the highest level with those below it: (name, heading) of volumes, and of chapters without one."""
    volume: tuple[tuple[str, str], list[tuple[str, str]]] | None = None
    for name, page in zip(names, pages, strict=True):
        entry = (name, page.heading or "–")
        if page.is_volume:
            if volume is not None:
                yield volume
            volume = (entry, [])
        elif volume is not None:
            volume[1].append(entry)
        else:
            yield entry, []
    if volume is not None:
        yield volume


def _navigation(pages: Sequence[BookPage], names: Sequence[str]) -> str:
    def entry(name: str, heading: str) -> str:
        return f'<a href="{name}.xhtml">{_text(heading)}</a>'

    rows = ['<li><a href="cover.xhtml">–</a></li>'] if not pages else []
    for (name, heading), below in _grouped(pages, names):
        inner = "".join(f"<li>{entry(*one)}</li>\n" for one in below)
        rows.append(f"<li>{entry(name, heading)}" + (f"\n<ol>\n{inner}</ol>\n" if inner else "") + "</li>\n")
    return f'<nav epub:type="toc" id="toc">\n<ol>\n{"".join(rows)}</ol>\n</nav>\n'


def _ncx(book: Pages, names: Sequence[str]) -> str:
    def point(name: str, heading: str, inner: str = "") -> str:
        return (
            f'<navPoint id="nav-{name}" playOrder="{order[name]}"><navLabel><text>{_text(heading)}</text></navLabel>'
            f'<content src="{name}.xhtml"/>{inner}</navPoint>\n'
        )

    order = {name: number for number, name in enumerate(("cover", *names), 1)}
    has_volumes = any(page.is_volume for page in book.pages)
    points = point("cover", book.title or "–") + "".join(
        point(*entry, "".join(point(*one) for one in below)) for entry, below in _grouped(book.pages, names)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">\n'
        f'<head><meta name="dtb:uid" content="{_id(book)}"/>'
        f'<meta name="dtb:depth" content="{2 if has_volumes else 1}"/>'
        '<meta name="dtb:totalPageCount" content="0"/><meta name="dtb:maxPageNumber" content="0"/></head>\n'
        f"<docTitle><text>{_text(book.title) or '–'}</text></docTitle>\n<navMap>\n{points}</navMap>\n</ncx>\n"
    )


def _text(text: str) -> str:
    return escape(text, quote=True)
