"""A name that the data do not have: "去北景玩3天", "3 days in Atlantis" – so that it is named and not skipped.

The table of the slot says where a name stands: `of` = the slot it would have filled, `before` and `behind` = the words
around it, `stops` = what is no name, `near_only` = those of `before` that are trusted only where a known name is
near. A question that names something known is left to the other readers.
"""

from __future__ import annotations

from collections.abc import Iterator

from app.core.reading.text import contains, is_chinese, normalise, spans
from app.core.slots import SlotReader, Slots, Surroundings, Table

KIND = "unknown_name"
LONGEST_CHINESE, LONGEST_LATIN = 8, 4
"""Characters, and words, of a name."""
NUMERALS = "0123456789一二两三四五六七八九十几半 "
PUNCTUATION = ".,;:!?\"'()。，、；：！？"


def read_unknown_name(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """`typed` and `nearest`: the known names that are most like it."""
    names = around.names
    if names.mentions(normalise(around.question), around.known):
        return {}
    candidates = _chinese(text, table) if is_chinese(text) else _latin(around.question, table)
    for typed, is_sure in candidates:
        nearest = list(names.nearest(typed))
        if nearest or is_sure:
            return {name: {"typed": typed, "nearest": nearest}}
    return {}


def _chinese(text: str, table: Table) -> Iterator[tuple[str, bool]]:
    """Between a word of `before`, or the beginning, and one of `behind`, a number of days perhaps in front of it."""
    starts = [(end, cue not in table["near_only"]) for cue in table["before"] for _at, end in spans(text, cue)]
    for start, is_sure in [*sorted(starts), (0, False)]:
        for end in range(start + 2, min(len(text), start + LONGEST_CHINESE) + 1):
            typed = text[start:end]
            if not all(is_chinese(char) for char in typed) or any(char in NUMERALS for char in typed):
                break
            if text[end:].lstrip(NUMERALS).startswith(tuple(table["behind"])):
                if not any(stop in typed for stop in table["stops"]):
                    yield typed, is_sure or text[end:].startswith(tuple(table.get("sure_behind", ())))
                break


def _latin(question: str, table: Table) -> Iterator[tuple[str, bool]]:
    """The capitalised words behind a word of `before`, else one word that is like a known name."""
    words = question.split()
    for n, word in enumerate(words[:-1]):
        if word.lower() not in table["before"]:
            continue
        typed: list[str] = []
        for each in words[n + 1 : n + 1 + LONGEST_LATIN]:
            if not each[0].isupper():
                break
            typed.append(each.strip(PUNCTUATION))
            if each[-1] in PUNCTUATION:
                break
        is_sure = bool(typed) and word.lower() not in table["near_only"]
        name = " ".join(typed) or words[n + 1].strip(PUNCTUATION)
        if name and not any(contains(name.lower(), stop) for stop in table["stops"]):
            yield name, is_sure


READER = SlotReader(KIND, read_unknown_name)
