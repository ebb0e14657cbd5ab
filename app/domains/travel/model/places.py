"""The records of the dataset: City, Attraction, Food and their parts (agents.md 2.2).

Read from JSON by `dataset`; everything is frozen. The order of attractions in a city is their fame, and the order of
a city's tags is how strongly they speak for it: both break ties.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from .geo import Point
from .hours import Hours, Season, parse_hours


@dataclass(frozen=True, slots=True)
class SeasonPrice:
    first: str
    last: str
    adult: Decimal
    child: Decimal | None

    def holds(self, day: date) -> bool:
        return Season(self.first, self.last, ()).holds(day)


@dataclass(frozen=True, slots=True)
class Ticket:
    adult: Decimal
    child: Decimal | None
    """None: not known; half the adult price is then reckoned with."""
    free_under_age: int
    peak: SeasonPrice | None = None
    low_season: SeasonPrice | None = None
    note: str = ""
    currency: str = "CNY"
    shared: str = ""
    """The sight whose ticket it is, where several share one."""

    def adult_on(self, day: date | None) -> Decimal:
        return self.prices_on(day)[0]

    def prices_on(self, day: date | None) -> tuple[Decimal, Decimal | None]:
        """Adult and child price; without a day those of the dearest season, so that a sum is no disappointment."""
        if day is not None:
            for season in (self.peak, self.low_season):
                if season and season.holds(day):
                    return season.adult, season.child
        if day is None and self.peak and self.peak.adult > self.adult:
            return self.peak.adult, self.peak.child
        return self.adult, self.child


@dataclass(frozen=True, slots=True)
class Reservation:
    required: bool
    days_ahead: int
    note: str


@dataclass(frozen=True, slots=True)
class TypicalRange:
    """A shortest, a usual and a longest measure."""

    min: int
    typ: int
    max: int


@dataclass(frozen=True, slots=True)
class Access:
    """How long the way from the city centre really takes, where the general estimate would be far off."""

    minutes: int
    mode: str
    note: str


@dataclass(frozen=True)
class Attraction:
    id: str
    name_zh: str
    name_en: str
    aliases: tuple[str, ...]
    point: Point
    category: str
    tags: tuple[str, ...]
    ticket: Ticket
    hours: Hours
    reservation: Reservation
    visit_minutes: TypicalRange
    best_time: tuple[str, ...]
    indoor: bool
    stairs: str
    child_ok: bool
    wheelchair: str
    day_trip: bool
    access: Access | None
    as_of: str
    confidence: str
    source_url: str

    def name(self, language: str) -> str:
        return self.name_zh if language.startswith("zh") else self.name_en


@dataclass(frozen=True, slots=True)
class Food:
    id: str
    name_zh: str
    name_en: str
    what: str
    price_low: int
    price_high: int
    where_hint: str
    diet: tuple[str, ...]
    kind: str

    def name(self, language: str) -> str:
        return self.name_zh if language.startswith("zh") else self.name_en


@dataclass(frozen=True, slots=True)
class TransportHub:
    name_zh: str
    name_en: str
    kind: str
    point: Point
    minutes_to_centre: int

    def name(self, language: str) -> str:
        return self.name_zh if language.startswith("zh") else self.name_en


@dataclass(frozen=True, slots=True)
class DailyCost:
    """What one day costs in one tier: the room per room-night, the rest per person."""

    room: Decimal
    food: Decimal
    local: Decimal
    misc: Decimal

    @property
    def per_person(self) -> Decimal:
        """Two to a room."""
        return self.room / 2 + self.food + self.local + self.misc


@dataclass(frozen=True)
class City:
    id: str
    name_zh: str
    name_en: str
    aliases: tuple[str, ...]
    country: str
    admin1: str
    region: str
    point: Point
    tz: str
    currency: str
    tags: tuple[str, ...]
    best_months: tuple[int, ...]
    season_note: str
    recommended_days: TypicalRange
    daily_cost: Mapping[str, DailyCost]
    hubs: tuple[TransportHub, ...]
    local_transport: tuple[str, ...]
    tips: tuple[str, ...]
    as_of: str
    confidence: str
    sources: tuple[str, ...]
    attractions: tuple[Attraction, ...]
    foods: tuple[Food, ...]

    def name(self, language: str) -> str:
        return self.name_zh if language.startswith("zh") else self.name_en


def read_city(raw: Mapping[str, Any]) -> City:
    return City(
        id=raw["id"],
        name_zh=raw["name_zh"],
        name_en=raw["name_en"],
        aliases=tuple(raw["aliases"]),
        country=raw["country"],
        admin1=raw["admin1"],
        region=raw["region"],
        point=Point(raw["lat"], raw["lon"]),
        tz=raw["tz"],
        currency=raw["currency"],
        tags=tuple(raw["tags"]),
        best_months=tuple(raw["best_months"]),
        season_note=raw["season_note"],
        recommended_days=TypicalRange(**raw["recommended_days"]),
        daily_cost={
            tier: DailyCost(**{name: _money(price) for name, price in costs.items()})
            for tier, costs in raw["daily_cost"].items()
        },
        hubs=tuple(
            TransportHub(
                hub["name"], hub["name_en"], hub["kind"], Point(hub["lat"], hub["lon"]), hub["minutes_to_centre"]
            )
            for hub in raw["hubs"]
        ),
        local_transport=tuple(raw["local_transport"]),
        tips=tuple(raw["tips"]),
        as_of=raw["as_of"],
        confidence=raw["confidence"],
        sources=tuple(raw["sources"]),
        attractions=tuple(_attraction(entry) for entry in raw["attractions"]),
        foods=tuple(_food(entry) for entry in raw["foods"]),
    )


def _attraction(raw: Mapping[str, Any]) -> Attraction:
    return Attraction(
        id=raw["id"],
        name_zh=raw["name_zh"],
        name_en=raw["name_en"],
        aliases=tuple(raw["aliases"]),
        point=Point(raw["lat"], raw["lon"]),
        category=raw["category"],
        tags=tuple(raw["tags"]),
        ticket=read_ticket(raw["ticket"]),
        hours=parse_hours(raw["hours"], f"{raw['id']}.hours"),
        reservation=Reservation(**raw["reservation"]),
        visit_minutes=TypicalRange(**raw["visit_minutes"]),
        best_time=tuple(raw["best_time"]),
        indoor=raw["indoor"],
        stairs=raw["stairs"],
        child_ok=raw["child_ok"],
        wheelchair=raw["wheelchair"],
        day_trip=raw["day_trip"],
        access=Access(**raw["access"]) if "access" in raw else None,
        as_of=raw["as_of"],
        confidence=raw["confidence"],
        source_url=raw.get("source_url", ""),
    )


def read_ticket(raw: Mapping[str, Any]) -> Ticket:
    child = raw.get("child")
    return Ticket(
        adult=_money(raw.get("adult", 0)),
        child=None if child is None else _money(child),
        free_under_age=raw.get("free_under_age", 0),
        peak=_season_price(raw.get("peak")),
        low_season=_season_price(raw.get("low_season")),
        note=raw.get("note", ""),
        currency=raw.get("currency", "CNY"),
        shared=raw.get("pass", ""),
    )


def _season_price(raw: Mapping[str, Any] | None) -> SeasonPrice | None:
    if not raw:
        return None
    child = raw.get("child")
    return SeasonPrice(raw["from"], raw["to"], _money(raw["adult"]), None if child is None else _money(child))


def _food(raw: Mapping[str, Any]) -> Food:
    return Food(
        id=raw["id"],
        name_zh=raw["name"],
        name_en=raw["name_en"],
        what=raw["what"],
        price_low=raw["price_low"],
        price_high=raw["price_high"],
        where_hint=raw["where_hint"],
        diet=tuple(raw["diet"]),
        kind=raw["kind"],
    )


def _money(price: float | int | str) -> Decimal:
    return Decimal(str(price))
