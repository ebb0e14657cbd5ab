"""The tool that reckons: calculate_budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also, Units
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool

from ...kit.tables import Column, table_card
from ..model.budget import BudgetLine, Exchange, IntercityFare, Party, Stay, TripBudget, calculate, headline, line_codes
from ..model.places import Attraction, City
from ..model.rates import BASE, rates
from ..rules.lookups import given_date, known_attraction, known_city, sources
from ..wording import N_, half_up, listed, money, plain, reference_note, say_in
from . import argument_groups as groups
from . import arguments as kinds


@tool(
    "pure",
    title=N_("Work out the budget"),
    icon="wallet",
    rules=kinds.within_reason,
    more=kinds.exactly_one("city", "legs"),
    example={"city": "北京", "days": 3, "adults": 2},
)
def calculate_budget(
    ctx: ToolContext,
    days: Annotated[kinds.Stay, Field(le=60)],
    adults: Annotated[kinds.Adults, Field(ge=1, le=30)],
    city: kinds.City | None = None,
    legs: Annotated[list[groups.LegArgument], Field(min_length=1, max_length=20)] | None = None,
    children: kinds.Children | None = None,
    tier: kinds.Tier = "comfort",
    rooms: Annotated[kinds.Count, Units("间", "rooms", "room")] | None = None,
    attractions: Annotated[kinds.WordList, Field(description="ids or names of the sights to pay for"), Also("sights")]
    | None = None,
    intercity: list[groups.Fare] | None = None,
    overrides: Annotated[dict[str, kinds.Price], Field(description="other amounts for lines, by code")] | None = None,
    contingency_pct: Annotated[float, Field(ge=0, le=50), Units("%", "percent"), Also("contingency")] = 10,
    currency: Annotated[str, Field(description="the total in this currency too, by a rough dated rate")] | None = None,
    start_date: Annotated[kinds.StartDate, Field(description="for tickets that cost less or more in some seasons")]
    | None = None,
) -> ToolResult:
    """What a journey costs: lodging, food, local transport, tickets, travel between cities, contingency.

    Prices between cities are taken from the user; where none is given the line stays empty and a warning says so.
    """
    party = _party(ctx, adults, children or [], rooms)
    stays = _stays(ctx, city, legs, days)
    _known_lines(ctx, stays, overrides or {})
    mixed = len({stay.city.currency for stay in stays}) > 1
    budget = calculate(
        stays,
        party,
        tier,
        rooms=rooms,
        attractions=_sights(ctx, attractions or [], stays),
        journeys=[_journey(entry) for entry in intercity or []],
        overrides={code: _decimal(amount) for code, amount in (overrides or {}).items()},
        contingency_pct=_decimal(contingency_pct),
        language=ctx.language,
        day=given_date(ctx, start_date) if start_date else None,
        currency=BASE if mixed else None,
        exchange=_exchange(ctx, stays) if mixed else None,
    )
    if mixed:
        budget.warnings.append(_one_currency(ctx, stays))
    converted = _converted(budget, currency.upper(), ctx.language) if currency else None
    as_of = min(stay.city.as_of for stay in stays)
    data = {**as_data(budget), "converted": converted}
    lines = [f"{line.label}{'—' if line.amount is None else plain(line.amount)}" for line in budget.lines]
    summary = "\n".join(
        [
            f"{headline(budget, ctx.language)}。{listed(ctx.language, lines)}",
            *budget.warnings,
            reference_note(ctx, as_of),
        ]
    )
    return ToolResult.success(data, summary, display=_card(ctx, budget), **sources(as_of=as_of))


def _exchange(ctx: ToolContext, stays: list[Stay]) -> Exchange:
    """Into yuan by the rough rates; raises ToolError where there is none."""

    def changed(amount: Decimal, currency: str) -> Decimal:
        converted = rates().converted(amount, currency)
        if converted is None:
            message = ctx.say("legs: no rate for {currency}", currency=currency)
            hint = ctx.say("reckon once per currency")
            raise ToolError("BAD_ARGUMENTS", message, hint=hint)
        return converted

    for stay in stays:
        changed(Decimal(1), stay.city.currency)
    return changed


def _one_currency(ctx: ToolContext, stays: list[Stay]) -> str:
    foreign = list(dict.fromkeys(stay.city.currency for stay in stays if stay.city.currency != BASE))
    told, as_of = listed(ctx.language, foreign), rates().as_of
    return ctx.say(
        "the cities pay in different money: {currencies} put into yuan at rough rates of {as_of}, "
        "all amounts are estimates",
        currencies=told,
        as_of=as_of,
    )


def _converted(budget: TripBudget, currency: str, language: str) -> dict[str, Any] | None:
    """The total at a rough rate, with a warning that says so; None where there is nothing to convert."""
    if currency == budget.currency:
        return None
    total = rates().converted(budget.total, budget.currency, currency)
    if total is None:
        budget.warnings.append(
            say_in(language, "no rate for {currency}: in {own}", currency=currency, own=budget.currency)
        )
        return None
    as_of = rates().as_of
    budget.warnings.append(
        say_in(
            language, "the total is about {total} at a rough rate of {as_of}", total=money(total, currency), as_of=as_of
        )
    )
    return {"currency": currency, "total": plain(total), "rate_as_of": as_of, "estimate": True}


def _party(ctx: ToolContext, adults: int, children: list[int], rooms: int | None) -> Party:
    party = Party(adults, tuple(children))
    if rooms is not None and rooms > party.persons:
        problem = ctx.say("{rooms} rooms for {persons} persons", rooms=rooms, persons=party.persons)
    elif rooms is not None and party.persons > rooms * 4:
        problem = ctx.say("{persons} persons in {rooms} rooms", persons=party.persons, rooms=rooms)
    else:
        return party
    raise ToolError("BAD_PARTY", problem, hint=ctx.say("leave rooms out to have them calculated"))


def _stays(ctx: ToolContext, city: str | None, legs: Sequence[Mapping[str, Any]] | None, days: int) -> list[Stay]:
    if not legs:
        return [Stay(known_city(ctx, city or ""), days - 1, days)]
    cities = [known_city(ctx, leg["city"]) for leg in legs]
    nights = [int(leg["nights"]) for leg in legs]
    last_nights = days - sum(nights[:-1])
    if last_nights < max(1, nights[-1]):
        message = ctx.say("legs: {nights} nights do not fit into {days} days", nights=sum(nights), days=days)
        raise ToolError("BAD_ARGUMENTS", message)
    spans = [*nights[:-1], last_nights]
    return [Stay(each, night, span) for each, night, span in zip(cities, nights, spans, strict=True)]


def _known_lines(ctx: ToolContext, stays: list[Stay], overrides: dict[str, float]) -> None:
    codes = line_codes(stays)
    unknown = [code for code in overrides if code not in codes]
    if unknown:
        no_such_line = ctx.say("no such line")
        message = "; ".join(f"overrides.{code}: {no_such_line}" for code in unknown)
        raise ToolError("BAD_ARGUMENTS", message, hint=", ".join(codes))


def _sights(ctx: ToolContext, names: list[str], stays: list[Stay]) -> list[Attraction]:
    """Each once, looked for in the journey's own cities first."""
    found: dict[str, Attraction] = {}
    for name in names:
        sight = next((match[1] for stay in stays if (match := _within(ctx, name, stay.city))), None)
        sight = sight or known_attraction(ctx, name)[1]
        found[sight.id] = sight
    return list(found.values())


def _within(ctx: ToolContext, name: str, city: City) -> tuple[City, Attraction] | None:
    from ..rules.lookups import dataset_of

    match = dataset_of(ctx).attraction(name, city)
    return match if match and match[0].id == city.id else None


def _journey(entry: Mapping[str, Any]) -> IntercityFare:
    price = entry.get("price_per_person")
    return IntercityFare(entry["from"], entry["to"], None if price is None else _decimal(price), entry.get("basis", ""))


def _decimal(number: float) -> Decimal:
    return Decimal(str(number))


def as_data(budget: TripBudget) -> dict[str, Any]:
    return {
        "lines": [_line(line) for line in budget.lines],
        "subtotal": plain(budget.subtotal),
        "contingency": plain(budget.contingency),
        "total": plain(budget.total),
        "total_note": "" if budget.complete else "excl. intercity",
        "per_person": plain(budget.total / budget.party.persons),
        "per_day": plain(budget.total / budget.days),
        "currency": budget.currency,
        "party": {"adults": budget.party.adults, "children": list(budget.party.children)},
        "days": budget.days,
        "warnings": budget.warnings,
    }


def _line(line: BudgetLine) -> dict[str, Any]:
    return {
        "code": line.code,
        "label": line.label,
        "qty": None if line.qty is None else plain(line.qty),
        "unit": line.unit,
        "unit_price": None if line.unit_price is None else plain(line.unit_price),
        "amount": None if line.amount is None else plain(line.amount),
        "basis": line.basis,
    }


def _card(ctx: ToolContext, budget: TripBudget) -> Card:
    language, currency = ctx.language, budget.currency
    rows: list[dict[str, Any]] = [
        {
            "label": line.label,
            "basis": line.basis,
            "amount": say_in(language, "not given") if line.amount is None else money(line.amount, currency),
        }
        for line in budget.lines
    ]
    rows += [
        {
            "label": say_in(language, "Total"),
            "basis": "; ".join(budget.warnings),
            "amount": money(budget.total, currency),
        },
        {
            "label": say_in(language, "Per person"),
            "basis": "",
            "amount": money(half_up(budget.total / budget.party.persons, "0.01"), currency),
        },
        {
            "label": say_in(language, "Per day"),
            "basis": "",
            "amount": money(half_up(budget.total / budget.days, "0.01"), currency),
        },
    ]
    columns = [
        Column("label", say_in(language, "Line")),
        Column("basis", say_in(language, "Basis")),
        Column("amount", say_in(language, "Amount"), is_number=True),
    ]
    parts = [{"label": line.label, "value": plain(line.amount)} for line in budget.lines if line.amount]
    chart = {"kind": "pie", "series": parts} if len(parts) > 1 else None
    return table_card(headline(budget, language), columns, rows, chart=chart)
