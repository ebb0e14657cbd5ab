"""The checks of an itinerary: what cannot work, what needs care, and what nobody could check.

`check` is called by check_itinerary and after every edit of a trip. The violations have the codes V01–V32 of
agents.md 2.3; each names day and stop and, where there is one, the edit that mends it. Facts come from `trip_facts`.

    report  codes, violations, score      days    times within a day        places  the stops themselves
    money   sums and prices               whole   the journey as a whole    outlook weather, holidays, detours
"""

from .report import CODES, Constraints, TripReport, Violation
from .run import check

__all__ = ["CODES", "Constraints", "TripReport", "Violation", "check"]
