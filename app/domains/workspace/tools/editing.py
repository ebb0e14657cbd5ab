"""Changing texts: by exact words, or a whole file. What will change is shown before it is written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.folder.root import Root
from app.domains.kit.text_file import Binary, TextFile, line_of, read_text, sentence_of_binary

from ..model.diff import Diff, Hunk, diff_of
from .base import N_, FilePath, approval, in_folder, journal_of, names_secret, seam_of

LARGEST = 20_000_000
MOST_HUNKS = 200
Old = Annotated[
    str, Field(min_length=1, max_length=200_000, description="the text as it stands in the file, letter by letter"),
    Also("old_string", "old_text", "search"),
]  # fmt: skip
New = Annotated[
    str, Field(max_length=200_000, description="what stands there instead"), Also("new_string", "new_text", "replace")
]


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after; nothing is written yet."""

    path: str
    before: TextFile | None
    after: TextFile
    base: str | None
    diff: Diff
    """Of the whole file."""
    places: int = 1


def _known(ctx: ToolContext, path: str, sha: str) -> None:
    """Raises ToolError STALE unless the session has read this very version. A person's own call needs no reading."""
    if not ctx.session:
        return
    version = seam_of(ctx).versions.get(ctx.session, path)
    if version is None:
        raise ToolError("STALE", N_("{path} has not been read in this session"), hint=N_("read it first"),
                        retryable=True, values={"path": path})  # fmt: skip
    if version != sha:
        raise ToolError("STALE", N_("{path} has changed since it was read"), hint=N_("read it again"), retryable=True,
                        values={"path": path})  # fmt: skip


def edit_of(ctx: ToolContext, root: Root, path: str, old: str, new: str, *, everywhere: bool) -> Change:
    """Raises ToolError NOT_FOUND_TEXT, AMBIGUOUS, STALE, BINARY."""
    data, place = root.read(path, LARGEST), root.place(path).text
    sha = hashlib.sha256(data).hexdigest()
    _known(ctx, place, sha)
    try:
        before = read_text(data)
    except Binary:
        raise sentence_of_binary(place) from None
    if old == new:
        raise ToolError("NO_CHANGE", N_("old and new are the same"))
    places = before.places(old)
    if not places:
        raise ToolError(
            "NOT_FOUND_TEXT", N_("the text does not stand in {path}"),
            hint=N_("copy it from read_file letter by letter, without the line numbers"), values={"path": place},
        )  # fmt: skip
    if len(places) > 1 and not everywhere:
        lines = ", ".join(str(line_of(before.text, begin)) for begin, _end in places[:10])
        raise ToolError(
            "AMBIGUOUS", N_("the text stands in {path} {n} times, in lines {lines}"),
            hint=N_("give more of the lines around it, or all=true"),
            values={"path": place, "n": len(places), "lines": lines},
        )  # fmt: skip
    after = before.replaced(places, new)
    after.to_bytes()
    return Change(place, before, after, sha, diff_of(before.plain, after.plain), len(places))


def whole_of(ctx: ToolContext, root: Root, path: str, content: str, *, overwrite: bool) -> Change:
    """Raises ToolError EXISTS, STALE, BINARY."""
    place = _place_of(root, path)
    if place is None:
        after = TextFile(content, "utf-8")
        after.to_bytes()
        return Change(path, None, after, None, Diff((Hunk(1, "", content),) if content else ()))
    if not overwrite:
        raise ToolError("EXISTS", N_("{path} is there already"), hint=N_("read it and edit it, or overwrite=true"),
                        values={"path": place})  # fmt: skip
    data = root.read(path, LARGEST)
    sha = hashlib.sha256(data).hexdigest()
    _known(ctx, place, sha)
    try:
        before = read_text(data)
    except Binary:
        raise sentence_of_binary(place) from None
    plain = content.replace("\r\n", "\n")
    text = plain if before.newline == "\n" else plain.replace("\n", "\r\n")
    after = TextFile(text, before.encoding, before.mark)
    after.to_bytes()
    return Change(place, before, after, sha, diff_of(before.plain, after.plain))


def _place_of(root: Root, path: str) -> str | None:
    """None: nothing of this name is there, in a folder that may be missing too."""
    try:
        place = root.place(path)
    except ToolError as error:
        if error.tool_code != "NOT_FOUND" or root.place(path.split("/", 1)[0]).kind not in (None, "folder"):
            raise
        root.make_folder(path.rpartition("/")[0])
        return None
    return place.text if place.facts is not None else None


def diff_card(change: Change) -> Card:
    hunks = [
        {"id": str(number), "line": hunk.line, "old": hunk.old, "new": hunk.new}
        for number, hunk in enumerate(change.diff.hunks[:MOST_HUNKS])
    ]
    return Card("diff", {"path": change.path, "hunks": hunks, "is_new": change.before is None})


def _choice(old: str, new: str, argument: str, change: Change) -> dict[str, Any]:
    """What the diff card of an approval needs to make the argument of the hunks that are taken."""
    inner = diff_of(old.replace("\r\n", "\n"), new.replace("\r\n", "\n"))
    numbered = iter(range(len(inner.hunks)))
    pieces: list[Any] = [
        piece if isinstance(piece, str) else {"hunk": str(next(numbered)), "old": piece.old, "new": piece.new}
        for piece in inner.pieces
    ]
    first = change.diff.hunks[0].line if change.diff.hunks else 1
    start = inner.hunks[0].line if inner.hunks else 1
    hunks = [
        {"id": str(n), "line": first + hunk.line - start, "old": hunk.old, "new": hunk.new}
        for n, hunk in enumerate(inner.hunks[:MOST_HUNKS])
    ]
    return {"path": change.path, "hunks": hunks, "is_new": change.before is None, "builds": {argument: pieces}}


async def _preview_edit(ctx: ToolContext, args: dict[str, Any]) -> Card | None:
    old, new = str(args["old"]), str(args["new"])
    everywhere = bool(args.get("all", False))
    change = await in_folder(ctx, lambda root: edit_of(ctx, root, str(args["path"]), old, new, everywhere=everywhere))
    payload = _choice(old, new, "new", change)
    if change.places > 1:
        payload["title"] = ctx.say("at {n} places", n=change.places)
    return Card("diff", payload)


async def _preview_write(ctx: ToolContext, args: dict[str, Any]) -> Card | None:
    content, overwrite = str(args["content"]), bool(args.get("overwrite", False))
    change = await in_folder(ctx, lambda root: whole_of(ctx, root, str(args["path"]), content, overwrite=overwrite))
    return Card("diff", _choice(change.before.plain if change.before else "", content, "content", change))


async def _made(ctx: ToolContext, find: Callable[[Root], Change], words: str) -> ToolResult:
    def write(root: Root) -> Change:
        change = find(root)
        data = change.after.to_bytes()
        journal_of(ctx).write(root, change.path, data, change.base)
        seam_of(ctx).versions.note(ctx.session, root.place(change.path).text, hashlib.sha256(data).hexdigest())
        return change

    change = await in_folder(ctx, write)
    added, removed = change.diff.counts
    summary = ctx.say(words, path=change.path, added=added, removed=removed)
    data = {"path": change.path, "added": added, "removed": removed, "places": change.places}
    return ToolResult.success(data, summary, display=diff_card(change))


@tool("fs.write", title=N_("Edit a file"), subject=lambda args: str(args.get("path", "")), confined=True,
      exclusive=True, asks=names_secret("path"), preview=_preview_edit,
      approval_text=approval(N_("Change the file {path}"), "path"),
      example={"path": "README.md", "old": "teh", "new": "the"})  # fmt: skip
async def edit_file(
    ctx: ToolContext,
    path: FilePath,
    old: Old,
    new: New,
    all: Annotated[bool, Field(description="at every place"), Also("replace_all")] = False,
) -> ToolResult:
    """Replace a text in a file that was read in this session. `old` must stand there exactly once, or all=true.
    Encoding and line ends stay as they are.
    """
    return await _made(
        ctx, lambda root: edit_of(ctx, root, path, old, new, everywhere=all), N_("Changed {path}: +{added} −{removed}")
    )


@tool("fs.write", title=N_("Write a file"), subject=lambda args: str(args.get("path", "")), confined=True,
      exclusive=True, asks=names_secret("path"), preview=_preview_write,
      approval_text=approval(N_("Write the file {path}"), "path"),
      example={"path": "notes/today.md", "content": "# Today"})  # fmt: skip
async def write_file(
    ctx: ToolContext,
    path: FilePath,
    content: Annotated[str, Field(max_length=200_000), Also("text", "contents")],
    overwrite: Annotated[bool, Field(description="replace a file that is there and was read")] = False,
) -> ToolResult:
    """Write a new text file with its missing folders, or with overwrite=true replace one that was read."""
    return await _made(
        ctx, lambda root: whole_of(ctx, root, path, content, overwrite=overwrite),
        N_("Wrote {path}: +{added} −{removed}"),
    )  # fmt: skip
