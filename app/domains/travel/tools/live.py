"""The two tools that go out: get_weather (Open-Meteo) and geocode (Nominatim).

Both ask before the first request, go through the guarded client, and name whose data they show. Another server that
speaks alike can be put in their place in the preferences (`ToolContext.addresses`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.endpoint import Endpoint
from app.core.tools.tool import ToolContext, ToolResult, tool

from ...kit.tables import Column, table_card
from ..model.climate import told as temperature
from ..model.geo import Point
from ..model.places import City
from ..rules.lookups import given_date, known_city
from ..wording import N_, listed, say_in, speaks_chinese, weekday_name
from . import approvals
from . import arguments as kinds
from .check import today

WEATHER = Endpoint(
    "travel.weather",
    "https://api.open-meteo.com/v1/forecast",
    N_("Weather service"),
    help=N_(
        "Empty: Open-Meteo. Asked only after you allow it; it learns where the place is and which days. "
        "Another public address must answer in the same way."
    ),
    credit="Weather data by Open-Meteo.com (CC BY 4.0) https://open-meteo.com/",
    pace=0.25,
    words=N_("forecast Open-Meteo internet privacy"),
    formerly="weather_url",
)
GEOCODE = Endpoint(
    "travel.geocode",
    "https://nominatim.openstreetmap.org/search",
    N_("Place search"),
    help=N_(
        "Empty: Nominatim of OpenStreetMap. Asked only after you allow it; it learns the words searched for. "
        "Another public address must answer in the same way."
    ),
    credit="© OpenStreetMap contributors (ODbL) https://www.openstreetmap.org/copyright",
    pace=1.1,  # one request a second is what the public server allows to the whole of an application
    words=N_("map address coordinates Nominatim privacy"),
    formerly="geocode_url",
)
FORECAST_DAYS = 16

DAILY = {
    "code": "weather_code",
    "tmin": "temperature_2m_min",
    "tmax": "temperature_2m_max",
    "rain_mm": "precipitation_sum",
    "rain_prob": "precipitation_probability_max",
    "wind": "wind_speed_10m_max",
}
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
    """The forecast of the next 16 days for a city or a point; beyond that the season of the city from the data."""
    place = known_city(ctx, city) if city else None
    point = place.point if place else Point(lat or 0.0, lon or 0.0)
    start, end = given_date(ctx, first), given_date(ctx, last)
    begin, until = today(ctx), today(ctx) + timedelta(days=FORECAST_DAYS - 1)
    if end < start or end < begin or (start > until and place is None):
        message = ctx.say("the forecast reaches from {begin} to {until} only", begin=begin, until=until)
        raise ToolError("OUT_OF_RANGE", message)
    climate = _climate(place, start, end, ctx.language) if place and end > until else None
    days: list[dict[str, Any]] = []
    proxied = False
    if start <= until:
        days, proxied = await _forecast(ctx, point, max(start, begin), min(end, until))
    data = {
        "place": place.name(ctx.language) if place else f"{point.lat:.3f},{point.lon:.3f}",
        "days": days,
        "climate": climate,
        "attribution": WEATHER.credit if days else "",
    }
    source = (["open-meteo"] if days else []) + (["builtin:cities@1"] if climate else [])
    summary = _weather_summary(data, ctx.language) + _through_proxy(proxied, ctx.language)
    return ToolResult.success(
        data, summary, display=_weather_card(data, ctx.language), source=source, estimate=True, proxied=proxied
    )


async def _forecast(ctx: ToolContext, point: Point, start: date, end: date) -> tuple[list[dict[str, Any]], bool]:
    body, proxied = await _asked(
        ctx,
        WEATHER,
        {
            "latitude": f"{point.lat:.4f}", "longitude": f"{point.lon:.4f}", "daily": ",".join(DAILY.values()),
            "timezone": "auto", "start_date": start.isoformat(), "end_date": end.isoformat(),
        },
    )  # fmt: skip
    daily = body.get("daily") if isinstance(body, Mapping) else None
    times = daily.get("time") if isinstance(daily, Mapping) else None
    if not isinstance(daily, Mapping) or not isinstance(times, list):
        raise ToolError("UPSTREAM", ctx.say("the forecast cannot be read"))
    rows = []
    for i, day in enumerate(times[:FORECAST_DAYS]):
        row: dict[str, Any] = {"date": str(day)[:10]}
        for name, key in DAILY.items():
            values = daily.get(key)
            value = values[i] if isinstance(values, list) and i < len(values) else None
            row[name] = value if isinstance(value, int | float) and not isinstance(value, bool) else None
        rows.append(row)
    return rows, proxied


async def _asked(ctx: ToolContext, service: Endpoint, params: Mapping[str, Any]) -> tuple[Any, bool]:
    if ctx.http is None:
        raise ToolError("NETWORK_OFF", ctx.say("there is no network here"))
    try:
        own = service.is_own(ctx.addresses)
        reply = await ctx.http.get(service.at(ctx.addresses), params=params, own_address=own)
    except ToolError as error:
        if error.tool_code != "NETWORK_OFF":
            raise
        message = ctx.say("the program is offline, nothing was asked")
        raise ToolError("NETWORK_OFF", message, hint=error.hint) from error
    if reply.status != 200 or reply.truncated:
        raise ToolError("UPSTREAM", f"HTTP {reply.status}", retryable=reply.status >= 500)
    try:
        return json.loads(reply.body), reply.proxied
    except (ValueError, RecursionError):
        raise ToolError("UPSTREAM", ctx.say("the answer is no JSON")) from None


def _through_proxy(proxied: bool, language: str) -> str:
    """Said because behind a proxy nobody here has checked which address answered."""
    if not proxied:
        return ""
    return say_in(language, "\nfetched through the system's proxy")


def _climate(city: City, start: date, end: date, language: str) -> str:
    months = sorted({start.month, end.month})
    best = all(month in city.best_months for month in months)
    words = N_("no forecast beyond {days} days; the best months for {city} are {months}")
    values = {
        "days": FORECAST_DAYS,
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
        + say_in(language, "rain {rain_prob}%", rain_prob=_known(row["rain_prob"]))
        for row in data["days"]
    ]
    return "\n".join([str(data["place"]), *lines[:10], *filter(None, [data["climate"], data["attribution"]])])


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
            "rain": f"{_known(row['rain_prob'])}% · {_known(row['rain_mm'])} mm",
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
    language = "zh-CN,zh,en" if speaks_chinese(ctx.language) else "en"
    params = {"q": text, "format": "jsonv2", "limit": 5, "accept-language": language}
    if country:
        params["countrycodes"] = country.lower()
    body, proxied = await _asked(ctx, GEOCODE, params)
    candidates = [row for each in (body if isinstance(body, list) else []) if (row := _candidate(each))][:5]
    if not candidates:
        raise ToolError("NO_MATCH", ctx.say("nothing found for “{text}”", text=text[:80]))
    items = [
        {"label": row["name"], "value": f"{row['lat']:.5f}, {row['lon']:.5f}", "note": row["type"]}
        for row in candidates
    ]
    lines = [f"{row['name']} ({row['lat']:.5f}, {row['lon']:.5f})" for row in candidates]
    return ToolResult.success(
        {"candidates": candidates, "datum": "WGS84", "attribution": GEOCODE.credit},
        "\n".join([*lines, GEOCODE.credit]) + _through_proxy(proxied, ctx.language),
        display=Card("key_values", {"title": f"{text[:60]} · {GEOCODE.credit}", "items": items}),
        source=["nominatim"], estimate=False, proxied=proxied,
    )  # fmt: skip


def _candidate(raw: object) -> dict[str, Any] | None:
    if not isinstance(raw, Mapping):
        return None
    try:
        lat, lon = float(raw["lat"]), float(raw["lon"])
    except (KeyError, TypeError, ValueError):
        return None
    if not (-90 <= lat <= 90 and -180 <= lon <= 180):
        return None
    return {
        "name": str(raw.get("display_name") or "")[:200],
        "lat": lat,
        "lon": lon,
        "type": str(raw.get("type") or ""),
    }
