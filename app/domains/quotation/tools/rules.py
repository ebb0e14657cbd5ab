"""What the person adds: levels, customers, matching rules; and stock and margins looked up."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also, Words
from app.core.errors import ToolError
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import key_values_card
from app.domains.kit.tables import Column, table_card
from app.domains.kit.wording import N_, say_in

from ..matching.features import folded
from ..matching.measures import measures
from ..model.levels import Level, level_key, price_at
from ..model.price_list import Item, PriceList
from .arguments import CustomerLevel, ListIds
from .store import book, items_of, levels, lists, may_write, put_book, settings_of

LevelCode = Annotated[str, Field(min_length=1, max_length=40), Also("level", "code", "级别")]


@tool("app.read", title=N_("List the levels"))
async def get_levels(ctx: ToolContext) -> ToolResult:
    """The customer levels: what each is calculated from, and how it may be called; and the customers with theirs."""
    stored = await levels(ctx)
    customers = await book(ctx, "customers")
    rows = [
        {"level": level.code, "label": level.label, "rule": _rule_text(ctx, level), "names": ", ".join(level.aliases)}
        for level in stored.values()
    ]
    columns = [
        Column("level", ctx.say("Level")), Column("label", ctx.say("Name")), Column("rule", ctx.say("Rule")),
        Column("names", ctx.say("Also called")),
    ]  # fmt: skip
    data: dict[str, Any] = {"levels": [level.to_json() for level in stored.values()], "customers": customers}
    text = "; ".join(f"{row['level']}: {row['rule']}" for row in rows)
    data["words"] = text
    return ToolResult.success(data, text, display=table_card(ctx.say("Levels"), columns, rows))


def _rule_text(ctx: ToolContext, level: Level) -> str:
    if not level.base:
        return ctx.say("column {column}", column=level.column or level.code)
    minus = ctx.say(", less {percent} %", percent=level.minus_percent) if Decimal(level.minus_percent) else ""
    times = f" × {level.factor}" if Decimal(level.factor) != 1 else ""
    return f"{level.base}{times}{minus}"


def defining(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Define the customer level {level}", level=str(args.get("level", ""))[:40])


@tool(
    "app.write",
    title=N_("Define a level"),
    approval_text=defining,
    example={"level": "VIP", "base": "B", "minus_percent": 5},
)
async def define_level(
    ctx: ToolContext,
    level: LevelCode,
    column: Annotated[str, Field(max_length=80, description="the price column it stands for")] = "",
    base: Annotated[str, Field(max_length=40, description="the level it is calculated from")] = "",
    factor: Annotated[float, Field(gt=0, le=100)] = 1.0,
    minus_percent: Annotated[float, Field(ge=0, lt=100)] = 0.0,
    rounding: Annotated[Literal["0.01", "0.1", "1"], Field(description="to which step, half up")] = "0.01",
    aliases: Annotated[list[str], Field(max_length=20)] = [],  # noqa: B006 - pydantic copies it
    label: Annotated[str, Field(max_length=80)] = "",
) -> ToolResult:
    """Define a customer level: a price column of its own, or another level times a factor or less some percent."""
    may_write(ctx)
    stored = await levels(ctx)
    if base and level_key(base) not in {level_key(code) for code in stored}:
        raise ToolError(
            "INVALID_LEVEL", ctx.say("there is no customer level {level}", level=base), hint=", ".join(stored)
        )
    definition = Level(
        level,
        label,
        tuple(aliases),
        column,
        base,
        f"{Decimal(str(factor)):f}",
        f"{Decimal(str(minus_percent)):f}",
        rounding,
    )
    own = [each for each in (await book(ctx, "levels")).get("levels", []) if each["code"] != level]
    await put_book(ctx, "levels", {"levels": [*own, definition.to_json()]})
    return ToolResult.success(definition.to_json(), f"{definition.code}: {_rule_text(ctx, definition)}")


def introducing(args: Mapping[str, Any], language: str) -> str:
    name, level = str(args.get("name", ""))[:80], str(args.get("customer_level", ""))[:40]
    return say_in(language, "Keep the customer {name} at level {level}", name=name, level=level)


@tool(
    "app.write",
    title=N_("Keep a customer"),
    approval_text=introducing,
    example={"name": "Smith & Co", "customer_level": "B"},
)
async def define_customer(
    ctx: ToolContext,
    name: Annotated[str, Field(min_length=1, max_length=200), Also("customer", "客户")],
    customer_level: CustomerLevel,
    tax_rate: Annotated[float, Field(ge=0, le=100)] = 0.0,
) -> ToolResult:
    """Keep a customer with level and tax, so that a quotation for them needs no more than the name."""
    may_write(ctx)
    customers = await book(ctx, "customers")
    entry = {"level": customer_level, "tax_rate": tax_rate}
    await put_book(ctx, "customers", {**customers, name: entry})
    return ToolResult.success({name: entry}, ctx.say("{name}: level {level}", name=name, level=customer_level))


def ruling(args: Mapping[str, Any], language: str) -> str:
    words = " / ".join(str(word) for word in args.get("words") or ())[:160]
    return say_in(language, "Add the matching rule: {words}", words=words)


@tool(
    "app.write",
    title=N_("Remember a rule"),
    approval_text=ruling,
    example={"kind": "synonym", "words": ["elbow", "bend"]},
)
async def remember_rule(
    ctx: ToolContext,
    kind: Annotated[
        Literal["synonym", "forbid", "equivalence"],
        Words(
            synonym=("同义", "同义词"), forbid=("禁止", "不同", "forbidden"), equivalence=("等价", "换算", "equivalent")
        ),
    ],
    words: Annotated[list[str], Field(min_length=2, max_length=20), Also("content")],
) -> ToolResult:
    """Add a rule for matching: synonyms (the first word stands for all), a pair that is never the same, or sizes of one
    meaning. It holds for every list from now on.
    """
    may_write(ctx)
    body = await book(ctx, "rules")
    even = [folded(word) for word in words]
    forbidden = [tuple(pair) for pair in body.get("forbidden", [])]
    synonyms = [list(group) for group in body.get("synonyms", [])]
    if kind == "synonym" and any({left, right} <= set(even) for left, right in forbidden):
        raise ToolError("CONFLICT", ctx.say("these words are kept apart by a rule"))
    if kind == "forbid" and any(set(even[:2]) <= set(group) for group in synonyms):
        raise ToolError("CONFLICT", ctx.say("these words are synonyms by a rule"))
    if kind == "equivalence":
        sizes = [size.shown for word in words for size in measures(word).sizes[:1]]
        if len(sizes) != len(words):
            raise ToolError("BAD_ARGUMENTS", ctx.say('an equivalence names sizes, such as 3/4" and dn25'))
        even = sizes
    name = {"synonym": "synonyms", "forbid": "forbidden", "equivalence": "equivalent"}[kind]
    entry = even[:2] if kind == "forbid" else even
    await put_book(ctx, "rules", {**body, name: [*body.get(name, []), entry]})
    return ToolResult.success(
        {"kind": kind, "words": entry}, ctx.say("The rule is kept: {words}", words=" / ".join(entry))
    )


# ---------------------------------------------------------------- stock and margin


Codes = Annotated[list[str], Field(min_length=1, max_length=200), Also("code", "items")]


async def _named(ctx: ToolContext, codes: list[str], ids: list[str] | None) -> list[tuple[str, PriceList, Item]]:
    wanted = {folded(code).replace(" ", ""): code for code in codes}
    matches = []
    for one in await lists(ctx, ids):
        for item in await items_of(ctx, one):
            if (code := wanted.get(folded(item.code).replace(" ", ""))) is not None:
                matches.append((code, one, item))
    return matches


@tool("app.read", title=N_("Look up stock"), example={"codes": ["1001"]})
async def get_stock(ctx: ToolContext, codes: Codes, list_ids: ListIds = []) -> ToolResult:  # noqa: B006
    """The stock of codes as the price list tells it, with the day the list was imported."""
    named = await _named(ctx, codes, list_ids or None)
    rows = [
        {"code": code, "name": f"{item.name} {item.spec}".strip(), "stock": item.stock or None, "list": one.name,
         "as_of": one.imported_at[:10]}
        for code, one, item in named
    ]  # fmt: skip
    if rows and all(row["stock"] is None for row in rows):
        raise ToolError("NO_STOCK_COLUMN", ctx.say("the price list has no column of stock"))
    absent = sorted(set(codes) - {row["code"] for row in rows})
    columns = [Column("code", ctx.say("Code")), Column("name", ctx.say("Product")),
               Column("stock", ctx.say("Stock"), is_number=True), Column("as_of", ctx.say("As of"))]  # fmt: skip
    text = "; ".join(f"{row['code']} {row['name']}: {row['stock'] or '–'} ({row['as_of']})" for row in rows[:10])
    if absent:
        text += "\n" + ctx.say("not in the lists: {codes}", codes=", ".join(absent[:20]))
    return ToolResult.success(
        {"stock": rows, "unknown": absent}, text, display=table_card(ctx.say("Stock"), columns, rows)
    )


class MarginDict(TypedDict):
    """A code and the price it would be sold at."""

    code: Annotated[str, Field(min_length=1, max_length=200)]
    price: Annotated[float, Field(ge=0)]


@tool("app.read", title=N_("Look up margins"), example={"items": [{"code": "1001", "price": 3.5}]})
async def get_margin(
    ctx: ToolContext, items: Annotated[list[MarginDict], Field(min_length=1, max_length=200)]
) -> ToolResult:
    """Cost, margin in percent of the price, and the level a price corresponds to. Only where the person allows it."""
    if not settings_of(ctx).shows_costs:
        raise ToolError(
            "DENIED", ctx.say("costs are not shown"), hint=ctx.say("the person can allow it in the settings")
        )
    by_code = {code: (one, item) for code, one, item in await _named(ctx, [each["code"] for each in items], None)}
    known, rows = await levels(ctx), []
    for each in items:
        one, item = by_code.get(each["code"], (None, None))
        if one is None or item is None or not item.cost:
            continue
        price, cost = Decimal(str(each["price"])), Decimal(item.cost)
        margin = ((price - cost) / price * 100).quantize(Decimal("0.1")) if price else None
        fits = [code for code in dict.fromkeys([*one.levels, *known])
                if price_at(item, known.get(code, Level(code)), known) == price]  # fmt: skip
        rows.append({"code": item.code, "cost": item.cost, "price": f"{price:f}",
                     "margin": "" if margin is None else f"{margin}",
                     "level": ", ".join(fits)})  # fmt: skip
    if not rows:
        raise ToolError("NO_COST_COLUMN", ctx.say("the price list has no column of costs for these codes"))
    facts = {row["code"]: f"{row['cost']} → {row['price']}: {row['margin']} % {row['level']}" for row in rows}
    text = "; ".join(f"{code} {words}" for code, words in list(facts.items())[:10])
    return ToolResult.success({"margins": rows}, text, display=key_values_card(ctx.say("Margins"), facts))


TOOLS = (get_levels, define_level, define_customer, remember_rule, get_stock, get_margin)
