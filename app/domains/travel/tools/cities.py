"""The tools about cities: search_cities and get_city_info."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool

from ..model.cities import SEASON_MONTHS, Wish, as_row, per_day, search
from ..model.climate import over_the_year
from ..model.climate import told as temperature
from ..model.climate import year_of as temperatures
from ..model.places import City
from ..model.rates import BASE, rates
from ..model.vocabulary import vocabulary
from ..rules.areas import areas_to_stay, stay_near
from ..rules.lookups import dataset_of, known_city, sources
from ..wording import N_, clauses, listed, money, plain, reference_note, say_in, speaks_chinese, tier_name
from . import argument_groups as groups
from . import arguments as kinds
from .check import today


@tool("pure", title=N_("Search cities"), rules=kinds.within_reason)
def search_cities(
    ctx: ToolContext,
    interests: Annotated[kinds.Interests, Field(max_length=8)] | None = None,
    month: kinds.Month | None = None,
    season: kinds.Season | None = None,
    budget_per_day_min: Annotated[kinds.Price, Field(description="in yuan a person"), Also("min_budget")] | None = None,
    budget_per_day_max: Annotated[
        kinds.Price,
        Field(description="per person, in yuan; other currencies are compared at rough rates"),
        Also("budget_per_day", "daily_budget", "max_budget", "budget"),
    ]
    | None = None,
    tier: kinds.Tier = "comfort",
    days: Annotated[kinds.Stay, Field(le=30)] | None = None,
    country: kinds.Country | None = None,
    region: kinds.Region | None = None,
    exclude: list[kinds.CityName] | None = None,
    near: groups.NearCity | None = None,
    climate: kinds.Climate | None = None,
    limit: Annotated[kinds.Limit, Field(le=20)] = 8,
) -> ToolResult:
    """Find cities by interests, month or season, warmth, budget per person and day, region or distance.

    Cities are scored and come with the reasons; wishes that no city fulfils are listed in unmatched_filters.
    """
    dataset, language = dataset_of(ctx), ctx.language
    excluded = {name: dataset.city(name) for name in exclude or ()}
    wish = Wish(
        interests=interests or (),
        months=(month,) if month else SEASON_MONTHS[season] if season else (today(ctx).month,) if climate else (),
        budget_min=_decimal(budget_per_day_min),
        budget_max=_decimal(budget_per_day_max),
        tier=tier,
        days=days,
        country=country,
        region=region,
        near=(known_city(ctx, near["city"]), near["max_km"]) if near else None,
        climate=climate,
        exclude=frozenset(city.id for city in excluded.values() if city),
    )
    result = search(dataset.cities, wish, language)
    result.unmatched.extend(f"exclude:{name}" for name, city in excluded.items() if city is None)
    rows = [as_row(match, tier, language) for match in result.matches[:limit]]
    data = {"cities": rows, "count": len(rows), "total": len(result.matches), "unmatched_filters": result.unmatched}
    title = say_in(language, "Cities")
    if any(row["currency"] != BASE for row in rows):
        data["rates_as_of"], title = rates().as_of, f"{title} · {rates().told(language)}"
    return ToolResult.success(
        data,
        _cities_summary(rows, result.unmatched, language),
        display=Card("gallery", {"title": title, "items": _city_items(rows, language)}),
        **sources(as_of=_as_of([match.city for match in result.matches])),
    )


def _decimal(number: float | None) -> Decimal | None:
    return None if number is None else Decimal(str(number))


def _cities_summary(rows: list[dict[str, Any]], unmatched: list[str], language: str) -> str:
    text = say_in(language, "{count} cities: ", count=len(rows)) + clauses(
        language, [_line(row, language) for row in rows]
    )
    if not rows:
        text = say_in(language, "No city fits.")
    if any(row["currency"] != BASE for row in rows):
        text += f"\n{rates().told(language)}"
    if unmatched:
        text = say_in(language, "No city fulfils: ") + listed(language, unmatched) + "\n" + text
    return text


def _line(row: dict[str, Any], language: str) -> str:
    plain_line = N_("{name} (score {score}, about {price} per person and day, {days} days)")
    with_reasons = N_("{name} (score {score}, about {price} per person and day, {days} days: {reasons})")
    reasons = listed(language, row["match_reasons"])
    values = {"name": row["name"], "score": row["score"], "price": _per_day(row), "days": row["recommended_days"]}
    return say_in(language, with_reasons if reasons else plain_line, **values, reasons=reasons)


def _per_day(row: dict[str, Any]) -> str:
    price = money(row["per_day"], row["currency"])
    yuan = row["per_day_cny"]
    return price if yuan is None or row["currency"] == BASE else f"{price} ≈{money(yuan)}"


def _city_items(rows: list[dict[str, Any]], language: str) -> list[dict[str, Any]]:
    return [
        {
            "title": row["name"],
            "sub": say_in(
                language,
                "about {price} per person and day · {recommended_days} days",
                price=_per_day(row),
                recommended_days=row["recommended_days"],
            ),
            "score": row["score"],
            "chips": row["match_reasons"],
        }
        for row in rows
    ]


def _as_of(cities: list[City]) -> str:
    return min((city.as_of for city in cities), default="")


@tool("pure", title=N_("Look up the city"), icon="building", rules=kinds.within_reason)
def get_city_info(
    ctx: ToolContext,
    city: Annotated[kinds.City, Field(description="a city, or a region for the list of its cities")],
    month: Annotated[kinds.Month, Field(description="for the usual temperature of this month")] | None = None,
) -> ToolResult:
    """Facts about one city: season, usual temperature, days, daily cost by tier, stations, tips. A region's name gives
    its cities."""
    city_record = dataset_of(ctx).city(city)
    region = _region(ctx, city) if city_record is None else None
    return region or _city_facts(ctx, city_record or known_city(ctx, city), month)


def _region(ctx: ToolContext, name: str) -> ToolResult | None:
    language, words = ctx.language, vocabulary()
    region, country = words.regions.find(name), words.countries.find(name)
    if region is None and country is None:
        return None
    cities = [
        city
        for city in dataset_of(ctx).cities
        if (region and city.region == region.code) or (country and city.country == country.code)
    ]
    if not cities:
        return None
    term = region or country
    label = term.label(language) if term else name
    names = [city.name(language) for city in cities]
    rows = [{"id": city.id, "name": city.name(language), "per_day": plain(per_day(city, "comfort"))} for city in cities]
    return ToolResult.success(
        {"is_region": True, "region": label, "cities": rows, "count": len(rows)},
        say_in(language, "Cities with data in {label}: ", label=label) + listed(language, names),
        display=Card("gallery", {"title": label, "items": [{"title": each} for each in names]}),
        **sources(as_of=_as_of(cities)),
    )


def _record(city: City, language: str) -> dict[str, Any]:
    """The city without its lists."""
    return {
        "id": city.id,
        "name": city.name(language),
        "name_zh": city.name_zh,
        "name_en": city.name_en,
        "aliases": list(city.aliases),
        "country": city.country,
        "admin1": city.admin1,
        "province": "" if city.admin1.startswith(city.name_zh) else city.admin1,
        "region": city.region,
        "lat": city.point.lat,
        "lon": city.point.lon,
        "tz": city.tz,
        "currency": city.currency,
        "tags": list(city.tags),
        "tag_labels": [vocabulary().tags.label(tag, language) for tag in city.tags],
        "best_months": list(city.best_months),
        "season_note": city.season_note,
        "recommended_days": asdict(city.recommended_days),
        "daily_cost": {
            name: {"per_day": plain(cost.per_person), **{key: plain(price) for key, price in asdict(cost).items()}}
            for name, cost in city.daily_cost.items()
        },
        "hubs": [
            {
                "name": hub.name(language),
                "kind": hub.kind,
                **asdict(hub.point),
                "minutes_to_centre": hub.minutes_to_centre,
            }
            for hub in city.hubs
        ],
        "local_transport": list(city.local_transport),
        "tips": list(city.tips),
        "mean_temperature": temperatures(city.id),
        "as_of": city.as_of,
        "confidence": city.confidence,
        "sources": list(city.sources),
    }


def _city_facts(ctx: ToolContext, city: City, month: int | None) -> ToolResult:
    language = ctx.language
    record, days = _record(city, language), city.recommended_days
    warmth = temperature(city.id, (month,), language) if month else over_the_year(city.id, language)
    record["temperature"] = warmth
    record["stay_near"] = stay_near(city, language)
    record["areas"] = areas_to_stay(city, language)
    months = listed(language, map(str, city.best_months))
    costs = listed(
        language,
        [
            f"{tier_name(language, tier)} {money(cost.per_person, city.currency)}"
            for tier, cost in city.daily_cost.items()
        ],
    )
    counts = {"attractions": len(city.attractions), "foods": len(city.foods)}
    items = [
        (say_in(language, "Best months"), months, city.season_note if speaks_chinese(language) else ""),
        *([(say_in(language, "Air temperature"), warmth, say_in(language, "usual means"))] if warmth else []),
        (say_in(language, "Suggested days"), f"{days.typ} ({days.min}–{days.max})", ""),
        (say_in(language, "Per person and day"), costs, say_in(language, "two to a room")),
        (say_in(language, "Good for"), listed(language, record["tag_labels"][:8]), ""),
        (say_in(language, "Arriving"), listed(language, [hub["name"] for hub in record["hubs"]]), ""),
    ]
    if speaks_chinese(language):
        # The records have these in Chinese only.
        items += [
            (say_in(language, "Local transport"), listed(language, city.local_transport), ""),
            (say_in(language, "Tips"), clauses(language, city.tips), ""),
        ]
    name = city.name(language)
    summary = ctx.say(
        "{name}: best in months {months}{season}{warmth}, {days} days, per person and day {costs}; "
        "{sights} sights and {foods} foods on record. {tips}{note}",
        name=name, months=months, days=days.typ, costs=costs, sights=counts["attractions"], foods=counts["foods"],
        season=ctx.say(" ({details})", details=city.season_note) if speaks_chinese(language) else "",
        warmth=ctx.say(", {warmth}", warmth=warmth) if warmth else "",
        tips=ctx.say("Tips: {tips}. ", tips=clauses(language, city.tips)) if speaks_chinese(language) else "",
        note=reference_note(ctx, city.as_of),
    )  # fmt: skip
    payload = {
        "title": name,
        "items": [{"label": label, "value": value, **({"note": note} if note else {})} for label, value, note in items],
    }
    return ToolResult.success(
        {"is_region": False, "city": record, "counts": counts},
        summary,
        display=Card("key_values", payload),
        **sources(as_of=city.as_of),
    )
