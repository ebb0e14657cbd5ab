"""export_quotation: the page, workbook or rows that go to the customer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from app.core import detached
from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.picture import CardPictures
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.files import file_name, write_file
from app.domains.kit.tables import csv_file
from app.domains.kit.wording import N_, say_in

from ..export.offer import empty_offer, offer_of, table_rows, values_of
from ..export.page import page_of
from ..export.sheet import workbook_of
from ..export.template import LINE_FIELDS, SUFFIXES, fill_template
from .choices import RunId, loaded
from .price_lists import path_of
from .store import may_write, settings_of


def exporting(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Write the quotation as a new {format} file", format=str(args.get("format", ""))[:10])


@tool(
    "fs.write",
    title=N_("Export the quotation"),
    read_only=False,
    only_exports=True,
    approval_text=exporting,
    example={"run_id": "quote-0123456789", "format": "xlsx"},
)
async def export_quotation(
    ctx: ToolContext,
    run_id: RunId,
    format: Literal["xlsx", "pdf", "html", "csv"] = "xlsx",
    path: Annotated[str, Field(max_length=300, description="a file name inside the export folder")] = "",
    template_path: Annotated[
        str,
        Field(max_length=2_000, description="a workbook with placeholders, for xlsx; else that of the settings"),
        Also("template", "模板"),
    ] = "",
) -> ToolResult:
    """Write a quotation for the customer: letterhead, logo, terms and validity stand in the settings of the agent, and
    so may a workbook of the person whose placeholders are filled. pdf needs the window.
    """
    may_write(ctx)
    quote, _document = await loaded(ctx, run_id)
    settings, today = settings_of(ctx), ctx.today or datetime.now(UTC).date()
    offer = offer_of(quote, settings, today, ctx.language)
    content: bytes
    suffix, note, own = f".{format}", "", template_path or settings.template
    if format == "xlsx" and own:
        source = path_of(ctx, own)
        suffix = SUFFIXES.get(source.suffix.lower(), "")
        if not suffix:
            raise ToolError(
                "TEMPLATE", ctx.say("a template is an xlsx, xlsm, xltx or xltm file: {name}", name=source.name)
            )
        content = await detached.in_thread(fill_template, source, values_of(quote, offer, settings))
        note = ctx.say("made of {name}; its formulas are calculated when it is opened", name=source.name)
    elif format == "xlsx":
        content = workbook_of(offer)
    elif format == "csv":
        content = csv_file(offer.columns, table_rows(offer))
    else:
        page = await detached.in_thread(page_of, offer, ctx.language, settings.logo)
        content = page.encode() if format == "html" else await _printed(ctx, page, f"{offer.title} {offer.number}")
    name = path or f"{file_name(f'{offer.title} {quote.customer or quote.title}', 'quotation')} {offer.number}"
    file = await write_file(ctx, name, suffix, content, example="quotation.xlsx")
    text = ctx.say("Wrote {file} in {parent}", file=file.path.name, parent=file.path.parent)
    text = "\n".join(filter(None, [text, note]))
    return ToolResult.success(file.data(), text, display=file.card(note))


def beginning(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Write a workbook with all placeholders as a new file")


@tool(
    "fs.write",
    title=N_("Begin an own workbook for quotations"),
    read_only=False,
    only_exports=True,
    approval_text=beginning,
)
async def write_quotation_template(ctx: ToolContext) -> ToolResult:
    """Write a workbook with every placeholder, to be changed at will and named in the settings of the agent: quotations
    are then exported into copies of it.
    """
    may_write(ctx)
    name = ctx.say("quotation template")
    file = await write_file(ctx, name, ".xlsx", workbook_of(empty_offer(ctx.language)), example="template.xlsx")
    text = ctx.say("Wrote {file} in {parent}", file=file.path.name, parent=file.path.parent)
    hint = ctx.say("change it at will, then name it in the settings of the agent, under Letterhead")
    fields = ", ".join("{{" + each + "}}" for each in sorted(LINE_FIELDS))
    return ToolResult.success({**file.data(), "line_fields": fields}, f"{text}\n{hint}", display=file.card(hint))


async def _printed(ctx: ToolContext, page: str, title: str) -> bytes:
    pictures = ctx.resources.get("pictures")
    if not isinstance(pictures, CardPictures) or pictures.printer is None:
        message = ctx.say("a PDF is printed by the window, and there is none")
        raise ToolError("UNAVAILABLE", message, hint=ctx.say("html and xlsx need no window"))
    return await detached.in_thread(pictures.printer, page, title)


TOOLS = (export_quotation, write_quotation_template)
