"""Finding a city that fits: filters, the score, and an honest word on what nothing satisfied.

Budgets are in yuan; a city of another currency is held against them by the rough rates of `rates`.

The score: 30 for each interest, 20 when the day's cost lies within the bounds and 10 when it is below them, 15 for
the season. Ties are broken by distance, by how near the usual temperature is to what was asked for, by how well the
days fit, by how prominent the interest is in the city, then by confidence and id.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from ..wording import plain, say_in
from .climate import distance_from
from .climate import told as temperature
from .geo import distance_km
from .places import City
from .rates import rates
from .vocabulary import Term, Terms, folded, vocabulary

INTEREST, IN_BUDGET, BELOW_BUDGET, SEASON = 30, 20, 10, 15

SEASON_MONTHS = {
    "春季": (3, 4, 5),
    "夏季": (6, 7, 8),
    "秋季": (9, 10, 11),
    "冬季": (12, 1, 2),
    "spring": (3, 4, 5),
    "summer": (6, 7, 8),
    "autumn": (9, 10, 11),
    "winter": (12, 1, 2),
}


_EUROPE = frozenset({"FR", "GB", "IT", "ES", "TR", "CZ", "GR"})
_SOUTH_EAST = frozenset({"TH", "SG", "MY", "ID", "VN", "KH"})
_DELTA = frozenset({"上海市", "江苏省", "浙江省"})
AREAS: dict[str, frozenset[str]] = {
    "欧洲": _EUROPE, "europe": _EUROPE, "东南亚": _SOUTH_EAST, "southeastasia": _SOUTH_EAST,
    "日韩": frozenset({"JP", "KR"}), "北美": frozenset({"US"}), "northamerica": frozenset({"US"}),
    "江浙沪": _DELTA, "长三角": _DELTA, "川渝": frozenset({"四川省", "重庆市"}),
    "云贵川": frozenset({"云南省", "贵州省", "四川省"}), "东三省": frozenset({"辽宁省", "吉林省", "黑龙江省"}),
    "珠三角": frozenset({"广东省"}), "京津冀": frozenset({"北京市", "天津市", "河北省"}),
}  # fmt: skip
"""What people call parts of the world that are neither a country nor a region of the data, by country or province."""


@dataclass(frozen=True)
class Wish:
    """What is asked of a city; the empty wish takes all."""

    interests: Sequence[str] = ()
    months: tuple[int, ...] = ()
    budget_min: Decimal | None = None
    budget_max: Decimal | None = None
    tier: str = "comfort"
    days: int | None = None
    country: str | None = None
    region: str | None = None
    near: tuple[City, float] | None = None
    climate: str | None = None
    """`warm` or `cool` in all of the months."""
    exclude: frozenset[str] = frozenset()


@dataclass
class CityMatch:
    city: City
    parts: dict[str, int] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    prominence: int = 0
    """The sum of the places its matched interests have among the city's tags; less is more."""
    km: float | None = None

    @property
    def score(self) -> int:
        return sum(self.parts.values())


@dataclass(frozen=True)
class CityMatches:
    matches: list[CityMatch]
    unmatched: list[str]
    """Wishes that no city fulfils, as `interest:海滨` or `region:海外`."""


def search(cities: Sequence[City], wish: Wish, language: str) -> CityMatches:
    terms, unmatched = _interests(cities, wish.interests)
    kept, lost = _filtered(cities, wish)
    unmatched += lost
    matches = [_match(city, terms, wish, language) for city in kept]
    if terms:
        matches = [match for match in matches if any(part.startswith("interest:") for part in match.parts)]
        if kept and not matches:
            unmatched += [f"interest:{word}" for word in terms]
    if wish.months and kept and not any("season" in match.parts for match in matches):
        unmatched.append("season")
    return CityMatches(sorted(matches, key=lambda match: _rank(match, wish)), unmatched)


def _interests(cities: Sequence[City], interests: Sequence[str]) -> tuple[dict[str, Term], list[str]]:
    terms: dict[str, Term] = {}
    unmatched = []
    for word in interests:
        term = vocabulary().tags.find(word)
        if term is None or not any(term.code in city.tags for city in cities):
            unmatched.append(f"interest:{word}")
        elif term not in terms.values():
            terms[word] = term
    return terms, unmatched


def _filtered(cities: Sequence[City], wish: Wish) -> tuple[list[City], list[str]]:
    """The cities that pass every filter, and the filters that no city at all passes."""
    filters: dict[str, Callable[[City], bool]] = {}
    if wish.country:
        filters[f"country:{wish.country}"] = _is_named(vocabulary().countries, wish.country, lambda city: city.country)
    if wish.region:
        filters[f"region:{wish.region}"] = _in_region(wish.region)
    if wish.near:
        centre, max_km = wish.near
        filters[f"near:{centre.id}"] = lambda city: (
            city.id != centre.id and distance_km(city.point, centre.point) <= max_km
        )
    if wish.climate:
        climate, months = wish.climate, wish.months
        filters[f"climate:{climate}"] = lambda city: distance_from(climate, city.id, months) is not None
    pool = [city for city in cities if city.id not in wish.exclude]
    if wish.budget_max is not None:
        highest, tier = wish.budget_max, wish.tier
        filters["budget_per_day_max"] = lambda city: (cost := in_yuan(city, tier)) is not None and cost <= highest
    candidates = [city for city in pool if all(passes(city) for passes in filters.values())]
    lost = [name for name, passes in filters.items() if not any(passes(city) for city in pool)]
    if filters and pool and not candidates and not lost:
        lost = [" + ".join(filters)]
    return candidates, lost


def _is_named(terms: Terms, said_: str, value: Callable[[City], str]) -> Callable[[City], bool]:
    term = terms.find(said_)
    code = term.code if term else said_
    return lambda city: value(city) == code


def _in_region(region: str) -> Callable[[City], bool]:
    if area := AREAS.get(folded(region)):
        return lambda city: city.country in area or city.admin1 in area
    by_region = _is_named(vocabulary().regions, region, lambda city: city.region)
    short = region.removesuffix("省").removesuffix("市").removesuffix("自治区")
    return lambda city: by_region(city) or (len(short) > 1 and city.admin1.startswith(short))


def _match(city: City, terms: dict[str, Term], wish: Wish, language: str) -> CityMatch:
    match = CityMatch(city)
    for word, term in terms.items():
        if term.code in city.tags:
            match.parts[f"interest:{word}"] = INTEREST
            match.prominence += city.tags.index(term.code)
            label = term.label(language)
            match.reasons.append(say_in(language, "good for {label}", label=label))
    _budget(match, wish, language)
    if wish.climate:
        match.reasons.append(temperature(city.id, wish.months, language))
    if set(wish.months) & set(city.best_months):
        match.parts["season"] = SEASON
        match.reasons.append(say_in(language, "a good season"))
    if wish.near:
        match.km = round(distance_km(city.point, wish.near[0].point), 1)
        match.reasons.append(say_in(language, "about {km:.0f} km away", km=match.km))
    if wish.days is not None and city.recommended_days.min <= wish.days <= city.recommended_days.max:
        match.reasons.append(say_in(language, "{days} days fit well", days=wish.days))
    return match


def _budget(match: CityMatch, wish: Wish, language: str) -> None:
    if wish.budget_min is None and wish.budget_max is None:
        return
    cost = in_yuan(match.city, wish.tier)
    if cost is None:
        return
    price = price_of(match.city, wish.tier)
    if wish.budget_min is not None and cost < wish.budget_min:
        match.parts["budget"] = BELOW_BUDGET
        match.reasons.append(say_in(language, "below the budget (about {price} a day)", price=price))
    else:
        match.parts["budget"] = IN_BUDGET
        match.reasons.append(say_in(language, "within the budget (about {price} a day)", price=price))


def _rank(match: CityMatch, wish: Wish) -> tuple[Any, ...]:
    off = abs(wish.days - match.city.recommended_days.typ) if wish.days is not None else 0
    doubt = ("high", "mid", "low").index(match.city.confidence)
    degrees = (distance_from(wish.climate, match.city.id, wish.months) or 0.0) if wish.climate else 0.0
    return (-match.score, match.km or 0.0, degrees, off, match.prominence, doubt, match.city.id)


def per_day(city: City, tier: str) -> Decimal:
    """What a day costs one person, two to a room."""
    return city.daily_cost[tier].per_person


def in_yuan(city: City, tier: str) -> Decimal | None:
    """The same in yuan, by rough rates where the city has another currency; None where there is no rate."""
    return rates().converted(per_day(city, tier), city.currency)


def price_of(city: City, tier: str) -> str:
    return rates().words(per_day(city, tier), city.currency)


def as_row(match: CityMatch, tier: str, language: str) -> dict[str, Any]:
    city = match.city
    row: dict[str, Any] = {
        "id": city.id,
        "name": city.name(language),
        "score": match.score,
        "score_parts": match.parts,
        "match_reasons": match.reasons,
        "per_day": plain(per_day(city, tier)),
        "currency": city.currency,
        "per_day_cny": None if (yuan := in_yuan(city, tier)) is None else plain(yuan),
        "recommended_days": city.recommended_days.typ,
        "best_months": list(city.best_months),
    }
    if match.km is not None:
        row["km"] = match.km
    return row
