"""Sights a person wants to see of which there are no data: "想去红山动物园和牛首山"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.core.reading.text import blanked, is_chinese, spans
from app.core.slots import Slots, Surroundings, Table

from .places import gazetteer

SHORTEST, LONGEST = 3, 8
"""Characters of such a name."""
_END = re.compile(r"[,，。;；!！?？:：]")
_JOINT = re.compile(r"和|、|跟|与|还有|以及| ")


def read_unlisted(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """`typed`: the names, joined. Only where something else of the question is known: a question of nothing known is
    read by `unknown_city`."""
    mentions = gazetteer(around).mentions(text, around.known)
    if not is_chinese(text) or not (mentions or around.known.get("city")):
        return {}
    rest = blanked(text, [(m.at, m.end) for m in mentions])
    names = dict.fromkeys(each for part in _wished(rest, table) if (each := _name_in(part, table)))
    return {name: {"typed": "、".join(names)}} if names else {}


def _wished(text: str, table: Table) -> Iterator[str]:
    for cue in table["before"]:
        for _at, end in spans(text, cue):
            stop = _END.search(text, end)
            yield from _JOINT.split(text[end : stop.start() if stop else len(text)])


def _name_in(part: str, table: Table) -> str:
    """The part where it ends like the name of a sight and nothing in it describes."""
    for tail in table["tails"]:
        part = part.removesuffix(tail)
    fits = SHORTEST <= len(part) <= LONGEST and all(is_chinese(char) for char in part)
    fits = fits and part.endswith(tuple(table["kinds"])) and not part.startswith(tuple(table["not_first"]))
    return part if fits and not any(word in part for word in table["stops"]) else ""
