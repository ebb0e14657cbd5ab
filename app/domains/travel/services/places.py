"""Where a place lies, by Nominatim or Amap: candidates in WGS-84, best first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.core.errors import ToolError
from app.core.tools.endpoint import Endpoint
from app.core.tools.tool import ToolContext

from ..datum import to_wgs84
from ..model.geo import Point
from ..wording import speaks_chinese
from .asking import asked, asked_with_key, refused_key
from .endpoints import AMAP, GEOCODE

MOST = 5
Candidate = dict[str, Any]
SOURCES: Mapping[str, str] = {GEOCODE.id: "nominatim", AMAP.id: "amap"}
_KEY_FAULTS = ("INVALID_USER", "USERKEY", "SERVICE_NOT_AVAILABLE", "INSUFFICIENT_PRIVILEGES")
_LIMITS = ("OVER_LIMIT", "LIMIT", "TOO_FREQUENT")


async def candidates(ctx: ToolContext, text: str, country: str | None) -> tuple[list[Candidate], Endpoint, bool]:
    """Up to five, whose they are, and whether they came through a proxy. Raises ToolError."""
    service = GEOCODE.chosen(ctx.addresses)
    found, proxied = await (_amap(ctx, text) if service is AMAP else _nominatim(ctx, text, country))
    return found[:MOST], service, proxied


async def _nominatim(ctx: ToolContext, text: str, country: str | None) -> tuple[list[Candidate], bool]:
    language = "zh-CN,zh,en" if speaks_chinese(ctx.language) else "en"
    params: dict[str, Any] = {"q": text, "format": "jsonv2", "limit": MOST, "accept-language": language}
    if country:
        params["countrycodes"] = country.lower()
    body, proxied = await asked(ctx, GEOCODE, params)
    rows = [_of_nominatim(each) for each in body if isinstance(each, Mapping)] if isinstance(body, list) else []
    return [row for row in rows if row], proxied


def _of_nominatim(raw: Mapping[str, Any]) -> Candidate | None:
    name, kind = str(raw.get("display_name") or ""), str(raw.get("type") or "")
    return _candidate(name, raw.get("lat"), raw.get("lon"), kind)


async def _amap(ctx: ToolContext, text: str) -> tuple[list[Candidate], bool]:
    """Search by keywords: `pois[{name, location: "lon,lat" in GCJ-02, type, address, cityname, adname}]`.

    An empty field is an empty list there. `status` "0" is a fault, told by `info`.
    """
    params = {"keywords": text, "offset": MOST, "page": 1, "output": "JSON"}
    body, proxied = await asked_with_key(ctx, AMAP, "/v3/place/text", params, param="key")
    if not isinstance(body, Mapping) or str(body.get("status")) != "1":
        info = str(body.get("info") or "") if isinstance(body, Mapping) else ""
        if any(word in info for word in _KEY_FAULTS):
            raise refused_key(ctx, AMAP, info)
        code = "RATE_LIMITED" if any(word in info for word in _LIMITS) else "UPSTREAM"
        raise ToolError(code, ctx.say("{service}: {why}", service=ctx.say(AMAP.label), why=info[:80] or "?"))
    pois = body.get("pois")
    rows = [_of_amap(poi) for poi in pois if isinstance(poi, Mapping)] if isinstance(pois, list) else []
    return [row for row in rows if row], proxied


def _of_amap(poi: Mapping[str, Any]) -> Candidate | None:
    lon, _, lat = str(poi.get("location") or "").partition(",")
    parts = [poi.get(name) for name in ("name", "adname", "cityname")]
    place = _candidate(", ".join(part for part in parts if isinstance(part, str) and part), lat, lon, "")
    if place is None:
        return None
    point = to_wgs84(Point(place["lat"], place["lon"]), "GCJ02")
    kinds = str(poi.get("type") or "").split(";")
    return {**place, "lat": round(point.lat, 6), "lon": round(point.lon, 6), "type": kinds[-1][:60]}


def _candidate(name: str, lat: object, lon: object, kind: str) -> Candidate | None:
    try:
        point = Point(float(str(lat)), float(str(lon)))
    except ValueError:
        return None
    if not (-90 <= point.lat <= 90 and -180 <= point.lon <= 180):
        return None
    return {"name": name[:200], "lat": point.lat, "lon": point.lon, "type": kind}
