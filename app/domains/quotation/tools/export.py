"""export_quotation: the page, workbook or rows that go to the customer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from app.core import detached
from app.core.errors import ToolError
from app.core.tools.picture import CardPictures
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.files import file_name, write_file
from app.domains.kit.tables import csv_file
from app.domains.kit.wording import N_, say_in

from ..export.offer import offer_of, table_rows
from ..export.page import page_of
from ..export.sheet import workbook_of
from .choices import RunId, loaded
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
) -> ToolResult:
    """Write a quotation for the customer: letterhead, logo, terms and validity stand in the settings of the agent. pdf
    needs the window.
    """
    may_write(ctx)
    quote, _document = await loaded(ctx, run_id)
    settings, today = settings_of(ctx), ctx.today or datetime.now(UTC).date()
    offer = offer_of(quote, settings, today, ctx.language)
    content: bytes
    if format == "xlsx":
        content = workbook_of(offer)
    elif format == "csv":
        content = csv_file(offer.columns, table_rows(offer))
    else:
        page = await detached.in_thread(page_of, offer, ctx.language, settings.logo)
        content = page.encode() if format == "html" else await _printed(ctx, page, f"{offer.title} {offer.number}")
    name = path or f"{file_name(f'{offer.title} {quote.customer or quote.title}', 'quotation')} {offer.number}"
    file = await write_file(ctx, name, f".{format}", content, example="quotation.xlsx")
    text = ctx.say("Wrote {file} in {parent}", file=file.path.name, parent=file.path.parent)
    return ToolResult.success(file.data(), text, display=file.card())


async def _printed(ctx: ToolContext, page: str, title: str) -> bytes:
    pictures = ctx.resources.get("pictures")
    if not isinstance(pictures, CardPictures) or pictures.printer is None:
        message = ctx.say("a PDF is printed by the window, and there is none")
        raise ToolError("UNAVAILABLE", message, hint=ctx.say("html and xlsx need no window"))
    return await detached.in_thread(pictures.printer, page, title)


TOOLS = (export_quotation,)
