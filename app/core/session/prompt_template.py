"""A text a person sends again and again, with gaps to fill: `{{topic}}`, or `{{days=3}}` with what is usual."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_GAP = re.compile(r"\{\{\s*([^{}=\s][^{}=\n]{0,59}?)\s*(?:=\s*([^{}\n]{0,300}?)\s*)?\}\}")
MOST_GAPS = 20


@dataclass(frozen=True, slots=True)
class Gap:
    name: str
    usual: str = ""
    title: str = ""
    """As a person reads it; "" is the name."""
    note: str = ""
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    id: str
    name: str
    text: str

    @property
    def gaps(self) -> tuple[Gap, ...]:
        return gaps_of(self.text)


def gaps_of(text: str) -> tuple[Gap, ...]:
    """Each name once, in the order of the text; the first usual value given for it counts."""
    found: dict[str, str] = {}
    for match in _GAP.finditer(text):
        name, usual = match[1], match[2] or ""
        if name not in found and len(found) >= MOST_GAPS:
            continue
        found[name] = found.get(name) or usual
    return tuple(Gap(name, usual) for name, usual in found.items())


def filled(text: str, values: Mapping[str, str]) -> str:
    """A gap nobody filled keeps its usual value; what is filled in is never read as a gap again."""
    usual = {gap.name: gap.usual for gap in gaps_of(text)}
    return _GAP.sub(lambda match: values.get(match[1]) or usual.get(match[1], ""), text)
