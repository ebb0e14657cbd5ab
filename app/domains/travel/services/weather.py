"""Forecasts by day, from Open-Meteo or QWeather, in one form.

A day has date, code (of the World Meteorological Organization), tmin, tmax, rain_mm, rain_prob and wind (km/h); what a
service does not say is None.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from app.core.errors import ToolError
from app.core.tools.endpoint import Endpoint
from app.core.tools.tool import ToolContext

from ..datum import from_wgs84
from ..model.geo import Point
from ..wording import speaks_chinese
from .asking import asked, asked_with_key, refused_key
from .endpoints import QWEATHER, WEATHER

Day = dict[str, Any]
REACH: Mapping[str, int] = {WEATHER.id: 16, QWEATHER.id: 7}
"""Days from today that a service knows."""
SOURCES: Mapping[str, str] = {WEATHER.id: "open-meteo", QWEATHER.id: "qweather"}
DAILY = {
    "code": "weather_code",
    "tmin": "temperature_2m_min",
    "tmax": "temperature_2m_max",
    "rain_mm": "precipitation_sum",
    "rain_prob": "precipitation_probability_max",
    "wind": "wind_speed_10m_max",
}


async def forecast(ctx: ToolContext, point: Point, start: date, end: date) -> tuple[list[Day], Endpoint, bool]:
    """The days, whose they are, and whether they came through a proxy. Raises ToolError."""
    service = WEATHER.chosen(ctx.addresses)
    days, proxied = await (_qweather if service is QWEATHER else _open_meteo)(ctx, point, start, end)
    return days, service, proxied


async def _open_meteo(ctx: ToolContext, point: Point, start: date, end: date) -> tuple[list[Day], bool]:
    body, proxied = await asked(
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
    for i, day in enumerate(times[: REACH[WEATHER.id]]):
        row: Day = {"date": str(day)[:10]}
        for name, key in DAILY.items():
            values = daily.get(key)
            value = values[i] if isinstance(values, list) and i < len(values) else None
            row[name] = value if isinstance(value, int | float) and not isinstance(value, bool) else None
        rows.append(row)
    return rows, proxied


async def _qweather(ctx: ToolContext, point: Point, start: date, end: date) -> tuple[list[Day], bool]:
    """It takes points of China in GCJ-02, with two decimals, and says its faults by a number in the body."""
    there = from_wgs84(point, "GCJ02")
    params = {
        "location": f"{there.lon:.2f},{there.lat:.2f}", "lang": "zh" if speaks_chinese(ctx.language) else "en",
        "unit": "m",
    }  # fmt: skip
    body, proxied = await asked_with_key(ctx, QWEATHER, "/v7/weather/7d", params, header="X-QW-Api-Key")
    code = str(body.get("code")) if isinstance(body, Mapping) else ""
    if code in ("401", "402", "403"):
        raise refused_key(ctx, QWEATHER, code)
    days = body.get("daily") if code == "200" else None
    if not isinstance(days, list):
        raise ToolError("UPSTREAM", ctx.say("the forecast cannot be read"))
    rows = [_qweather_day(day) for day in days if isinstance(day, Mapping)]
    return [row for row in rows if start.isoformat() <= row["date"] <= end.isoformat()], proxied


def _qweather_day(day: Mapping[str, Any]) -> Day:
    return {
        "date": str(day.get("fxDate"))[:10],
        "code": _wmo(_number(day.get("iconDay"))),
        "tmin": _number(day.get("tempMin")),
        "tmax": _number(day.get("tempMax")),
        "rain_mm": _number(day.get("precip")),
        "rain_prob": None,
        "wind": _number(day.get("windSpeedDay")),
    }


def _number(value: object) -> float | None:
    """All its numbers are texts."""
    try:
        return float(str(value)) if len(str(value)) < 12 else None
    except ValueError:
        return None


ICONS: tuple[tuple[int, int], ...] = (
    (100, 0), (103, 2), (104, 3), (150, 0), (153, 2), (301, 80), (304, 95), (308, 61), (309, 51), (349, 61), (351, 80),
    (399, 61), (499, 71), (515, 45),
)  # fmt: skip
"""Up to which of its icons the weather is which code."""


def _wmo(icon: float | None) -> int | None:
    return None if icon is None or icon < 100 else next((code for limit, code in ICONS if icon <= limit), None)
