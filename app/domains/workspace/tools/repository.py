"""What a folder under git says of itself, and a commit that is asked for like any write."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.folder.names import is_open_path
from app.domains.kit.wording import count_in

from ..model import git
from .base import N_, folder_of, in_folder

MOST_LOG = 200
MOST_FILES = 500
MOST_COMMITTED = 1_000
_LISTED = 1_000_000
"""Characters of a list of names."""
_PLAIN_DIFF = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
Paths = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=4_096)]],
    Field(max_length=200, description="paths inside the folder"), Also("files"),
]  # fmt: skip


async def _said(ctx: ToolContext, *words: str, limit: int = 60_000) -> tuple[str, bool]:
    code, output = await git.ask(folder_of(ctx), words)
    if code != 0:
        raise ToolError("FAILED", N_("git says: {why}"), values={"why": " ".join(output.split())[:300]})
    return output[:limit], len(output) > limit


async def _checked(ctx: ToolContext, paths: list[str]) -> list[str]:
    """As they are inside the folder, every name walked."""
    return await in_folder(ctx, lambda root: [root.place(path, follow=False).text for path in paths])


@tool("fs.read", title=N_("State of the repository"), confined=True, outside=True, example={})  # fmt: skip
async def git_status(ctx: ToolContext) -> ToolResult:
    """Which files of the folder's git repository are changed, new or staged, and on which branch."""
    output, is_cut = await _said(ctx, "status", "--porcelain=v1", "--branch", "--ignore-submodules=all")
    lines = output.splitlines()
    changed = [line for line in lines if not line.startswith("##")]
    branch = next((line[3:] for line in lines if line.startswith("##")), "")
    words = count_in(ctx.language, "{n} file changed", "{n} files changed", len(changed))
    return ToolResult.success({"branch": branch, "files": changed, "cut": is_cut}, words, truncated=is_cut)


@tool("fs.read", title=N_("Differences in the repository"), confined=True, outside=True, example={})  # fmt: skip
async def git_diff(
    ctx: ToolContext,
    paths: Paths = [],  # noqa: B006 - pydantic copies it
    staged: Annotated[bool, Field(description="what is staged, against the last commit")] = False,
) -> ToolResult:
    """What has changed in the folder's git repository since the last commit or since it was staged, as a patch.
    Files of keys are left out.
    """
    named = await _checked(ctx, paths)
    what = (*_PLAIN_DIFF, *(("--cached",) if staged else ()))
    listed, _cut = await _said(ctx, "diff", "--name-only", "-z", *what, "--", *named, limit=_LISTED)
    names = [name for name in listed.split("\0") if name and is_open_path(name)]
    output, is_cut = await _said(ctx, "diff", *what, "--", *names[:MOST_FILES]) if names else ("", False)
    words = count_in(ctx.language, "{n} file differs", "{n} files differ", len(names))
    return ToolResult.success(output or ctx.say("nothing has changed"), words, truncated=is_cut)


@tool("fs.read", title=N_("History of the repository"), confined=True, outside=True, example={"limit": 10})  # fmt: skip
async def git_log(
    ctx: ToolContext,
    limit: Annotated[int, Field(ge=1, le=MOST_LOG), Also("max", "n")] = 20,
    path: Annotated[str, Field(max_length=4_096, description="path inside the folder: only its history")] = "",
) -> ToolResult:
    """The last commits of the folder's git repository: id, date, author, subject."""
    named = await _checked(ctx, [path]) if path else []
    form = "--format=%h%x09%as%x09%an%x09%s"
    output, is_cut = await _said(ctx, "log", f"--max-count={limit}", form, "--no-show-signature", "--", *named)
    rows = [
        dict(zip(("id", "date", "author", "subject"), line.split("\t", 3), strict=False))
        for line in output.splitlines()
    ]
    columns = [
        {"key": "id", "label": ctx.say("Commit")}, {"key": "date", "label": ctx.say("Date")},
        {"key": "author", "label": ctx.say("Author")}, {"key": "subject", "label": ctx.say("Subject")},
    ]  # fmt: skip
    card = Card("table", {"title": ctx.say("History"), "columns": columns, "rows": rows})
    words = count_in(ctx.language, "{n} commit", "{n} commits", len(rows))
    return ToolResult.success({"commits": rows}, words, display=card, truncated=is_cut)


async def _changed(ctx: ToolContext, paths: list[str]) -> list[str]:
    """The changed files below these paths, each by its name. A repository inside this one is left alone: git would read
    its settings. Raises ToolError SECRET_FILE, NO_CHANGE, TOO_BIG.
    """
    work, _cut = await _said(ctx, "ls-files", "-z", "-m", "-o", "--exclude-standard", "--", *paths, limit=_LISTED)
    staged, _cut = await _said(
        ctx, "diff", "--cached", "--name-only", "-z", "--no-renames", *_PLAIN_DIFF, "--", *paths, limit=_LISTED
    )
    root = folder_of(ctx)
    listed = sorted({*work.split("\0"), *staged.split("\0")} - {""})
    named = await asyncio.to_thread(lambda: [one for one in listed if one[-1] != "/" and not _is_folder(root / one)])
    if secret := next((path for path in named if not is_open_path(path)), ""):
        raise ToolError("SECRET_FILE", N_("{path} holds keys; commit it yourself"), values={"path": secret})
    if not named:
        raise ToolError("NO_CHANGE", N_("there is nothing to commit in these paths"))
    if len(named) > MOST_COMMITTED:
        raise ToolError("TOO_BIG", N_("more than {n} files at once; name fewer paths"), values={"n": MOST_COMMITTED})
    return named


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _committing(args: Mapping[str, Any], language: str) -> str:
    message = str(args.get("message", "")).splitlines()
    count, subject = len(args.get("paths") or ()), "".join(message[:1])[:120]
    return count_in(language, "Commit {n} file or folder: {message}", "Commit {n} files or folders: {message}", count,
                    message=subject)  # fmt: skip


@tool("fs.write", title=N_("Commit"), confined=True, exclusive=True, approval_text=_committing,
      example={"message": "notes: a new page", "paths": ["notes.md"]})  # fmt: skip
async def git_commit(
    ctx: ToolContext,
    message: Annotated[str, Field(min_length=1, max_length=10_000)],
    paths: Annotated[Paths, Field(min_length=1)],
) -> ToolResult:
    """Commit these paths of the folder's git repository as they are now. Its hooks are not run. An undo of the run does
    not take a commit back.
    """
    named = await _changed(ctx, await _checked(ctx, paths))
    await _said(ctx, "add", "--", *named)
    await _said(ctx, "commit", "--no-verify", "--no-gpg-sign", "-m", message, "--", *named)
    output, _cut = await _said(ctx, "log", "--max-count=1", "--format=%h %s")
    return ToolResult.success({"commit": output.strip()}, ctx.say("Committed {commit}", commit=output.strip()))
