"""Cells of a kept quotation typed by the person: set, matched anew where the request was changed, and recorded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also, Words
from app.core.errors import ToolError
from app.core.tools.tool import ToolContext

from ..filling.cells import CellName, noted, set_cell, value_of
from ..matching.decide import Request
from ..model.quotation import Quotation, QuotedLine
from .lines import Matcher, match_all


class EditDict(TypedDict):
    """One cell: an empty value is calculated again, or taken from the price list."""

    line: Annotated[int, Field(ge=1), Also("line_id", "no", "行")]
    cell: Annotated[
        CellName,
        Also("column", "field", "列"),
        Words(
            name=("品名", "产品", "product", "title"), qty=("数量", "quantity"), unit=("单位",),
            price=("单价", "unit_price"), amount=("金额", "total"), note=("备注", "remark"),
        ),
    ]  # fmt: skip
    value: Annotated[str, Field(max_length=500), Also("text", "new", "值")]


Edits = Annotated[list[EditDict], Field(max_length=5_000)]


async def edit(ctx: ToolContext, quote: Quotation, matching: Matcher, edits: Sequence[EditDict]) -> None:
    """Raises ToolError UNKNOWN_LINE, BAD_ARGUMENTS; the quotation is then not to be kept."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    renamed: dict[int, QuotedLine] = {}
    for one in edits:
        line = quote.line(one["line"])
        if line is None:
            raise ToolError("UNKNOWN_LINE", ctx.say("the quotation has no line {n}", n=one["line"]))
        before = set_cell(line, one["cell"], one["value"])
        noted(quote, one["line"], one["cell"], before, value_of(line, one["cell"]), at)
        if one["cell"] == "name" and not line.is_priced:
            renamed[line.line.no] = line
    lines = list(renamed.values())
    results = await match_all(matching, [Request(one.line.name, unit=one.line.unit) for one in lines])
    for line, result in zip(lines, results, strict=True):
        line.status, line.candidates, line.doubts = result["status"], result["candidates"], result["doubts"]
        if result["chosen"] is not None:
            matching.take(line, result["chosen"], result["candidates"][0]["list_id"], result["source"])
