"""The tools about what there is in a city: query_attractions and search_food."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool

from ...kit.tables import Column, table_card
from ..model.geo import Point
from ..model.places import City
from ..model.sights import SightFilter, find_foods, find_sights, food_row, sight_row
from ..model.vocabulary import Terms, vocabulary
from ..rules.lookups import dataset_of, given_date, known_attraction, known_city, sources
from ..wording import N_, listed, money, money_range, reference_note, say_in, speaks_chinese
from . import argument_groups as groups
from . import arguments as kinds


@tool("pure", title=N_("Look up sights"), icon="map-pin", rules=kinds.within_reason)
def query_attractions(
    ctx: ToolContext,
    cities: Annotated[kinds.Cities, Field(min_length=1, max_length=5, examples=[["北京"]])],
    categories: Annotated[kinds.WordList, Field(description="museum, temple, 公园 …"), Also("category", "types")]
    | None = None,
    tags: Annotated[kinds.WordList, Field(description="interests: history, 自然 …"), Also("interests", "tag")]
    | None = None,
    free_only: Annotated[bool, Also("free")] = False,
    max_ticket: Annotated[kinds.Price, Also("max_price", "price_max")] | None = None,
    indoor: bool | None = None,
    names: Annotated[kinds.WordList, Field(description="these sights alone"), Also("name", "sights")] | None = None,
    open_on: Annotated[kinds.Date, Also("date", "visit_date")] | None = None,
    near: groups.NearPlace | None = None,
    whom: Annotated[kinds.SuitedTo | None, Field(alias="for"), Also("suitable_for", "audience")] = None,
    sort: kinds.Sort = "popular",
    limit: kinds.Limit = 20,
) -> ToolResult:
    """Sights of one or more cities, by category, interest, price, place and whom they suit.

    With open_on each sight says whether it is open that day, and its price is that of the season.
    """
    records = [known_city(ctx, name) for name in dict.fromkeys(cities)]
    words = vocabulary()
    query = SightFilter(
        today=ctx.today,
        categories=_codes(ctx, words.categories, categories, "categories"),
        tags=_codes(ctx, words.tags, tags, "tags"),
        free_only=free_only,
        max_ticket=None if max_ticket is None else Decimal(str(max_ticket)),
        indoor=indoor,
        day=None if open_on is None else given_date(ctx, open_on),
        near=_near(ctx, near, records),
        whom=whom,
        sort=sort,
        only=frozenset(known_attraction(ctx, name)[1].id for name in names or ()),
    )
    groups = []
    for city in records:
        sights = find_sights(city, query)
        rows = [sight_row(city, sight, query, ctx.language) for sight in sights[:limit]]
        name = city.name(ctx.language)
        groups.append(
            {"city": {"id": city.id, "name": name}, "attractions": rows, "count": len(rows), "total": len(sights)}
        )
    as_of = min(city.as_of for city in records)
    return ToolResult.success(
        {"cities": groups, "open_on": open_on},
        _sights_summary(ctx, groups, as_of),
        display=_sights_table(ctx, groups, as_of, query.day is not None),
        **sources(as_of=as_of),
    )


def _codes(ctx: ToolContext, terms: Terms, asked: Sequence[str] | None, argument: str) -> frozenset[str]:
    codes = set()
    for word in asked or ():
        term = terms.find(word)
        if term is None:
            labels = listed(ctx.language, [each.label(ctx.language) for each in terms.terms])
            raise ToolError(
                "BAD_ARGUMENTS",
                ctx.say("{argument}: unknown word “{word}”", argument=argument, word=word),
                hint=ctx.say("known: {labels}", labels=labels),
            )
        codes.add(term.code)
    return frozenset(codes)


def _near(
    ctx: ToolContext, near: Mapping[str, Any] | None, cities: Sequence[City]
) -> tuple[Point, float | None] | None:
    if not near:
        return None
    radius = near.get("radius_km")
    if "lat" in near and "lon" in near:
        return Point(near["lat"], near["lon"]), radius
    if "place" not in near:
        message = ctx.say("near needs place, or lat and lon")
        raise ToolError("BAD_ARGUMENTS", message)
    place = near["place"]
    for city in cities:
        for hub in city.hubs:
            if place in (hub.name_zh, hub.name_en):
                return hub.point, radius
    city_named = dataset_of(ctx).city(place)
    if city_named is not None:
        return city_named.point, radius
    return known_attraction(ctx, place)[1].point, radius


def _sights_summary(ctx: ToolContext, groups: list[dict[str, Any]], as_of: str) -> str:
    language, parts = ctx.language, []
    for group in groups:
        names = [_sight_words(row, language) for row in group["attractions"][:10]]
        head = say_in(language, "{name}, {total}: ", name=group["city"]["name"], total=group["total"])
        parts.append(head + (listed(language, names) or say_in(language, "no sight fits")))
    return "\n".join([*parts, reference_note(ctx, as_of)])


def _sight_words(row: dict[str, Any], language: str) -> str:
    price = row["ticket"]["adult"]
    words = [say_in(language, "free") if price == 0 else money(price, row["ticket"]["currency"])]
    if "open_on" in row and not row["open_on"]["open"]:
        words.append(say_in(language, "closed that day"))
    return f"{row['name']}({', '.join(words)})"


def _sights_table(ctx: ToolContext, groups: list[dict[str, Any]], as_of: str, dated: bool) -> Card:
    language, several = ctx.language, len(groups) > 1
    columns = [
        *([Column("city", say_in(language, "City"))] if several else []),
        Column("name", say_in(language, "Sight")),
        Column("category", say_in(language, "Category")),
        Column("ticket", say_in(language, "Ticket"), is_number=True),
        *([Column("open", say_in(language, "That day"))] if dated else []),
        Column("hours", say_in(language, "Hours")),
        Column("minutes", say_in(language, "Minutes"), is_number=True),
        Column("km", say_in(language, "km"), is_number=True),
        Column("note", say_in(language, "Booking")),
    ]
    rows = []
    for group in groups:
        for sight in group["attractions"]:
            row = {
                "name": sight["name"],
                "category": sight["category_label"],
                "ticket": say_in(language, "free")
                if sight["ticket"]["adult"] == 0
                else money(sight["ticket"]["adult"], sight["ticket"]["currency"]),
                "hours": sight["hours"],
                "minutes": sight["visit_minutes"]["typ"],
                "km": sight["distance_km"],
                "note": sight["booking"],
            }
            if several:
                row["city"] = group["city"]["name"]
            if dated:
                is_open = sight["open_on"]["open"]
                row["open"] = say_in(language, "open") if is_open else say_in(language, "closed")
            rows.append(row)
    title = say_in(language, "Sights · ") + reference_note(ctx, as_of)
    return table_card(title, columns, rows)


@tool("pure", title=N_("Look up food"), icon="utensils", rules=kinds.within_reason)
def search_food(
    ctx: ToolContext,
    city: kinds.City,
    diet: kinds.Diet | None = None,
    exclude_allergens: kinds.Allergens | None = None,
    price_max: Annotated[kinds.Price, Field(description="per person"), Also("max_price", "budget")] | None = None,
    kind: kinds.FoodKind | None = None,
    limit: kinds.Limit = 20,
) -> ToolResult:
    """Local dishes, food streets and kinds of restaurants of a city, with prices per person and what is in them.

    Ingredients are those of the usual recipe: with an allergy one still asks in the kitchen.
    """
    language, known, terms = ctx.language, known_city(ctx, city), vocabulary().diet
    wanted, unwanted = _codes(ctx, terms, diet, "diet"), _codes(ctx, terms, exclude_allergens, "exclude_allergens")
    foods = find_foods(known, diet=sorted(wanted), without=sorted(unwanted), price_max=price_max, kind=kind)
    rows = [food_row(food, language) for food in foods[:limit]]
    caution = say_in(language, "ingredients of the usual recipe; with an allergy ask the kitchen")
    name = known.name(language)
    words = [f"{row['name']}({money_range(row['price_low'], row['price_high'], known.currency)})" for row in rows]
    nothing = say_in(language, "no food fits")
    summary = say_in(language, "Food in {name}: ", name=name) + (listed(language, words) or nothing)
    columns = [
        Column("name", say_in(language, "Dish")),
        Column("price", say_in(language, "Per person"), is_number=True),
        Column("diet", say_in(language, "Traits")),
    ]
    if speaks_chinese(language):
        # The remarks of the records are Chinese; an English card does without them.
        columns += [
            Column("what", say_in(language, "Description")),
            Column("where_hint", say_in(language, "Where to eat")),
        ]
    table = [
        {
            **row,
            "price": money_range(row["price_low"], row["price_high"], known.currency),
            "diet": listed(language, row["diet_labels"]),
        }
        for row in rows
    ]
    return ToolResult.success(
        {
            "city": {"id": known.id, "name": name},
            "currency": known.currency,
            "foods": rows,
            "count": len(rows),
            "note": caution,
        },
        f"{summary}\n{caution}",
        display=table_card(f"{name} · {caution}", columns, table),
        **sources(as_of=known.as_of),
    )
