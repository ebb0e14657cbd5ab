"""What to pack, by rule: a base, then what season, places, party and length of the journey add.

To add a rule: a `Rule` below. An item is a text marked for translation; one that two rules have is listed once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..wording import N_, say_in


@dataclass(frozen=True)
class PackingFacts:
    days: int = 3
    months: frozenset[int] = frozenset()
    tags: frozenset[str] = frozenset()
    adults: int = 2
    children: tuple[int, ...] = ()
    abroad: bool = False
    latitude: float = 32.0

    @property
    def is_cold(self) -> bool:
        """By month and latitude; the other half of the globe has its seasons the other way round."""
        months = self.months if self.latitude >= 0 else {(month + 5) % 12 + 1 for month in self.months}
        far = abs(self.latitude)
        return any((month in (12, 1, 2) and far > 23) or (month in (3, 11) and far > 34) for month in months)

    @property
    def is_hot(self) -> bool:
        months = self.months if self.latitude >= 0 else {(month + 5) % 12 + 1 for month in self.months}
        return abs(self.latitude) < 20 or any(month in (6, 7, 8) for month in months)


@dataclass(frozen=True)
class Rule:
    group: str
    holds: Callable[[PackingFacts], bool]
    items: Sequence[str]


GROUPS: dict[str, str] = {
    "papers": N_("Papers and money"),
    "clothes": N_("Clothes"),
    "care": N_("Care and medicine"),
    "devices": N_("Devices"),
    "children": N_("Children"),
    "outdoors": N_("For this journey"),
    "own": N_("Your own"),
}


def _always(_: PackingFacts) -> bool:
    return True


def _tagged(*tags: str) -> Callable[[PackingFacts], bool]:
    return lambda journey: bool(journey.tags & set(tags))


RULES: tuple[Rule, ...] = (
    Rule(
        "papers",
        _always,
        [
            N_("identity card"),
            N_("bank card and some cash"),
            N_("bookings, saved offline"),
        ],
    ),
    Rule(
        "papers",
        lambda j: j.abroad,
        [
            N_("passport, valid for six months"),
            N_("visa or entry permit (see the official rules)"),
            N_("travel insurance"),
            N_("local currency"),
        ],
    ),
    Rule(
        "papers",
        lambda j: bool(j.children),
        [
            N_("the children's papers"),
        ],
    ),
    Rule(
        "clothes",
        _always,
        [
            N_("comfortable walking shoes"),
            N_("umbrella or rain jacket"),
        ],
    ),
    Rule(
        "clothes",
        lambda j: j.is_cold,
        [
            N_("warm coat"),
            N_("hat, gloves, scarf"),
            N_("thermal underwear"),
        ],
    ),
    Rule(
        "clothes",
        lambda j: j.is_hot,
        [
            N_("light clothes"),
            N_("sun hat"),
            N_("sunglasses"),
        ],
    ),
    Rule(
        "clothes",
        lambda j: not j.is_cold and not j.is_hot,
        [
            N_("light jacket"),
            N_("layers"),
        ],
    ),
    Rule(
        "care",
        _always,
        [
            N_("toiletries"),
            N_("usual medicine and plasters"),
            N_("tissues"),
        ],
    ),
    Rule(
        "care",
        lambda j: j.is_hot,
        [
            N_("sun cream"),
            N_("insect repellent"),
        ],
    ),
    Rule(
        "care",
        lambda j: j.is_cold,
        [
            N_("lip balm and hand cream"),
        ],
    ),
    Rule(
        "devices",
        _always,
        [
            N_("phone and charger"),
            N_("power bank (in the hand luggage)"),
        ],
    ),
    Rule(
        "devices",
        lambda j: j.abroad,
        [
            N_("plug adapter"),
            N_("roaming or a local SIM"),
        ],
    ),
    Rule(
        "children",
        lambda j: any(age < 3 for age in j.children),
        [
            N_("nappies and wipes"),
            N_("formula and bottles"),
            N_("pushchair"),
        ],
    ),
    Rule(
        "children",
        lambda j: any(3 <= age < 12 for age in j.children),
        [
            N_("snacks and a bottle"),
            N_("a toy or book for the way"),
            N_("spare clothes"),
        ],
    ),
    Rule(
        "children",
        lambda j: bool(j.children),
        [
            N_("fever medicine, as the doctor says"),
        ],
    ),
    Rule(
        "outdoors",
        _tagged("hiking", "mountain"),
        [
            N_("hiking boots"),
            N_("walking poles"),
            N_("energy food"),
        ],
    ),
    Rule(
        "outdoors",
        _tagged("sea"),
        [
            N_("swimwear"),
            N_("sandals"),
            N_("dry bag"),
        ],
    ),
    Rule(
        "outdoors",
        _tagged("snow"),
        [
            N_("snow boots"),
            N_("heat packs"),
            N_("goggles"),
        ],
    ),
    Rule(
        "outdoors",
        _tagged("grassland", "desert"),
        [
            N_("windproof jacket"),
            N_("scarf or mask"),
            N_("skin care against dryness"),
        ],
    ),
    Rule(
        "outdoors",
        _tagged("religion"),
        [
            N_("clothes that cover shoulders and knees"),
        ],
    ),
    Rule(
        "outdoors",
        _tagged("photography"),
        [
            N_("camera, spare battery and cards"),
        ],
    ),
)


def packing(journey: PackingFacts, own: Sequence[str], language: str) -> list[dict[str, object]]:
    """Groups in their order; each with its items, quantities where they depend on the days."""
    found: dict[str, list[dict[str, object]]] = {}
    seen: set[str] = set()
    for rule in RULES:
        if rule.holds(journey):
            for item in rule.items:
                _add(found, seen, rule.group, say_in(language, item), 1)
    sets = min(journey.days + 1, 7)
    persons = journey.adults + len(journey.children)
    _add(found, seen, "clothes", say_in(language, "underwear and socks (sets)"), sets * persons)
    _add(found, seen, "clothes", say_in(language, "tops (pieces)"), -(-journey.days // 2) * persons)
    for name in own:
        if name.strip():
            _add(found, seen, "own", name.strip(), 1)
    return [
        {"group": say_in(language, GROUPS[code]), "code": code, "items": found[code]}
        for code in GROUPS
        if code in found
    ]


def _add(found: dict[str, list[dict[str, object]]], seen: set[str], group: str, text: str, quantity: int) -> None:
    if text not in seen:
        seen.add(text)
        line = f"{text} × {quantity}" if quantity > 1 else text
        found.setdefault(group, []).append({"item": text, "quantity": quantity, "text": line})
