"""The tool that judges a plan: check_itinerary."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from app.core.errors import ToolError
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext, ToolResult, tool

from ..checks import Constraints, TripReport, check
from ..model.budget import Party
from ..model.trip import Trip, TripFaults, read_trip
from ..rules.lookups import dataset_of, sources
from ..rules.trip_facts import TripFacts
from ..wording import N_, say_in
from . import argument_groups as groups
from . import arguments as kinds
from .newest import meant

SHOWN = 6
"""Violations in the summary; all are in the data and on the card."""


@tool("pure", title=N_("Check the itinerary"), icon="check", blocking=True, rules=kinds.within_reason)
def check_itinerary(
    ctx: ToolContext, itinerary: kinds.Itinerary | None = None, constraints: groups.ConstraintsArgument | None = None
) -> ToolResult:
    """Check a plan day by day: hours, closing days, ways, meals, lodging, sums, wishes. Run it before presenting one.

    Each violation has a code, a severity, day and stop, and where possible the fix for edit_trip. What could not be
    checked is listed in unchecked.
    """
    plan = meant(ctx, itinerary)
    report = checked(ctx, given_trip(ctx, plan), constraints or {})
    return ToolResult.success(
        as_data(report),
        summary(report),
        display=card(report, plan),
        **sources(as_of=report.facts.trip.as_of or None),
    )


def given_trip(ctx: ToolContext, itinerary: Mapping[str, Any]) -> Trip:
    """Raises ToolError BAD_ITINERARY with the paths of all faults."""
    try:
        return read_trip(itinerary)
    except TripFaults as error:
        raise ToolError(
            "BAD_ITINERARY",
            "; ".join(fault.sentence(ctx.language) for fault in error.faults[:12]),
            hint=ctx.say("the form is that of generate_route; left out, the newest plan is taken"),
        ) from None


def checked(ctx: ToolContext, trip: Trip, constraints: Mapping[str, Any]) -> TripReport:
    facts = TripFacts(trip, dataset_of(ctx), ctx.language)
    return check(facts, read_constraints(constraints), today(ctx))


def today(ctx: ToolContext) -> date:
    return ctx.today or datetime.now().astimezone().date()


def read_constraints(raw: Mapping[str, Any]) -> Constraints:
    """As the schema has checked it."""
    budget, party = raw.get("budget"), raw.get("party")
    return Constraints(
        budget=None if budget is None else Decimal(str(budget)),
        party=Party(party["adults"], tuple(party.get("children", ()))) if party else None,
        adults=raw.get("adults"),
        must_see=tuple(raw.get("must_see", ())),
        avoid=tuple(raw.get("avoid", ())),
        cuisines=tuple(raw.get("cuisines", ())),
        room_type=raw.get("room_type"),
        room_rules=tuple(raw.get("room_rules", ())),
        transport_forbidden=tuple(raw.get("transport_forbidden", ())),
        pace=raw.get("pace"),
        weather=tuple(raw.get("weather", ())),
    )


def as_data(report: TripReport) -> dict[str, Any]:
    return {
        "violations": [violation.to_json() for violation in report.ordered()],
        "passed": report.passed,
        "unchecked": report.unchecked,
        "score": report.score,
    }


def summary(report: TripReport) -> str:
    language, found = report.facts.language, report.ordered()
    errors = len(report.errors)
    rest = len(found) - errors
    if not found:
        text = say_in(language, "{count} checks, no problem", count=len(report.checked))
    else:
        text = say_in(language, "{errors} errors, {rest} remarks", errors=errors, rest=rest)
    lines = [text, *(violation.message for violation in found[:SHOWN])]
    if len(found) > SHOWN:
        lines.append("…")
    lines.append(say_in(language, "Not checked: live availability, visa"))
    return "\n".join(lines)


def card(report: TripReport, itinerary: Mapping[str, Any]) -> Card:
    """A problem that knows its remedy has a button; what it changes is the trip, which is stored first if need be."""
    language, items = report.facts.language, []
    actions: list[CardAction] = []
    for violation in report.ordered():
        where = say_in(language, "Day {day} · ", day=violation.day) if violation.day else ""
        item: dict[str, Any] = {
            "text": violation.message,
            "state": "error" if violation.severity == "error" else "warn",
            "hint": where.removesuffix(" · "),
        }
        if violation.fix:
            id, label = f"fix.{len(actions)}", say_in(language, "Fix it")
            ops = {"ops": [dict(violation.fix)]}
            actions.append(CardAction(id, label, "edit_trip", ops, takes=("itinerary",)))
            item["actions"] = [id]
        items.append(item)
    if not report.errors:
        text = say_in(language, "{count} checks passed", count=len(report.passed))
        items.append({"text": text, "state": "ok"})
    unchecked = say_in(language, "Not checked: live availability, visa")
    items.append({"text": unchecked, "state": "todo"})
    payload = {"title": say_in(language, "Check of the plan"), "items": items}
    shared = {"itinerary": dict(itinerary)} if actions else {}
    return Card("checklist", payload, actions=tuple(actions), shared=shared)
