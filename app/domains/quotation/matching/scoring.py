"""The score of one product for one line, with its parts: what agrees, what is missing, what contradicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .features import Features
from .index import MatchIndex
from .measures import Size

REQUEST_SHARE = 0.78
"""How much what the line says counts against what the product says beyond it."""
CONFLICT, FORBIDDEN = 0.45, 0.0
_LITERAL, _READING, _BARE = 1.0, 0.96, 0.98
_ABOUT = 0.6
_OTHER_NUMBER = 0.7
_MODEL_WEIGHT = 1.7
_DIGITS = 9


@dataclass(slots=True)
class Score:
    place: int
    value: float = 0.0
    agrees: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """What the line says and the product does not."""
    beyond: list[str] = field(default_factory=list)
    """Kinds only the product names which a person has to settle."""
    conflicts: list[str] = field(default_factory=list)
    words: float = 0.0
    """Share of the line's words found, 0 to 1."""
    back: float = 0.0
    """Share of what the product says that the line says too."""
    missing_code: bool = False
    forbidden: tuple[str, str] | None = None

    @property
    def is_clean(self) -> bool:
        return not (self.conflicts or self.missing or self.beyond or self.missing_code)


def score(index: MatchIndex, place: int, line: Features, near: dict[str, str]) -> Score:
    product, about = index.features[place], index.about[place]
    result = Score(place)
    got, asked, offered, met = _Sum(), _Sum(), _Sum(), _Sum()
    _words(index, line, product, about, near, result, (got, asked, met))
    text_share = got.value / asked.value if asked.value else 1.0
    result.words = text_share
    taken = _sizes(index, line, product, result, (got, asked, met))
    _kinds(index, line, product, about, result, (got, asked, met))
    for token in product.words | product.models:
        offered.value += index.weight(token) * (_MODEL_WEIGHT if token in product.models else 1)
    offered.value += sum(_size_weight(index, size) for size in product.sizes)
    for kind, values in product.quantities.items():
        offered.value += sum(index.weight(f"¶{kind}{value}") for value in values)
    for kind, values in product.contrasts.items():
        offered.value += sum(index.weight(f"¤{kind}{value}") for value in values)
    back = min(1.0, met.value / offered.value) if offered.value else 0.0
    result.back = back
    share = got.value / asked.value if asked.value else 0.0
    result.value = share * (REQUEST_SHARE + (1 - REQUEST_SHARE) * back)
    if len(product.sizes) - taken and line.sizes and not result.conflicts:
        result.value *= 0.97
    if result.conflicts:
        result.value *= CONFLICT
    # Sums over sets differ in their last digit from process to process: two equal products would change places.
    result.value = round(result.value, _DIGITS)
    result.forbidden = index.lexicon.forbids(line.text, product.text)
    if result.forbidden:
        result.value = FORBIDDEN
    return result


class _Sum:
    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0.0


Sums = tuple[_Sum, _Sum, _Sum]


def _words(
    index: MatchIndex,
    line: Features,
    product: Features,
    about: Features | None,
    near: dict[str, str],
    result: Score,
    sums: Sums,
) -> None:
    for word in line.words:
        weight = index.weight(word)
        degree = _degree(word, product, about, near)
        _count(weight, degree, sums)
        if degree:
            result.agrees.append(word)
    for model in line.models:
        weight = index.weight(model) * _MODEL_WEIGHT
        degree = 1.0 if model in product.models else 0.0
        if not degree:
            degree = 0.95 if model in product.joined else _degree(model, product, about, near)
        _count(weight, degree, sums)
        if degree:
            result.agrees.append(model)
        else:
            result.missing_code = True


def _degree(word: str, product: Features, about: Features | None, near: dict[str, str]) -> float:
    if word in product.words or word in product.models:
        return 1.0
    other = near.get(word)
    if other is not None and (other in product.words or other in product.models):
        return 0.85
    if len(word) >= 4 and word.isascii() and word in product.squashed:
        return 0.9
    if about is not None and (word in about.words or word in about.models):
        return _ABOUT
    return 0.0


def _sizes(index: MatchIndex, line: Features, product: Features, result: Score, sums: Sums) -> int:
    """Pairs the sizes of both; returns how many of the product's are taken."""
    free = list(product.sizes)
    unmet: list[Size] = []
    for size in sorted(line.sizes, key=lambda one: one.is_bare):
        best: Size | None = None
        degree = 0.0
        for other in free:
            value = _size_degree(index, size, other)
            if value > degree:
                best, degree = other, value
        weight = _size_weight(index, size)
        if best is not None:
            free.remove(best)
            _count(weight, degree, sums)
            if degree == _OTHER_NUMBER:
                result.missing.append(f"{size.shown} / {best.shown}")
            result.agrees.append(f"{size.shown}={best.shown}" if size.shown != best.shown else size.shown)
        elif size.is_bare and size.literal in product.squashed and len(size.literal) > 2:
            _count(weight, 0.8, sums)
        else:
            _count(weight, 0.0, sums)
            unmet.append(size)
    if any(not size.is_bare for size in unmet) and any(not other.is_bare for other in free):
        asked, offered = ", ".join(size.shown for size in unmet), ", ".join(size.shown for size in free)
        result.conflicts.append(f"{asked} ≠ {offered}")
    elif unmet:
        result.missing += [size.shown for size in unmet]
    return len(product.sizes) - len(free)


def _size_degree(index: MatchIndex, size: Size, other: Size) -> float:
    shared = size.readings & other.readings
    if not shared:
        return 0.95 if _said_equal(index, size, other) else 0.0
    if size.shown == other.shown:
        return _LITERAL
    if size.is_bare or other.is_bare:
        return _BARE
    if ("n", size.literal) not in shared and _both_numbers(size, other):
        return _OTHER_NUMBER
    if shared <= {("n", size.literal)} and {kind for kind, _value in size.readings} & {"mm2"}:
        return 0.0
    return _READING


def _both_numbers(size: Size, other: Size) -> bool:
    """DN20 and dn25 may be the same pipe, but who writes dn25 may as well mean DN25: not to be taken without asking."""
    return all(any(kind == "n" for kind, _value in one.readings) for one in (size, other))


def _said_equal(index: MatchIndex, size: Size, other: Size) -> bool:
    return any(size.shown in group and other.shown in group for group in index.lexicon.equivalent)


def _size_weight(index: MatchIndex, size: Size) -> float:
    return max(
        0.35,
        max(index.weight(f"§{kind}{value}") for kind, value in size.readings if kind != "in") * 0.9
        if any(kind != "in" for kind, _value in size.readings)
        else 0.5,
    )


def _kinds(
    index: MatchIndex, line: Features, product: Features, about: Features | None, result: Score, sums: Sums
) -> None:
    for kind, values in line.quantities.items():
        weight = sum(index.weight(f"¶{kind}{value}") for value in values)
        offered = product.quantities.get(kind)
        if offered is None and about is not None and about.quantities.get(kind, frozenset()) & values:
            _count(weight, _ABOUT, sums)
        elif offered is None:
            _count(weight, 0.0, sums)
            result.missing.append(f"{kind} {', '.join(sorted(values))}")
        elif values == offered:
            _count(weight, 1.0, sums)
            result.agrees += sorted(values)
        elif values & offered:
            _count(weight, 0.6, sums)
            result.missing.append(f"{kind} {', '.join(sorted(values ^ offered))}")
        else:
            _count(weight, 0.0, sums)
            result.conflicts.append(f"{kind} {', '.join(sorted(values))} ≠ {', '.join(sorted(offered))}")
    for kind, values in line.contrasts.items():
        weight = sum(index.weight(f"¤{kind}{value}") for value in values)
        offered = product.contrasts.get(kind)
        if offered is None and about is not None and about.contrasts.get(kind, frozenset()) & values:
            _count(weight, _ABOUT, sums)
        elif offered is None:
            _count(weight, 0.0, sums)
            result.missing.append(f"{kind} {', '.join(sorted(values))}")
        else:
            match index.lexicon.agree(values, offered):
                case "same":
                    _count(weight, 1.0, sums)
                    result.agrees += sorted(values)
                case "part":
                    _count(weight, 0.6, sums)
                    result.missing.append(f"{kind} {', '.join(sorted(values ^ offered))}")
                case _:
                    _count(weight, 0.0, sums)
                    result.conflicts.append(f"{kind} {', '.join(sorted(values))} ≠ {', '.join(sorted(offered))}")
    settled = index.lexicon.settled
    named = [*product.contrasts, *product.quantities]
    result.beyond += [kind for kind in named if kind in settled and kind not in line.contrasts | line.quantities]


def _count(weight: float, degree: float, sums: Sums) -> None:
    got, asked, met = sums
    got.value += weight * degree
    asked.value += weight
    met.value += weight * degree


def best_first(scores: Sequence[Score]) -> list[Score]:
    return sorted(scores, key=lambda one: -one.value)
