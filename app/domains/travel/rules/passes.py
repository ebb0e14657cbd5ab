"""Sights that share one ticket: whoever has paid it for the first of them pays nothing at the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from ..model.budget import Party, ticket_total
from ..model.dataset import Dataset
from ..model.places import Ticket
from ..wording import plain
from .estimate import party_of


@dataclass
class PaidPasses:
    """Those of one journey, in its order."""

    _paid: set[str] = field(default_factory=set)

    def is_due(self, ticket: Ticket) -> bool:
        """Whether this ticket has to be bought; it is from now on."""
        due = not ticket.shared or ticket.shared not in self._paid
        self._paid.add(ticket.shared)
        return due


def with_passes(itinerary: dict[str, Any], dataset: Dataset) -> dict[str, Any]:
    """The itinerary with each shared ticket counted once; sums of days follow."""
    passes, party = PaidPasses(), party_of(itinerary)
    return {**itinerary, "days_list": [_repriced(day, passes, party, dataset) for day in itinerary["days_list"]]}


def _repriced(day: dict[str, Any], passes: PaidPasses, party: Party, dataset: Dataset) -> dict[str, Any]:
    on = date.fromisoformat(day["date"]) if day.get("date") else None
    costs: dict[int, Decimal] = {}
    for place, stop in enumerate(day["stops"]):
        ticket = _shared(stop, dataset)
        if ticket is not None and stop.get("cost") is not None:
            costs[place] = ticket_total(ticket, party, on) if passes.is_due(ticket) else Decimal(0)
    if not costs:
        return day
    stops = [{**stop, "cost": plain(costs[n])} if n in costs else stop for n, stop in enumerate(day["stops"])]
    total = sum((Decimal(str(stop["cost"] or 0)) for stop in stops), Decimal(0))
    return {**day, "stops": stops, "totals": {**day["totals"], "cost": plain(total)}}


def _shared(stop: Mapping[str, Any], dataset: Dataset) -> Ticket | None:
    sight = dataset.attraction(str(stop["place_id"])) if stop.get("place_id") else None
    return sight[1].ticket if sight and sight[1].ticket.shared else None
