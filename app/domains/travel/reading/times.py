"""When one arrives, leaves, goes out and is back: "周五下午3点到西安北站", "leaving Sunday at 5pm", "11点出门"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from app.core.reading.dates import WEEKDAYS_EN, WEEKDAYS_ZH, read_date
from app.core.reading.numerals import Number, numbers
from app.core.reading.text import blanked, contains, find, first_of, is_chinese, spans
from app.core.slots import Slots, Surroundings, Table

from ..model.dataset import builtin
from ..model.place_names import NamedPlace, PlaceMention
from ..routing.intercity import ARRIVAL_BUFFER, DEPARTURE_BUFFER
from .clock import clock, time_in
from .feasts import next_feast
from .places import gazetteer

_CLAUSE = re.compile(r"[,，。;；!！?？]|\.\s|\s(?:and|then)\s|然后")
_ORDINAL_DAY = re.compile(r"第([一二三四五六七八九十]|\d{1,2})天|day (\d{1,2})")
LONGEST_STOPOVER = 30
"""Hours; a longer stop is a stay."""
STOPOVER_FROM = "09:00"
"""When one lands, where that is not said."""


@dataclass(frozen=True, slots=True)
class Clause:
    text: str
    at: int


def clauses(text: str) -> Iterator[Clause]:
    at = 0
    for cut in _CLAUSE.finditer(text):
        yield Clause(text[at : cut.start()], at)
        at = cut.end()
    yield Clause(text[at:], at)


def read_anchors(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """arrival and departure ({time, day?, place?}), and their parts for the eye: arrive_time, arrive_at, leave_time,
    leave_at; start_date and days where both have a date."""
    found: Slots = {}
    first: date | None = None
    last: date | None = None
    before_last = ""
    if span := weekday_span(text, table, around):
        first, last, text = span.first, span.last, span.rest
        for which, short, time in (("arrival", "arrive", span.arrives), ("departure", "leave", span.leaves)):
            found |= {which: {"time": time}, f"{short}_time": time} if time else {}
    parts = [part for each in clauses(text) for part in _halves(each, table)]
    returns = [part for part in parts if _leaves(part.text, table, by_vehicle=False)]
    for clause in parts:
        if first_of(clause.text, (*table["not"], *table.get("until", ()))):
            continue
        # "坐早上的火车，周日回": the train goes there.
        leaves = _leaves(clause.text, table, by_vehicle=not any(each.at > clause.at for each in returns))
        arrives = not leaves and first_of(clause.text, (*table["arriving"], *table["vehicles"])) is not None
        if not leaves and not arrives:
            continue
        on = _date(clause.text, table, around, first if arrives else first or _known_start(around))
        time = time_in(clause.text, table)
        if arrives and first is None:
            first = on
        elif leaves and last is None:
            last, before_last = on, text[: clause.at]
        if not time or ("arrival" if arrives else "departure") in found:
            continue
        which, short = ("arrival", "arrive") if arrives else ("departure", "leave")
        anchor: dict[str, Any] = {"time": time}
        if place := _station(text, clause, table, around):
            anchor["place"] = found[f"{short}_at"] = place.name(is_chinese(text))
        found[which], found[f"{short}_time"] = anchor, time
    if last is None:
        last, before_last = _until(text, table, around, first)
    if first is None and last is not None:
        first = _begins(before_last, table, around, last) or _known_start(around)
    if first is not None:
        found["start_date"] = first.isoformat()
    if first is not None and last is not None and 0 <= (last - first).days < table.get("max", 21):
        found[table["span"]] = (last - first).days + 1
    return found


def _until(text: str, table: Table, around: Surroundings, first: date | None) -> tuple[date | None, str]:
    """The day behind "玩到" or "until", and what stands before it."""
    ends = [end for word in table.get("until", ()) for _at, end in spans(text, word)]
    if not ends:
        return None, ""
    before = text[: min(ends)]
    first = first or _date(before, table, around, None) or _known_start(around)
    return _date(text[min(ends) :], table, around, first), before


def _begins(before: str, table: Table, around: Surroundings, last: date) -> date | None:
    """The date a question gives before its last one: "周四去扬州，周六回"."""
    day = _date(before, table, around, None)
    return day if day is not None and day < last else None


def _leaves(text: str, table: Table, *, by_vehicle: bool) -> bool:
    return first_of(text, (*table["leaving"], *(table["vehicles"] if by_vehicle else ()))) is not None


_ZH_DAY = r"(?:下下?个?|这|本)?(?:周|星期|礼拜)[一二三四五六日天]"
_EN_DAY = r"(?:(?:next|this|on)\s)?(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?\b"
_SPAN = re.compile(
    rf"(?P<first>{_ZH_DAY})(?P<start>[^,。;周]{{0,6}}?)(?:到|至|-|~)(?P<last>{_ZH_DAY})(?P<end>[^,。;周]{{0,6}})"
    rf"|\b(?P<en_first>{_EN_DAY})(?P<en_start>[\w :]{{0,14}}?)\s?(?:\bto\b|\buntil\b|\btill?\b|\bthrough\b|-|–)\s?"
    rf"(?P<en_last>{_EN_DAY})(?P<en_end>[\w :]{{0,14}})"
)


@dataclass(frozen=True, slots=True)
class _Span:
    first: date
    last: date
    arrives: str
    leaves: str
    rest: str
    """The text without it."""


def weekday_span(text: str, table: Table, around: Surroundings) -> _Span | None:
    """ "Thursday evening to Monday noon", "周四晚到周一中午"."""
    match = _SPAN.search(text)
    if match is None or read_date(text, "day", {}, around):
        return None
    parts = [match[name] or match[f"en_{name}"] or "" for name in ("first", "start", "last", "end")]
    first = _date(parts[0], table, around, None) or _named_weekday(parts[0], around.today)
    last = _named_weekday(parts[2], first) if first else None
    if first is None or last is None:
        return None
    last += timedelta(days=7 * (last <= first))
    arrives, leaves = (time_in(part, table) or table["brief"].get(part[:1], "") for part in (parts[1], parts[3]))
    return _Span(first, last, arrives, leaves, blanked(text, [(match.start(), match.end())]))


def _named_weekday(text: str, after: date) -> date | None:
    """The next one of "Thu", "Thursday" or 周四."""
    words = text.split()
    number = WEEKDAYS_ZH.get(text[-1:]) if is_chinese(text) else None
    if number is None and words:
        number = next((n for word, n in WEEKDAYS_EN.items() if word.startswith(words[-1][:3])), None)
    return None if number is None else after + timedelta(days=(number - after.weekday()) % 7)


def _known_start(around: Surroundings) -> date | None:
    """The first day said before."""
    day = around.known.get("start_date")
    return date.fromisoformat(str(day)) if day else None


def _halves(clause: Clause, table: Table) -> Iterator[Clause]:
    """ "周六早到周日晚走" is an arrival and a departure."""
    arriving = [end for word in table["arriving"] for _at, end in spans(clause.text, word)]
    leaving = [at for word in table["leaving"] for at, _end in spans(clause.text, word)]
    cut = min((end for end in arriving if any(at > end for at in leaving)), default=0)
    if cut:
        yield Clause(clause.text[:cut], clause.at)
    yield Clause(clause.text[cut:], clause.at + cut)


def _date(text: str, table: Table, around: Surroundings, after: date | None) -> date | None:
    """A day of the week behind an arrival is the next one behind it."""
    dates = {key: value for key, value in table["start_date"].items() if key != "span"}
    iso_day = read_date(text, "day", dates, around).get("day")
    day = date.fromisoformat(str(iso_day)) if iso_day else _bare_weekday(text, after or around.today)
    day = day or _day_number(text, after, around)
    if day is None:
        return None
    if first_of(around.question.casefold(), table["this_week"]) and day - timedelta(days=7) >= around.today:
        day -= timedelta(days=7)
    while after is not None and day < after:
        day += timedelta(days=7)
    return day


def _day_number(text: str, after: date | None, around: Surroundings) -> date | None:
    """ "二号中午到": of the month of a feast that the question names, else the next such day."""
    number = next((n.whole for n in numbers(text) if text[n.end : n.end + 1] == "号" and 1 <= n.whole <= 31), 0)
    if not number:
        return None
    feast = after or _fixed_feast(around.question, around.today)
    return _next_day(number, None, feast.replace(day=1) if feast and not after else feast or around.today)


def _fixed_feast(text: str, today: date) -> date | None:
    """May 1 or October 1, where the question is about the holidays that begin there."""
    day = next((day for word, day in {"五一": (5, 1), "国庆": (10, 1), "十一": (10, 1)}.items() if word in text), None)
    if day is None:
        return None
    return date(today.year + (date(today.year, *day) < today), *day)


def _bare_weekday(text: str, today: date) -> date | None:
    """ "Saturday 4pm"."""
    number = next((number for word, number in WEEKDAYS_EN.items() if find(text, word) != -1), None)
    return None if number is None else today + timedelta(days=(number - today.weekday()) % 7)


def _station(text: str, clause: Clause, table: Table, around: Surroundings) -> NamedPlace | None:
    """The station that is named, else the city's first of the kind one comes or goes by."""
    names = gazetteer(around)
    mentions: Sequence[PlaceMention] = names.mentions(text, around.known)
    inside = [m.place for m in mentions if clause.at <= m.at < clause.at + len(clause.text)]
    if named := next((place for place in inside if place.kind == "hub"), None):
        return named
    kind = next((kind for kind, words in table["by"].items() if first_of(clause.text, words)), "")
    cities = [m.place.id for m in mentions if m.place.kind == "city"] or [str(around.known.get("city") or "")]
    hubs = [hub for city in cities[-1:] for hub in names.hubs(city)]
    return next((hub for hub in hubs if hub.category == kind), None) if kind else None


def read_hours(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """day_start and day_end of every day: "每天11点出门", "we start at 7:30", "晚上七点前回酒店". Of one day: `hours`,
    operations of edit_trip."""
    found: Slots = {}
    for clause in clauses(text):
        time = time_in(clause.text, table)
        day = _ordinal(clause.text)
        if not time:
            continue
        if first_of(clause.text, table["out"]):
            if day:
                found.setdefault("hours", []).append({"op": "hours", "day": day, "start": time})
            else:
                found["day_start"] = time
        elif first_of(clause.text, table["back"]):
            found["day_end"] = time
    if "day_start" not in found and first_of(text, table["no_early"]):
        found["day_start"] = table["late_start"]
    return found


def _ordinal(text: str) -> int:
    match = _ORDINAL_DAY.search(text)
    if match is None:
        return 0
    number = next(numbers(match[1] or match[2]), None)
    return number.whole if number else 0


# ---------------------------------------------------------------- between two flights


def read_stopover(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """Hours between two flights: the slot itself, days = 1, arrival and departure at the city's airport."""
    if not first_of(text, table["words"]):
        return {}
    hours = next((n.whole for n in numbers(text) if _is_hours(text, n, table)), 0)
    times = [time for number in numbers(text) if (time := clock(text, number, table))]
    if not hours and len(times) > 1:
        hours = (int(times[1][:2]) - int(times[0][:2])) % 24
    if not 2 <= hours <= LONGEST_STOPOVER:
        return {}
    landed = next(iter(times), "") or time_in(text, table) or STOPOVER_FROM
    names = gazetteer(around)
    mentions = names.mentions(text, around.known)
    city = next((m.place.city or m.place.id for m in mentions if m.place.kind in ("city", "hub")), "")
    hub = next((m.place for m in mentions if m.place.kind == "hub"), None)
    hub = hub or next((place for place in names.hubs(city) if place.category == "air"), None)
    out = _minutes_out(city, hub)
    start = int(landed[:2]) * 60 + int(landed[3:])
    first, last = start + ARRIVAL_BUFFER["air"] + out, start + hours * 60 - DEPARTURE_BUFFER["air"] - out
    last = min(last, 23 * 60 + 59)
    if last <= first:
        return {name: hours}
    return {
        name: hours,
        "days": 1,
        "arrival": {"day": 1, "time": f"{first // 60:02d}:{first % 60:02d}"},
        "departure": {"day": 1, "time": f"{last // 60:02d}:{last % 60:02d}"},
        "arrive_at": hub.name(is_chinese(text)) if hub else "",
        "day_start": min(landed, "09:00"),
    }


def _minutes_out(city_id: str, hub: NamedPlace | None) -> int:
    """From the airport to the centre by the city's record: the plan is for the time between."""
    city = builtin().city(city_id)
    hubs = city.hubs if city else ()
    return next((each.minutes_to_centre for each in hubs if hub is not None and each.name_zh == hub.id), 60)


def _is_hours(text: str, number: Number, table: Table) -> bool:
    behind = text[number.end : number.end + 10].lstrip(" -个")
    return behind.startswith(tuple(table["units"])) and find(text, "点", number.end) != number.end


# ---------------------------------------------------------------- feasts


def read_feast(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """The next day of a feast, into the slot `of`; "国庆第二天" is a day later."""
    fixed = next((day for day, words in table["fixed"].items() if first_of(text, words)), "")
    moving = next((feast for feast, words in table["words"].items() if first_of(text, words)), "")
    day: date | None = None
    if fixed:
        month, number = map(int, fixed.split("-"))
        year = around.today.year + (date(around.today.year, month, number) < around.today)
        day = date(year, month, number)
    elif moving:
        day = next_feast(moving, around.today)
    if day is None:
        return {}
    if moving == "easter" and first_of(text, table["weekend"]):
        day -= timedelta(days=2)
    later = _ORDINAL_DAY.search(text)
    if later is not None and later[1] and contains(text, f"{later[0]}出发"):
        day += timedelta(days=max(0, _ordinal(text) - 1))
    return {table["of"]: day.isoformat()}


def read_day_of_month(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """ "下个月15号到18号", "15号出发", "the 15th": the next such day, and the days of a span."""
    days = [n for n in numbers(text) if text[n.end : n.end + 1] == "号" and 1 <= n.whole <= 31]
    days = [n for n in days if not _is_of_a_month(text, n)]
    if not days:
        return {}
    ahead = next((count for word, count in table["relative"].items() if contains(text, word)), None)
    first = _next_day(days[0].whole, ahead, around.today)
    if first is None:
        return {}
    found: Slots = {table["of"]: first.isoformat()}
    if len(days) > 1 and text[days[0].end + 1 : days[1].start].strip() in table["joints"]:
        last = _next_day(days[1].whole, None, first)
        if last is not None and 0 < (last - first).days < table.get("max", 21):
            found[table["span"]] = (last - first).days + 1
    return found


def _is_of_a_month(text: str, number: Number) -> bool:
    """3月15号, not 下个月15号."""
    before = text[: number.start]
    return before.endswith("月") and any(each.end == len(before) - 1 for each in numbers(before))


def _next_day(number: int, ahead: int | None, today: date) -> date | None:
    months = range(ahead, ahead + 1) if ahead is not None else range(3)
    for count in months:
        year, month = divmod(today.month - 1 + count, 12)
        try:
            day = date(today.year + year, month + 1, number)
        except ValueError:
            continue
        if day >= today:
            return day
    return None


def read_weekday(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """The weekday a question is about, "周一开吗", "on Tuesdays": 1 (Monday) to 7, and the next such day, name_date."""
    number = next((int(number) for number, words in table["words"].items() if first_of(text, words)), 0)
    if not number:
        return {}
    day = around.today + timedelta(days=(number - 1 - around.today.weekday()) % 7)
    return {name: number, f"{name}_date": day.isoformat()}
