"""The map of the days of one city: their stops, where they begin and end, the ways, and a few shapes to know it by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .model.map_shapes import shapes_of
from .model.places import City
from .model.trip_values import place_of, stops_of
from .wording import say_in, speaks_chinese


def day_map(
    groups: Sequence[Mapping[str, Any]], days: Sequence[Mapping[str, Any]], city: City | None, language: str
) -> dict[str, Any]:
    """`groups` are the days as the card shows them. A meal has no place of its own: the way to it is a part of the leg
    to the next sight."""
    points: list[dict[str, Any]] = []
    legs: list[dict[str, Any]] = []
    for group, day in zip(groups, days, strict=True):
        name = say_in(language, "Day {day}", day=day.get("day"))
        home = _home(day, city)
        before, km = (home["label"] if home else ""), 0.0
        if home and home not in points:
            points.append(home)
        for item, stop in zip(group["items"], stops_of(day), strict=False):
            km += _length(stop)
            is_home = home is not None and stop.get("kind") == "hotel"
            if not is_home and "lat" not in item:
                continue
            label = home["label"] if is_home and home else f"{item.get('number', '')} {item['title']}".strip()
            if not is_home:
                point = {"lat": item["lat"], "lon": item["lon"], "label": label, "group": name}
                points.append({**point, "number": item["number"]} if "number" in item else point)
            if before and before != label:
                legs.append({"from": before, "to": label, "group": name, **({"km": round(km, 2)} if km else {})})
            before, km = label, 0.0
    return {"points": points, "legs": legs, "shapes": _shapes(city, language)}


def _home(day: Mapping[str, Any], city: City | None) -> dict[str, Any] | None:
    """Where the day begins: the lodging where its place is known, else the centre of the city."""
    value = day.get("lodging")
    lodging = value if isinstance(value, Mapping) else {}
    at = next((stop for stop in stops_of(day) if stop.get("kind") == "hotel"), None)
    name = str(lodging.get("name") or (at or {}).get("name") or "")
    if (known := place_of(lodging)) is not None:
        return {"lat": known[0], "lon": known[1], "label": name, "home": True}
    if city is None or at is None or (lodging and not lodging.get("assumed")):
        return None
    return {"lat": city.point.lat, "lon": city.point.lon, "label": name, "home": True}


def _length(stop: Mapping[str, Any]) -> float:
    """Of the way to it, in kilometres."""
    way = stop.get("transfer")
    km = way.get("km") if isinstance(way, Mapping) else None
    return float(km) if isinstance(km, int | float) and not isinstance(km, bool) else 0.0


def _shapes(city: City | None, language: str) -> list[dict[str, Any]]:
    if city is None:
        return []
    name = "name_zh" if speaks_chinese(language) else "name_en"
    return [
        {"kind": shape["kind"], "name": shape.get(name) or "", "points": shape["points"], "closed": shape["closed"]}
        for shape in shapes_of(city.id)
    ]
