"""Price lists taken in and looked up: import_price_list, confirm_mapping, list_price_lists, remove_price_list."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from app.core import detached
from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.documents import store_of
from app.domains.kit.tables import Column, table_card
from app.domains.kit.wording import N_, count_in, say_in

from ..model.price_list import PriceList
from ..reading.price_list import ReadList, read_price_list
from .arguments import FilePath
from .store import ITEMS, LISTS, MAPPINGS, forget_index, lists, may_write, settings_of

FIELDS = {
    "code": N_("Code"),
    "name": N_("Name"),
    "spec": N_("Specification"),
    "unit": N_("Unit"),
    "brand": N_("Brand"),
    "about": N_("Description"),
    "stock": N_("Stock"),
    "moq": N_("Minimum order"),
    "cost": N_("Cost price"),
    "qty": N_("Quantity"),
    "amount": N_("Amount"),
    "no": N_("No."),
}
WARNINGS = {
    "hidden_sheet": N_("hidden sheets left out"),
    "hidden_row": N_("hidden rows left out"),
    "hidden_column": N_("hidden columns left out"),
    "total_row": N_("rows of totals left out"),
    "not_an_item": N_("rows that are no product left out"),
    "empty_price": N_("products without a price"),
    "no_price_read": N_("prices that could not be read"),
    "text_number": N_("prices stored as text, read as numbers"),
    "formula_without_value": N_("formulas without a stored value: open and save the file once"),
    "duplicate_code": N_("codes that stand more than once"),
}
ListId = Annotated[str, Field(min_length=1, max_length=200, description="from import_price_list"), Also("id", "list")]


@tool(
    "fs.read",
    title=N_("Import a price list"),
    read_only=False,
    exclusive=True,
    timeout=600,
    example={"path": "prices.xlsx"},
)
async def import_price_list(
    ctx: ToolContext,
    path: FilePath,
    name: Annotated[str, Field(max_length=120, description="what the list is called; the file's name otherwise")] = "",
    sheet: Annotated[str, Field(max_length=200)] = "",
    header_row: Annotated[int, Field(ge=1, le=100_000, description="where the header is not found")] | None = None,
    mapping: Annotated[
        dict[str, Any],
        Field(description='field and column: {"code": "A", "name": "B", "price": {"A": "E", "B": "F"}, "stock": "H"}'),
    ]
    | None = None,
) -> ToolResult:
    """Take in a price list (xlsx, xls, ods, csv). The meaning of the columns is proposed and used at once; what was
    confirmed for a header of this form before is used instead. A list of the same name is replaced by the new one.
    """
    may_write(ctx)
    file = path_of(ctx, path)
    mappings = {each.id: each.body["mapping"] for each in await MAPPINGS.all(ctx)} if ctx.documents is not None else {}
    read = await detached.in_thread(read_price_list, file, sheet, header_row or 0, mapping, mappings)
    if not read.items:
        raise ToolError("FORMAT", ctx.say("there is no product in the sheet"))
    title = name.strip() or file.stem
    id = f"pl-{hashlib.sha256(title.casefold().encode()).hexdigest()[:10]}"
    one = _price_list(id, title, file.name, read)
    signature = read.header.signature
    await store_of(ctx).put(ITEMS.kind, id, {"items": [item.to_json() for item in read.items]})
    await store_of(ctx).put(LISTS.kind, id, {**one.to_json(), "signature": signature})
    is_known = signature in mappings
    if mapping is not None:
        await store_of(ctx).put(MAPPINGS.kind, signature, {"mapping": read.header.to_json(), "list": title})
        is_known = True
    data: dict[str, Any] = {
        "list_id": id,
        "name": title,
        "rows": len(read.items),
        "levels": read.levels,
        "mapping": read.header.to_json(),
        "mapping_confirmed": is_known,
        "signature": signature,
        "currency": read.currency,
        "tax_included": read.tax_included,
        "valid_from": read.valid_from,
        "valid_to": read.valid_to,
        "sheets": read.sheets,
        "header_row": read.header.row + 1,
        "warnings": [{**warning.to_json(), "text": ctx.say(WARNINGS[warning.code])} for warning in read.warnings],
        "words": _summary(ctx, one, read),
    }
    return ToolResult.success(
        data, str(data["words"]), display=_mapping_card(ctx, one, read, is_known=is_known), source=[file.name]
    )


def path_of(ctx: ToolContext, text: str) -> Path:
    """As given; relative to the chosen folder where there is one."""
    path = Path(text).expanduser()
    return path if path.is_absolute() or ctx.workspace is None else ctx.workspace / path


def _price_list(id: str, title: str, file: str, read: ReadList) -> PriceList:
    """Imported now."""
    return PriceList(
        id,
        title,
        file,
        ", ".join(read.sheets),
        read.header.row + 1,
        read.header.to_json(),
        tuple(read.levels),
        read.currency,
        read.tax_included,
        read.valid_from,
        read.valid_to,
        datetime.now(UTC).isoformat(timespec="seconds"),
        len(read.items),
        read.checksum,
    )


def _summary(ctx: ToolContext, one: PriceList, read: ReadList) -> str:
    head = count_in(ctx.language, "“{name}”: {n} product", "“{name}”: {n} products", one.rows, name=one.name)
    levels = ctx.say("levels {levels}", levels=", ".join(one.levels))
    faults = [f"{ctx.say(WARNINGS[each.code])}: {each.count} ({', '.join(each.places[:3])})" for each in read.warnings]
    return "\n".join([f"{head}; {levels}; {one.currency}", *faults])


def _mapping_card(ctx: ToolContext, one: PriceList, read: ReadList, *, is_known: bool) -> Card:
    columns = [
        Column("field", ctx.say("Field")),
        Column("column", ctx.say("Column")),
        Column("example", ctx.say("First product")),
    ]
    first = read.items[0]
    shows_costs = settings_of(ctx).shows_costs
    rows = []
    for name, column in read.header.columns.items():
        text = read.header.texts[column] if column < len(read.header.texts) else ""
        rows.append(
            {
                "field": ctx.say(FIELDS.get(name, name)),
                "column": f"{one.columns[name]} {text}".strip(),
                "example": "" if name == "cost" and not shows_costs else str(getattr(first, name, ""))[:60],
            }
        )
    for level, column in read.header.prices.items():
        text = read.header.texts[column] if column < len(read.header.texts) else ""
        rows.append(
            {
                "field": ctx.say("Price {level}", level=level),
                "column": f"{one.columns['price'][level]} {text}".strip(),
                "example": first.prices.get(level, ""),
            }
        )
    rows += [
        {"field": ctx.say(WARNINGS[each.code]), "column": str(each.count), "example": ", ".join(each.places[:3])[:60]}
        for each in read.warnings
    ]
    card = table_card(ctx.say("Columns of “{name}”", name=one.name), columns, rows)
    if is_known:
        return card
    button = CardAction(
        "save", ctx.say("The columns are right"), "confirm_mapping", {"list_id": one.id}, style="primary"
    )
    # What waits for the person's yes is in the answer, not in the folded work.
    return Card(card.kind, card.payload, "answer", _summary(ctx, one, read), (button,))


def confirming(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Remember the columns of the price list {id}", id=str(args.get("list_id", ""))[:80])


@tool("app.write", title=N_("Confirm the columns"), approval_text=confirming, example={"list_id": "pl-0123456789"})
async def confirm_mapping(ctx: ToolContext, list_id: ListId) -> ToolResult:
    """Remember what the columns of an imported list mean, for every list with the same header."""
    may_write(ctx)
    document = await LISTS.get(ctx, list_id)
    signature = str(document.body["signature"])
    await store_of(ctx).put(
        MAPPINGS.kind, signature, {"mapping": document.body["columns"], "list": document.body["name"]}
    )
    text = ctx.say("The columns are remembered: the next list with this header is read the same way.")
    columns = dict(document.body["columns"])
    prices = columns.pop("price", {})
    named = [(ctx.say(FIELDS.get(str(name), str(name))), column) for name, column in columns.items()]
    named += [(ctx.say("Price {level}", level=level), column) for level, column in prices.items()]
    card = table_card(
        ctx.say("Columns of “{name}”", name=document.body["name"]),
        [Column("field", ctx.say("Field")), Column("column", ctx.say("Column"))],
        [{"field": name, "column": str(column)} for name, column in named],
    )
    display = Card(card.kind, card.payload, "answer", text)
    return ToolResult.success({"list_id": list_id, "signature": signature}, text, display=display)


@tool("app.read", title=N_("List the price lists"))
async def list_price_lists(ctx: ToolContext) -> ToolResult:
    """The price lists there are: id, name, levels, currency, validity, number of products."""
    stored = await lists(ctx)
    today = (ctx.today or datetime.now(UTC).date()).isoformat()
    rows = [
        {
            "id": one.id,
            "name": one.name,
            "rows": one.rows,
            "levels": ", ".join(one.levels),
            "currency": one.currency,
            "valid_to": one.valid_to,
            "expired": bool(one.valid_to and one.valid_to < today),
            "file": one.file,
            "imported_at": one.imported_at,
        }
        for one in stored
    ]
    columns = [
        Column("name", ctx.say("Price list")),
        Column("rows", ctx.say("Products"), is_number=True),
        Column("levels", ctx.say("Levels")),
        Column("currency", ctx.say("Currency")),
        Column("valid_to", ctx.say("Valid to")),
        Column("id", "id"),
    ]
    text = "; ".join(f"{row['name']} ({row['id']}, {row['rows']}, {row['levels']})" for row in rows[:10])
    return ToolResult.success(
        {"lists": rows, "words": text}, text, display=table_card(ctx.say("Price lists"), columns, rows)
    )


def removing(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Remove the price list {id}", id=str(args.get("list_id", ""))[:80])


@tool("app.write", title=N_("Remove a price list"), approval_text=removing, example={"list_id": "pl-0123456789"})
async def remove_price_list(ctx: ToolContext, list_id: ListId) -> ToolResult:
    """Take a price list out. Quotations made with it keep their prices."""
    may_write(ctx)
    document = await LISTS.get(ctx, list_id)
    await store_of(ctx).delete(LISTS.kind, list_id)
    await store_of(ctx).delete(ITEMS.kind, list_id)
    await forget_index(ctx, str(document.body["checksum"]))
    return ToolResult.success({"list_id": list_id}, ctx.say("“{name}” is removed", name=document.body["name"]))


TOOLS = (import_price_list, confirm_mapping, list_price_lists, remove_price_list)
