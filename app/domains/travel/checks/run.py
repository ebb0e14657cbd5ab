"""All checks, one after the other."""

from __future__ import annotations

from datetime import date

from ..rules.trip_facts import TripFacts
from . import days, money, outlook, places, whole
from .report import Constraints, TripReport


def check(facts: TripFacts, asked: Constraints, today: date) -> TripReport:
    report = TripReport(facts, asked, today)
    for day in facts.trip.days_list:
        days.check_day(report, day)
    places.check_places(report)
    money.check_money(report)
    whole.check_whole(report)
    outlook.check_outlook(report)
    return report
