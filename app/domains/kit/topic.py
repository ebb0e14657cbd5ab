"""What a question is about, for the offline rules: the slot reader of any domain that looks things up by words."""

from __future__ import annotations

from app.core.slots import SlotReader, Slots, Surroundings, Table

LONGEST_QUERY = 200
_ENDS = " \t,.;:!?，。；：！？、…"


def read_topic(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """The question without words of courtesy and of asking at its ends: `leads` and `tails` of the book."""
    topic = text.strip(_ENDS)
    while shorter := _without_ends(topic, table):
        topic = shorter
    topic = topic[:LONGEST_QUERY].strip(_ENDS)
    return {name: topic} if sum(char.isalnum() for char in topic) > 1 and topic not in table.get("leads", ()) else {}


def _without_ends(text: str, table: Table) -> str:
    """Without one of them; "" where none is there."""
    for lead in table.get("leads", ()):
        if text.startswith(lead) and _is_border(text, len(lead)):
            return text[len(lead) :].strip(_ENDS)
    for tail in table.get("tails", ()):
        if text.endswith(tail) and len(text) > len(tail):
            return text[: -len(tail)].strip(_ENDS)
    return ""


def _is_border(text: str, at: int) -> bool:
    """A Latin word ends there; Chinese has no borders."""
    return not (text[at - 1].isascii() and text[at : at + 1].isascii() and text[at : at + 1].isalnum())


TOPIC = SlotReader("topic", read_topic, whole=True)
