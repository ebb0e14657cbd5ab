"""The groups of arguments that travel tools take: parties, legs, stops, operations."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, Required

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also, Name

from .arguments import (
    Adults,
    Avoid,
    Children,
    City,
    Count,
    Date,
    Day,
    Kilometres,
    Latitude,
    Longitude,
    Minutes,
    MustSee,
    Nights,
    Operation,
    Pace,
    Price,
    Stay,
    Time,
    Version,
    WordList,
)

STRICT = ConfigDict(extra="forbid", strict=True)


class PartyArgument(TypedDict):
    __pydantic_config__ = STRICT  # type: ignore[misc]
    adults: Annotated[Adults, Field(ge=1)]
    children: NotRequired[Children]


class NearCity(TypedDict):
    __pydantic_config__ = STRICT  # type: ignore[misc]
    city: City
    max_km: Annotated[Kilometres, Also("km", "radius", "radius_km", "distance", "within_km")]


class NearPlace(TypedDict, total=False):
    __pydantic_config__ = STRICT  # type: ignore[misc]
    place: Annotated[str, Name(), Also("name", "location")]
    lat: Latitude
    lon: Longitude
    radius_km: Annotated[Kilometres, Also("km", "radius", "max_km", "distance")]


class LegArgument(TypedDict):
    __pydantic_config__ = STRICT  # type: ignore[misc]
    city: City
    nights: Nights


class RouteLeg(TypedDict):
    __pydantic_config__ = STRICT  # type: ignore[misc]
    city: City
    nights: NotRequired[Nights]


Fare = TypedDict(
    "Fare",
    {
        "from": Required[Annotated[str, Name("市"), Also("origin", "start")]],
        "to": Required[Annotated[str, Name("市"), Also("destination", "end")]],
        "price_per_person": Annotated[Price | None, Also("price", "fare", "cost")],
        "basis": str,
    },
    total=False,
)
Fare.__pydantic_config__ = STRICT  # type: ignore[attr-defined]


class SpanArgument(TypedDict, total=False):
    min: Count
    typ: Required[Count]
    max: Count


class TicketPrices(TypedDict, total=False):
    adult: Price
    child: Price


class PlaceArgument(TypedDict, total=False):
    """A stop of the person's own."""

    __pydantic_config__ = STRICT  # type: ignore[misc]
    id: Required[Annotated[str, Field(min_length=1)]]
    name: Required[Annotated[str, Field(min_length=1)]]
    lat: Latitude
    lon: Longitude
    hours: Required[
        Annotated[
            dict[str, Any],
            Field(
                description='{"seasons":[{"from":"01-01","to":"12-31","weekly":{"mon":[["09:00","17:00"]]},'
                '"last_entry":"16:00"}]}; a missing or empty day is closed'
            ),
        ]
    ]
    visit_minutes: Required[Minutes | SpanArgument]
    ticket: Price | TicketPrices
    name_zh: str
    name_en: str
    aliases: WordList
    category: str
    tags: WordList
    reservation: dict[str, Any]
    best_time: WordList
    indoor: bool
    stairs: str
    child_ok: bool
    wheelchair: str
    as_of: str
    source_url: str


class DayWish(TypedDict):
    __pydantic_config__ = STRICT  # type: ignore[misc]
    day: Day
    stops: MustSee


class LodgingArgument(TypedDict, total=False):
    __pydantic_config__ = STRICT  # type: ignore[misc]
    name: Required[Annotated[str, Also("hotel", "place")]]
    lat: Latitude
    lon: Longitude


class Anchor(TypedDict, total=False):
    __pydantic_config__ = STRICT  # type: ignore[misc]
    day: Annotated[Day, Field(description="left out: arrival on the first day, departure on the last")]
    time: Required[Time]
    place: str


class PointNamed(TypedDict, total=False):
    __pydantic_config__ = STRICT  # type: ignore[misc]
    name: str
    lat: Required[Latitude]
    lon: Required[Longitude]


End = str | PointNamed


class ConstraintsArgument(TypedDict, total=False):
    __pydantic_config__ = STRICT  # type: ignore[misc]
    budget: Annotated[Price, Field(description="for the whole journey")]
    adults: Annotated[Adults, Field(ge=1)]
    party: PartyArgument
    must_see: MustSee
    avoid: Avoid
    cuisines: WordList
    room_type: Literal["entire", "private", "shared", "not_shared"]
    room_rules: list[Literal["pets", "smoking", "parties", "visitors", "children_under_10"]]
    transport_forbidden: list[Literal["flight", "self_drive", "taxi"]]
    pace: Pace
    weather: Annotated[list[dict[str, Any]], Field(description="the days of get_weather")]


class Op(TypedDict, total=False):
    """One operation of edit_trip."""

    __pydantic_config__ = STRICT  # type: ignore[misc]
    op: Required[Operation]
    day: Day
    date: Annotated[Date, Field(description="redate: the first day of the journey")]
    stop: Annotated[str, Field(description="id or name"), Also("place", "place_id", "item")]
    seq: Annotated[Count, Field(description="its number in the day, where a name is not enough")]
    stops: Annotated[WordList, Field(description="together: what is to be on one day", max_length=8)]
    to_day: Annotated[Day, Also("target_day", "new_day")]
    start: Annotated[Time, Also("start_time")]
    end: Annotated[Time, Also("end_time")]
    minutes: Annotated[Minutes, Also("duration")]
    kind: Literal["sight", "meal", "free", "intercity"]
    name: Annotated[str, Field(description="swap: what comes in its place; add: what is no place of the data")]
    cost: Price
    locked: bool
    version: Annotated[Version, Field(description="restore: the version that becomes the newest one again")]


class CityStay(TypedDict):
    __pydantic_config__ = STRICT  # type: ignore[misc]
    id: Annotated[str, Field(min_length=1), Name("市"), Also("city", "name")]
    days: NotRequired[Stay]


class WindowArgument(TypedDict):
    __pydantic_config__ = STRICT  # type: ignore[misc]
    city: City
    from_day: Annotated[Day, Also("from", "start")]
    to_day: Annotated[Day, Also("to", "end")]


Link = TypedDict("Link", {"from": Annotated[str, Name("市")], "to": Annotated[str, Name("市")]})
Link.__pydantic_config__ = STRICT  # type: ignore[attr-defined]
Links = Literal["any"] | list[Annotated[list[str], Field(min_length=2, max_length=2)] | Link]
Matrix = dict[str, dict[str, Annotated[float, Field(ge=0)]]]
