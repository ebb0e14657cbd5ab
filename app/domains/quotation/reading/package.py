"""The zip a workbook is, opened with a look at how much it unpacks to; its XML without entities."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from app.core.errors import ToolError
from app.core.text.i18n import N_

MOST_UNPACKED = 400 * 1024 * 1024
_MOST_PARTS = 20_000


def damaged(why: str) -> ToolError:
    return ToolError("FORMAT", N_("the workbook cannot be read: {why}"), values={"why": why})


def opened(path: Path) -> zipfile.ZipFile:
    """Raises ToolError FORMAT."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise damaged(str(error)) from error
    parts = archive.infolist()
    if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
        archive.close()
        raise damaged("it unpacks to more than can be taken")
    if any(part.flag_bits & 1 for part in parts):
        archive.close()
        raise damaged("it is protected by a password")
    return archive


def part(archive: zipfile.ZipFile, name: str) -> bytes:
    """Raises ToolError FORMAT."""
    try:
        return archive.read(name)
    except (KeyError, zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        raise damaged(name) from error


def xml(data: bytes) -> Any:
    """The root element. Raises ToolError FORMAT."""
    import lxml.etree

    if b"<!ENTITY" in data[:65_536] or b"<!DOCTYPE" in data[:65_536]:
        raise damaged("it declares entities")
    try:
        parser = lxml.etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
        return lxml.etree.fromstring(data, parser)
    except lxml.etree.XMLSyntaxError as error:
        raise damaged(str(error)) from error
