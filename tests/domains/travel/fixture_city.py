"""The fixture city of the acceptance scenarios, and a way to call the tools as the executor does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.core.tools.tool import ToolContext, ToolResult
from app.domains.travel import TOOLS
from app.domains.travel.model.dataset import Dataset
from app.domains.travel.model.places import read_city

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WAYS = {"HA": 20, "HB": 15, "HC": 25, "HD": 30, "AB": 25, "AC": 15, "AD": 10, "BC": 30, "BD": 20, "CD": 20}

Call = Callable[..., ToolResult]


def hours(start: str, end: str, *, shut: str = "", last_entry: str | None = None) -> dict[str, Any]:
    weekly = {day: [] if day == shut else [[start, end]] for day in DAYS}
    season: dict[str, Any] = {"from": "01-01", "to": "12-31", "weekly": weekly}
    if last_entry:
        season["last_entry"] = last_entry
    return {"seasons": [season], "closed": [], "open_on_public_holiday": None, "note": ""}


def stop(id: str, name: str, when: dict[str, Any], minutes: int, ticket: int = 0) -> dict[str, Any]:
    return {"id": id, "name": name, "hours": when, "visit_minutes": minutes, "ticket": ticket}


def fixture_stops() -> list[dict[str, Any]]:
    return [
        stop("A", "古塔", hours("09:00", "17:00"), 60, 20),
        stop("B", "博物馆", hours("09:00", "17:00", shut="mon", last_entry="16:00"), 120),
        stop("C", "夜市", hours("18:00", "22:00"), 90),
        stop("D", "湖", hours("00:00", "24:00"), 90, 45),
    ]


def fixture_matrix() -> dict[str, dict[str, int]]:
    matrix: dict[str, dict[str, int]] = {}
    for pair, minutes in WAYS.items():
        for a, b in ((pair[0], pair[1]), (pair[1], pair[0])):
            matrix.setdefault(a, {})[b] = minutes
    return matrix


def fixture_route(**changes: Any) -> dict[str, Any]:
    """The arguments of scenario A3, a Tuesday."""
    arguments: dict[str, Any] = {
        "stops": fixture_stops(),
        "days": 1,
        "start_date": "2026-11-24",
        "day_end": "22:00",
        "lodging": {"name": "H"},
        "travel_matrix": fixture_matrix(),
    }
    return {**arguments, **changes}


def _attraction(raw: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": raw["id"],
        "name_zh": raw["name"],
        "name_en": raw["id"],
        "aliases": [],
        "lat": 30.0,
        "lon": 120.0,
        "category": "landmark",
        "tags": ["history"],
        "ticket": {"adult": raw["ticket"], "free_under_age": 0, "currency": "CNY", "note": ""},
        "hours": raw["hours"],
        "reservation": {"required": False, "days_ahead": 0, "note": ""},
        "visit_minutes": {"min": 30, "typ": raw["visit_minutes"], "max": 240},
        "best_time": ["morning"],
        "indoor": False,
        "stairs": "low",
        "child_ok": True,
        "wheelchair": "yes",
        "day_trip": False,
        "as_of": "2026-11",
        "confidence": "high",
    }


def fixture_city() -> Dataset:
    cost = {"room": 300, "food": 100, "local": 30, "misc": 0}
    raw = {
        "id": "testcity",
        "name_zh": "测试城",
        "name_en": "Testville",
        "aliases": [],
        "country": "CN",
        "admin1": "",
        "region": "华东",
        "lat": 30.0,
        "lon": 120.0,
        "tz": "Asia/Shanghai",
        "currency": "CNY",
        "tags": ["history", "food"],
        "best_months": [4, 5],
        "season_note": "",
        "recommended_days": {"min": 1, "typ": 2, "max": 3},
        "daily_cost": {"comfort": cost},
        "hubs": [],
        "local_transport": [],
        "tips": [],
        "as_of": "2026-11",
        "confidence": "high",
        "sources": ["test"],
        "attractions": [_attraction(each) for each in fixture_stops()],
        "foods": [],
    }
    return Dataset((read_city(raw),))


def caller(ctx: ToolContext) -> Call:
    tools = {tool.name: tool for tool in TOOLS}

    def call(name: str, /, **args: Any) -> ToolResult:
        """Keyword arguments that are Python's own words are given as `from_`, `for_`."""
        given = {key.removesuffix("_"): value for key, value in args.items()}
        faults = tools[name].check(given)
        assert not faults, faults
        result = tools[name].body(ctx, given)
        assert isinstance(result, ToolResult)
        return result

    return call
