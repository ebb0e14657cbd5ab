"""A plan written out as the Itinerary of agents.md 2.4: stops with times, ways, costs and remarks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from ..model.budget import ticket_total
from ..model.hours import format_time
from ..model.sights import find_foods
from ..routing.day_route import DINNER, LUNCH, Step, Visit
from ..routing.planner import EARLIER
from ..routing.slack import FREE
from ..routing.stops import DayPlan, Leg, RoutePlan, windows_of
from ..wording import N_, count_in, plain, say_in, weekday_name
from .rain import RAIN, under_a_roof
from .route_request import RouteRequest
from .route_stops import RouteStop

GAP = "gap"
"""The field of a stop that is nothing but the time between two others: it goes when they change."""
OFFERED = 60
"""Minutes that suffice to mention a sight for a gap."""
MEAL_NAMES = {"lunch": N_("Lunch"), "dinner": N_("Dinner")}


def written_out(request: RouteRequest, plan: RoutePlan, language: str) -> dict[str, Any]:
    spare = [place for key, place in request.places.items() if key not in plan.scheduled | set(request.left_out)]
    days = [_Writer(request, day_plan, language, spare).day() for day_plan in plan.days]
    taken = set(plan.scheduled)
    for day, day_plan in zip(days, plan.days, strict=True):
        day[RAIN] = under_a_roof(request, day_plan, taken, language)
        taken |= {each["place_id"] for each in day[RAIN]}
    city, party = request.city, request.party
    first = request.days[0].date
    name = city.name(language) if city else say_in(language, "Given places")
    count = len(days)
    body: dict[str, Any] = {
        "title": count_in(language, "{name}, {n} day", "{name}, {n} days", count, name=name),
        "city": city.id if city else None,
        "city_name": city.name(language) if city else "",
        "start_date": first.isoformat() if first else None,
        "days": count,
        "party": {"adults": party.adults, "children": list(party.children)},
        "currency": _currency(request),
        "days_list": days,
        "budget": None,
        "sources": list(city.sources) if city else ["user"],
        "as_of": city.as_of if city else None,
        "assumptions": request.assumptions,
        "lodging": dict(request.sleeps_at) if request.sleeps_at else None,
        **request.asked,
        **_wishes_met(request, plan),
    }
    digest = hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    return {"id": f"trip-{digest[:12]}", **body}


def _wishes_met(request: RouteRequest, plan: RoutePlan) -> dict[str, Any]:
    """What must be seen and found no place is told as unscheduled; the plan carries only what it holds."""
    must = [stop.id for stop in request.stops if stop.must]
    met = [request.places[id].name for id in must if id in plan.scheduled]
    return {"must_see": met} if len(met) < len(must) else {}


def scheduled(itinerary: Mapping[str, Any]) -> list[str]:
    """Ids of the places in it."""
    return [stop["place_id"] for day in itinerary["days_list"] for stop in day["stops"] if stop.get("place_id")]


def _currency(request: RouteRequest) -> str:
    if request.city:
        return request.city.currency
    return next((place.ticket.currency for place in request.places.values()), "CNY")


class _Writer:
    def __init__(self, request: RouteRequest, plan: DayPlan, language: str, spare: Sequence[RouteStop]) -> None:
        self.request, self.plan, self.language, self.spare = request, plan, language, spare
        self.stops: list[dict[str, Any]] = []
        self.legs: list[Leg] = []

    def day(self) -> dict[str, Any]:
        plan, route, day = self.plan, self.plan.route, self.plan.day
        for position, step in enumerate(plan.steps):
            after = plan.steps[position + 1] if position + 1 < len(plan.steps) else None
            if step.code == FREE and after is not None:
                self._gap(step, after)
            else:
                self._step(step, first=position == 0)
        if route.order and day.destination:
            self._home()
        if not self.stops:
            self._free()
        start, end = _edges(plan)
        is_last = day.number == len(self.request.days)
        return {
            "day": day.number,
            "date": day.date.isoformat() if day.date else None,
            "weekday": weekday_name(self.language, day.date.weekday()) if day.date else None,
            "city": self.request.city.id if self.request.city else None,
            "lodging": dict(self.request.sleeps_at) if self.request.sleeps_at and not is_last else None,
            "start": format_time(start),
            "end": format_time(end),
            "stops": self.stops,
            "totals": {
                "travel_min": route.travel,
                "visit_min": sum(step.end - step.start for step in plan.steps if step.index is not None),
                "km": round(sum(leg.km or 0.0 for leg in self.legs), 1),
                "cost": plain(sum((self._cost(plan.stops[i].id) for i in route.order), Decimal(0))),
            },
        }

    def _add(self, kind: str, name: str, start: int, end: int, **more: Any) -> None:
        stop: dict[str, Any] = {
            "seq": len(self.stops) + 1,
            "place_id": None,
            "name": name,
            "kind": kind,
            "start": format_time(start),
            "end": format_time(end),
            "wait_min": 0,
            "transfer": None,
            "cost": None,
            "notes": [],
            "warnings": [],
            "locked": False,
        }
        self.stops.append({**stop, **more})

    def _step(self, step: Step, *, first: bool) -> None:
        # One who starts the day need not be before a closed door: the first wait is spent at home.
        wait = 0 if first else step.wait
        transfer = self._transfer(*step.leg) if step.leg else None
        if step.index is None:
            name = say_in(self.language, MEAL_NAMES[step.code])
            self._add("meal", name, step.start, step.end, wait_min=wait, transfer=transfer, notes=self._tasting())
            return
        place = self._place(step.index)
        planned = place.stop.minutes
        stays_longer = {"visit_minutes": planned} if step.end - step.start != planned else {}
        self._add(
            "sight", place.name, step.start, step.end, wait_min=wait, transfer=transfer,
            place_id=place.stop.id, cost=plain(self._cost(place.stop.id)),
            notes=[*place.notes, *self._meals_inside(step)], warnings=list(place.warnings),
            **_position(place), **stays_longer,
        )  # fmt: skip

    def _gap(self, step: Step, after: Step) -> None:
        """Free time, and what it waits for."""
        place = None if after.index is None else self._place(after.index)
        reason = gap_reason(
            self.language, meal=None if place else after.code, name=place.name if place else "",
            at_dusk=place is not None and place.stop.not_before >= after.start - EARLIER,
        )  # fmt: skip
        name = say_in(self.language, "Free time")
        offers = [self._offer(step, after)]
        self._add("free", name, step.start, step.end, notes=[reason, *filter(None, offers)], **{GAP: True})

    def _offer(self, step: Step, after: Step) -> str:
        """What would fit into the free time, beyond what the pace allows: the best known sight near by that is open."""
        here = next((stop["place_id"] for stop in reversed(self.stops) if stop["place_id"]), self.plan.day.origin)
        there = None if after.index is None else self.plan.stops[after.index].id
        for place in sorted(self.spare, key=lambda place: -place.stop.rank):
            if here is None or place.spot is None:
                continue
            ready = step.start + self.request.ways.leg(here, place.stop.id).minutes
            onward = self.request.ways.leg(place.stop.id, there).minutes if there else 0
            least = min(place.stop.minutes, OFFERED)
            done = Visit(place.stop.id, least, windows_of(place.stop, self.plan.day)).earliest(ready)
            if done is not None and done + least + onward <= step.end + after.travel:
                return say_in(self.language, "there would be time for {name}", name=place.name)
        return ""

    def _meals_inside(self, step: Step) -> list[str]:
        if step.end - step.start < 240:
            return []
        due = (meal for meal in (LUNCH, DINNER) if step.start < meal.end and meal.start < step.end)
        meals = [say_in(self.language, MEAL_NAMES[m.code]) for m in due if m.code in self.plan.route.inside_meals]
        return [say_in(self.language, "{meal} on the spot", meal=meal) for meal in meals]

    def _home(self) -> None:
        day, route = self.plan.day, self.plan.route
        last = route.order[-1]
        leaving = day.destination not in (None, self.request.home)
        transfer = self._transfer(last, None) if route.back else None
        self._add("transfer" if leaving else "hotel", str(day.destination), route.home, route.home, transfer=transfer)

    def _free(self) -> None:
        day = self.plan.day
        if day.usable:
            self._add("free", say_in(self.language, "Free time"), day.start, day.end)

    def _transfer(self, origin: int | None, destination: int | None) -> dict[str, Any] | None:
        day = self.plan.day
        a = day.origin if origin is None else self.plan.stops[origin].id
        b = day.destination if destination is None else self.plan.stops[destination].id
        if a is None or b is None or a == b:
            return None
        leg = self.request.ways.leg(a, b)
        self.legs.append(leg)
        return {"mode": leg.mode, "min": leg.minutes, "km": leg.km, "estimate": leg.estimate}

    def _place(self, index: int) -> RouteStop:
        return self.request.places[self.plan.stops[index].id]

    def _cost(self, key: str) -> Decimal:
        return ticket_total(self.request.places[key].ticket, self.request.party, self.plan.day.date)

    def _tasting(self) -> list[str]:
        """Another local dish at every meal of the journey."""
        request = self.request
        foods = (
            find_foods(request.city, diet=sorted(request.diet), without=sorted(request.without)) if request.city else []
        )
        # With a diet there are few dishes: then a kind of restaurant is worth naming too.
        kinds = ("dish", "restaurant_type") if request.diet or request.without else ("dish",)
        dishes = [food for food in foods if food.kind in kinds]
        if not dishes:
            return []
        meals = sum(stop["kind"] == "meal" for stop in self.stops)
        food = dishes[((self.plan.day.number - 1) * 2 + meals) % len(dishes)].name(self.language)
        return [say_in(self.language, "try {food}", food=food)]


def gap_reason(language: str, *, meal: str | None, name: str, at_dusk: bool) -> str:
    """What a stretch of free time waits for: a meal, the evening, or doors that open."""
    if meal:
        return say_in(
            language, "until {meal}: rest, a café, or what lies on the way", meal=say_in(language, MEAL_NAMES[meal])
        )
    if at_dusk:
        return say_in(language, "{name} is best after dark: rest until then", name=name)
    return say_in(language, "until {name} can be visited", name=name)


def _position(place: RouteStop) -> dict[str, float]:
    return {"lat": place.spot.point.lat, "lon": place.spot.point.lon} if place.spot else {}


def _edges(plan: DayPlan) -> tuple[int, int]:
    steps = plan.steps
    if not steps:
        return plan.day.start, plan.day.end
    return steps[0].start - steps[0].travel, max(plan.route.home, steps[-1].end)
