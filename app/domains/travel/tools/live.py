"""The two tools that go out: get_weather and geocode.

Both ask before the first request, go through the guarded client, and name whose data they show. Which service is asked,
and at which address, the person chooses in the settings (`services/endpoints.py`, `ToolContext.addresses`).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool

from ...kit.tables import Column, table_card
from ..model.climate import told as temperature
from ..model.geo import Point
from ..model.places import City
from ..rules.lookups import given_date, known_city
from ..services.asking import NoNetwork
from ..services.endpoints import GEOCODE, WEATHER
from ..services.places import SOURCES as PLACE_SOURCES
from ..services.places import candidates
from ..services.weather import REACH, SOURCES, forecast
from ..wording import N_, listed, say_in, speaks_chinese, weekday_name
from . import approvals
from . import arguments as kinds
from .check import today

SKIES: tuple[tuple[int, str], ...] = (
    (0, N_("clear")),
    (2, N_("partly cloudy")),
    (3, N_("overcast")),
    (48, N_("fog")),
    (57, N_("drizzle")),
    (67, N_("rain")),
    (77, N_("snow")),
    (82, N_("showers")),
    (86, N_("snow showers")),
    (99, N_("thunderstorm")),
)
"""The codes of the World Meteorological Organization, each word up to its number."""


@tool(
    "net",
    title=N_("Weather"),
    icon="sun",
    rules=kinds.within_reason,
    more={**kinds.exactly_one("city", "lat"), "dependentRequired": {"lat": ["lon"], "lon": ["lat"]}},
    example={"city": "北京", "from": "2026-12-01", "to": "2026-12-03"},
    approval_text=approvals.forecasting,
    endpoint=WEATHER,
    ttl=30 * 60,
)
async def get_weather(
    ctx: ToolContext,
    first: Annotated[kinds.Date, Field(alias="from"), Also("start", "start_date", "date", "from_date")],
    last: Annotated[kinds.Date, Field(alias="to"), Also("end", "end_date", "to_date")],
    city: kinds.City | None = None,
    lat: kinds.Latitude | None = None,
    lon: kinds.Longitude | None = None,
) -> ToolResult:
    """The forecast of the next days for a city or a point; beyond that the season of the city from the data."""
    place = known_city(ctx, city) if city else None
    point = place.point if place else Point(lat or 0.0, lon or 0.0)
    start, end = given_date(ctx, first), given_date(ctx, last)
    reach = REACH[WEATHER.chosen(ctx.addresses).id]
    begin, until = today(ctx), today(ctx) + timedelta(days=reach - 1)
    if end < start or end < begin or (start > until and place is None):
        message = ctx.say("the forecast reaches from {begin} to {until} only", begin=begin, until=until)
        raise ToolError("OUT_OF_RANGE", message)
    climate = _climate(place, start, end, reach, ctx.language) if place and end > until else None
    days: list[dict[str, Any]] = []
    credit, source, proxied, is_substitute = "", [], False, False
    if start <= until:
        try:
            days, service, proxied = await forecast(ctx, point, max(start, begin), min(end, until))
            credit, source = service.credit, [SOURCES[service.id]]
        except NoNetwork:
            usual = _usual(place, start, end, ctx.language) if place else ""
            if not usual:
                raise
            climate, is_substitute = usual, True
    data = {
        "place": place.name(ctx.language) if place else f"{point.lat:.3f},{point.lon:.3f}",
        "days": days,
        "climate": climate,
        "attribution": credit if days else "",
    }
    sources = source + (["builtin:cities@1"] if climate else [])
    summary = _weather_summary(data, ctx.language) + _through_proxy(proxied, ctx.language)
    return ToolResult.success(
        data, summary, display=_weather_card(data, ctx.language), source=sources, estimate=True, proxied=proxied,
        **({"substitute": True} if is_substitute else {}),
    )  # fmt: skip


def _usual(city: City, start: date, end: date, language: str) -> str:
    """In place of a forecast that could not be asked for."""
    weather = temperature(city.id, sorted({start.month, end.month}), language)
    words = N_("no network: the forecast was not asked for; usual in {city}: {weather}")
    return say_in(language, words, city=city.name(language), weather=weather) if weather else ""


def _through_proxy(proxied: bool, language: str) -> str:
    """Said because behind a proxy nobody here has checked which address answered."""
    if not proxied:
        return ""
    return say_in(language, "\nfetched through the system's proxy")


def _climate(city: City, start: date, end: date, reach: int, language: str) -> str:
    months = sorted({start.month, end.month})
    best = all(month in city.best_months for month in months)
    words = N_("no forecast beyond {days} days; the best months for {city} are {months}")
    values = {
        "days": reach,
        "city": city.name(language),
        "months": listed(language, map(str, city.best_months)),
    }
    text = say_in(language, words, **values) + (say_in(language, ": the dates fit") if best else "")
    note = city.season_note if speaks_chinese(language) else ""
    for more in filter(None, [temperature(city.id, months, language), note]):
        text = say_in(language, "{forecast}; {climate}", forecast=text, climate=more)
    return text


def sky(code: Any, language: str) -> str:
    if not isinstance(code, int | float):
        return ""
    return next((say_in(language, words) for limit, words in SKIES if code <= limit), "")


def _weather_summary(data: Mapping[str, Any], language: str) -> str:
    lines = [
        f"{row['date']} {sky(row['code'], language)} {_known(row['tmin'])}–{_known(row['tmax'])}°C "
        + _rain(row, language)
        for row in data["days"]
    ]
    return "\n".join([str(data["place"]), *lines[:10], *filter(None, [data["climate"], data["attribution"]])])


def _rain(row: Mapping[str, Any], language: str) -> str:
    if row["rain_prob"] is None and row["rain_mm"] is not None:
        return say_in(language, "rain {rain_mm} mm", rain_mm=_known(row["rain_mm"]))
    return say_in(language, "rain {rain_prob}%", rain_prob=_known(row["rain_prob"]))


def _weather_card(data: Mapping[str, Any], language: str) -> Card:
    columns = [
        Column("date", say_in(language, "Date")),
        Column("sky", say_in(language, "Sky")),
        Column("temperature", "°C", is_number=True),
        Column("rain", say_in(language, "Rain"), is_number=True),
        Column("wind", say_in(language, "Wind km/h"), is_number=True),
    ]
    rows = [
        {
            "date": f"{row['date']} {_weekday(row['date'], language)}",
            "sky": sky(row["code"], language),
            "temperature": f"{_known(row['tmin'])} – {_known(row['tmax'])}",
            "rain": " · ".join(
                filter(
                    None,
                    ["" if row["rain_prob"] is None else f"{row['rain_prob']}%", f"{_known(row['rain_mm'])} mm"],
                )
            ),
            "wind": _known(row["wind"]),
        }
        for row in data["days"]
    ]
    title = " · ".join(filter(None, [str(data["place"]), data["climate"], data["attribution"]]))
    lines = [
        {"name": say_in(language, "high °C"), "points": _line(data, "tmax")},
        {"name": say_in(language, "low °C"), "points": _line(data, "tmin")},
    ]
    drawn = [line for line in lines if len(line["points"]) > 1]
    return table_card(title, columns, rows, chart={"kind": "line", "series": drawn} if drawn else None)


def _known(value: Any) -> str:
    return "?" if value is None else str(value)


def _line(data: Mapping[str, Any], name: str) -> list[list[Any]]:
    return [[str(row["date"])[5:], row[name]] for row in data["days"] if row[name] is not None]


def _weekday(day: str, language: str) -> str:
    try:
        return weekday_name(language, date.fromisoformat(day).weekday())
    except ValueError:
        return ""


@tool(
    "net",
    title=N_("Find an address"),
    icon="map-pin",
    rules=kinds.within_reason,
    approval_text=approvals.searching,
    endpoint=GEOCODE,
    ttl=24 * 3_600,
)
async def geocode(
    ctx: ToolContext,
    text: Annotated[str, Field(min_length=1, max_length=200, examples=["外滩"]), Also("query", "q", "place", "name")],
    country: Annotated[str, Field(min_length=2, max_length=2, description="two letters: cn, jp …")] | None = None,
) -> ToolResult:
    """Where a place lies that is not in the data: up to five candidates with WGS-84 coordinates."""
    found, service, proxied = await candidates(ctx, text, country)
    if not found:
        raise ToolError("NO_MATCH", ctx.say("nothing found for “{text}”", text=text[:80]))
    items = [
        {"label": row["name"], "value": f"{row['lat']:.5f}, {row['lon']:.5f}", "note": row["type"]} for row in found
    ]
    lines = [f"{row['name']} ({row['lat']:.5f}, {row['lon']:.5f})" for row in found]
    return ToolResult.success(
        {"candidates": found, "datum": "WGS84", "attribution": service.credit},
        "\n".join([*lines, service.credit]) + _through_proxy(proxied, ctx.language),
        display=Card("key_values", {"title": f"{text[:60]} · {service.credit}", "items": items}),
        source=[PLACE_SOURCES[service.id]], estimate=False, proxied=proxied,
    )  # fmt: skip
