"""The score of one product for one line, with its parts: what agrees, what is missing, what contradicts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from .features import Features
from .index import MatchIndex
from .lexicon import Values
from .measures import Size

REQUEST_SHARE = 0.78
"""How much what the line says counts against what the product says beyond it."""
CONFLICT, FORBIDDEN = 0.45, 0.0
_LITERAL, _READING, _BARE = 1.0, 0.96, 0.98
_ABOUT = 0.6
_OTHER_NUMBER = 0.7
_MODEL_WEIGHT = 1.7
_DIGITS = 9
_FAINT, _MAKER, _SKU = 0.25, 0.5, 0.3
"""How much a word counts that says how a thing is sold, a maker the product does not name, a number of the seller."""
_OTHER_CODE, _RIVAL = 0.5, 0.75
_VARIANT = 0.85
"""For each kind that only the product names: where nothing is said, the usual one is meant."""
_UNASKED = 0.5
"""How much a code of the product counts that the line does not name: few lines name one."""
_TELLING = 0.55
_CODED = 0.6
"""How much of what lacks to a full score a rare code gives that both have."""
_SKU_DIGITS, _CODE_LENGTH, _LONG = 6, 5, 4
_COUNTED = re.compile(r"\d{1,4}[a-z]{3,}")


@dataclass(slots=True)
class Score:
    place: int
    value: float = 0.0
    agrees: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """What the line says and the product does not."""
    beyond: list[str] = field(default_factory=list)
    """Kinds only the product names which a person has to settle."""
    unsettled: dict[str, Values] = field(default_factory=dict)
    """What the product says of kinds the line does not name, where one of several variants is not guessed."""
    conflicts: list[str] = field(default_factory=list)
    words: float = 0.0
    """Share of the line's words found, 0 to 1."""
    back: float = 0.0
    """Share of what the product says that the line says too."""
    strange: float = 0.0
    """How telling the most telling word is that only the product has, 1 for one that no other product has; numbers and
    codes are none."""
    missing_code: bool = False
    coded: bool = False
    """Both have a maker's code that hardly any other product has."""
    is_short: bool = False
    """A telling word of the line is not in the product."""
    rival: bool = False
    """The product has another number of the same series."""
    silent: list[str] = field(default_factory=list)
    """Colours and measures the line names and the product says nothing of."""
    unsaid: list[str] = field(default_factory=list)
    """Those of `missing` that lists often leave unsaid: the platform."""
    forbidden: tuple[str, str] | None = None
    alike: dict[str, float] = field(default_factory=dict)
    """How alike line and product are written, where several products score much the same."""
    is_raised: bool = False
    """Comes before a product with a higher score, being written more like the line."""

    @property
    def is_clean(self) -> bool:
        return not (self.conflicts or self.missing or self.silent or self.beyond or self.missing_code)


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
        is_model = token in product.models
        share = _UNASKED if is_model and token not in result.agrees else 1.0
        offered.value += share * index.weight(token) * _importance(index, token, is_model)
    result.strange = _strange(index, line, product, near)
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
    elif result.rival:
        result.value *= _RIVAL
    elif result.beyond:
        result.value *= _VARIANT ** len(result.beyond)
    elif result.coded and not result.missing_code:
        result.value += (1 - result.value) * _CODED
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
        if any(map(str.isdigit, word)):  # a part of a code: the whole is counted
            continue
        weight = index.weight(word) * _importance(index, word)
        degree = _degree(word, product, about, near)
        if not degree and word == line.lead:
            weight *= _MAKER if index.is_maker(word) else 1
            if index.is_maker(product.lead) and product.lead not in line.words:
                result.missing.append(f"{word} / {product.lead}")
        elif not degree and weight >= _TELLING and word.isascii():
            result.is_short = True
        _count(weight, degree, sums)
        if degree:
            result.agrees.append(word)
    for model in line.models:
        weight = index.weight(model) * _importance(index, model, is_model=True)
        if model.isascii() and not model.isalpha():
            degree = _code_degree(model, line, product, about)
        else:
            degree = _degree(model, product, about, near)
        _count(weight, degree, sums)
        if degree:
            result.agrees.append(model)
        if degree <= _OTHER_CODE:
            result.missing_code = True
            result.rival = result.rival or (not degree and _of_a_series(model, product.models))
        elif degree > _ABOUT and _is_code(model) and index.is_rare(model):
            result.coded = True


def _importance(index: MatchIndex, token: str, is_model: bool = False) -> float:
    if is_model:
        return _SKU if token.isdigit() and len(token) >= _SKU_DIGITS else _MODEL_WEIGHT
    return _FAINT if token in index.lexicon.faint else 1.0


def _strange(index: MatchIndex, line: Features, product: Features, near: dict[str, str]) -> float:
    has = line.words | line.models | line.joined | frozenset(near.values())
    most = max(
        (index.weight(word) * _importance(index, word) for word in product.words - has
         if not any(map(str.isdigit, word)) and not (len(word) >= _LONG and word in line.squashed)),
        default=0.0,
    )  # fmt: skip
    return most / index.most_telling


def _is_code(model: str) -> bool:
    """Not a number with its unit or noun: 16mile, 3gbps."""
    return len(model) >= _CODE_LENGTH and model.isascii() and not model.isalpha() and not _COUNTED.fullmatch(model)


def _code_degree(model: str, line: Features, product: Features, about: Features | None) -> float:
    """A code is the same or it is not: one that goes on belongs to another product of the series."""
    if model in product.models:
        return 1.0
    if model in product.joined or model in product.words:
        return 0.95
    own = product.models | product.joined
    if any((one.endswith(model) or one.startswith(model)) and one in own for one in line.joined):
        return 0.95
    if about is not None and (model in about.models or model in about.words or model in about.joined):
        return _ABOUT
    if len(model) >= 3 and any(
        len(one) >= 3 and (one.startswith(model) or model.startswith(one)) for one in own if not one.isdigit()
    ):
        return _OTHER_CODE
    return 0.0


def _of_a_series(model: str, others: frozenset[str]) -> bool:
    """Whether one of the others differs in its digits only: CS3 is not CS2."""
    letters = "".join(filter(str.isalpha, model))
    return any("".join(filter(str.isalpha, other)) == letters for other in others if letters)


def _degree(word: str, product: Features, about: Features | None, near: dict[str, str]) -> float:
    if word in product.words or word in product.models:
        return 1.0
    other = near.get(word)
    if other is not None and (other in product.words or other in product.models):
        return 0.85
    if len(word) >= _LONG and word.isascii() and word in product.squashed:
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
        years, others = [", ".join(size.shown for size in those if _is_year(size)) for those in (unmet, free)]
        if years and others:
            result.conflicts.append(f"{years} ≠ {others}")
        result.rival = result.rival or any(other.is_bare for other in free)
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


def _is_year(size: Size) -> bool:
    return size.is_bare and len(size.literal) == 4 and size.literal[:2] in ("19", "20")


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
            _unsaid(index, kind, values, result)
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
            is_usual = values <= index.lexicon.usual.get(kind, frozenset())
            _count(weight, _ABOUT if is_usual else 0.0, sums)
            if not is_usual:
                _unsaid(index, kind, values, result)
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
    settled, usual = index.lexicon.settled, index.lexicon.usual
    for kind, offers in (*product.contrasts.items(), *product.quantities.items()):
        is_open = kind not in line.contrasts and kind not in line.quantities
        is_settled = kind in settled or (kind in index.lexicon.settled_by_code and not result.coded)
        if is_settled and is_open:
            result.unsettled[kind] = offers
            if not offers <= usual.get(kind, frozenset()):
                result.beyond.append(kind)


def _unsaid(index: MatchIndex, kind: str, values: Values, result: Score) -> None:
    to = result.missing if kind in index.lexicon.settled else result.silent
    to.append(f"{kind} {', '.join(sorted(values))}")
    if kind in index.lexicon.often_unsaid:
        result.unsaid.append(to[-1])


def _count(weight: float, degree: float, sums: Sums) -> None:
    got, asked, met = sums
    got.value += weight * degree
    asked.value += weight
    met.value += weight * degree


def differ_where_open(one: Score, other: Score) -> bool:
    """Whether both name a kind that the line does not, and each another value: Windows and Mac."""
    return any(kind in other.unsettled and other.unsettled[kind] != values for kind, values in one.unsettled.items())


def best_first(scores: Sequence[Score]) -> list[Score]:
    return sorted(scores, key=lambda one: -one.value)
