"""When the sun sets on a day in a city: what is best in the evening begins then.

The usual low-precision formula for the sun's declination and the equation of time; some five minutes right, which is
enough for a plan. Within the polar circles EVENING stands in.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from functools import lru_cache
from math import acos, cos, degrees, pi, radians, sin, tan
from zoneinfo import ZoneInfo

from .places import City

EVENING = 16 * 60 + 30
"""Minutes; nothing counts as evening earlier, however short the day."""
SOLSTICES = date(2026, 6, 21), date(2026, 12, 21)
HORIZON = 90.833
"""Degrees from the zenith at which the rim of the sun disappears, with refraction."""


def dusk(city: City | None, day: date | None) -> int:
    """Minutes from midnight of the city's clock at sunset, never before EVENING; without a day on the longest one."""
    if city is None:
        return EVENING
    if day is None:
        return max(dusk(city, solstice) for solstice in SOLSTICES)
    return max(EVENING, _sunset(city.point.lat, city.point.lon, city.tz, day) or EVENING)


@lru_cache(maxsize=1024)
def _sunset(lat: float, lon: float, zone: str, day: date) -> int | None:
    angle = 2 * pi / 365 * (day.timetuple().tm_yday - 1 + 0.25)
    equation = 229.18 * (
        0.000075 + 0.001868 * cos(angle) - 0.032077 * sin(angle) - 0.014615 * cos(2 * angle) - 0.040849 * sin(2 * angle)
    )
    tilt = (
        0.006918 - 0.399912 * cos(angle) + 0.070257 * sin(angle) - 0.006758 * cos(2 * angle)
        + 0.000907 * sin(2 * angle) - 0.002697 * cos(3 * angle) + 0.00148 * sin(3 * angle)
    )  # fmt: skip
    high = cos(radians(HORIZON)) / (cos(radians(lat)) * cos(tilt)) - tan(radians(lat)) * tan(tilt)
    if not -1 <= high <= 1:
        return None
    in_utc = 720 - 4 * (lon - degrees(acos(high))) - equation
    offset = datetime.combine(day, time(12), UTC).astimezone(ZoneInfo(zone)).utcoffset()
    return round(in_utc + (offset.total_seconds() / 60 if offset else 0)) % 1440
