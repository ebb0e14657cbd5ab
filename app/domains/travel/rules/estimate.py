"""What a whole journey costs by the data, for the line that says it: the same sum as calculate_budget, in one tier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any

from ..model.budget import Party, Stay, calculate
from ..model.dataset import Dataset
from ..model.rates import BASE, rates
from ..wording import half_up, plain

TIER = "comfort"
"""Where nobody named one."""


@dataclass(frozen=True)
class Cost:
    total: Decimal
    currency: str
    people: int
    is_complete: bool
    """False: the way there and back is not in it."""
    lines: tuple[tuple[str, Decimal], ...] = ()
    """What it is made of, where it is computed here."""


def cost_of(itinerary: Mapping[str, Any], dataset: Dataset, language: str = "zh_CN") -> Cost | None:
    """As the itinerary has it, else by the daily figures of its cities and its tickets; None where a city has none."""
    party = party_of(itinerary)
    budget = itinerary.get("budget")
    if (
        isinstance(budget, Mapping)
        and isinstance(budget.get("total"), int | float)
        and not isinstance(budget["total"], bool)
    ):
        currency = str(budget.get("currency") or itinerary.get("currency") or BASE)
        return Cost(Decimal(str(budget["total"])), currency, party.persons, not budget.get("total_note"))
    stays = _stays(itinerary, dataset)
    if not stays:
        return None
    currencies = {stay.city.currency for stay in stays}
    currency = currencies.pop() if len(currencies) == 1 else BASE

    def changed(amount: Decimal, own: str) -> Decimal:
        converted = rates().converted(amount, own, currency)
        if converted is None:
            raise LookupError(own)
        return converted

    try:
        tickets = sum((changed(amount, own) for amount, own in _tickets(itinerary)), Decimal(0))
        sum_ = calculate(
            stays,
            party,
            tier_of(itinerary),
            overrides={"tickets": tickets},
            currency=currency,
            exchange=changed,
            language=language,
        )
    except LookupError:
        return None
    lines = tuple((line.label, line.amount) for line in sum_.lines if line.amount)
    return Cost(sum_.total, currency, party.persons, sum_.complete, lines)


def tier_of(itinerary: Mapping[str, Any]) -> str:
    tier = itinerary.get("tier")
    return tier if tier in ("economy", "comfort", "luxury") else TIER


def cost_data(itinerary: Mapping[str, Any], dataset: Dataset) -> dict[str, Any] | None:
    """The estimate as tools hand it on; None where there is none."""
    cost = cost_of(itinerary, dataset)
    if cost is None:
        return None
    return {
        "total": plain(half_up(cost.total)), "per_person": plain(half_up(cost.total / cost.people)),
        "currency": cost.currency, "people": cost.people, "tier": tier_of(itinerary),
        "without_way": not cost.is_complete,
    }  # fmt: skip


def party_of(itinerary: Mapping[str, Any]) -> Party:
    party = itinerary.get("party")
    adults, children = (party.get("adults"), party.get("children")) if isinstance(party, Mapping) else (1, ())
    ages = tuple(age for age in children if isinstance(age, int)) if isinstance(children, list | tuple) else ()
    return Party(adults if isinstance(adults, int) and adults > 0 else 1, ages)


def days_of(itinerary: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [day for day in itinerary.get("days_list") or () if isinstance(day, Mapping)]


def day_cost(day: Mapping[str, Any]) -> Decimal:
    totals = day.get("totals")
    cost = totals.get("cost") if isinstance(totals, Mapping) else None
    return Decimal(str(cost)) if isinstance(cost, int | float) and not isinstance(cost, bool) else Decimal(0)


def _stays(itinerary: Mapping[str, Any], dataset: Dataset) -> list[Stay]:
    """One for each city in turn; [] where one of them is not in the data."""
    stays: list[Stay] = []
    for name, days in groupby(days_of(itinerary), key=lambda day: day.get("city") or itinerary.get("city")):
        city, count = dataset.city(str(name)) if name else None, len(list(days))
        if city is None:
            return []
        stays.append(Stay(city, count, count))
    if stays:  # nobody sleeps there on the last day
        stays[-1] = Stay(stays[-1].city, stays[-1].nights - 1, stays[-1].days)
    return stays


def _tickets(itinerary: Mapping[str, Any]) -> list[tuple[Decimal, str]]:
    own = str(itinerary.get("currency") or BASE)
    return [(day_cost(day), str(day.get("currency") or own)) for day in days_of(itinerary)]
