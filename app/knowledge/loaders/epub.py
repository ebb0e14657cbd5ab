"""Books (EPUB): the chapters of the spine in their order, each read as HTML."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from app.core.knowledge import Passage

from . import Unreadable
from .html import of_markup
from .packed import opened, part, xml

_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_PACKAGE = "{http://www.idpf.org/2007/opf}"


def passages(path: Path) -> Iterator[Passage]:
    with opened(path) as archive:
        if "META-INF/encryption.xml" in archive.namelist() and "META-INF/rights.xml" in archive.namelist():
            raise Unreadable("password")
        root = xml(part(archive, "META-INF/container.xml")).find(f".//{_CONTAINER}rootfile")
        if root is None:
            raise Unreadable("damaged")
        place = root.get("full-path") or ""
        package = xml(part(archive, place))
        files = {item.get("id"): item.get("href") or "" for item in package.iter(f"{_PACKAGE}item")}
        for number, item in enumerate(package.iter(f"{_PACKAGE}itemref"), 1):
            href = files.get(item.get("idref"))
            if not href:
                continue
            name = posixpath.normpath(posixpath.join(posixpath.dirname(place), unquote(href)))
            if name in archive.namelist():
                for passage in of_markup(part(archive, name)):
                    yield replace(passage, page=0, row=number)
