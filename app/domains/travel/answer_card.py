"""An itinerary as the answer: its card with a summary of two lines, its notes, and the buttons that change it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.core.tools.card import ActionStyle, Card, CardAction

from ..kit.cards import as_answer
from .itinerary_card import itinerary_card
from .model.dataset import Dataset
from .model.geo import Point, distance_km
from .model.trip_values import place_of, stops_of
from .rules.estimate import TIER, days_of, party_of
from .trip_words import aside, notes, summary
from .wording import N_, say_in

_MOST_STOPS = 60
"""Stops with buttons of their own."""
_MOST_MOVES = 12
_CHOICES = 3
"""Near places a stop can be swapped for at one click."""
ITINERARY = "itinerary"


def answer_card(
    itinerary: Mapping[str, Any],
    language: str,
    dataset: Dataset,
    unscheduled: Sequence[Mapping[str, Any]] = (),
    *,
    version: int | None = None,
) -> Card:
    """`version` of the stored trip; None where it is not stored yet: then each of its buttons stores it first."""
    card = itinerary_card(itinerary, language, dataset)
    buttons = _Buttons(itinerary, language, dataset, version)
    actions = tuple(buttons.all())
    payload = {
        **_with_buttons(card.payload, itinerary, {action.id for action in actions}, buttons.swaps),
        "aside": aside(itinerary, language),
        "notes": notes(itinerary, language, dataset, unscheduled),
    }
    if itinerary.get("as_of"):
        as_of = itinerary["as_of"]
        payload["source"] = say_in(language, "Reference · {as_of} · check the official source", as_of=as_of)
    words = summary(itinerary, language, dataset)
    shared = {ITINERARY: dict(itinerary)} if version is None else {}
    return as_answer(replace(card, payload=payload), words, actions, shared)


def _with_buttons(
    payload: Mapping[str, Any], itinerary: Mapping[str, Any], ids: Collection[str], swaps: Mapping[str, str]
) -> dict[str, Any]:
    """The lines of the timeline name the buttons that are beside them."""
    groups = [dict(group) for group in payload["groups"]]
    for group, day in zip(groups, days_of(itinerary), strict=False):
        items = []
        for item, stop in zip(group["items"], stops_of(day), strict=False):
            place = f"{day.get('day')}.{stop.get('seq')}"
            near = [f"swap.{place}.{n}" for n in range(_CHOICES)]
            own: dict[str, list[Any]] = {
                "choices": [{"id": id, "label": swaps[id]} for id in near if id in swaps],
                "actions": [id for name in ("lock", "remove") if (id := f"{name}.{place}") in ids],
            }
            items.append({**item, **{key: found for key, found in own.items() if found}})
        group["items"] = items
    return {**payload, "groups": groups}


@dataclass(frozen=True)
class _Buttons:
    itinerary: Mapping[str, Any]
    language: str
    dataset: Dataset
    version: int | None
    swaps: dict[str, str] = field(default_factory=dict)
    """What a stop can be swapped for, by the id of the button."""

    def all(self) -> Iterator[CardAction]:
        if self.version is None:
            yield CardAction("save", self._say(N_("Save trip")), "save_trip", {}, "primary", takes=(ITINERARY,))
        is_stored = self.version is not None
        style: ActionStyle = "primary" if is_stored else "quiet"
        yield self._action("calendar", self._say(N_("Export calendar")), "export_trip", {"format": "ics"}, style)
        if (self.version or 0) > 1:
            back = {"op": "restore", "version": (self.version or 0) - 1}
            yield self._edit("undo", self._say(N_("Undo the last change")), back)
        yield from self._whole()
        if (budget := self._budget()) is not None:
            yield budget
        stops = [
            (day, stop) for day in days_of(self.itinerary) for stop in stops_of(day) if stop.get("kind") == "sight"
        ]
        for day, stop in stops[:_MOST_STOPS]:
            yield from self._of_stop(day, stop)

    def _whole(self) -> Iterator[CardAction]:
        """Changes of a day; they are under one button."""
        days = [day for day in days_of(self.itinerary) if isinstance(day.get("day"), int)]
        for day in days:
            number = day["day"]
            sights = [stop for stop in stops_of(day) if stop.get("kind") == "sight"]
            if len(sights) > 1:
                label = self._say(N_("Make day {day} easier"), day=number)
                yield self._edit(f"change.ease.{number}", label, {"op": "ease", "day": number})
        stops = [(day["day"], stop) for day in days for stop in stops_of(day) if stop.get("kind") == "sight"]
        for number, stop in stops[:_MOST_MOVES] if len(days) > 1 else ():
            if not stop.get("locked"):
                target = number + 1 if number < len(days) else number - 1
                label = self._say(N_("Move {name} to day {day}"), name=stop.get("name"), day=target)
                op = {"op": "move", "day": number, "seq": stop.get("seq"), "to_day": target}
                yield self._edit(f"change.move.{number}.{stop.get('seq')}", label, op)

    def _budget(self) -> CardAction | None:
        """Of one city; for several the fares between them would be asked first."""
        days, party = days_of(self.itinerary), party_of(self.itinerary)
        cities = {str(day.get("city") or self.itinerary.get("city") or "") for day in days}
        city = self.dataset.city(cities.pop()) if len(cities) == 1 else None
        if city is None:
            return None
        sights = [
            str(stop["place_id"])
            for day in days
            for stop in stops_of(day)
            if stop.get("place_id") and self.dataset.attraction(str(stop["place_id"]))
        ]
        args: dict[str, Any] = {"city": city.id, "days": len(days), "adults": party.adults, "tier": TIER}
        if party.children:
            args["children"] = list(party.children)
        if sights:
            args["attractions"] = list(dict.fromkeys(sights))
        if self.itinerary.get("start_date"):
            args["start_date"] = self.itinerary["start_date"]
        return CardAction("budget", self._say(N_("Budget")), "calculate_budget", args)

    def _of_stop(self, day: Mapping[str, Any], stop: Mapping[str, Any]) -> Iterator[CardAction]:
        number, seq, name = day.get("day"), stop.get("seq"), stop.get("name")
        place, at = f"{number}.{seq}", {"day": number, "seq": seq}
        is_locked = bool(stop.get("locked"))
        label = self._say(N_("Unlock {name}") if is_locked else N_("Lock {name}"), name=name)
        yield self._edit(f"lock.{place}", label, {"op": "lock", **at, "locked": not is_locked})
        yield self._edit(f"remove.{place}", self._say(N_("Remove {name}"), name=name), {"op": "remove", **at})
        for n, (id, other) in enumerate(self._near(day, stop)):
            self.swaps[f"swap.{place}.{n}"] = other
            label = self._say(N_("{other} instead of {name}"), other=other, name=name)
            yield self._edit(f"swap.{place}.{n}", label, {"op": "swap", **at, "name": id})

    def _near(self, day: Mapping[str, Any], stop: Mapping[str, Any]) -> list[tuple[str, str]]:
        """The nearest places of the city that are not in the trip."""
        city = self.dataset.city(str(day.get("city") or self.itinerary.get("city") or ""))
        at = place_of(stop)
        if city is None or at is None:
            return []
        here = Point(*at)
        used = {each.get("place_id") for one in days_of(self.itinerary) for each in stops_of(one)}
        free = [sight for sight in city.attractions if sight.id not in used]
        free.sort(key=lambda sight: distance_km(here, sight.point))
        return [(sight.id, sight.name(self.language)) for sight in free[:_CHOICES]]

    def _edit(self, id: str, label: str, op: Mapping[str, Any]) -> CardAction:
        return self._action(id, label, "edit_trip", {"ops": [dict(op)]})

    def _action(
        self, id: str, label: str, tool: str, args: Mapping[str, Any], style: ActionStyle = "quiet"
    ) -> CardAction:
        if self.version is None:
            return CardAction(id, label, tool, args, style, takes=(ITINERARY,))
        own: dict[str, Any] = {"id": self.itinerary.get("id"), **args}
        if tool == "edit_trip":
            own["version"] = self.version
        return CardAction(id, label, tool, own, style)

    def _say(self, words: str, **values: object) -> str:
        return say_in(self.language, words, **values)
