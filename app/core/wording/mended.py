"""What was read forgivingly of a call's arguments, as a person reads it (`ToolCalled.corrected`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..text.i18n import _


def mended_text(notes: Sequence[Mapping[str, str]]) -> str:
    """Each reading with its place; a number written as a text is no news and is left out."""
    return " · ".join(filter(None, map(_reading, notes)))


def _reading(note: Mapping[str, str]) -> str:
    place, given, taken = (str(note.get(name, "")) for name in ("path", "given", "taken"))
    match note.get("code"):
        case "name":
            return _("{given} is read as {taken}").format(given=given, taken=taken)
        case "absent":
            return _("{place}: {given} is no value and is left out").format(place=place, given=given)
        case "dropped":
            return _("{place} is not known here and is left out").format(place=place)
        case _ if given == taken:
            return ""
        case _:
            return _("{place}: “{given}” is read as {taken}").format(place=place, given=given, taken=taken)
