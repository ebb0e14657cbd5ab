"""Whole sheets: parse_inquiry, run_quotation_fill, resume_fill."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from app.core import detached
from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.files import WrittenFile, file_name, write_file
from app.domains.kit.tables import Column, table_card
from app.domains.kit.wording import N_, say_in

from ..cards import quotation_card, quotation_summary
from ..filling.columns import changes_of
from ..filling.table import fill_table
from ..filling.workbook import Filled, fill_workbook
from ..matching.decide import Request
from ..model.price_list import PriceList
from ..model.quotation import Line, Quotation, QuotedLine
from ..reading.inquiry import REASONS, Inquiry, of_text, read_inquiry
from ..reading.picture import SUFFIXES as PICTURES
from .arguments import CustomerLevel, FilePath, ListIds
from .choices import (
    QUOTES,
    Choices,
    RunId,
    change_level,
    choose,
    edit_cells,
    keep,
    loaded,
    price_anew,
    select_match,
    undo_selection,
)
from .documents import SUFFIXES, inquiry_of_picture, text_of_document
from .lines import Matcher, match_all, matcher
from .price_lists import path_of
from .store import book, may_write, settings_of

FILLED = (".xlsx", ".xlsm", ".csv", ".tsv", ".txt")
READ_OFF = N_("read off a picture by a model: look at every line before you confirm it")
LEFT = {
    "formula": N_("holds a formula"),
    "filled": N_("holds a value already"),
    "merged": N_("is part of a merged cell"),
}
LOSSES = {
    "recalculated": N_("the sums are calculated anew when the file is opened"),
    "signature": N_("the digital signature no longer holds"),
    "protected": N_("the sheet is protected, and so is the copy"),
    "damaged": N_("characters of the file that could not be read are replaced in the copy"),
    "letters": N_("letters that the encoding of the file does not have stand as question marks"),
}  # fmt: skip


# ---------------------------------------------------------------- reading


@tool(
    "fs.read",
    title=N_("Read an inquiry"),
    outside=True,
    asks_model=True,
    timeout=600,
    example={"text": "PVC elbow 90° DN50 x 10"},
)
async def parse_inquiry(
    ctx: ToolContext,
    path: FilePath | None = None,
    text: Annotated[
        str,
        Field(max_length=200_000, description="a pasted table, or one product per line"),
        Also("inquiry", "content"),
    ] = "",
    sheet: Annotated[str, Field(max_length=200)] = "",
) -> ToolResult:
    """The lines of an inquiry with quantities, from a file (xlsx, xls, ods, csv, pdf; a picture is read by a
    model that sees) or from text; what is no line is named with the reason.
    """
    inquiry = await _inquiry(ctx, path, text, sheet, None)
    lines = [line.to_json() for line in inquiry.lines]
    skipped = [{**one.to_json(), "text": ctx.say(REASONS[one.reason])} for one in inquiry.skipped]
    words = ctx.say("{n} lines, {m} rows skipped", n=len(lines), m=len(skipped))
    if inquiry.is_from_picture:
        words += "\n" + ctx.say(READ_OFF)
    rows = [*lines, *({"no": "–", "name": one["raw"], "spec": one["text"], "row": one["row"]} for one in skipped)]
    columns = [
        Column("no", ctx.say("No."), is_number=True), Column("name", ctx.say("Request")),
        Column("spec", ctx.say("Specification")), Column("qty", ctx.say("Quantity"), is_number=True),
        Column("unit", ctx.say("Unit")), Column("row", ctx.say("Row"), is_number=True),
    ]  # fmt: skip
    data = {
        "lines": lines, "skipped": skipped, "sheet": inquiry.sheet, "columns": inquiry.columns,
        "from_picture": inquiry.is_from_picture, "words": words,
    }  # fmt: skip
    return ToolResult.success(data, words, display=table_card(ctx.say("Inquiry"), columns, rows))


async def _inquiry(
    ctx: ToolContext, path: str | None, text: str, sheet: str, mapping: Mapping[str, Any] | None
) -> Inquiry:
    if path:
        file = path_of(ctx, path)
        if file.suffix.lower() in PICTURES:
            return await inquiry_of_picture(ctx, file)
        if file.suffix.lower() in SUFFIXES:
            return await detached.in_thread(of_text, await text_of_document(ctx, file))
        return await detached.in_thread(read_inquiry, file, sheet, mapping)
    if not text.strip():
        raise ToolError("BAD_ARGUMENTS", ctx.say("path names a file, or text holds the inquiry"))
    return await detached.in_thread(of_text, text)


# ---------------------------------------------------------------- the whole sheet


def filling(args: Mapping[str, Any], language: str) -> str:
    name = Path(str(args.get("path") or "")).name or say_in(language, "the inquiry")
    level = str(args.get("customer_level", ""))[:40]
    return say_in(
        language, "Quote {name} at level {level} and write the filled copy as a new file", name=name[:120], level=level
    )


@tool(
    "fs.write",
    title=N_("Quote a whole inquiry"),
    read_only=False,
    only_exports=True,
    asks_model=True,
    timeout=900,
    approval_text=filling,
    example={"path": "inquiry.xlsx", "customer_level": "B"},
)
async def run_quotation_fill(
    ctx: ToolContext,
    path: FilePath | None = None,
    text: Annotated[
        str, Field(max_length=200_000, description="in place of path: the inquiry as text"), Also("inquiry")
    ] = "",
    customer_level: CustomerLevel = "",
    customer: Annotated[
        str, Field(max_length=200, description="who asks: known customers bring their level and tax")
    ] = "",
    list_ids: ListIds = [],  # noqa: B006 - pydantic copies it
    sheet: Annotated[str, Field(max_length=200)] = "",
    mapping: Annotated[dict[str, Any], Field(description='field and column: {"name": "B", "qty": "E", "price": "F"}')]
    | None = None,
    tax_rate: Annotated[float, Field(ge=0, le=100, description="percent added to the subtotal")] | None = None,
    from_picture: Annotated[bool, Field(description="you have read `text` off a picture")] = False,
) -> ToolResult:
    """Quote all lines of an inquiry at a customer level and fill a copy of the file with prices and amounts; lines that
    are not certain stay empty and pending for the person to choose, those read off a picture all of them. The file
    itself is never changed.
    """
    may_write(ctx)
    record = (await book(ctx, "customers")).get(customer, {}) if customer else {}
    inquiry = await _inquiry(ctx, path, text, sheet, mapping)
    is_read_off = inquiry.is_from_picture or (from_picture and not path)
    matching = await matcher(ctx, customer_level or str(record.get("level", "")), list_ids or None, customer)
    lines = await _quoted(matching, inquiry.lines, is_read_off=is_read_off)
    rate = tax_rate if tax_rate is not None else record.get("tax_rate") or settings_of(ctx).tax_rate
    source = await detached.in_thread(_source, path_of(ctx, path), inquiry) if path else {}
    title = Path(path).stem if path else customer or (ctx.today or datetime.now(UTC).date()).isoformat()
    seed = f"{ctx.run}{title}{datetime.now(UTC).isoformat()}"
    quote = Quotation(
        f"quote-{hashlib.sha256(seed.encode()).hexdigest()[:10]}", title, matching.level.code, lines, customer,
        _currency(matching), f"{Decimal(str(rate)):f}", [one.id for one in matching.lists],
        [_list_facts(one) for one in matching.lists],
        source, [{**one.to_json(), "text": ctx.say(REASONS[one.reason])} for one in inquiry.skipped],
        datetime.now(UTC).isoformat(timespec="seconds"),
    )  # fmt: skip
    document = await QUOTES.put(ctx, quote.id, quote.to_json())
    result = await _filled_result(ctx, quote, document.version)
    if is_read_off:
        return replace(result, summary=f"{result.summary}\n{ctx.say(READ_OFF)}")
    return result


def _list_facts(one: PriceList) -> dict[str, Any]:
    return {
        "id": one.id, "name": one.name, "checksum": one.checksum, "imported_at": one.imported_at,
        "valid_to": one.valid_to, "levels": list(one.levels),
    }  # fmt: skip


def _currency(found: Matcher) -> str:
    return found.lists[0].currency if found.lists else "CNY"


def _source(path: Path, inquiry: Inquiry) -> dict[str, Any]:
    return {
        "path": str(path), "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "sheet": inquiry.sheet,
        "header_row": inquiry.header_row, "columns": inquiry.columns, "width": inquiry.width,
    }  # fmt: skip


async def _quoted(found: Matcher, lines: Sequence[Line], *, is_read_off: bool) -> list[QuotedLine]:
    """Of a line that was read off a picture the product found is offered and never taken."""
    requests = [Request(line.name, line.spec, line.code, line.unit) for line in lines]
    results = await match_all(found, requests)
    quoted = []
    for line, result in zip(lines, results, strict=True):
        one = QuotedLine(line, result["status"], result["candidates"], doubts=result["doubts"])
        if is_read_off:
            one.status = "needs_selection" if result["candidates"] else "unmatched"
            one.doubts = ["picture", *result["doubts"]]
        elif result["chosen"] is not None:
            found.take(one, result["chosen"], result["candidates"][0]["list_id"], result["source"])
        quoted.append(one)
    return quoted


async def _filled_result(ctx: ToolContext, quote: Quotation, version: int) -> ToolResult:
    """The quotation with its filled copy, where the inquiry was a file that can be filled."""
    data: dict[str, Any] = {"version": version}
    notes: list[str] = []
    if quote.source:
        suffix = Path(quote.source["path"]).suffix.lower()
        if suffix in FILLED:
            filled, file = await _write(ctx, quote)
            data |= {
                "file": str(file.path), "changed": filled.changed, "same_parts": filled.parts,
                "left": [{"cell": cell, "reason": ctx.say(LEFT[why])} for cell, why in filled.left],
                "warnings": [ctx.say(LOSSES[each]) for each in filled.warnings],
            }  # fmt: skip
            notes = [ctx.say("Filled copy: {file}", file=file.path.name), *data["warnings"]]
            if filled.left:
                cells = ", ".join(cell for cell, _why in filled.left[:8])
                notes.append(ctx.say("not written, since they are not empty: {cells}", cells=cells))
        else:
            notes = [
                ctx.say(
                    "{kind} is read but not written: export the quotation, or save the inquiry as xlsx",
                    kind=suffix,
                )
            ]
    return await detached.in_thread(_result_of, ctx, quote, version, data, notes)


def _result_of(
    ctx: ToolContext, quote: Quotation, version: int, more: Mapping[str, Any], notes: Sequence[str]
) -> ToolResult:
    summary = "\n".join([quotation_summary(ctx, quote), *notes])
    return ToolResult.success(
        {**quote.digest(), **more, "words": summary},
        summary,
        display=quotation_card(ctx, quote, version),
        untrusted=True,
        source=[one["name"] for one in quote.lists],
    )


async def _write(ctx: ToolContext, quote: Quotation) -> tuple[Filled, WrittenFile]:
    path = Path(quote.source["path"])
    filled = await detached.in_thread(_fill, path, quote, _headings(ctx))
    day = (ctx.today or datetime.now(UTC).date()).isoformat()
    stem = file_name(path.stem, "inquiry")
    name = ctx.say("{name}-quotation-{level}-{date}", name=stem, level=file_name(quote.level, "level"), date=day)
    file = await write_file(
        ctx, name + path.suffix.lower(), path.suffix.lower(), filled.content, example="quotation.xlsx"
    )
    return filled, file


def _headings(ctx: ToolContext) -> dict[str, str]:
    return {"price": ctx.say("Unit price"), "amount": ctx.say("Amount"), "code": ctx.say("Code")}


def _fill(path: Path, quote: Quotation, headings: Mapping[str, str]) -> Filled:
    try:
        sha = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ToolError(
            "STALE_FILE", N_("the inquiry is no longer there: {path}"), values={"path": path.name}
        ) from error
    if sha != quote.source["sha256"]:
        raise ToolError("STALE_FILE", N_("the inquiry has changed since it was read: quote it again"))
    changes = changes_of(quote, headings)
    if path.suffix.lower() in (".xlsx", ".xlsm"):
        return fill_workbook(path, quote.source["sheet"], changes)
    return fill_table(path, changes)


def resuming(args: Mapping[str, Any], language: str) -> str:
    return say_in(
        language, "Write the filled copy of the quotation {id} as a new file", id=str(args.get("run_id", ""))[:40]
    )


@tool(
    "fs.write",
    title=N_("Fill the sheet"),
    read_only=False,
    only_exports=True,
    timeout=600,
    approval_text=resuming,
    example={"run_id": "quote-0123456789", "choices": [{"line": 5, "code": "1004"}]},
)
async def resume_fill(
    ctx: ToolContext,
    run_id: RunId,
    choices: Choices = [],  # noqa: B006 - pydantic copies it
    customer_level: CustomerLevel = "",
    remember: bool = False,
) -> ToolResult:
    """Go on with a quotation: take the choices, at another level if one is named, and write the filled copy anew. Works
    after any interruption, as long as the inquiry itself has not changed.
    """
    may_write(ctx)
    quote, document = await loaded(ctx, run_id)
    if customer_level:
        await price_anew(ctx, quote, customer_level)
    if choices:
        await choose(ctx, quote, choices, remember=remember)
    if customer_level or choices:
        document = await keep(ctx, quote, document)
    return await _filled_result(ctx, quote, document.version)


TOOLS = (parse_inquiry, run_quotation_fill, select_match, edit_cells, undo_selection, change_level, resume_fill)
