"""Sums and prices: the plan's own additions, the prices of tickets, and the budget."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from ..model.budget import ticket_total
from ..rules.passes import PaidPasses
from ..wording import money
from .report import TripReport

CENT = Decimal("0.01")
SUM_UP = {"op": "recalculate"}


def check_money(report: TripReport) -> None:
    _tickets(report)
    _day_sums(report)
    _budget_sums(report)
    _over(report)


def _tickets(report: TripReport) -> None:
    party, passes = report.facts.trip.party, PaidPasses()
    for day, stop in report.facts.trip.stops:
        place = report.facts.place(day, stop) if stop.kind == "sight" else None
        if party is None or place is None or place.ticket is None or stop.cost is None:
            continue
        report.looked_at("V12")
        due = passes.is_due(place.ticket)
        right = ticket_total(place.ticket, party, day.date) if due else Decimal(0)
        if abs(right - stop.cost) > CENT:
            shown, given = _money(place.ticket.currency, right), _money(place.ticket.currency, stop.cost)
            report.add(
                "V12",
                report.say(
                    "{place}: tickets are given as {given}, by the data {shown}",
                    place=place.name, given=given, shown=shown,
                ),
                day=day, stop=stop, fix=SUM_UP,
            )  # fmt: skip


def _money(currency: str, amount: Decimal) -> str:
    return money(amount, currency)


def _day_sums(report: TripReport) -> None:
    journey_currency = str(report.facts.trip.raw.get("currency") or "CNY")
    whole = Decimal(0)
    for day in report.facts.trip.days_list:
        currency = str(day.raw.get("currency") or journey_currency)
        costs = [stop.cost for stop in day.stops if stop.cost is not None]
        summed = sum(costs, Decimal(0))
        whole += summed
        if day.cost is None:
            continue
        report.looked_at("V12")
        if abs(day.cost - summed) > CENT:
            report.add(
                "V12",
                report.say(
                    "day {day}: the total is given as {cost}, the items add up to {summed}",
                    day=day.number, cost=_money(currency, day.cost), summed=_money(currency, summed),
                ),
                day=day, fix=SUM_UP,
            )  # fmt: skip
    currency = journey_currency
    totals = report.facts.trip.raw.get("totals")
    stated = _number(totals.get("cost")) if isinstance(totals, Mapping) else None
    if stated is not None:
        report.looked_at("V12")
        if abs(stated - whole) > CENT:
            report.add(
                "V12",
                report.say(
                    "the total is given as {stated}, the items add up to {whole}",
                    stated=_money(currency, stated), whole=_money(currency, whole),
                ),
                fix=SUM_UP,
            )  # fmt: skip


def _budget_sums(report: TripReport) -> None:
    budget = report.facts.trip.budget
    total = _number(budget.get("total")) if budget else None
    lines = _amounts(budget) if budget else None
    if budget is None or total is None:
        return
    if lines is not None:
        report.looked_at("V12")
        summed = sum(lines, Decimal(0))
        if abs(summed - total) > CENT:
            report.add(
                "V12",
                report.say(
                    "the budget's total is given as {total:f}, its lines add up to {summed:f}",
                    total=total, summed=summed,
                ),
                fix=SUM_UP,
            )  # fmt: skip
            return
    subtotal, spare = _number(budget.get("subtotal")), _number(budget.get("contingency"))
    if subtotal is not None and spare is not None:
        report.looked_at("V12")
        if abs(subtotal + spare - total) > CENT:
            report.add(
                "V12",
                report.say(
                    "subtotal {subtotal:f} and contingency {spare:f} do not make the total {total:f}",
                    subtotal=subtotal, spare=spare, total=total,
                ),
                fix=SUM_UP,
            )  # fmt: skip


def _amounts(budget: Mapping[str, Any]) -> list[Decimal] | None:
    lines = budget.get("lines")
    if not isinstance(lines, list) or not lines:
        return None
    amounts = [_number(line.get("amount")) for line in lines if isinstance(line, Mapping)]
    return [amount for amount in amounts if amount is not None]


def _over(report: TripReport) -> None:
    limit = report.asked.budget
    if limit is None:
        return
    trip = report.facts.trip
    currency = str(trip.raw.get("currency") or "CNY")
    stated = _number(trip.budget.get("total")) if trip.budget else None
    if stated is None and len({str(day.raw.get("currency") or currency) for day in trip.days_list}) > 1:
        return  # tickets in several currencies are no sum
    total = sum((stop.cost for _, stop in trip.stops if stop.cost is not None), Decimal(0))
    # Without a budget only tickets and the like are known: too much they can be, enough they cannot show.
    spent = stated if stated is not None else total
    if stated is not None:
        report.looked_at("V11")
    if spent > limit:
        report.add(
            "V11",
            report.say(
                "{spent} is more than the budget of {limit}",
                spent=_money(currency, spent),
                limit=_money(currency, limit),
            ),
        )


def _number(raw: object) -> Decimal | None:
    if isinstance(raw, int | float) and not isinstance(raw, bool) and abs(raw) < 1e12:
        return Decimal(str(raw))
    return None
