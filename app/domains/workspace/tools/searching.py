"""Finding files by name and lines by content."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.folder.root import Root

from ..model import search
from .base import N_, FolderPath, approval, in_folder, names_secret

MOST_PATHS = 2_000
Pattern = Annotated[str, Field(min_length=1, max_length=1_000), Also("query", "regex_pattern", "text")]


def _start(root: Root, path: str) -> str:
    """Where to look, walked name by name."""
    place = root.place(path)
    if place.facts is None:
        raise ToolError("NOT_FOUND", N_("there is no {path}"), values={"path": path[:120]})
    if place.kind not in ("file", "folder"):
        raise ToolError("NOT_A_FILE", N_("{path} is no ordinary file"), values={"path": path[:120]})
    return place.text


@tool("fs.read", title=N_("Find files"), subject=lambda args: str(args.get("path", ".")), confined=True, outside=True,
      asks=names_secret("path"), approval_text=approval(N_("Find files by {pattern} in {path}"), "pattern", "path"),
      example={"pattern": "*.md"})  # fmt: skip
async def glob(ctx: ToolContext, pattern: Pattern, path: FolderPath = ".") -> ToolResult:
    """Find files by a pattern such as *.md or src/**/test_*.py. Leaves out hidden files and what .gitignore names."""
    first_paths, count = await in_folder(ctx, lambda root: search.files(root, _start(root, path), pattern, MOST_PATHS))
    words = ctx.say("{n} files fit {pattern}", n=count, pattern=pattern)
    rows = [{"name": name} for name in first_paths[:200]]
    card = Card("table", {"title": pattern, "columns": [{"key": "name", "label": ctx.say("Name")}], "rows": rows})
    return ToolResult.success(
        {"paths": first_paths, "cut": count > MOST_PATHS}, words, display=card, truncated=count > MOST_PATHS
    )


@tool("fs.read", title=N_("Search in files"), subject=lambda args: str(args.get("path", ".")), confined=True,
      outside=True, asks=names_secret("path"),
      approval_text=approval(N_("Search for {pattern} in {path}"), "pattern", "path"),
      example={"pattern": "TODO", "include": "*.py"})  # fmt: skip
async def grep(
    ctx: ToolContext,
    pattern: Pattern,
    path: FolderPath = ".",
    regex: Annotated[bool, Field(description="false: the pattern is taken letter by letter")] = True,
    include: Annotated[str, Field(max_length=400, description="only files that fit, such as *.py"), Also("glob")] = "",
    context: Annotated[int, Field(ge=0, le=5, description="lines around each hit")] = 0,
    max: Annotated[int, Field(ge=1, le=1_000), Also("limit", "max_results")] = 100,
) -> ToolResult:
    """Search the text of files, line by line. (?i) at the beginning ignores case. Leaves out what .gitignore names."""
    found = await in_folder(
        ctx,
        lambda root: search.matches(
            root, _start(root, path), pattern, is_regex=regex, include=include, context=context, most=max
        ),
    )
    files = len({one.path for one in found.rows})
    words = ctx.say("{n} lines in {files} files", n=len(found.rows), files=files)
    if found.is_cut:
        words += " " + ctx.say("(cut at {n})", n=max)
    if found.unread:
        words += " · " + ctx.say("not all files in other encodings than UTF-8 were searched; name a smaller folder")
    lines = [f"{one.path}:{one.line}:{one.text}" for one in found.rows]
    columns = [
        {"key": "path", "label": ctx.say("File")},
        {"key": "line", "label": ctx.say("Line"), "align": "right"},
        {"key": "text", "label": ctx.say("Text")},
    ]
    rows = [{"path": one.path, "line": one.line, "text": one.text} for one in found.rows[:200]]
    card = Card("table", {"title": pattern, "columns": columns, "rows": rows})
    return ToolResult.success({"matches": lines, "cut": found.is_cut}, words, display=card, truncated=found.is_cut)
