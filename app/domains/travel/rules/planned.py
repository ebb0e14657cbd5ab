"""A request planned: the plan, what found no place in it, and what is said when nothing did."""

from __future__ import annotations

from typing import Any

from app.core.errors import ToolError

from ..itinerary_card import reasons
from ..routing.planner import Planner
from ..routing.stops import RoutePlan
from ..wording import say_in
from .route_request import RouteRequest


def planned(request: RouteRequest) -> RoutePlan:
    """The plan with every stop at its best time of day; without that wish where it would cost a must-see.

    Must-sees that still find no place are tried as short as they can be seen.
    """
    planner = Planner(request.days, request.ways, request.limits)
    plan = planner.plan(request.stops, by_rank=request.by_rank)
    must = {stop.id for stop in request.stops if stop.must}
    if must <= plan.scheduled:
        return plan
    anytime = planner.plan([stop.without_wishes() for stop in request.stops], by_rank=request.by_rank)
    best = anytime if len(must & anytime.scheduled) > len(must & plan.scheduled) else plan
    if must <= best.scheduled:
        return best
    brief = [stop.without_wishes().brief() if stop.must else stop.without_wishes() for stop in request.stops]
    short = planner.plan(brief, by_rank=request.by_rank)
    return short if len(must & short.scheduled) > len(must & best.scheduled) else best


def left_over(request: RouteRequest, plan: RoutePlan, language: str) -> list[dict[str, Any]]:
    """Every stop that is not in the plan, with its reason; what was only held in reserve is none."""
    reasons = {**request.left_out, **{key: why for key, why in plan.unscheduled.items() if key not in request.proposed}}

    def name(key: str) -> str:
        place = request.places.get(key.removesuffix("#2"))
        sight = next((s for s in request.city.attractions if s.id == key), None) if request.city else None
        return place.name if place else sight.name(language) if sight else key

    return [{"id": key.removesuffix("#2"), "name": name(key), "reason": why} for key, why in reasons.items()]


def infeasible(language: str, unscheduled: list[dict[str, Any]], *, usable: bool) -> ToolError:
    """`usable`: whether any day has time at all."""
    why = reasons(unscheduled, language) or say_in(language, "no usable time")
    if not usable:
        why = say_in(language, "no time between arrival and departure")
    return ToolError(
        "INFEASIBLE",
        say_in(language, "no route is possible: {why}", why=why),
        hint=say_in(language, "change the date, widen the day or choose other places"),
    )
