"""The trip on a map: GeoJSON and GPX, in WGS-84. Stops without a position are left out."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from ...kit.files import printable
from ..itinerary_card import day_label
from .journey import Journey, name_of, point_of


def geojson(journey: Journey) -> bytes:
    features: list[dict[str, Any]] = []
    for day in journey.days:
        line = []
        for stop in day.get("stops") or ():
            point = point_of(stop)
            if point is None:
                continue
            position = [point[1], point[0]]
            line.append(position)
            about = {key: stop.get(key) for key in ("start", "end", "kind", "place_id", "cost")}
            features.append(
                {
                    "type": "Feature",
                    "geometry": {"type": "Point", "coordinates": position},
                    "properties": {"name": name_of(stop), "day": day.get("day"), "date": day.get("date"), **about},
                }
            )
        if len(line) > 1:
            geometry = {"type": "LineString", "coordinates": line}
            about = {"name": day_label(day, journey.language), "day": day.get("day")}
            features.append({"type": "Feature", "geometry": geometry, "properties": about})
    body = {"type": "FeatureCollection", "name": journey.title, "features": features}
    return (json.dumps(body, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def gpx(journey: Journey) -> bytes:
    points, routes = [], []
    for day in journey.days:
        placed = [(stop, point) for stop in day.get("stops") or () if (point := point_of(stop))]
        points += [_point("wpt", name_of(stop), *point) for stop, point in placed]
        inner = "".join(_point("rtept", name_of(stop), *point) for stop, point in placed)
        if placed:
            routes.append(f"<rte><name>{_xml(day_label(day, journey.language))}</name>{inner}</rte>\n")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<gpx version="1.1" creator="Triptych" xmlns="http://www.topografix.com/GPX/1/1">\n'
        f"<metadata><name>{_xml(journey.title)}</name></metadata>\n{''.join(points)}{''.join(routes)}</gpx>\n"
    ).encode()


def _point(tag: str, name: str, lat: float, lon: float) -> str:
    return f'<{tag} lat="{lat:.6f}" lon="{lon:.6f}"><name>{_xml(name)}</name></{tag}>\n'


def _xml(text: str) -> str:
    return escape(printable(text))
