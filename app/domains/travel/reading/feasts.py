"""The day of a feast that has another date every year: 春节, 中秋, Easter, Thanksgiving.

Those of China are the facts of the `holidays` library, imported at the first feast that is asked for.
"""

from __future__ import annotations

from datetime import date, timedelta

from ..model.holiday_calendar import YearUnknown, year_of

OF_CHINA = {
    "spring_festival": ("春节",), "lantern": (), "qingming": ("清明节",), "dragon_boat": ("端午节",),
    "mid_autumn": ("中秋节",), "eve": ("农历除夕",),
}  # fmt: skip
"""How the calendar calls them."""


def next_feast(feast: str, today: date) -> date | None:
    """The next day of the feast, today included."""
    days = (feast_of(feast, year) for year in (today.year, today.year + 1, today.year + 2))
    return next((day for day in days if day is not None and day >= today), None)


def feast_of(feast: str, year: int) -> date | None:
    if feast == "easter":
        return easter(year)
    if feast == "good_friday":
        return easter(year) - timedelta(days=2)
    if feast == "thanksgiving":
        first = date(year, 11, 1)
        return first + timedelta(days=(3 - first.weekday()) % 7 + 21)
    if feast == "lantern":
        spring = feast_of("spring_festival", year)
        return spring + timedelta(days=14) if spring else None
    try:
        names = year_of("CN", year, "zh_CN").names
    except YearUnknown:
        return None
    wanted = OF_CHINA.get(feast, ())
    return min((day for day, name in names.items() if any(word in name.split("; ") for word in wanted)), default=None)


def easter(year: int) -> date:
    """Sunday by the Gregorian rule (Meeus)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    n = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * n) // 451
    month, day = divmod(h + n - 7 * m + 114, 31)
    return date(year, month, day + 1)
