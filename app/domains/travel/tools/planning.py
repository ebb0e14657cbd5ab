"""The tools that come before a plan: compare_cities, order_cities, calendar_info."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool

from ...kit.tables import Column, table_card
from ..model.cities import in_yuan, per_day, price_of
from ..model.geo import distance_km
from ..model.holiday_calendar import (
    CalendarDay,
    CountryUnknown,
    YearUnknown,
    calendar_of,
    days_between,
    known_until,
    year_of,
)
from ..model.places import City
from ..model.rates import BASE, rates
from ..model.vocabulary import folded, vocabulary
from ..rules.city_order import CityVisit, CityWindow, Order, Task, best_order, share_out
from ..rules.lookups import dataset_of, given_date, known_city, sources
from ..wording import N_, clauses, listed, plain, reference_note, say_in, tier_name, weekday_name
from . import argument_groups as groups
from . import arguments as kinds

REGIONS = {"台湾": "TW", "Taiwan": "TW", "澳門": "MO", "Macao": "MO"}
LONGEST_CALENDAR = 400
UNKNOWN_STAY = 2
"""Days in a city of which neither the caller nor the data says how many."""


@tool("pure", title=N_("Compare cities"), icon="swap", rules=kinds.within_reason)
def compare_cities(
    ctx: ToolContext,
    cities: Annotated[kinds.Cities, Field(min_length=2, max_length=5, examples=[["北京", "西安"]])],
    month: kinds.Month | None = None,
    days: Annotated[kinds.Stay, Field(le=60)] | None = None,
    tier: kinds.Tier = "comfort",
) -> ToolResult:
    """Two to five cities side by side: season, days, daily cost, what they are good for, how much is on record."""
    language = ctx.language
    records = list({city.id: city for city in (known_city(ctx, name) for name in cities)}.values())
    if len(records) < 2:
        words = ctx.say("cities: two different ones are needed")
        raise ToolError("BAD_ARGUMENTS", words)
    rows = [_city_row(city, month, days, tier, language) for city in records]
    labels = [
        ("season", say_in(language, "Best months")),
        *([("in_season", say_in(language, "Month {month}", month=month))] if month else []),
        ("recommended", say_in(language, "Suggested days")),
        *([("days_fit", say_in(language, "{days} days", days=days))] if days else []),
        ("cost", say_in(language, "Per person and day ({tier})", tier=tier_name(language, tier))),
        ("good_for", say_in(language, "Good for")),
        ("sights", say_in(language, "Sights on record")),
        ("free", say_in(language, "free of them")),
        ("foods", say_in(language, "Foods on record")),
        ("arriving", say_in(language, "Arriving")),
    ]
    columns = [Column("what", say_in(language, "Item")), *(Column(row["id"], row["name"]) for row in rows)]
    table = [{"what": label, **{row["id"]: row["shown"][key] for row in rows}} for key, label in labels]
    as_of = min(city.as_of for city in records)
    title = listed(language, [row["name"] for row in rows])
    if any(city.currency != BASE for city in records):
        title += f" · {rates().told(language)}"
    row_words = [[row["shown"][key] for key in ("cost", "recommended", "good_for")] for row in rows]
    lines = [f"{row['name']}: {', '.join(words)}" for row, words in zip(rows, row_words, strict=True)]
    summary = "\n".join([*lines, reference_note(ctx, as_of)])
    return ToolResult.success(
        {
            "rows": [{key: value for key, value in row.items() if key != "shown"} for row in rows],
            "count": len(rows),
            "as_of": as_of,
        },
        summary,
        display=table_card(title, columns, table),
        **sources(as_of=as_of),
    )


def _city_row(city: City, month: int | None, days: int | None, tier: str, language: str) -> dict[str, Any]:
    span, cost = city.recommended_days, per_day(city, tier)
    tags = [vocabulary().tags.label(tag, language) for tag in city.tags[:6]]
    fits = None if days is None else span.min <= days <= span.max
    in_season = None if month is None else month in city.best_months
    free = sum(sight.ticket.adult == 0 for sight in city.attractions)
    yes, no = say_in(language, "suitable"), say_in(language, "not ideal")
    hubs = [hub.name(language) for hub in city.hubs]
    return {
        "id": city.id,
        "name": city.name(language),
        "best_months": list(city.best_months),
        "in_season": in_season,
        "recommended_days": {"min": span.min, "typ": span.typ, "max": span.max},
        "days_fit": fits,
        "per_day": plain(cost),
        "per_day_cny": None if (yuan := in_yuan(city, tier)) is None else plain(yuan),
        "total": None if days is None else plain(cost * days),
        "currency": city.currency,
        "tags": list(city.tags),
        "tag_labels": tags,
        "attractions": len(city.attractions),
        "free_attractions": free,
        "foods": len(city.foods),
        "confidence": city.confidence,
        "shown": {
            "season": listed(language, map(str, city.best_months)),
            "in_season": yes if in_season else no,
            "recommended": say_in(language, "{typ} ({min}–{max})", typ=span.typ, min=span.min, max=span.max),
            "days_fit": yes if fits else no,
            "cost": price_of(city, tier),
            "good_for": listed(language, tags),
            "sights": str(len(city.attractions)),
            "free": str(free),
            "foods": str(len(city.foods)),
            "arriving": listed(language, hubs),
        },
    }


# ---------------------------------------------------------------- order_cities


@tool("pure", title=N_("Order the cities"), icon="route", blocking=True, rules=kinds.within_reason)
def order_cities(
    ctx: ToolContext,
    cities: Annotated[
        list[groups.CityStay | kinds.CityName], Field(min_length=1, max_length=12, examples=[["北京", "西安"]])
    ],
    total_days: Annotated[
        kinds.Stay, Field(description="left out: the stays with travel days shared"), Also("days", "totalDays")
    ]
    | None = None,
    links: Annotated[
        groups.Links,
        Field(description="[a, b]: a direct way in both directions; {from, to}: in one; any: all are linked"),
    ] = "any",
    windows: list[groups.WindowArgument] | None = None,
    start: Annotated[kinds.CityName, Also("start_city", "from", "origin")] | None = None,
    end: Annotated[kinds.CityName, Also("end_city", "to")] | None = None,
    objective: kinds.Objective = "distance",
    start_date: Annotated[kinds.StartDate, Field(description="the first day, so that each stay has its date")]
    | None = None,
) -> ToolResult:
    """In which order to visit several cities so that stays, direct links and fixed days fit, by the shortest way.

    A travel day counts for both cities, unless the days given add up to total_days. A city given by its name alone
    gets the days suggested for it; where no city has days, total_days are shared out by what is suggested.
    """
    if any(window["to_day"] < window["from_day"] for window in windows or ()):
        raise ToolError("BAD_ARGUMENTS", ctx.say("windows: to_day lies before from_day"))
    visits, shared = _visits(ctx, cities, total_days)
    first_day = given_date(ctx, start_date) if start_date else None
    if first_day and first_day.year >= 9000:
        raise ToolError("BAD_DATE", ctx.say("start_date: too far away"))
    names = {visit.name: dataset_of(ctx).city(visit.name) for visit in visits}
    known_ids = [city.id for city in names.values() if city]
    if len(names) < len(cities) or len(set(known_ids)) < len(known_ids):
        raise ToolError("BAD_ARGUMENTS", ctx.say("cities: one is there twice"))
    pairs = (
        None
        if links == "any"
        else {
            (_own_name(ctx, names, here), _own_name(ctx, names, there))
            for link in links
            for here, there in _ways_of(link)
        }
    )
    unknown = [name for name, city in names.items() if city is None]

    def distance(a: str, b: str) -> float:
        here, there = names[a], names[b]
        return distance_km(here.point, there.point) if here and there else 0.0

    task = Task(
        visits,
        sum(visit.days for visit in visits) - len(visits) + 1 if total_days is None else total_days,
        linked=lambda a, b: pairs is None or (a, b) in pairs,
        distance=distance,
        windows=[CityWindow(_own_name(ctx, names, w["city"]), w["from_day"], w["to_day"]) for w in windows or ()],
        start=None if start is None else _own_name(ctx, names, start),
        end=None if end is None else _own_name(ctx, names, end),
        by_distance=objective == "distance" and not unknown,
    )
    order = best_order(task)
    if order is None:
        raise _no_order(ctx, task)
    spans = _spans(order, task.total_days, first_day)
    km = None if unknown else order.km
    assumptions = []
    if shared:
        words = ctx.say("days are shared out by what is suggested")
        assumptions.append(words)
    if unknown:
        unknown_names = listed(ctx.language, unknown)
        assumptions.append(ctx.say("the position of {cities} is not known: not by distance", cities=unknown_names))
    data = {
        "order": order.names,
        "spans": spans,
        "total_days": task.total_days,
        "legs": [{"city": span["city"], "nights": span["nights"]} for span in spans],
        "km": km,
        "alternatives_count": order.count - 1,
        "optimal": True,
        "assumptions": assumptions,
    }
    return ToolResult.success(
        data, _order_summary(ctx, order.names, order.spans, km), display=_order_card(ctx, spans), **sources()
    )


def _ways_of(link: Sequence[str] | groups.Link) -> list[tuple[str, str]]:
    """A pair goes both ways."""
    if isinstance(link, Mapping):
        return [(str(link["from"]), str(link["to"]))]
    return [(link[0], link[1]), (link[1], link[0])]


def _spans(found: Order, total_days: int, first_day: date | None) -> list[dict[str, Any]]:
    """`nights` are slept there: on the last day of a stay one is in the next city, or at home."""
    spans = []
    for name, (a, b) in zip(found.names, found.spans, strict=True):
        after = min((first for first, _ in found.spans if first > a), default=total_days)
        span: dict[str, Any] = {"city": name, "from_day": a, "to_day": b, "days": b - a + 1, "nights": after - a}
        spans.append({**span, "date": (first_day + timedelta(days=a - 1)).isoformat()} if first_day else span)
    return spans


def _visits(
    ctx: ToolContext, cities: Sequence[groups.CityStay | str], total_days: int | None
) -> tuple[list[CityVisit], bool]:
    """The stays, and whether total_days are shared out among them: no city came with days of its own."""
    visits = [_visit(ctx, entry) for entry in cities]
    shared = total_days is not None and not any(not isinstance(entry, str) and entry.get("days") for entry in cities)
    if shared and total_days is not None and total_days >= len(visits):
        visits = share_out(visits, total_days)
    return visits, shared


def _visit(ctx: ToolContext, entry: Mapping[str, Any] | str) -> CityVisit:
    name = entry if isinstance(entry, str) else str(entry["id"])
    days_given = None if isinstance(entry, str) else entry.get("days")
    city = dataset_of(ctx).city(name)
    return CityVisit(name, int(days_given or (city.recommended_days.typ if city else UNKNOWN_STAY)))


def _own_name(ctx: ToolContext, names: dict[str, City | None], wanted: str) -> str:
    """The name in `cities` that is meant: it may be said in another way in links and windows."""
    if wanted in names:
        return wanted
    city = dataset_of(ctx).city(wanted)
    for name, known in names.items():
        if folded(name) == folded(wanted) or (city is not None and known is city):
            return name
    raise ToolError("BAD_ARGUMENTS", ctx.say("“{city}” is not among the cities", city=wanted))


def _no_order(ctx: ToolContext, task: Task) -> ToolError:
    days, count = sum(visit.days for visit in task.visits), len(task.visits)
    if task.overlap is None:
        least = days - (count - 1)
        message = ctx.say(
            "the stays add up to {days} days: the total must be {least} (travel days shared) or {days}, "
            "not {total_days}",
            days=days,
            least=least,
            total_days=task.total_days,
        )
    else:
        message = ctx.say("links, windows, start and end cannot all be met")
    hint = ctx.say("change the days, widen a window or add a link")
    return ToolError("INFEASIBLE", message, hint=hint)


def _order_summary(ctx: ToolContext, names: list[str], spans: list[tuple[int, int]], km: float | None) -> str:
    parts = [ctx.say("{name} (days {a}–{b})", name=name, a=a, b=b) for name, (a, b) in zip(names, spans, strict=True)]
    far = "" if km is None else ctx.say(", about {km:.0f} km in straight lines", km=km)
    return " → ".join(parts) + far


def _order_card(ctx: ToolContext, spans: list[dict[str, Any]]) -> Card:
    groups = [
        {
            "label": span["city"],
            "sub": ctx.say("days {from_day}–{to_day}", from_day=span["from_day"], to_day=span["to_day"]),
            "items": [],
        }
        for span in spans
    ]
    return Card("timeline", {"title": ctx.say("Order of the cities"), "groups": groups})


# ---------------------------------------------------------------- calendar_info


@tool("pure", title=N_("Calendar"), icon="calendar", rules=kinds.within_reason)
def calendar_info(
    ctx: ToolContext,
    country: Annotated[kinds.Country, Field(description="a name or a code: CN, 日本 …", examples=["CN"])],
    first: Annotated[kinds.Date, Field(alias="from"), Also("start", "start_date", "from_date")],
    last: Annotated[kinds.Date, Field(alias="to"), Also("end", "end_date", "to_date")],
) -> ToolResult:
    """Public holidays, days off that were moved and weekends worked for them, between two dates."""
    language, code = ctx.language, _calendar(ctx, country)
    start, end = given_date(ctx, first), given_date(ctx, last)
    if end < start or (end - start).days >= LONGEST_CALENDAR:
        message = say_in(language, "the dates must span 1 to {most} days", most=LONGEST_CALENDAR)
        raise ToolError("BAD_ARGUMENTS", message)
    try:
        days = days_between(code, start, end, language)
    except CountryUnknown:
        message = say_in(language, "no calendar of “{country}”", country=country)
        raise ToolError("COUNTRY_UNKNOWN", message, hint="CN, JP, KR, FR …") from None
    except YearUnknown as error:
        message = say_in(language, "there are {first}–{last} only", first=error.first, last=error.last)
        raise ToolError("NO_DATA_FOR_YEAR", message) from None
    years = {day.date.year for day in days}
    open_years = sorted(year for year in years if not year_of(code, year, language).moved_days_known)
    rows = [_day_row(day, language) for day in days]
    special = [row for row in rows if row["holiday"] or row["adjusted_workday"]]
    note = ""
    if open_years:
        years_text = listed(language, [str(year) for year in open_years])
        note = say_in(language, "moved working days of {years_text} are not in the data", years_text=years_text)
    until = known_until(code, min(open_years), language) if open_years else end
    data = {
        "country": code,
        "days": rows,
        "free_days": sum(day.is_free for day in days),
        "holidays": special,
        "data_until": until.isoformat() if until else None,
        "note": note,
    }
    return ToolResult.success(
        data, _calendar_summary(special, note, language), display=_calendar_card(special, note, language),
        source=["holidays"], estimate=False,
    )  # fmt: skip


def _calendar(ctx: ToolContext, wanted: str) -> str:
    """A country by its name or code, or the city's own calendar: 香港 and Sydney have theirs."""
    term, city = vocabulary().countries.find(wanted), dataset_of(ctx).city(wanted)
    if term is None and city is not None:
        return calendar_of(city)
    return term.code if term else REGIONS.get(wanted.strip(), wanted.strip().upper())


def _day_row(day: CalendarDay, language: str) -> dict[str, Any]:
    return {
        "date": day.date.isoformat(),
        "weekday": weekday_name(language, day.date.weekday()),
        "holiday": day.holiday,
        "adjusted_workday": day.adjusted_workday,
    }


def _what(row: dict[str, Any], language: str) -> str:
    return str(row["holiday"] or say_in(language, "working day (moved)"))


def _calendar_summary(special: list[dict[str, Any]], note: str, language: str) -> str:
    parts = [f"{row['date']} {row['weekday']} {_what(row, language)}" for row in special[:14]]
    text = clauses(language, parts) or say_in(language, "no holidays in these days")
    return f"{text}\n{note}" if note else text


def _calendar_card(special: list[dict[str, Any]], note: str, language: str) -> Card:
    columns = [
        Column("date", say_in(language, "Date")),
        Column("weekday", say_in(language, "Day")),
        Column("what", say_in(language, "What")),
    ]
    rows = [{"date": row["date"], "weekday": row["weekday"], "what": _what(row, language)} for row in special]
    title = say_in(language, "Holidays") + (f" · {note}" if note else "")
    return table_card(title, columns, rows)
