"""The calls of an agent of another program, as tools: what it does itself, and what it asks this program to do.

They have names of ours, so that none can pass for another tool. What it does itself (`acp_edit` …) runs in its own
process and is asked about with the same gate; what it asks for runs here, in the picked folder alone.
"""

from __future__ import annotations

import asyncio
import difflib
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from app.core.errors import ToolError
from app.core.text.i18n import N_, say_in
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import Tool, ToolContext, ToolResult, tool
from app.core.workspace import FOLDER_SEAM, FolderSeam
from app.domains.kit.folder.names import parts_of
from app.domains.kit.folder.root import Root, open_root
from app.domains.workspace.model.journal import UNDO_TOOL, Journal

from .terminals import Terminals

LARGEST_FILE: Final = 10_000_000
MOST_LINES: Final = 4_000
"""Of a file whose differences are looked for."""
MOST_HUNKS: Final = 200
TERMINALS: Final = "acp_terminals"
"""Among `ToolContext.resources`."""
Title = Annotated[str, Field(max_length=2_000)]
Paths = Annotated[list[Annotated[str, Field(max_length=4_096)]], Field(max_length=50)]
FilePath = Annotated[str, Field(min_length=1, max_length=4_096)]
Permission = Literal["fs.read", "fs.write", "exec", "net", "mcp"]


async def _own_changes(_ctx: ToolContext, args: dict[str, Any]) -> Card | None:
    return diff_card(args["changes"]) if args.get("changes") else None


def _own(name: str, permission: Permission, title: str, words: str) -> Tool:
    """What the agent does itself. It is never run here."""

    def sentence(args: Mapping[str, Any], language: str) -> str:
        return say_in(language, words, what=str(args.get("title", ""))[:400])

    @tool(
        permission, name=name, title=title, read_only=False, outside=True, approval_text=sentence, preview=_own_changes
    )
    async def call(
        ctx: ToolContext,
        title: Title,
        paths: Paths | None = None,
        input: Annotated[Any, Field()] = None,
        changes: Annotated[list[dict[str, Any]] | None, Field(max_length=50)] = None,
    ) -> ToolResult:
        """Something the agent does in its own process."""
        raise ToolError("UNAVAILABLE", N_("the agent does this itself"))

    return call


START: Final = "acp_start"
OWN: Final[Mapping[str, Tool]] = {
    "read": _own("acp_read", "fs.read", N_("Read (other agent)"), N_("The agent wants to read: {what}")),
    "search": _own("acp_search", "fs.read", N_("Search (other agent)"), N_("The agent wants to search: {what}")),
    "edit": _own("acp_edit", "fs.write", N_("Change a file (other agent)"), N_("The agent wants to change: {what}")),
    "delete": _own("acp_delete", "fs.write", N_("Delete (other agent)"), N_("The agent wants to delete: {what}")),
    "move": _own("acp_move", "fs.write", N_("Move (other agent)"), N_("The agent wants to move: {what}")),
    "execute": _own("acp_execute", "exec", N_("Run a program (other agent)"), N_("The agent wants to run: {what}")),
    "fetch": _own("acp_fetch", "net", N_("Fetch (other agent)"), N_("The agent wants to fetch: {what}")),
    "think": _own("acp_think", "mcp", N_("Think (other agent)"), N_("The agent asks: {what}")),
    "switch_mode": _own("acp_mode", "mcp", N_("Another mode (other agent)"), N_("The agent asks: {what}")),
    "other": _own("acp_other", "mcp", N_("Another step (other agent)"), N_("The agent asks: {what}")),
}
"""By the protocol's kind of call."""


def _starting(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, N_("Start the agent's program: {what}"), what=str(args.get("program", ""))[:400])


@tool("exec", name=START, title=N_("Start an agent's program"), approval_text=_starting)
async def start_program(ctx: ToolContext, program: Title, lines: Paths) -> ToolResult:
    """Start the program of an agent."""
    raise ToolError("UNAVAILABLE", N_("the agent does this itself"))


# ---------------------------------------------------------------- in the picked folder


def no_folder() -> ToolError:
    return ToolError("NO_FOLDER", N_("no folder is picked for this session"))


async def in_folder(ctx: ToolContext, work: Callable[[Root], Any]) -> Any:
    folder = ctx.workspace
    if folder is None:
        raise no_folder()

    def inside() -> Any:
        with open_root(folder) as root:
            return work(root)

    return await asyncio.to_thread(inside)


def _text(root: Root, path: str) -> str:
    return root.read(path, LARGEST_FILE).decode("utf-8", "replace")


@tool("fs.read", name="acp_read_file", title=N_("Read a file for the agent"), read_only=False, confined=True,
      subject=lambda args: str(args.get("path", "")))  # fmt: skip
async def read_text(
    ctx: ToolContext, path: FilePath, line: Annotated[int, Field(ge=1)] = 1, limit: Annotated[int, Field(ge=0)] = 0
) -> ToolResult:
    """Read a text file in the folder."""
    text: str = await in_folder(ctx, lambda root: _text(root, path))
    if line > 1 or limit:
        lines = text.splitlines(keepends=True)[line - 1 :]
        text = "".join(lines[:limit] if limit else lines)
    return ToolResult.success({"text": text}, ctx.say("{n} characters", n=len(text)))


def _writing(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, N_("Write the file {path} for the agent"), path=str(args.get("path", ""))[:400])


def _change(root: Root, path: str, content: str) -> tuple[Card, str | None]:
    """What would change, and the version it is made on; None: the file is new."""
    names = parts_of(path, root.path)
    try:
        data = root.read(path, LARGEST_FILE) if root.place(path).facts is not None else None
    except ToolError as error:
        if error.tool_code != "NOT_FOUND":  # a folder on the way is not there yet
            raise
        data = None
    old = None if data is None else data.decode("utf-8", "replace")
    card = diff_card([{"path": "/".join(names), "old": old, "new": content}])
    return card, None if data is None else hashlib.sha256(data).hexdigest()


async def _preview(ctx: ToolContext, args: dict[str, Any]) -> Card | None:
    card, _base = await in_folder(ctx, lambda root: _change(root, args["path"], args["content"]))
    return card  # type: ignore[no-any-return]  # of a worker thread


@tool("fs.write", name="acp_write_file", title=N_("Write a file for the agent"), confined=True, exclusive=True,
      subject=lambda args: str(args.get("path", "")), approval_text=_writing, preview=_preview)  # fmt: skip
async def write_text(
    ctx: ToolContext, path: FilePath, content: Annotated[str, Field(max_length=LARGEST_FILE)]
) -> ToolResult:
    """Write a text file in the folder, whole. Noted in the journal of the run, so that it can be undone."""

    seam = ctx.resources.get(FOLDER_SEAM)
    if not isinstance(seam, FolderSeam):  # some agents write although nothing was offered to them
        raise no_folder()

    def write(root: Root) -> Card:
        card, base = _change(root, path, content)
        data = content.encode("utf-8", "replace")
        Journal(seam.state, seam.run).write(root, "/".join(parts_of(path, root.path)), data, base)
        return card

    card: Card = await in_folder(ctx, write)
    undo = CardAction("undo", ctx.say("Undo all of it"), UNDO_TOOL, {"id": seam.run}, "danger")
    return ToolResult.success({}, ctx.say("written"), display=replace(card, actions=(undo,)))


def _running(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, N_("Run {command} for the agent"), command=str(args.get("command", ""))[:400])


@tool("exec", name="acp_run", title=N_("Run a program for the agent"), read_only=False, exclusive=True, outside=True,
      approval_text=_running)  # fmt: skip
async def run(
    ctx: ToolContext,
    command: Annotated[str, Field(min_length=1, max_length=100_000)],
    args: Annotated[list[Annotated[str, Field(max_length=100_000)]] | None, Field(max_length=500)] = None,
    cwd: Annotated[str, Field(max_length=4_096)] = ".",
    env: Annotated[dict[str, str] | None, Field(max_length=200)] = None,
    output_limit: Annotated[int, Field(ge=0)] = 0,
) -> ToolResult:
    """Begin a program in the folder; its output is asked for afterwards."""

    def place(root: Root) -> str:
        cwd_place = root.place(cwd)
        if cwd_place.kind != "folder":
            raise ToolError("NOT_A_FOLDER", N_("{path} is no folder"), values={"path": cwd[:120]})
        return str(root.path.joinpath(*cwd_place.names))

    folder = await in_folder(ctx, place)
    terminals: Terminals = ctx.resources[TERMINALS]
    id = await terminals.begin(command, args or (), folder, env or {}, output_limit)
    return ToolResult.success({"terminal": id}, ctx.say("begun"))


HERE: Final = (read_text, write_text, run)
ALL: Final = (*OWN.values(), start_program, *HERE)


# ---------------------------------------------------------------- differences


def diff_card(changes: Sequence[Mapping[str, Any]]) -> Card:
    """`path`, `old` (None: the file is new) and `new` of each file; several are shown as text."""
    if len(changes) > 1:
        text = "\n\n".join(_fenced(**change) for change in changes[:20])
        names = ", ".join(str(change["path"]) for change in changes[:20])
        return Card("document", {"title": names[:400], "markdown": text[:40_000]})
    path, old, new = (changes[0][name] for name in ("path", "old", "new"))
    hunks = [{"id": str(n), "old": a, "new": b} for n, (a, b) in enumerate(_hunks(old or "", new))]
    return Card("diff", {"path": path, "hunks": hunks[:MOST_HUNKS], "is_new": old is None})


def _hunks(old: str, new: str) -> list[tuple[str, str]]:
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if not before or len(before) > MOST_LINES or len(after) > MOST_LINES:
        return [(old[:100_000], new[:100_000])]
    groups = difflib.SequenceMatcher(None, before, after).get_grouped_opcodes(2)
    return [("".join(before[g[0][1] : g[-1][2]]), "".join(after[g[0][3] : g[-1][4]])) for g in groups]


def _fenced(path: str, old: str | None, new: str) -> str:
    lines = difflib.unified_diff(
        (old or "").splitlines()[:MOST_LINES], new.splitlines()[:MOST_LINES], path, path, lineterm="", n=2
    )
    return "```diff\n" + "\n".join(lines).replace("```", "'''") + "\n```"
