"""A place as an address of its own kind (RFC 5870), and that of the map service which shows it."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qs, quote, urlsplit

GEO = "geo:"

_SERVICES: Mapping[str, str] = {
    "osm": "https://www.openstreetmap.org/?mlat={lat}&mlon={lon}#map=17/{lat}/{lon}",
    "amap": "https://uri.amap.com/marker?position={lon},{lat}&name={name}&coordinate=wgs84",
    "baidu": "https://api.map.baidu.com/marker?location={lat},{lon}&title={name}&content={name}"
    "&coord_type=wgs84&output=html",
    "google": "https://www.google.com/maps/search/?api=1&query={lat}%2C{lon}",
    "apple": "https://maps.apple.com/?ll={lat},{lon}&q={name}",
    "bing": "https://www.bing.com/maps?cp={lat}~{lon}&lvl=17&sp=point.{lat}_{lon}_{name}",
}


def geo_address(lat: float, lon: float, name: str) -> str:
    return f"{GEO}{lat:.6f},{lon:.6f}?q={quote(name, safe='')}"


def service_address(address: str, service: str) -> str:
    """The page of a map service for a `geo:` address; "" for what is no place on Earth."""
    parts = urlsplit(address)
    try:
        lat, lon = (float(number) for number in parts.path.split(","))
    except ValueError:
        return ""
    if not (parts.scheme == "geo" and -90 <= lat <= 90 and -180 <= lon <= 180):
        return ""
    name = next(iter(parse_qs(parts.query).get("q", ())), "")
    pattern = _SERVICES.get(service, _SERVICES["osm"])
    return pattern.format(lat=f"{lat:.6f}", lon=f"{lon:.6f}", name=quote(name[:80], safe=""))
