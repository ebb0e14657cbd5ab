"""Single cells of any sheet set in a copy: edit_sheet, fill_quotation_sheet, undo_sheet_edit."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.core import detached
from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer
from app.domains.kit.documents import DocumentKind
from app.domains.kit.files import file_name, write_file
from app.domains.kit.wording import N_, count_in, say_in

from ..filling.cell_edits import CellEdit, CellEdits, edits_of
from ..filling.workbook import Filled
from .arguments import FilePath
from .price_lists import path_of
from .quotes import LEFT, LOSSES
from .store import STALE, may_write

SHEET_EDITS = DocumentKind("sheet-edit", absent=N_("there is no edited copy {what}"), stale=STALE)
_MOST_SHOWN = 60
"""Cells of which each can be left out before anything is written; more are shown as one table."""


class CellDict(TypedDict):
    """One cell and what is to stand there."""

    cell: Annotated[str, Field(min_length=1, max_length=80, description="as B2, or Sheet1!B2"),
                    Also("ref", "address", "单元格")]  # fmt: skip
    value: Annotated[float | str | None, Field(description="a number or a text; a formula is written as text"),
                     Also("text", "new", "值")]  # fmt: skip
    sheet: NotRequired[Annotated[str | None, Field(max_length=80), Also("worksheet", "工作表")]]
    expect_old: NotRequired[
        Annotated[float | str | None, Field(description="what must stand there, else nothing is written"),
                  Also("old", "expected")]
    ]  # fmt: skip


Cells = Annotated[list[CellDict], Field(min_length=1, max_length=2_000), Also("edits", "changes")]
Target = Annotated[str, Field(max_length=300, description="a file name inside the export folder"), Also("output")]


def _text(value: float | str | None) -> str:
    """A whole number comes as a float where another field of its union is one."""
    return "" if value is None else str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _edits(cells: Sequence[CellDict]) -> list[CellEdit]:
    return [
        CellEdit(
            one["cell"], _text(one["value"]), one.get("sheet") or "",
            None if (old := one.get("expect_old")) is None else _text(old),
        )
        for one in cells
    ]  # fmt: skip


def _named(args: Mapping[str, Any]) -> tuple[int, str]:
    cells = args.get("cells")
    return len(cells) if isinstance(cells, list) else 0, Path(str(args.get("path", ""))).name[:120]


def _setting(args: Mapping[str, Any], language: str) -> str:
    n, name = _named(args)
    return count_in(
        language, "Set {n} cell of {name} in a new copy", "Set {n} cells of {name} in a new copy", n,
        name=name,
    )  # fmt: skip


def _filling(args: Mapping[str, Any], language: str) -> str:
    n, name = _named(args)
    return count_in(
        language, "Fill {n} empty cell of {name} in a new copy", "Fill {n} empty cells of {name} in a new copy", n,
        name=name,
    )  # fmt: skip


def _preview(*, empty_only: bool) -> Callable[[ToolContext, dict[str, Any]], Awaitable[Card | None]]:
    async def show(ctx: ToolContext, args: dict[str, Any]) -> Card | None:
        path, cells = path_of(ctx, str(args["path"])), args["cells"]
        found = await detached.in_thread(edits_of, path, _edits(cells), empty_only=empty_only)
        return _preview_card(ctx, found, cells)

    return show


def _preview_card(ctx: ToolContext, found: CellEdits, cells: Sequence[Mapping[str, Any]]) -> Card:
    shown = found.cells
    if not 0 < len(shown) <= _MOST_SHOWN:
        columns = [
            {"key": key, "label": label}
            for key, label in (("cell", ctx.say("Cell")), ("old", ctx.say("Before")), ("new", ctx.say("After")))
        ]
        rows = [{"cell": f"{one.sheet}!{one.place}", "old": one.old, "new": one.new} for one in shown]
        return Card("table", {"columns": columns, "rows": rows})
    hunks = [
        {"id": str(n), "place": f"{one.sheet}!{one.place}", "old": one.old, "new": one.new or ctx.say("(empty)")}
        for n, one in enumerate(shown)
    ]
    # What is taken is bound to what was seen: a cell that changes in between is then refused.
    items = [
        {"hunk": str(n), "item": {"sheet": one.sheet, "cell": one.place, "value": one.new, "expect_old": one.old}}
        for n, one in enumerate(shown)
    ]
    title = found.path.name if len(shown) > 1 else f"{found.path.name} · {hunks[0]['place']}"
    return Card("diff", {"path": title, "hunks": hunks, "builds": {"cells": items}})


async def _made(ctx: ToolContext, path: str, cells: Sequence[CellDict], target: str, *, empty_only: bool) -> ToolResult:
    may_write(ctx)
    source = path_of(ctx, path)
    found, filled, before = await detached.in_thread(_filled, source, _edits(cells), empty_only)
    left = [{"cell": cell, "reason": ctx.say(LEFT[why])} for cell, why in found.left]
    data: dict[str, Any] = {
        "changed": [f"{one.sheet}!{one.place}" for one in found.cells], "unchanged": found.unchanged, "left": left,
        "source": str(source),
    }  # fmt: skip
    notes = [ctx.say("not written: {cells}", cells=", ".join(one["cell"] for one in left[:8]))] if left else []
    if filled is None:
        return ToolResult.success({**data, "file": ""}, "\n".join([ctx.say("Nothing is to be changed."), *notes]))
    name = target or ctx.say("{name}-edited", name=_plain_stem(ctx, source))
    suffix = source.suffix.lower()
    file = await write_file(ctx, name, suffix, filled.content, example=f"prices{suffix}")
    after = hashlib.sha256(filled.content).hexdigest()
    id = f"sheet-edit-{hashlib.sha256(f'{file.path}{after}'.encode()).hexdigest()[:10]}"
    body = {
        "file": str(file.path), "sha256": after, "source": str(source), "source_sha256": before,
        "cells": [{"sheet": one.sheet, "cell": one.place, "old": one.old, "new": one.new} for one in found.cells],
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
    }  # fmt: skip
    await SHEET_EDITS.put(ctx, id, body)
    warnings = [ctx.say(LOSSES[each]) for each in filled.warnings]
    count = count_in(
        ctx.language, "{n} cell set in {file}; {source} is as it was", "{n} cells set in {file}; {source} is as it was",
        len(found.cells), file=file.path.name, source=source.name,
    )  # fmt: skip
    summary = "\n".join(filter(None, [count, "; ".join([*notes, *warnings])]))
    undo = CardAction("undo", ctx.say("Undo"), "undo_sheet_edit", {"edit_id": id})
    card = as_answer(
        file.card(count_in(ctx.language, "{n} cell set", "{n} cells set", len(found.cells))), summary, [undo]
    )
    more = {"edit_id": id, "same_parts": filled.parts, "warnings": warnings, "cells": body["cells"]}
    return ToolResult.success({**file.data(), **data, **more}, summary, display=card, untrusted=True)


def _filled(path: Path, edits: Sequence[CellEdit], empty_only: bool) -> tuple[CellEdits, Filled | None, str]:
    sha = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    found = edits_of(path, edits, empty_only=empty_only)
    filled = found.written() if found.cells else None
    if sha != hashlib.sha256(path.read_bytes()).hexdigest():
        raise ToolError("STALE_FILE", N_("the file was changed while it was read: try again"), retryable=True)
    return found, filled, sha


def _plain_stem(ctx: ToolContext, source: Path) -> str:
    """The copy of a copy is named as the first one was, with a number."""
    tail = re.escape(ctx.say("{name}-edited", name=""))
    return file_name(re.sub(rf"{tail}(?: \(\d+\))?$", "", source.stem), "sheet")


@tool("fs.write", title=N_("Change cells of a sheet"), read_only=False, only_exports=True, timeout=300,
      approval_text=_setting, preview=_preview(empty_only=False),
      example={"path": "prices.xlsx", "cells": [{"sheet": "Sheet1", "cell": "B2", "value": "12.5"}]})  # fmt: skip
async def edit_sheet(ctx: ToolContext, path: FilePath, cells: Cells, out_path: Target = "") -> ToolResult:
    """Set cells of an xlsx, xlsm or csv in a copy of it, which is a new file; the file itself is never changed, and in
    the copy nothing but these cells is. Formulas are never replaced, and what begins like one is written as text.
    """
    return await _made(ctx, path, cells, out_path, empty_only=False)


@tool("fs.write", title=N_("Fill empty cells of a sheet"), read_only=False, only_exports=True, timeout=300,
      approval_text=_filling,
      preview=_preview(empty_only=True),
      example={"path": "inquiry.xlsx", "cells": [{"sheet": "Sheet1", "cell": "F5", "value": "12.5"}]})  # fmt: skip
async def fill_quotation_sheet(ctx: ToolContext, path: FilePath, cells: Cells, out_path: Target = "") -> ToolResult:
    """As edit_sheet, for empty cells only: a cell that holds a value already is left and named. For a whole inquiry
    with prices from the lists use run_quotation_fill.
    """
    return await _made(ctx, path, cells, out_path, empty_only=True)


def _undoing(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Remove the edited copy {id}", id=str(args.get("edit_id", ""))[:60])


@tool("app.write", title=N_("Undo the change of cells"), approval_text=_undoing,
      example={"edit_id": "sheet-edit-0123456789"})  # fmt: skip
async def undo_sheet_edit(
    ctx: ToolContext,
    edit_id: Annotated[str, Field(pattern=r"^sheet-edit-[0-9a-f]{10}$", description="from edit_sheet"), Also("id")],
) -> ToolResult:
    """Remove a copy that edit_sheet or fill_quotation_sheet wrote, if it is still as it was written. The file it was
    made of was never changed.
    """
    may_write(ctx)
    body = (await SHEET_EDITS.get(ctx, edit_id)).body
    path = Path(str(body["file"]))
    await detached.in_thread(_removed, path, str(body["sha256"]))
    return ToolResult.success({"removed": str(path)}, ctx.say("Removed {file}", file=path.name))


def _removed(path: Path, sha: str) -> None:
    try:
        is_ours = not path.is_symlink() and hashlib.sha256(path.read_bytes()).hexdigest() == sha
    except OSError as error:
        raise ToolError("NOTHING", N_("the copy {name} is no longer there"), values={"name": path.name}) from error
    if not is_ours:
        raise ToolError("STALE_FILE", N_("{name} was changed since, so it stays"), values={"name": path.name})
    path.unlink()


TOOLS = (edit_sheet, fill_quotation_sheet, undo_sheet_edit)
