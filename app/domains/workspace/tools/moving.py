"""Files and folders in other places: moved, put into the bin of the program, taken out of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.folder.names import is_secret
from app.domains.kit.folder.root import Root
from app.domains.kit.wording import say_in

from ..model.trash import TrashItem
from .base import N_, FilePath, approval, in_folder, journal_of, names_secret

MOST_MOVES = 500
Source = Annotated[
    str, Field(min_length=1, max_length=4_096, description="path inside the folder"), Also("from_path", "source")
]
Target = Annotated[
    str, Field(min_length=1, max_length=4_096, description="new path inside the folder, with the name"),
    Also("to_path", "target", "destination"),
]  # fmt: skip
Move = TypedDict("Move", {"from": Source, "to": Target})


@tool("fs.write", title=N_("Move or rename"), confined=True, exclusive=True, asks=names_secret("from", "to"),
      example={"from": "a.txt", "to": "texts/a.txt"},
      approval_text=approval(N_("Move {from} to {to}"), "from", "to"))  # fmt: skip
async def move_path(ctx: ToolContext, from_: Annotated[Source, Field(alias="from")], to: Target) -> ToolResult:
    """Move or rename a file or a folder. Missing folders are made; nothing is ever written over."""
    await in_folder(ctx, lambda root: journal_of(ctx).move(root, from_, to))
    return ToolResult.success({"from": from_, "to": to}, ctx.say("Moved {old} to {new}", old=from_, new=to))


def _moving(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Move {n} files or folders", n=len(args.get("moves") or ()))


def _moves_secret(args: Mapping[str, Any]) -> bool:
    moves = args.get("moves")
    rows = [one for one in moves if isinstance(one, Mapping)] if isinstance(moves, list) else []
    return any(is_secret(str(row.get(key, ""))) for row in rows for key in ("from", "to"))


async def _preview_moves(ctx: ToolContext, args: dict[str, Any]) -> Card | None:
    return _moves_card(ctx, args["moves"])


def _moves_card(ctx: ToolContext, moves: list[Mapping[str, str]]) -> Card:
    columns = [{"key": "from", "label": ctx.say("From")}, {"key": "to", "label": ctx.say("To")}]
    rows = [{"from": one["from"], "to": one["to"]} for one in moves]
    return Card("table", {"columns": columns, "rows": rows})


@tool("fs.write", title=N_("Move several"), confined=True, exclusive=True, asks=_moves_secret,
      preview=_preview_moves, approval_text=_moving, timeout=300,
      example={"moves": [{"from": "a.txt", "to": "texts/a.txt"}]})  # fmt: skip
async def move_paths(
    ctx: ToolContext, moves: Annotated[list[Move], Field(min_length=1, max_length=MOST_MOVES)]
) -> ToolResult:
    """Move or rename many files or folders at once, in this order: one question for all. When one of them cannot be
    moved the others before it stay moved and the rest is not tried.
    """

    def run(root: Root) -> tuple[int, ToolError | None]:
        journal = journal_of(ctx)
        for done, one in enumerate(moves):
            try:
                journal.move(root, one["from"], one["to"])
            except ToolError as error:
                return done, error
        return len(moves), None

    done, fault = await in_folder(ctx, run)
    if fault is not None:
        why = fault.worded(ctx.language)[0]
        message = ctx.say("{n} of {all} were moved; then: {why}", n=done, all=len(moves), why=why)
        raise ToolError(fault.tool_code, message, hint=ctx.say("go on with the others, or undo the run"))
    words = ctx.say("Moved {n} files or folders", n=done)
    rows: list[Mapping[str, str]] = [{"from": one["from"], "to": one["to"]} for one in moves]
    return ToolResult.success({"moved": done}, words, display=_moves_card(ctx, rows))


@tool("fs.write", title=N_("Move to the bin"), subject=lambda args: str(args.get("path", "")), confined=True,
      exclusive=True, asks=names_secret("path"), example={"path": "old.txt"}, timeout=300,
      approval_text=approval(N_("Move {path} to the bin of Triptych"), "path"))  # fmt: skip
async def trash_path(ctx: ToolContext, path: FilePath) -> ToolResult:
    """Move a file or folder into the bin of the program, from where restore_path brings it back. Nothing is deleted."""

    def run(root: Root) -> str:
        journal = journal_of(ctx)
        journal.trash.empty_old()
        return journal.bin(root, path)

    id = await in_folder(ctx, run)
    return ToolResult.success({"path": path, "id": id}, ctx.say("{path} is in the bin", path=path))


@tool("fs.write", title=N_("Take out of the bin"), confined=True, exclusive=True, asks=names_secret("path", "to"),
      example={"path": "old.txt"}, timeout=300,
      approval_text=approval(N_("Take {path} out of the bin"), "path"))  # fmt: skip
async def restore_path(
    ctx: ToolContext,
    path: Annotated[
        str, Field(min_length=1, max_length=4_096, description="path it had, or its id in the bin"), Also("id")
    ],
    to: Annotated[str, Field(max_length=4_096, description="path inside the folder; empty: where it was")] = "",
) -> ToolResult:
    """Bring a file or folder back from the bin of the program, to where it was or to another path."""

    def run(root: Root) -> str:
        journal = journal_of(ctx)
        items = journal.trash.items(root)
        item = next((one for one in items if path in (one.id, one.path)), None)
        if item is None:
            raise ToolError(
                "NOT_FOUND", N_("there is no {path} in the bin"), hint=_named(items), values={"path": path[:120]}
            )
        target = to or item.path
        journal.restore(root, item.id, target)
        return target

    target = await in_folder(ctx, run)
    return ToolResult.success({"path": target}, ctx.say("{path} is back", path=target))


def _named(items: list[TrashItem]) -> str:
    return "; ".join(f"{one.id}: {one.path}" for one in items[:10]).replace("{", "(").replace("}", ")")
