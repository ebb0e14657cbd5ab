"""Arguments and references of a plan in words; their names stay in tooltips and details."""

from __future__ import annotations

from collections.abc import Mapping

from ..arguments.references import parse_reference
from ..text.i18n import N_, _

_TITLES: Mapping[str, str] = {
    "adults": N_("Adults"),
    "attractions": N_("Sights"),
    "avoid": N_("Avoid"),
    "budget": N_("Budget"),
    "categories": N_("Kinds"),
    "children": N_("Children"),
    "cities": N_("Cities"),
    "city": N_("City"),
    "constraints": N_("Conditions"),
    "country": N_("Country"),
    "currency": N_("Currency"),
    "day_end": N_("End of the day"),
    "day_start": N_("Start of the day"),
    "days": N_("Days"),
    "diet": N_("Diet"),
    "exclude_allergens": N_("Allergies"),
    "expression": N_("Calculation"),
    "for": N_("For whom"),
    "format": N_("Format"),
    "free_only": N_("Free only"),
    "from": N_("From"),
    "indoor": N_("Indoors"),
    "interests": N_("Interests"),
    "itinerary": N_("Itinerary"),
    "kind": N_("Kind"),
    "legs": N_("Legs"),
    "limit": N_("At most"),
    "lodging": N_("Lodging"),
    "max_ticket": N_("Highest ticket price"),
    "meals": N_("Meals"),
    "mode": N_("Means of transport"),
    "month": N_("Month"),
    "must_see": N_("Must see"),
    "name": N_("Name"),
    "near": N_("Near"),
    "open_on": N_("Open on"),
    "pace": N_("Pace"),
    "party": N_("Travellers"),
    "path": N_("Place"),
    "price_max": N_("Highest price"),
    "query": N_("Query"),
    "region": N_("Region"),
    "rooms": N_("Rooms"),
    "scheduled": N_("Sights of the route"),
    "season": N_("Season"),
    "sort": N_("Order"),
    "start_date": N_("First day"),
    "stops": N_("Stops"),
    "tags": N_("Tags"),
    "text": N_("Text"),
    "tier": N_("Comfort"),
    "title": N_("Title"),
    "to": N_("To"),
    "url": N_("Address"),
}


def argument_title(name: str) -> str:
    """A known name in the language of the program; any other as words: `start_day` → "Start day"."""
    if title := _TITLES.get(name):
        return _(title)
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:] if words else name


def value_at_a_glance(value: object) -> str:
    """As a person would name it: the result of an earlier step in words, a list by what is in it, a thing by its name;
    "" for what has none.
    """
    match value:
        case str():
            return reference_words(value) or value
        case list() | tuple():
            return ", ".join(filter(None, map(value_at_a_glance, value)))
        case Mapping():
            return next((name for key in ("title", "name") if isinstance(name := value.get(key), str)), "")
        case bool() | int() | float():
            return str(value)
        case _:
            return ""


def reference_words(text: str) -> str:
    """`$1.data.city.id` → "the city of step 1"; "" for what is no reference. The id of a thing stands for the thing."""
    parsed = parse_reference(text)
    if parsed is None:
        return ""
    number, path = parsed
    names = list(path[1:] if path[:1] == ("data",) else path)
    if names and names[-1] == "id":
        names.pop()
    place = ""
    while names and names[-1].isdecimal():
        place = str(int(names.pop()) + 1)
    if not names:
        return _("the result of step {n}").format(n=number)
    title = argument_title(names[-1])
    what = title[:1].lower() + title[1:]
    if place:
        return _("no. {place} of the {what} of step {n}").format(what=what, place=place, n=number)
    return _("the {what} of step {n}").format(what=what, n=number)
