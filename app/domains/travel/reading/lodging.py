"""Where one sleeps: "住钟楼附近", "staying near Shinjuku": a place of the data or the words as they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.reading.text import is_chinese, spans
from app.core.slots import Table

from ..model.place_names import PlaceMention

LONGEST_CHINESE, LONGEST_LATIN = 10, 4
"""Characters, and words, of the name of an area."""
_NUMERALS = "0123456789一二两三四五六七八九十几"
_STOPS = "，,。.;；!！?？、 "


@dataclass(frozen=True, slots=True)
class Bed:
    name: str
    at: int
    end: int


def lodging_at(text: str, mentions: Sequence[PlaceMention], table: Table) -> Bed | None:
    """The first place behind one of the words `sleeps`, or beside a word for a house ("airbnb near Termini",
    "订了西湖边的酒店"); nothing in a question where to sleep."""
    if bed := _before_a_house(text, table):
        return bed
    houses = (f"{noun} {at}" for noun in table.get("sleeps_nouns", ()) for at in table.get("sleeps_at", ()))
    for cue in (*table.get("sleeps", ()), *houses):
        for _at, end in spans(text, cue):
            start = end + len(text[end:]) - len(text[end:].lstrip())
            name = _name(text, start, mentions, table)
            if name:
                return Bed(name, start, start + len(name))
    return None


def _before_a_house(text: str, table: Table) -> Bed | None:
    """ "订了西湖边的酒店": between a word that says so and the house."""
    for cue in table.get("sleeps_behind", ()):
        for at, _end in spans(text, cue):
            starts = [end for word in table.get("sleeps_before", ()) for _at, end in spans(text, word) if end <= at]
            name = text[max(starts) : at].removesuffix("个").removeprefix("在") if starts else ""
            fits = 2 <= len(name) <= LONGEST_CHINESE and is_chinese(name)
            if fits and not any(char in _STOPS + _NUMERALS for char in name):
                return Bed(name, at - len(name), at)
    return None


def _name(text: str, start: int, mentions: Sequence[PlaceMention], table: Table) -> str:
    mention = next((m for m in mentions if m.at == start), None)
    if mention is not None and mention.place.kind == "city":
        # "住在北京" says the city; "住北京西站附近" is a mention of its own.
        return ""
    if mention is not None:
        return text[mention.at : mention.end]
    words = _chinese(text[start:], table) if is_chinese(text[start : start + 1]) else _latin(text[start:], table)
    return "" if any(stop in words for stop in table.get("sleeps_not", ())) else words


def _chinese(rest: str, table: Table) -> str:
    end = next((n for n, char in enumerate(rest) if not is_chinese(char) or char in _STOPS), len(rest))
    words = rest[: min(end, LONGEST_CHINESE + 2)]
    cut = min((at for tail in table.get("sleeps_tails", ()) if (at := words.find(tail)) > 0), default=len(words))
    name = words[:cut]
    return (
        name
        if 2 <= len(name) <= LONGEST_CHINESE and not any(char in "0123456789一二两三四五六七八九十几" for char in name)
        else ""
    )


def _latin(rest: str, table: Table) -> str:
    end = next((n for n, char in enumerate(rest) if char in ",.;!?"), len(rest))
    words: list[str] = []
    for word in rest[:end].split():
        if word in table.get("sleeps_tails", ()) or any(char.isdecimal() for char in word):
            break
        words.append(word)
    name = " ".join(words[:LONGEST_LATIN]).removeprefix("the ")
    return name if name.isascii() and len(name) > 2 else ""
