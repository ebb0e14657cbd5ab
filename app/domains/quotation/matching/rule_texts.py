"""The person's rules as texts one can edit: a line for each, its words separated by signs; and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .features import folded
from .lexicon import OwnRules
from .measures import measures

_EQUAL = re.compile(r"\s*(?:=|＝|\|)\s*")
_APART = re.compile(r"\s*(?:≠|!=|<>|\|)\s*")
_LONGEST, _MOST = 200, 2_000


@dataclass(frozen=True, slots=True)
class RuleTextFault:
    field: str
    row: int
    text: str
    why: str
    """single, pair, size, conflict, long."""


@dataclass(frozen=True, slots=True)
class RuleTexts:
    synonyms: str = ""
    """`elbow = bend = knee`: the first word stands for all."""
    forbidden: str = ""
    """`hot ≠ cold`."""
    equivalent: str = ""
    """`3/4" = dn25`: sizes."""


def texts_of(body: Mapping[str, Any]) -> RuleTexts:
    """Of what is stored."""

    def rows(name: str, sign: str) -> str:
        return "\n".join(sign.join(map(str, group)) for group in body.get(name, ()))

    return RuleTexts(rows("synonyms", " = "), rows("forbidden", " ≠ "), rows("equivalent", " = "))


def read_rules(texts: RuleTexts) -> tuple[dict[str, list[list[str]]], list[RuleTextFault]]:
    """What is stored, and what of it cannot be."""
    faults: list[RuleTextFault] = []
    synonyms = list(_groups("synonyms", texts.synonyms, _EQUAL, faults))
    forbidden = [group for group in _groups("forbidden", texts.forbidden, _APART, faults) if _is_pair(group, faults)]
    equivalent = []
    for group in _groups("equivalent", texts.equivalent, _EQUAL, faults):
        sizes = [size.shown for word in group for size in measures(word).sizes[:1]]
        if len(sizes) == len(group):
            equivalent.append(sizes)
        else:
            faults.append(RuleTextFault("equivalent", 0, " = ".join(group), "size"))
    for left, right in forbidden:
        if any({left, right} <= set(group) for group in synonyms):
            faults.append(RuleTextFault("forbidden", 0, f"{left} ≠ {right}", "conflict"))
    return {"synonyms": synonyms, "forbidden": forbidden, "equivalent": equivalent}, faults


def _groups(name: str, text: str, sign: re.Pattern[str], faults: list[RuleTextFault]) -> Iterator[list[str]]:
    for number, row in enumerate(text.splitlines()[:_MOST], 1):
        words = list(dict.fromkeys(filter(None, (folded(word) for word in sign.split(row.strip())))))
        if len(row) > _LONGEST:
            faults.append(RuleTextFault(name, number, row[:60], "long"))
        elif len(words) == 1:
            faults.append(RuleTextFault(name, number, row.strip(), "single"))
        elif words:
            yield words


def _is_pair(group: list[str], faults: list[RuleTextFault]) -> bool:
    if len(group) != 2:
        faults.append(RuleTextFault("forbidden", 0, " ≠ ".join(group), "pair"))
    return len(group) == 2


def own_rules_of(body: Mapping[str, Iterable[Iterable[str]]]) -> OwnRules:
    def groups(name: str) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(map(str, group)) for group in body.get(name, ()))

    pairs = tuple((pair[0], pair[1]) for pair in groups("forbidden") if len(pair) >= 2)
    return OwnRules(
        tuple(tuple(map(folded, group)) for group in groups("synonyms")),
        tuple((folded(left), folded(right)) for left, right in pairs),
        groups("equivalent"),
    )
