"""Packed formats (docx, pptx, epub): opened after a look at how much they unpack to."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from . import MOST_UNPACKED, Unreadable

_MOST_PARTS = 20_000


def opened(path: Path) -> zipfile.ZipFile:
    """Raises Unreadable: a password (OLE container), no zip, or more than MOST_UNPACKED bytes inside."""
    with path.open("rb") as file:
        if file.read(8) == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
            raise Unreadable("password")
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise Unreadable("damaged") from error
    parts = archive.infolist()
    if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
        archive.close()
        raise Unreadable("bomb")
    if any(part.flag_bits & 1 for part in parts):
        archive.close()
        raise Unreadable("password")
    return archive


def part(archive: zipfile.ZipFile, name: str) -> bytes:
    """One part, never more than it said. Raises Unreadable."""
    try:
        with archive.open(name) as file:
            size = archive.getinfo(name).file_size
            data = file.read(size + 1)
    except (KeyError, zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        raise Unreadable("damaged") from error
    if len(data) > size:
        raise Unreadable("bomb")
    return data


def xml(data: bytes) -> Any:
    """The root element of a document without entities of its own: those are how small files become large.

    Raises Unreadable.
    """
    import lxml.etree

    if b"<!ENTITY" in data[:65_536]:
        raise Unreadable("bomb")
    try:
        return lxml.etree.fromstring(data, lxml.etree.XMLParser(resolve_entities=False, no_network=True))
    except lxml.etree.XMLSyntaxError as error:
        raise Unreadable("damaged") from error
