"""What a plan asks to be booked: one rule for all sights that need it equally early, with their official pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .model.dataset import Dataset
from .model.places import Attraction
from .model.trip_values import stops_of
from .rules.estimate import days_of
from .wording import count_in, listed, say_in


def booking_rules(itinerary: Mapping[str, Any], dataset: Dataset, language: str) -> list[dict[str, Any]]:
    """[{days_ahead, text, links: [{name, url}]}], the earliest to be booked first; a link only where one was read."""
    by_days: dict[int, list[Attraction]] = {}
    for sight in _sights(itinerary, dataset):
        if sight.reservation.required:
            by_days.setdefault(sight.reservation.days_ahead, []).append(sight)
    rules = []
    for ahead, sights in sorted(by_days.items(), reverse=True):
        names = listed(language, [sight.name(language) for sight in sights])
        text = (
            count_in(language, "{names}: book {n} day ahead", "{names}: book {n} days ahead", ahead, names=names)
            if ahead
            else say_in(language, "{names}: book before you go", names=names)
        )
        links = [{"name": each.name(language), "url": each.source_url} for each in sights if each.source_url]
        rules.append({"days_ahead": ahead, "text": text, "links": links})
    return rules


def unsure_sights(itinerary: Mapping[str, Any], dataset: Dataset, language: str) -> list[str]:
    """Names of the sights whose facts have no source that was read."""
    return [sight.name(language) for sight in _sights(itinerary, dataset) if sight.confidence == "low"]


def _sights(itinerary: Mapping[str, Any], dataset: Dataset) -> list[Attraction]:
    """Of the plan, each once."""
    ids = dict.fromkeys(str(s.get("place_id") or "") for day in days_of(itinerary) for s in stops_of(day))
    return [each[1] for id in ids if id and (each := dataset.attraction(id)) is not None]
