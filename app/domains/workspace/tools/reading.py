"""Looking: what is in the folder, and what is in a file."""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from app.core.errors import ToolError
from app.core.knowledge import Passage
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.core.wording.knowledge import FAULTS
from app.domains.kit.folder.handles import Entry
from app.domains.kit.folder.root import Root, walk
from app.domains.kit.text_file import Binary, read_text, sentence_of_binary

from .base import N_, FilePath, FolderPath, approval, in_folder, names_secret, seam_of

MOST_ENTRIES = 2_000
LARGEST_TEXT = 20_000_000
LARGEST_DOCUMENT = 100_000_000
PAGE_LINES = 2_000
LONGEST_LINE = 2_000
DOCUMENTS = (".pdf", ".docx", ".xlsx", ".xls", ".ods", ".pptx", ".epub", ".eml")
"""Read by the loaders of knowledge bases; everything else is text or nothing."""
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff")


@tool("fs.read", title=N_("Look into a folder"), subject=lambda args: str(args.get("path", ".")), confined=True,
      outside=True, asks=names_secret("path"), approval_text=approval(N_("Look into the folder {path}"), "path"),
      example={"path": ".", "depth": 1})  # fmt: skip
async def list_dir(
    ctx: ToolContext,
    path: FolderPath = ".",
    depth: Annotated[int, Field(ge=1, le=3, description="levels of folders")] = 1,
) -> ToolResult:
    """List what lies in a folder: name, type, size in bytes, time of the last change. At most 2,000 entries."""

    def look(root: Root) -> list[tuple[str, Entry]]:
        return list(walk(root, path, deep=depth - 1, most=MOST_ENTRIES))

    listing = await in_folder(ctx, look)
    entries = [
        {"name": name, "type": entry.kind, "size": entry.size, "mtime": round(entry.changed)} for name, entry in listing
    ]
    is_cut = len(entries) >= MOST_ENTRIES
    files = sum(entry.kind == "file" for _name, entry in listing)
    folders = sum(entry.kind == "folder" for _name, entry in listing)
    words = ctx.say("{files} files and {folders} folders in {path}", files=files, folders=folders, path=path)
    if is_cut:
        words += " " + ctx.say("(cut at {n})", n=MOST_ENTRIES)
    lines = [f"{'d' if one['type'] == 'folder' else '-'} {one['size']:>10} {one['name']}" for one in entries]
    card = Card("table", _table(ctx, path, entries))
    return ToolResult.success(
        {"entries": entries, "cut": is_cut} if len(entries) <= 60 else {"listing": "\n".join(lines), "cut": is_cut},
        words, display=card, truncated=is_cut,
    )  # fmt: skip


def _table(ctx: ToolContext, path: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
    columns = [
        {"key": "name", "label": ctx.say("Name")},
        {"key": "type", "label": ctx.say("Type")},
        {"key": "size", "label": ctx.say("Bytes"), "align": "right"},
    ]
    words = {"file": ctx.say("file"), "folder": ctx.say("folder"), "link": ctx.say("link"), "other": ctx.say("other")}
    rows = [{"name": one["name"], "type": words[one["type"]], "size": one["size"]} for one in entries[:200]]
    return {"title": path, "columns": columns, "rows": rows}


@tool("fs.read", title=N_("Read a file"), subject=lambda args: str(args.get("path", "")), confined=True, outside=True,
      asks=names_secret("path"), approval_text=approval(N_("Read the file {path}"), "path"),
      example={"path": "README.md"})  # fmt: skip
async def read_file(
    ctx: ToolContext,
    path: FilePath,
    offset: Annotated[int, Field(ge=1, description="first line, from 1")] = 1,
    limit: Annotated[int, Field(ge=1, le=PAGE_LINES, description="lines")] = 400,
) -> ToolResult:
    """Read a file as numbered lines. Office files, PDF, EPUB and mail are read as text; of a picture you get the size.
    A file must be read before it can be edited.
    """
    suffix = os.path.splitext(path)[1].lower()  # noqa: PTH122 - a path inside the folder, with / on every system
    if suffix in DOCUMENTS:
        return await _document(ctx, path, suffix, offset, limit)
    data = await in_folder(ctx, lambda root: (root.read(path, LARGEST_TEXT), root.place(path).text))
    content, place = data
    sha = hashlib.sha256(content).hexdigest()
    if suffix in _PICTURES:
        size = f"{len(content):,}"
        return ToolResult.success(
            {"path": place, "bytes": len(content)}, ctx.say("{path} is a picture of {n} bytes", path=place, n=size)
        )
    try:
        text = read_text(content)
    except Binary:
        raise sentence_of_binary(place) from None
    seam_of(ctx).versions.note(ctx.session, place, sha)
    return _page(ctx, place, text.plain, offset, limit, encoding=text.encoding)


def _page(ctx: ToolContext, path: str, text: str, offset: int, limit: int, **more: Any) -> ToolResult:
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    page = lines[offset - 1 : offset - 1 + limit]
    numbered = "\n".join(f"{n}\t{_short(line)}" for n, line in enumerate(page, offset))
    last = offset - 1 + len(page)
    is_cut = last < len(lines)
    words = ctx.say("{path}, lines {first} to {last} of {all}", path=path, first=offset, last=last, all=len(lines))
    data = {"path": path, "lines": len(lines), "first": offset, "last": last, **more, "text": numbered}
    return ToolResult.success(data, words, truncated=is_cut)


def _short(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}… ({len(line)})"


async def _document(ctx: ToolContext, path: str, suffix: str, offset: int, limit: int) -> ToolResult:
    """Its own process reads it, from a copy of exactly what was opened here."""
    documents = seam_of(ctx).documents
    if documents is None:
        raise ToolError("FORMAT", ctx.say("files of this kind cannot be read here"))
    content = await in_folder(ctx, lambda root: root.read(path, LARGEST_DOCUMENT))
    copy = await asyncio.to_thread(_copy, content, suffix)
    try:
        try:
            passages = await documents.passages_of(copy)
        except Exception as error:
            code = getattr(error, "code", None)
            if code is None:
                raise
            raise ToolError("FORMAT", f"{path}: {ctx.say(FAULTS.get(code, FAULTS['damaged']))}") from error
    finally:
        await asyncio.to_thread(copy.unlink, missing_ok=True)
    text = "\n".join(_placed(ctx, one) for one in passages)
    return _page(ctx, path, text, offset, limit)


def _copy(content: bytes, suffix: str) -> Path:
    handle, copy = tempfile.mkstemp(suffix=suffix, prefix="triptych-")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    return Path(copy)


def _placed(ctx: ToolContext, passage: Passage) -> str:
    where = [
        ctx.say("page {n}", n=passage.page) if passage.page else "",
        passage.sheet,
        ctx.say("row {n}", n=passage.row) if passage.row else "",
    ]
    place = " · ".join(filter(None, where))
    return f"[{place}]\n{passage.text}" if place else passage.text
