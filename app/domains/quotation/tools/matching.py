"""match_price and match_price_batch: which product a line means, with its price at a level. Nothing is stored."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.tables import Column, table_card
from app.domains.kit.wording import N_

from ..cards import BY, DOUBTS, price_text
from ..matching.decide import Request
from .arguments import CustomerLevel, LineDict, ListIds, text_of
from .lines import match_all, matcher

MOST_LINES = 2_000


@tool(
    "app.read",
    title=N_("Look up a price"),
    timeout=600,
    example={"keywords": "PVC elbow 90° DN50", "customer_level": "B"},
)
async def match_price(
    ctx: ToolContext,
    keywords: Annotated[
        str,
        Field(min_length=1, max_length=2_000, description="words, or a code"),
        Also("query", "code", "name", "product"),
    ],
    spec: Annotated[str, Field(max_length=2_000)] = "",
    customer_level: CustomerLevel = "",
    list_ids: ListIds = [],  # noqa: B006 - pydantic copies it
    limit: Annotated[int, Field(ge=1, le=50)] = 8,
) -> ToolResult:
    """The product meant by words or a code: status exact, single, needs_selection or unmatched, with candidates, their
    prices at the level, and why. A product that is not certain is never chosen.
    """
    finder = await matcher(ctx, customer_level, list_ids or None)
    request = Request(keywords, spec)
    (line,) = await match_all(finder, [request], limit)
    data = {**line, "request": request.text, "level": finder.level.code, "lists": [one.name for one in finder.lists]}
    data["words"] = _one(ctx, data)
    return ToolResult.success(data, data["words"], display=_candidates(ctx, data), source=data["lists"])


@tool(
    "app.read",
    title=N_("Look up many prices"),
    timeout=600,
    example={"lines": [{"name": "PVC elbow 90°", "spec": "DN50", "qty": 10}], "customer_level": "B"},
)
async def match_price_batch(
    ctx: ToolContext,
    lines: Annotated[list[LineDict], Field(min_length=1, max_length=MOST_LINES), Also("items", "rows")],
    customer_level: CustomerLevel = "",
    list_ids: ListIds = [],  # noqa: B006 - pydantic copies it
) -> ToolResult:
    """As match_price, for up to 2,000 lines at once."""
    finder = await matcher(ctx, customer_level, list_ids or None)
    requests = [
        Request(text_of(line["name"]), text_of(line.get("spec")), text_of(line.get("code")), text_of(line.get("unit")))
        for line in lines
    ]
    results = await match_all(finder, requests)
    rows = [
        {"no": n, "request": request.text, "qty": text_of(line.get("qty")), **result}
        for n, (line, request, result) in enumerate(zip(lines, requests, results, strict=True), 1)
    ]
    counts = {status: sum(row["status"] == status for row in rows) for status in STATUSES}
    words = ", ".join(f"{ctx.say(STATUSES[status])} {count}" for status, count in counts.items() if count)
    data = {"lines": rows, "counts": counts, "level": finder.level.code, "lists": [one.name for one in finder.lists]}
    return ToolResult.success(data, words, display=_lines(ctx, rows), source=data["lists"])


STATUSES = {
    "exact": N_("exact"),
    "single": N_("set"),
    "needs_selection": N_("to choose"),
    "unmatched": N_("not found"),
}


def _one(ctx: ToolContext, data: dict[str, Any]) -> str:
    lists = ", ".join(data["lists"])
    if data["chosen"] is not None:
        first = data["candidates"][0]
        price = price_text(first["unit_price"]) if first["unit_price"] else ctx.say("no price at this level")
        return ctx.say(
            "{code} {name} {spec}: {price} (level {level}, {list}; by {source})",
            code=first["code"],
            name=first["name"],
            spec=first["spec"],
            price=price,
            level=data["level"],
            list=first["list"],
            source=ctx.say(BY.get(data["source"], data["source"])),
        )
    why = ", ".join(ctx.say(DOUBTS[each]) if each in DOUBTS else each for each in data["doubts"])
    word = ctx.say(STATUSES[data["status"]])
    rows = [
        f"{one['code']} | {one['name']} {one['spec']} | {price_text(one['unit_price'])}"
        for one in data["candidates"][:10]
    ]
    return "\n".join([f"{data['request']}: {word} ({why}; {lists})", *rows])


def _candidates(ctx: ToolContext, data: dict[str, Any]) -> Card:
    columns = [
        Column("code", ctx.say("Code")),
        Column("name", ctx.say("Product")),
        Column("price", ctx.say("Price {level}", level=data["level"]), is_number=True),
        Column("stock", ctx.say("Stock"), is_number=True),
        Column("score", ctx.say("Score"), is_number=True),
        Column("why", ctx.say("Why")),
    ]
    rows = [
        {
            "code": one["code"],
            "name": f"{one['name']} {one['spec']}".strip(),
            "price": price_text(one["unit_price"]),
            "stock": one["stock"] or "",
            "score": f"{one['score']:.2f}",
            "why": why(ctx, one),
        }
        for one in data["candidates"]
    ]
    return table_card(data["request"], columns, rows)


def why(ctx: ToolContext, candidate: dict[str, Any]) -> str:
    parts = candidate["score_parts"]
    hits = [
        *([ctx.say("written more like the line")] if parts["is_raised"] else []),
        *parts["conflicts"],
        *(f"− {each}" for each in parts["missing"]),
        *(f"? {each}" for each in parts["variants"]),
    ]
    return " · ".join([*hits, *(f"+ {each}" for each in parts["agrees"][:4])])


def _lines(ctx: ToolContext, rows: list[dict[str, Any]]) -> Card:
    columns = [
        Column("no", ctx.say("No."), is_number=True),
        Column("request", ctx.say("Request")),
        Column("status", ctx.say("Status")),
        Column("code", ctx.say("Code")),
        Column("product", ctx.say("Product")),
        Column("price", ctx.say("Price"), is_number=True),
    ]
    lines = []
    for row in rows:
        first = row["candidates"][0] if row["candidates"] else {}
        is_set = row["chosen"] is not None
        lines.append(
            {
                "no": row["no"],
                "request": row["request"],
                "status": ctx.say(STATUSES[row["status"]]),
                "code": row["chosen"] or "",
                "product": f"{first['name']} {first['spec']}".strip() if is_set else "",
                "price": price_text(first["unit_price"]) if is_set else "",
            }
        )
    return table_card(ctx.say("Lines"), columns, lines)


TOOLS = (match_price, match_price_batch)
