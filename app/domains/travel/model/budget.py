"""What a journey costs, to the unit (the rule of agents.md 2.3). Decimal throughout, never float.

Every amount is a line, the contingency too, so that the total is always the sum of the lines. What is not known, the
way between cities, is a line without an amount and a warning, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from ..wording import half_up, money, plain, say_in
from .places import Attraction, City, Ticket

CHILD_FOOD = Decimal("0.6")
CHILD_LOCAL = Decimal("0.5")
ZERO = Decimal(0)

Exchange = Callable[[Decimal, str], Decimal]
"""An amount of a currency in that of the budget."""


@dataclass(frozen=True)
class Party:
    adults: int
    children: tuple[int, ...] = ()
    """Ages."""

    @property
    def persons(self) -> int:
        return self.adults + len(self.children)

    @property
    def from_12(self) -> int:
        return self.adults + sum(age >= 12 for age in self.children)

    @property
    def food_shares(self) -> Decimal:
        return self.from_12 + CHILD_FOOD * sum(3 <= age < 12 for age in self.children)

    @property
    def local_shares(self) -> Decimal:
        return self.from_12 + CHILD_LOCAL * sum(6 <= age < 12 for age in self.children)

    @property
    def rooms(self) -> int:
        rooms = -(-self.adults // 2)
        return rooms + 1 if len(self.children) > rooms else rooms


@dataclass(frozen=True)
class Stay:
    city: City
    nights: int
    days: int


@dataclass(frozen=True)
class IntercityFare:
    """One way between cities; `price` per person, None where the user gave none."""

    origin: str
    destination: str
    price: Decimal | None
    basis: str = ""


@dataclass(frozen=True)
class BudgetLine:
    code: str
    label: str
    amount: Decimal | None
    qty: Decimal | None = None
    unit: str = ""
    unit_price: Decimal | None = None
    basis: str = ""


@dataclass
class TripBudget:
    party: Party
    days: int
    currency: str
    lines: list[BudgetLine] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def total(self) -> Decimal:
        return sum((line.amount for line in self.lines if line.amount is not None), ZERO)

    def amount(self, code: str) -> Decimal | None:
        return next((line.amount for line in self.lines if line.code == code), None)

    @property
    def contingency(self) -> Decimal:
        return self.amount("contingency") or ZERO

    @property
    def subtotal(self) -> Decimal:
        return self.total - self.contingency

    @property
    def complete(self) -> bool:
        return all(line.amount is not None for line in self.lines)


def calculate(
    stays: Sequence[Stay],
    party: Party,
    tier: str,
    *,
    rooms: int | None = None,
    attractions: Sequence[Attraction] = (),
    journeys: Sequence[IntercityFare] = (),
    overrides: Mapping[str, Decimal] | None = None,
    contingency_pct: Decimal = Decimal(10),
    language: str = "zh_CN",
    day: date | None = None,
    currency: str | None = None,
    exchange: Exchange | None = None,
) -> TripBudget:
    """`day` decides the season of the tickets; `overrides` puts other amounts in place of lines, by `line_codes`.

    Cities that pay in different money need a `currency` and an `exchange` into it, by which every price is put first.
    """
    budget = TripBudget(party, sum(stay.days for stay in stays), currency or stays[0].city.currency)
    several, change = len(stays) > 1, exchange or (lambda price, _currency: price)
    for stay in stays:
        budget.lines += _stay_lines(stay, party, tier, rooms or party.rooms, several, language, change)
    budget.lines.append(_tickets(attractions, party, day, language, change))
    _intercity(budget, journeys, language)
    prices = overrides or {}
    budget.lines = [_overridden(line, prices, language) for line in budget.lines]
    budget.lines.append(_overridden(_contingency(budget.total, contingency_pct, language), prices, language))
    missing = [line.label for line in budget.lines if line.amount is None]
    if missing:
        budget.warnings.append(say_in(language, "no price for {line}: the total is without it", line=missing[0]))
    return budget


def _stay_lines(
    stay: Stay, party: Party, tier: str, rooms: int, several: bool, language: str, change: Exchange
) -> list[BudgetLine]:
    cost = stay.city.daily_cost[tier]
    room, food, local, misc = (
        change(price, stay.city.currency) for price in (cost.room, cost.food, cost.local, cost.misc)
    )
    tail = f":{stay.city.id}" if several else ""
    where = say_in(language, " ({city})", city=stay.city.name(language)) if several else ""
    person_day = say_in(language, "person-day")

    def per_day(code: str, label: str, shares: Decimal, price: Decimal) -> BudgetLine:
        qty = stay.days * shares
        basis = f"{stay.days} × {plain(shares)} × {plain(price)}"
        return BudgetLine(code + tail, label + where, half_up(qty * price, "0.01"), qty, person_day, price, basis)

    nights = Decimal(stay.nights * rooms)
    return [
        BudgetLine(
            f"lodging{tail}",
            say_in(language, "Lodging") + where,
            nights * room,
            nights,
            say_in(language, "room-night"),
            room,
            f"{stay.nights} × {rooms} × {plain(room)}",
        ),
        per_day("food", say_in(language, "Food"), party.food_shares, food),
        per_day("local", say_in(language, "Local transport"), party.local_shares, local),
        per_day("misc", say_in(language, "Sundries"), Decimal(party.from_12), misc),
    ]


def _tickets(
    attractions: Sequence[Attraction], party: Party, day: date | None, language: str, change: Exchange
) -> BudgetLine:
    once: dict[str, Attraction] = {}
    for sight in attractions:
        once.setdefault(sight.ticket.shared or sight.id, sight)
    parts = [(each, change(ticket_total(each.ticket, party, day), each.ticket.currency)) for each in once.values()]
    paid = [f"{sight.name(language)} {plain(amount)}" for sight, amount in parts if amount]
    free = len(attractions) - len(paid)
    if free:
        paid.append(say_in(language, "{free} free", free=free))
    basis = " + ".join(paid)
    return BudgetLine(
        "tickets",
        say_in(language, "Tickets"),
        sum((amount for _, amount in parts), ZERO),
        basis=basis or say_in(language, "no sights chosen"),
    )


def ticket_total(ticket: Ticket, party: Party, day: date | None = None) -> Decimal:
    """Adults at the adult price; a child at the child price, else half, each rounded; none below the free age."""
    adult, child = ticket.prices_on(day)
    each = half_up(child if child is not None else adult / 2)
    paying = sum(age >= ticket.free_under_age for age in party.children)
    return party.adults * half_up(adult) + paying * each


def _intercity(budget: TripBudget, journeys: Sequence[IntercityFare], language: str) -> None:
    label = say_in(language, "Travel between cities")
    priced = [journey for journey in journeys if journey.price is not None]
    unknown = [journey for journey in journeys if journey.price is None]
    persons = budget.party.persons
    if priced:
        each = sum((journey.price for journey in priced if journey.price is not None), ZERO)
        basis = " + ".join(f"{j.origin}→{j.destination} {plain(j.price or ZERO)} {j.basis}".strip() for j in priced)
        budget.lines.append(
            BudgetLine("intercity", label, each * persons, Decimal(persons), say_in(language, "person"), each, basis)
        )
    if unknown or not journeys:
        code = "intercity_missing" if priced else "intercity"
        ways = ", ".join(f"{journey.origin}→{journey.destination}" for journey in unknown)
        basis = say_in(language, "no price given") + (f": {ways}" if ways else "")
        budget.lines.append(BudgetLine(code, label, None, basis=basis))


def _contingency(subtotal: Decimal, pct: Decimal, language: str) -> BudgetLine:
    amount = half_up(subtotal * pct / 100)
    return BudgetLine(
        "contingency", say_in(language, "Contingency"), amount, basis=f"{plain(pct)}% × {plain(subtotal)}"
    )


def _overridden(line: BudgetLine, overrides: Mapping[str, Decimal], language: str) -> BudgetLine:
    if line.code not in overrides:
        return line
    amount = half_up(overrides[line.code], "0.01")
    return replace(line, amount=amount, qty=None, unit="", unit_price=None, basis=say_in(language, "given by the user"))


def line_codes(stays: Sequence[Stay]) -> list[str]:
    tails = [f":{stay.city.id}" for stay in stays] if len(stays) > 1 else [""]
    return [code + tail for tail in tails for code in ("lodging", "food", "local", "misc")] + [
        "tickets",
        "intercity",
        "contingency",
    ]


def headline(budget: TripBudget, language: str) -> str:
    total, each = money(budget.total, budget.currency), budget.total / budget.party.persons
    share = money(half_up(each), budget.currency)
    without = "" if budget.complete else say_in(language, " (excl. intercity)")
    return say_in(
        language,
        "{days} days: {total}{without}, {share} per person",
        days=budget.days,
        total=total,
        without=without,
        share=share,
    )
