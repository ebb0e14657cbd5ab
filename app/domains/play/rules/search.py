"""BM25 over Chinese pairs of letters and Latin words: activities for a query, and what is remembered of a child."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..model.activity import PlayActivity
from ..model.vocabulary import Dimension, Environment

_RUN = re.compile(r"[\u4e00-\u9fff]+|[a-z0-9]+")
_COMMON, _LENGTH = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an activity must have; None and () ask for nothing."""

    capacity: int | None = None
    dimensions: tuple[Dimension, ...] = ()
    age_months: int | None = None
    environment: Environment | None = None


def terms(text: str) -> list[str]:
    words: list[str] = []
    for run in _RUN.findall(text.casefold()):
        if run.isascii():
            words.append(run.removesuffix("s") if len(run) > 3 else run)
        else:
            words += [run[place : place + 2] for place in range(len(run) - 1)] or [run]
    return words


def ranked(query: str, texts: Sequence[tuple[str, str]]) -> list[tuple[str, float]]:
    """Best first; what shares no term with the query is left out."""
    documents = [(thing, Counter(terms(text))) for thing, text in texts]
    wanted = list(dict.fromkeys(terms(query)))
    if not documents or not wanted:
        return []
    mean = sum(sum(counts.values()) for _, counts in documents) / len(documents) or 1.0
    holding = {term: sum(term in counts for _, counts in documents) for term in wanted}
    scored = []
    for thing, counts in documents:
        length = 1 - _LENGTH + _LENGTH * sum(counts.values()) / mean
        score = sum(
            math.log(1 + (len(documents) - holding[term] + 0.5) / (holding[term] + 0.5))
            * counts[term] * (_COMMON + 1) / (counts[term] + _COMMON * length)
            for term in wanted
            if counts[term]
        )  # fmt: skip
        if score > 0:
            scored.append((thing, score))
    return sorted(scored, key=lambda pair: -pair[1])


def fitting(activities: Iterable[PlayActivity], wanted: Wanted) -> list[PlayActivity]:
    return [one for one in activities if _fits(one, wanted)]


def find_activities(query: str, activities: Iterable[PlayActivity], wanted: Wanted, limit: int) -> list[PlayActivity]:
    """Filters first; where no word of the query fits, what the filters leave, in their order."""
    candidates = fitting(activities, wanted)
    by_id = {one.id: one for one in candidates}
    matches = [by_id[id] for id, _ in ranked(query, [(one.id, _text(one)) for one in candidates])]
    return (matches or candidates)[:limit]


def _fits(one: PlayActivity, wanted: Wanted) -> bool:
    low, high = one.age_months
    if wanted.capacity is not None and wanted.capacity not in one.capacities:
        return False
    if wanted.dimensions and not set(wanted.dimensions) & set(one.dimensions):
        return False
    if wanted.age_months is not None and not low <= wanted.age_months <= high:
        return False
    return wanted.environment in (None, "both") or one.environment in (wanted.environment, "both")


def _text(one: PlayActivity) -> str:
    parts = [one.id, *one.dimensions]
    for name in ("title", "title", "idea", "materials", "moves"):
        for text in one.texts[name].values():
            parts += [text] if isinstance(text, str) else text
    return " ".join(parts)
