"""What a call would do, in one sentence from its own arguments: what the person reads before it writes or goes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.core.arguments.mend import shown

from ..wording import N_, count_in, say_in

Args = Mapping[str, Any]


def keeping(args: Args, language: str) -> str:
    itinerary = args.get("itinerary")
    own = itinerary.get("title") if isinstance(itinerary, Mapping) else None
    name = shown(str(args.get("title") or own or ""))
    if args.get("id"):
        id = shown(str(args["id"]))
        return say_in(language, "Store the trip “{name}” as a new version of {id}", name=name, id=id)
    return say_in(language, "Store the trip “{name}”", name=name)


def _name(args: Args) -> str:
    """Of the trip: its id, or the title of an itinerary that is not stored."""
    itinerary = args.get("itinerary")
    title = itinerary.get("title") if isinstance(itinerary, Mapping) else None
    return shown(str(args.get("id") or title or ""))


def editing(args: Args, language: str) -> str:
    id, count = _name(args), len(args.get("ops") or ())
    return count_in(
        language, "Change the trip {id}: {n} operation", "Change the trip {id}: {n} operations", count, id=id
    )


def exporting(args: Args, language: str) -> str:
    format, id = shown(str(args.get("format", ""))), _name(args)
    if where := shown(str(args.get("path") or "")):
        return say_in(language, "Export the trip {id} as {format}, as {path}", id=id, format=format, path=where)
    return say_in(language, "Export the trip {id} as {format}, as a new file", id=id, format=format)


def forecasting(args: Args, language: str) -> str:
    place = shown(str(args.get("city") or f"{args.get('lat')}, {args.get('lon')}"))
    words = N_("Ask the weather service for the forecast of {place}, {first} to {last}")
    return say_in(language, words, place=place, first=args.get("from"), last=args.get("to"))


def searching(args: Args, language: str) -> str:
    return say_in(language, "Send “{text}” to the place search", text=shown(str(args.get("text", ""))))
