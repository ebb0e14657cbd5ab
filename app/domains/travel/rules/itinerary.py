"""A plan written out as the Itinerary of agents.md 2.4: stops with times, ways, costs and remarks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from ..model.budget import ticket_total
from ..model.hours import format_time
from ..model.sights import find_foods
from ..routing.day_route import Step
from ..routing.planner import DayPlan, Leg, RoutePlan
from ..wording import N_, count_in, plain, say_in, weekday_name
from .route_request import RouteRequest, RouteStop

MEAL_NAMES = {"lunch": N_("Lunch"), "dinner": N_("Dinner")}


def written_out(request: RouteRequest, plan: RoutePlan, language: str) -> dict[str, Any]:
    days = [_Writer(request, day_plan, language).day() for day_plan in plan.days]
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
    }
    digest = hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    return {"id": f"trip-{digest[:12]}", **body}


def scheduled(itinerary: Mapping[str, Any]) -> list[str]:
    """Ids of the places in it."""
    return [stop["place_id"] for day in itinerary["days_list"] for stop in day["stops"] if stop.get("place_id")]


def _currency(request: RouteRequest) -> str:
    if request.city:
        return request.city.currency
    return next((place.ticket.currency for place in request.places.values()), "CNY")


class _Writer:
    def __init__(self, request: RouteRequest, plan: DayPlan, language: str) -> None:
        self.request, self.plan, self.language = request, plan, language
        self.stops: list[dict[str, Any]] = []
        self.legs: list[Leg] = []

    def day(self) -> dict[str, Any]:
        plan, route, day = self.plan, self.plan.route, self.plan.day
        for position, step in enumerate(route.steps):
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
                "visit_min": sum(plan.stops[i].minutes for i in route.order),
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
        self._add(
            "sight", place.name, step.start, step.end, wait_min=wait, transfer=transfer,
            place_id=place.stop.id, cost=plain(self._cost(place.stop.id)),
            notes=[*place.notes, *self._meals_inside(step)], warnings=list(place.warnings),
            **_position(place),
        )  # fmt: skip

    def _meals_inside(self, step: Step) -> list[str]:
        if step.end - step.start < 240:
            return []
        meals = [say_in(self.language, MEAL_NAMES[code]) for code in self.plan.route.inside_meals]
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


def _position(place: RouteStop) -> dict[str, float]:
    return {"lat": place.spot.point.lat, "lon": place.spot.point.lon} if place.spot else {}


def _edges(plan: DayPlan) -> tuple[int, int]:
    steps = plan.route.steps
    if not steps:
        return plan.day.start, plan.day.end
    return steps[0].start - steps[0].travel, max(plan.route.home, steps[-1].end)
