"""An itinerary as the answer: its card with a summary of two lines, and the buttons that change it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from app.core.tools.card import Card, CardAction

from .itinerary_card import itinerary_card
from .wording import N_, clauses, listed, money, say_in

_MOST_STOPS = 120
"""Stops with buttons of their own."""


def answer_card(
    itinerary: Mapping[str, Any],
    language: str,
    unscheduled: Sequence[Mapping[str, Any]] = (),
    *,
    version: int | None = None,
) -> Card:
    """`version` of the stored trip; None where it is not stored yet, so that nothing can be changed in it."""
    card = itinerary_card(itinerary, language, unscheduled)
    listed = _of_new(itinerary, language) if version is None else _of_stored(itinerary, language, version)
    actions = tuple(listed)
    words = summary(itinerary, language, unscheduled)
    payload = _with_buttons(card.payload, itinerary, {action.id for action in actions})
    return replace(card, payload=payload, role="answer", summary=words, actions=actions)


def _with_buttons(payload: Mapping[str, Any], itinerary: Mapping[str, Any], ids: Collection[str]) -> dict[str, Any]:
    """The lines of the timeline name the buttons that stand beside them."""
    groups = [dict(group) for group in payload["groups"]]
    for group, day in zip(groups, itinerary.get("days_list") or (), strict=False):
        items = []
        for item, stop in zip(group["items"], day.get("stops") or (), strict=False):
            wanted = [f"{name}.{day.get('day')}.{stop.get('seq')}" for name in ("lock", "remove")]
            found = [id for id in wanted if id in ids]
            items.append({**item, "actions": found} if found else item)
        group["items"] = items
    return {**payload, "groups": groups}


def summary(itinerary: Mapping[str, Any], language: str, unscheduled: Sequence[Mapping[str, Any]] = ()) -> str:
    """What it is with its cost, then what it leaves out."""
    days = [day for day in itinerary.get("days_list") or () if isinstance(day, Mapping)]
    sights = sum(stop.get("kind") == "sight" for day in days for stop in day.get("stops") or ())
    cost = sum((Decimal(str((day.get("totals") or {}).get("cost") or 0)) for day in days), Decimal(0))
    price = money(cost, str(itinerary.get("currency") or "CNY"))
    names = list(dict.fromkeys(str(day.get("city_name") or itinerary.get("city_name") or "") for day in days))
    place = listed(language, [name for name in names if name]) or str(itinerary.get("title") or "")
    first = say_in(
        language, "{place}, {days} days, {sights} sights, tickets about {price} in all",
        place=place, days=len(days), sights=sights, price=price,
    )  # fmt: skip
    people = (itinerary.get("party") or {}).get("adults") or 1
    people += len((itinerary.get("party") or {}).get("children") or ())
    if cost and people > 1:
        each = money((cost / people).quantize(Decimal(1)), str(itinerary.get("currency") or "CNY"))
        first = say_in(language, "{first} ({each} per person)", first=first, each=each)
    lines = [first, say_in(language, "Not included: lodging, meals and the way there")]
    if unscheduled:
        left = listed(language, [str(entry.get("name")) for entry in unscheduled[:3]])
        lines[1] = clauses(language, [lines[1], say_in(language, "not scheduled: {names}", names=left)])
    return "\n".join(say_in(language, "{sentence}.", sentence=line) for line in lines)


def _of_new(itinerary: Mapping[str, Any], language: str) -> Iterator[CardAction]:
    label = say_in(language, "Save trip")
    yield CardAction("save", label, "save_trip", {"itinerary": dict(itinerary)}, "primary")


def _of_stored(itinerary: Mapping[str, Any], language: str, version: int) -> Iterator[CardAction]:
    trip = itinerary.get("id")
    calendar = {"id": trip, "format": "ics"}
    yield CardAction("calendar", say_in(language, "Export calendar"), "export_trip", calendar, "primary")
    if version > 1:
        back = {"id": trip, "ops": [{"op": "restore", "version": version - 1}], "version": version}
        yield CardAction("undo", say_in(language, "Undo the last change"), "edit_trip", back)
    stops = [
        (day.get("day"), stop)
        for day in itinerary.get("days_list") or ()
        for stop in day.get("stops") or ()
        if stop.get("kind") == "sight"
    ]
    for day, stop in stops[:_MOST_STOPS]:
        seq, name = stop.get("seq"), stop.get("name")
        place = f"{day}.{seq}"
        is_locked = bool(stop.get("locked"))
        lock = {"op": "lock", "day": day, "seq": seq, "locked": not is_locked}
        label = say_in(language, N_("Unlock {name}") if is_locked else N_("Lock {name}"), name=name)
        yield CardAction(f"lock.{place}", label, "edit_trip", {"id": trip, "ops": [lock], "version": version})
        remove = {"id": trip, "ops": [{"op": "remove", "day": day, "seq": seq}], "version": version}
        yield CardAction(f"remove.{place}", say_in(language, "Remove {name}", name=name), "edit_trip", remove)
