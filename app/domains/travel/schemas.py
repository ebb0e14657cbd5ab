"""The arguments of the travel tools as JSON schemas: what the model is offered, and what is checked.

They are written out rather than derived, because they are part of the interface (agents.md 2.3): bounds, choices and
"a city or stops" are to be read here. `checked_by` makes the check of one: every fault is named with its path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from app.core.tools.tool import ArgumentFault

from .hours import HoursError, parse_hours, parse_time

Schema = dict[str, Any]

LARGEST = 1e12
"""No price, distance or number of days is more."""
LONGEST_TEXT = 20_000
"""Characters of any one text, the remarks inside an itinerary included."""

_STRING: Schema = {"type": "string"}
_STRINGS: Schema = {"type": "array", "items": _STRING}
_COUNT: Schema = {"type": "integer", "minimum": 1}
_STAY: Schema = {"type": "integer", "minimum": 1, "maximum": 366}
_PRICE: Schema = {"type": "number", "minimum": 0}
_DATE: Schema = {"type": "string", "format": "date", "description": "YYYY-MM-DD"}
_TIME: Schema = {"type": "string", "description": "HH:MM"}
_TIER: Schema = {"enum": ["economy", "comfort", "luxury"], "default": "comfort"}
_MODE: Schema = {"enum": ["walk", "transit", "taxi", "drive"]}
_LIMIT: Schema = {"type": "integer", "minimum": 1, "maximum": 50, "default": 20}
_LAT: Schema = {"type": "number", "minimum": -90, "maximum": 90}
_LON: Schema = {"type": "number", "minimum": -180, "maximum": 180}


def _object(required: Sequence[str] = (), /, **properties: Schema) -> Schema:
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


def _told(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}


_CHILDREN: Schema = _told(
    {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 17}, "maxItems": 20}, "the children's ages"
)

SEARCH_CITIES = _object(
    interests=_told({**_STRINGS, "maxItems": 8}, "what the user likes, in their words: 美食, history, 亲子 …"),
    month={"type": "integer", "minimum": 1, "maximum": 12},
    season={"enum": ["春季", "夏季", "秋季", "冬季", "spring", "summer", "autumn", "winter"]},
    budget_per_day_min=_told(_PRICE, "per person, in yuan"),
    budget_per_day_max=_told(_PRICE, "per person, in yuan; other currencies are compared at rough rates"),
    tier=_TIER,
    days={"type": "integer", "minimum": 1, "maximum": 30},
    country=_STRING,
    region=_told(_STRING, "华北, 西南, East China … or a province"),
    exclude=_STRINGS,
    near=_object(["city", "max_km"], city=_STRING, max_km={"type": "number", "exclusiveMinimum": 0}),
    climate=_told({"enum": ["warm", "cool"]}, "by the usual temperature of the month; none given: this month"),
    limit={"type": "integer", "minimum": 1, "maximum": 20, "default": 8},
)

GET_CITY_INFO = _object(
    ["city"],
    city=_told(_STRING, "a city, or a region for the list of its cities"),
    month=_told({"type": "integer", "minimum": 1, "maximum": 12}, "for the usual temperature of this month"),
)

QUERY_ATTRACTIONS = _object(
    ["cities"],
    cities={**_STRINGS, "minItems": 1, "maxItems": 5},
    categories=_told(_STRINGS, "museum, temple, 公园 …"),
    tags=_told(_STRINGS, "interests: history, 自然 …"),
    free_only={"type": "boolean"},
    max_ticket=_PRICE,
    indoor={"type": "boolean"},
    open_on=_DATE,
    near=_object(place=_STRING, lat=_LAT, lon=_LON, radius_km={"type": "number", "exclusiveMinimum": 0}),
    **{"for": {"enum": ["child", "elder", "wheelchair"]}},
    sort={"enum": ["popular", "distance", "price"], "default": "popular"},
    limit=_LIMIT,
)

SEARCH_FOOD = _object(
    ["city"],
    city=_STRING,
    diet=_told(_STRINGS, "what it must be: veg, vegan, halal, spicy, seafood …"),
    exclude_allergens=_told(_STRINGS, "what it must not contain: nut, peanut, shellfish, gluten, pork …"),
    price_max=_told(_PRICE, "per person"),
    kind={"enum": ["dish", "street", "restaurant_type"]},
    limit=_LIMIT,
)

CALCULATE_BUDGET = _object(
    ["days", "adults"],
    city=_STRING,
    legs={
        "type": "array",
        "minItems": 1,
        "maxItems": 20,
        "items": _object(["city", "nights"], city=_STRING, nights={"type": "integer", "minimum": 0}),
    },
    days={"type": "integer", "minimum": 1, "maximum": 60},
    adults={"type": "integer", "minimum": 1, "maximum": 30},
    children=_CHILDREN,
    tier=_TIER,
    rooms=_COUNT,
    attractions=_told(_STRINGS, "ids or names of the sights to pay for"),
    intercity={
        "type": "array",
        "items": _object(
            ["from", "to"],
            **{"from": _STRING, "to": _STRING, "basis": _STRING},
            price_per_person={"type": ["number", "null"], "minimum": 0},
        ),
    },
    overrides=_told({"type": "object", "additionalProperties": _PRICE}, "other amounts for lines, by code"),
    contingency_pct={"type": "number", "minimum": 0, "maximum": 50, "default": 10},
    currency=_told(_STRING, "the total in this currency too, by a rough dated rate"),
    start_date=_told(_DATE, "for tickets that cost less or more in some seasons"),
)
CALCULATE_BUDGET["oneOf"] = [{"required": ["city"]}, {"required": ["legs"]}]

_VISIT: Schema = {
    "anyOf": [
        {"type": "integer", "minimum": 5, "maximum": 720},
        {"type": "object", "properties": {"min": _COUNT, "typ": _COUNT, "max": _COUNT}, "required": ["typ"]},
    ]
}
_PLACE: Schema = {
    "type": "object",
    "required": ["id", "name", "hours", "visit_minutes"],
    "properties": {
        "id": {"type": "string", "minLength": 1},
        "name": {"type": "string", "minLength": 1},
        "lat": _LAT,
        "lon": _LON,
        "hours": _told(
            {"type": "object"},
            '{"seasons":[{"from":"01-01","to":"12-31","weekly":{"mon":[["09:00","17:00"]]},'
            '"last_entry":"16:00"}]}; a missing or empty day is closed',
        ),
        "visit_minutes": _VISIT,
        "ticket": {"anyOf": [_PRICE, {"type": "object", "properties": {"adult": _PRICE, "child": _PRICE}}]},
        "name_zh": _STRING,
        "name_en": _STRING,
        "aliases": _STRINGS,
        "category": _STRING,
        "tags": _STRINGS,
        "reservation": {"type": "object"},
        "best_time": _STRINGS,
        "indoor": {"type": "boolean"},
        "stairs": _STRING,
        "child_ok": {"type": "boolean"},
        "wheelchair": _STRING,
        "as_of": _STRING,
        "source_url": _STRING,
    },
    "additionalProperties": False,
}

GENERATE_ROUTE = _object(
    ["days"],
    city=_STRING,
    legs=_told(
        {
            "type": "array",
            "minItems": 2,
            "maxItems": 8,
            "items": _object(["city"], city=_STRING, nights={"type": "integer", "minimum": 0}),
        },
        "several cities in this order, as order_cities gives data.legs: nights add up to days - 1; "
        "left out, days are shared out by what is suggested",
    ),
    stops={"type": "array", "minItems": 1, "maxItems": 60, "items": {"$ref": "#/$defs/place"}},
    days={"type": "integer", "minimum": 1, "maximum": 21},
    start_date=_DATE,
    must_see=_told(_STRINGS, "ids or names"),
    avoid=_told(_STRINGS, "ids or names"),
    interests=_STRINGS,
    **{"for": _told({"enum": ["child", "elder", "wheelchair"]}, "only sights that suit them, besides must_see")},
    diet=_told(_STRINGS, "what the dishes suggested at meals must be: veg, halal …"),
    exclude_allergens=_told(_STRINGS, "what those dishes must not contain: spicy, nut, pork …"),
    pace={"enum": ["relaxed", "normal", "packed"], "default": "normal"},
    day_start={**_TIME, "default": "09:00"},
    day_end={**_TIME, "default": "21:00"},
    mode={**_MODE, "default": "transit"},
    lodging={"$ref": "#/$defs/point"},
    arrival={"$ref": "#/$defs/anchor"},
    departure={"$ref": "#/$defs/anchor"},
    meals={"type": "boolean", "default": True},
    party=_object(["adults"], adults=_COUNT, children=_CHILDREN),
    return_to_start={"type": "boolean", "default": True},
    max_stops=_told(_COUNT, "a day; replaces the limits of the pace"),
    travel_matrix=_told(
        {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": _PRICE}},
        "{from: {to: minutes}} by stop id, and by the lodging's name or the arrival's place",
    ),
)
GENERATE_ROUTE["oneOf"] = [{"required": ["city"]}, {"required": ["legs"]}, {"required": ["stops"]}]
GENERATE_ROUTE["$defs"] = {
    "place": _PLACE,
    "point": _object(["name"], name=_STRING, lat=_LAT, lon=_LON),
    "anchor": _object(["day", "time"], day=_COUNT, time=_TIME, place=_STRING),
}

_END: Schema = {"anyOf": [_STRING, _object(["lat", "lon"], name=_STRING, lat=_LAT, lon=_LON)]}
ESTIMATE_TRANSFER = _object(
    ["from", "to"],
    **{"from": _told(_END, "a sight, a station or a city, or {lat, lon}"), "to": _END},
    mode=_MODE,
    depart=_TIME,
)

_PARTY = _object(["adults"], adults=_COUNT, children=_CHILDREN)
_ITINERARY: Schema = _told({"type": "object"}, "an itinerary as generate_route returns it (data.itinerary)")
CHECK_ITINERARY = _object(
    ["itinerary"],
    itinerary=_ITINERARY,
    constraints=_object(
        budget=_told(_PRICE, "for the whole journey"),
        adults=_COUNT,
        party=_PARTY,
        must_see=_told(_STRINGS, "ids or names"),
        avoid=_told(_STRINGS, "ids or names"),
        cuisines=_STRINGS,
        room_type={"enum": ["entire", "private", "shared", "not_shared"]},
        room_rules={
            "type": "array",
            "items": {"enum": ["pets", "smoking", "parties", "visitors", "children_under_10"]},
        },
        transport_forbidden={"type": "array", "items": {"enum": ["flight", "self_drive", "taxi"]}},
        pace={"enum": ["relaxed", "normal", "packed"]},
        weather=_told({"type": "array", "items": {"type": "object"}}, "the days of get_weather"),
    ),
)

_ID = _told({"type": "string", "minLength": 1, "maxLength": 80}, "as save_trip or list_trips gives it")
SAVE_TRIP = _object(
    ["itinerary"],
    itinerary=_ITINERARY,
    title={"type": "string", "maxLength": 120},
    id=_told(_ID, "an existing trip: this becomes its next version"),
)
LOAD_TRIP = _object(["id"], id=_ID, version=_COUNT)
LIST_TRIPS = _object()
_OP = _object(
    ["op"],
    op={"enum": ["move", "remove", "add", "retime", "lock", "ease", "redate", "recalculate"]},
    day=_COUNT,
    date=_told(_DATE, "redate: the first day of the journey"),
    stop=_told(_STRING, "id or name"),
    seq=_told(_COUNT, "its number in the day, where a name is not enough"),
    to_day=_COUNT,
    start=_TIME,
    end=_TIME,
    minutes={"type": "integer", "minimum": 5, "maximum": 720},
    kind={"enum": ["sight", "meal", "free", "intercity"]},
    name=_STRING,
    cost=_PRICE,
    locked={"type": "boolean"},
)
EDIT_TRIP = _object(
    ["id", "ops"],
    id=_ID,
    ops={"type": "array", "minItems": 1, "maxItems": 40, "items": _OP},
    version=_told(_COUNT, "the version the edit was made on; refused if there is a newer one"),
)
EXPORT_TRIP = _object(
    ["id", "format"],
    id=_ID,
    format={"enum": ["ics", "md", "html", "csv", "geojson", "gpx", "png"]},
    path=_told(_STRING, "a file name, or a path inside the chosen folder; never outside it"),
)

COMPARE_CITIES = _object(
    ["cities"],
    cities={**_STRINGS, "minItems": 2, "maxItems": 5},
    month={"type": "integer", "minimum": 1, "maximum": 12},
    days={"type": "integer", "minimum": 1, "maximum": 60},
    tier=_TIER,
)
ORDER_CITIES = _object(
    ["cities"],
    cities={
        "type": "array",
        "minItems": 1,
        "maxItems": 12,
        "items": {"anyOf": [_object(["id"], id={"type": "string", "minLength": 1}, days=_STAY), _STRING]},
    },
    total_days=_told(_STAY, "left out: the stays with travel days shared"),
    links={
        "anyOf": [
            {"enum": ["any"]},
            {"type": "array", "items": {"type": "array", "items": _STRING, "minItems": 2, "maxItems": 2}},
        ],
        "description": "pairs with a direct way, in both directions; any: all are linked",
    },
    windows={
        "type": "array",
        "items": _object(["city", "from_day", "to_day"], city=_STRING, from_day=_COUNT, to_day=_COUNT),
    },
    start=_STRING,
    end=_STRING,
    objective={"enum": ["distance", "first"], "default": "distance"},
    start_date=_told(_DATE, "the first day, so that each stay has its date"),
)
CALENDAR_INFO = _object(
    ["country", "from", "to"],
    country=_told(_STRING, "a name or a code: CN, 日本 …"),
    **{"from": _DATE, "to": _DATE},
)

PACKING_LIST = _object(
    trip_id=_ID,
    city=_STRING,
    months={"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 12}, "maxItems": 12},
    tags=_told(_STRINGS, "interests: hiking, 海滨 …"),
    party=_PARTY,
    days={"type": "integer", "minimum": 1, "maximum": 90},
    extra=_told(
        {"type": "array", "items": {"type": "string", "maxLength": 80}, "maxItems": 50}, "the user's own items"
    ),
)
GET_WEATHER = _object(["from", "to"], **{"from": _DATE, "to": _DATE}, city=_STRING, lat=_LAT, lon=_LON)
GET_WEATHER["oneOf"] = [{"required": ["city"]}, {"required": ["lat"]}]
GET_WEATHER["dependentRequired"] = {"lat": ["lon"], "lon": ["lat"]}
GEOCODE = _object(
    ["text"],
    text={"type": "string", "minLength": 1, "maxLength": 200},
    country=_told({"type": "string", "minLength": 2, "maxLength": 2}, "two letters: cn, jp …"),
)


def checked_by(schema: Schema) -> Callable[[Mapping[str, Any]], list[ArgumentFault]]:
    """All faults of the arguments against `schema`, then those of times and hours inside them."""
    choice = [option["required"][0] for option in schema.get("oneOf", ())]

    @cache
    def validator() -> Any:
        from jsonschema import Draft202012Validator

        return Draft202012Validator({key: value for key, value in schema.items() if key != "oneOf"})

    def faults(args: Mapping[str, Any]) -> list[ArgumentFault]:
        # Before the validator: it lets NaN through, and would quote a text of a megabyte.
        found = list(_absurd(args, ()))
        if found:
            return found
        found = [
            ArgumentFault(".".join(str(part) for part in error.absolute_path), error.message[:200])
            for error in validator().iter_errors(dict(args))
        ]
        if choice and sum(name in args for name in choice) != 1:
            # The validator's own words for oneOf would quote the whole of the arguments.
            found.append(ArgumentFault(" | ".join(choice), f"give exactly one of {', '.join(choice)}"))
        return found or _time_faults(args)

    return faults


def _absurd(value: Any, path: tuple[str, ...]) -> Iterator[ArgumentFault]:
    """Numbers that are none or beyond all measure, and texts that are no name."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _absurd(item, (*path, str(key)[:60]))
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _absurd(item, (*path, str(place)))
    elif isinstance(value, int | float) and not isinstance(value, bool) and not abs(value) <= LARGEST:
        yield ArgumentFault(".".join(path), f"must be a number of at most {LARGEST:,.0f}")
    elif isinstance(value, str) and len(value) > LONGEST_TEXT:
        yield ArgumentFault(".".join(path), f"at most {LONGEST_TEXT} characters")


def _time_faults(args: Mapping[str, Any]) -> list[ArgumentFault]:
    times = [(name, args.get(name)) for name in ("day_start", "day_end", "depart")]
    times += [(f"{name}.time", (args.get(name) or {}).get("time")) for name in ("arrival", "departure")]
    checks: list[tuple[Callable[[Any, str], object], Any, str]] = [
        (parse_time, value, path) for path, value in times if value is not None
    ]
    checks += [(parse_hours, stop["hours"], f"stops.{i}.hours") for i, stop in enumerate(args.get("stops") or ())]
    found = []
    for parse, value, path in checks:
        try:
            parse(value, path)
        except HoursError as error:
            found.append(ArgumentFault(error.path, error.message))
    return found
