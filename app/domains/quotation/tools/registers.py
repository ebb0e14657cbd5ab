"""What was out of stock or short, and how often it was asked for: register_oos, register_oos_from_text, list_oos."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.tables import Column, table_card
from app.domains.kit.wording import N_, say_in

from ..matching.features import folded
from .choices import RunId, loaded
from .store import book, may_write, put_book

KINDS = {"out": N_("out of stock"), "short": N_("short")}
ALERT_FROM = 2


def _today(ctx: ToolContext) -> date:
    return ctx.today or datetime.now(UTC).date()


def registering(args: Mapping[str, Any], language: str) -> str:
    what = str(args.get("product") or args.get("run_id") or "")[:120]
    return say_in(language, "Register as out of stock or short: {what}", what=what)


@tool("app.write", title=N_("Register shortages"), approval_text=registering, example={"run_id": "quote-0123456789"})
async def register_oos(ctx: ToolContext, run_id: RunId) -> ToolResult:
    """Register the lines of a quotation that are out of stock or short. Lines registered for it before are left out."""
    may_write(ctx)
    quote, _document = await loaded(ctx, run_id)
    records = [
        {
            "product": line.product, "spec": line.product_spec, "code": line.chosen, "qty": line.line.qty,
            "unit": line.line.unit or line.product_unit, "kind": line.state, "shortfall": str(line.shortfall),
            "file": quote.title, "row": line.line.row, "run": quote.id,
        }
        for line in quote.lines
        if line.state in KINDS
    ]  # fmt: skip
    return await _register(ctx, records)


@tool("app.write", title=N_("Register one product"), approval_text=registering, example={"product": "PVC elbow DN75"})
async def register_oos_from_text(
    ctx: ToolContext,
    product: Annotated[str, Field(min_length=1, max_length=500), Also("name", "品名")],
    spec: Annotated[str, Field(max_length=500)] = "",
    qty: Annotated[float, Field(ge=0), Also("quantity", "数量")] | None = None,
    unit: Annotated[str, Field(max_length=40)] = "",
    again: Annotated[bool, Field(description="count it once more although it was registered today")] = False,
) -> ToolResult:
    """Register one product as out of stock, as somebody tells it."""
    may_write(ctx)
    record = {
        "product": product, "spec": spec, "code": "", "qty": "" if qty is None else f"{qty:g}", "unit": unit,
        "kind": "out", "shortfall": "", "file": "", "row": 0, "run": "",
    }  # fmt: skip
    records = (await book(ctx, "shortages")).get("records", [])
    today = _today(ctx).isoformat()
    if not again and any(each["key"] == _key(record) and each["day"] == today for each in records):
        message = ctx.say("{product} was registered today already", product=product)
        raise ToolError("DUPLICATE_TODAY", message, hint=ctx.say("again: true counts it once more"))
    return await _register(ctx, [record])


def _key(record: Mapping[str, Any]) -> str:
    return folded(f"{record['product']} {record['spec']}")


async def _register(ctx: ToolContext, records: list[dict[str, Any]]) -> ToolResult:
    body = await book(ctx, "shortages")
    known: list[dict[str, Any]] = list(body.get("records", []))
    have = {(each["run"], each["row"], each["key"]) for each in known if each["run"]}
    added = []
    for record in records:
        key = _key(record)
        if (record["run"], record["row"], key) in have:
            continue
        times = 1 + sum(each["key"] == key for each in known)
        seed = f"{key}{len(known)}{_today(ctx)}"
        id = f"oos-{hashlib.sha256(seed.encode()).hexdigest()[:8]}"
        known.append({**record, "id": id, "key": key, "day": _today(ctx).isoformat(), "times_reported": times})
        added.append(known[-1])
    await put_book(ctx, "shortages", {"records": known})
    data = {"ids": [each["id"] for each in added], "records": [
        {"id": each["id"], "product": each["product"], "times_reported": each["times_reported"]} for each in added
    ]}  # fmt: skip
    often = [each for each in added if each["times_reported"] >= ALERT_FROM]
    words = [ctx.say("{n} registered, {m} known already", n=len(added), m=len(records) - len(added))]
    words += [
        ctx.say(
            "{product}: asked for {n} times",
            product=f"{each['product']} {each['spec']}".strip(),
            n=each["times_reported"],
        )
        for each in often[:5]
    ]
    return ToolResult.success(data, "\n".join(words), display=_board(ctx, added))


Days = Annotated[int, Field(ge=1, le=3_650, description="of the last days")]


async def _records(ctx: ToolContext, days: int | None, file: str, product: str) -> list[dict[str, Any]]:
    since = (_today(ctx) - timedelta(days=days - 1)).isoformat() if days else ""
    records: list[dict[str, Any]] = (await book(ctx, "shortages")).get("records", [])
    return [
        each
        for each in records
        if each["day"] >= since and file.casefold() in each["file"].casefold() and folded(product) in each["key"]
    ]


@tool("app.read", title=N_("List shortages"))
async def list_oos(
    ctx: ToolContext,
    days: Days | None = None,
    file: Annotated[str, Field(max_length=200)] = "",
    product: Annotated[str, Field(max_length=200)] = "",
) -> ToolResult:
    """What was registered as out of stock or short: product, quantity, file, row, day, how often."""
    records = list(reversed(await _records(ctx, days, file, product)))
    text = ctx.say("{n} entries", n=len(records))
    return ToolResult.success({"records": records}, text, display=_board(ctx, records))


@tool("app.read", title=N_("Board of shortages"))
async def oos_stats(ctx: ToolContext, days: Days = 30) -> ToolResult:
    """Shortages of the last days: how many, which products most often, by day and by file."""
    records = await _records(ctx, days, "", "")
    top = Counter(f"{each['product']} {each['spec']}".strip() for each in records).most_common(10)
    by_day = sorted(Counter(each["day"] for each in records).items())
    by_file = Counter(each["file"] for each in records if each["file"]).most_common(10)
    data: dict[str, Any] = {"total": len(records), "top": [{"product": name, "times": n} for name, n in top],
            "by_day": [{"day": day, "count": n} for day, n in by_day],
            "by_file": [{"file": name, "count": n} for name, n in by_file]}  # fmt: skip
    first = "; ".join(f"{name} × {n}" for name, n in top[:3])
    text = ctx.say("{n} entries in {days} days", n=len(records), days=days) + (f": {first}" if first else "")
    data["words"] = text
    chart = {"kind": "bar", "series": [{"label": day, "value": n} for day, n in by_day]} if by_day else None
    columns = [Column("product", ctx.say("Product")), Column("times", ctx.say("Times"), is_number=True)]
    card = table_card(ctx.say("Out of stock and short"), columns, data["top"], chart=chart)
    # The board is what was asked for.
    return ToolResult.success(data, text, display=Card(card.kind, card.payload, "answer", text))


def _board(ctx: ToolContext, records: list[dict[str, Any]]) -> Card:
    columns = [
        Column("product", ctx.say("Product")), Column("kind", ctx.say("Status")),
        Column("qty", ctx.say("Quantity"), is_number=True), Column("shortfall", ctx.say("Missing"), is_number=True),
        Column("times", ctx.say("Times"), is_number=True), Column("file", ctx.say("File")),
        Column("day", ctx.say("Date")),
    ]  # fmt: skip
    rows = [
        {"product": f"{each['product']} {each['spec']}".strip(), "kind": ctx.say(KINDS[each["kind"]]),
 "qty": each["qty"],
         "shortfall": each["shortfall"], "times": each["times_reported"], "file": each["file"], "day": each["day"]}
        for each in records
    ]  # fmt: skip
    return table_card(ctx.say("Out of stock and short"), columns, rows)


TOOLS = (register_oos, register_oos_from_text, list_oos, oos_stats)
