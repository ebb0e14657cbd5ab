"""What a person corrects: a chip, as the window sends it ("days: 4"), and themselves ("two days, no wait, three")."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.core.reading.text import normalise, spans

from .intents import RuleBook

_FORM = re.compile(r"([^:=]{1,40}):\s*(\S.{0,200})")
_NUMBER = re.compile(r"\d{1,9}")
_EDGES = " ,.;:!?。"


def corrected(text: str, book: RuleBook, known: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The slot that is named, "" where the text has another form, and its value where the slot's own reader need not
    be asked.

    `known` are slots that have a value by now: a reader may give more of them than the book names.
    """
    match = _FORM.fullmatch(text.strip())
    if match is None:
        return "", {}
    label, value = match[1].strip(), match[2].strip()
    name = next((one for one in (*book.slots, *book.asks, *known) if label in _names(one, book)), "")
    if not name or name in book.hidden:
        return "", {}
    table = book.slots.get(name, {})
    if table.get("kind") == "choice":
        for id in (*table["words"], *table.get("english", {}).values()):
            if value in _names(str(id), book):
                return name, {name: id}
        return name, {}
    is_count = isinstance(known.get(name), int) or table.get("kind") == "count"
    if is_count and _NUMBER.fullmatch(value):
        low, high = table.get("min", 1), table.get("max", 999_999_999)
        return name, {name: min(max(int(value), low), high)}
    return name, {}


def taken_back(text: str, cues: Sequence[str]) -> tuple[str, str]:
    """What stands before a cue such as "no wait" inside the text, and what is said instead; "" and the text without."""
    places = [(at, end) for cue in cues for at, end in spans(text, cue) if text[:at].strip(_EDGES)]
    if not places:
        return "", text
    at, end = max(places)
    behind = text[end:].strip(_EDGES)
    return (text[:at], behind) if behind else ("", text)


def _names(code: str, book: RuleBook) -> set[str]:
    """In every language, and by itself."""
    words = (book.words.of(language).get(code, code.replace("_", " ")) for language in ("zh", "en"))
    return {normalise(word) for word in (*words, code)}
