"""What was measured of each variant, with its spread, and what each change of a setting gained and cost."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .costs import percentile
from .evaluation import EvalResult, EvalVariant

_SAME: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Spread:
    mean: float
    low: float
    quarter: float
    """A quarter of the values is lower."""
    median: float
    three_quarters: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        low, quarter, median, three_quarters, high = (percentile(values, at) for at in (0, 25, 50, 75, 100))
        return cls(statistics.fmean(values), low, quarter, median, three_quarters, high)


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one variant."""

    variant: EvalVariant
    runs: int
    passed: int
    """Runs all of whose checks hold."""
    score: Spread
    tokens: Spread
    seconds: Spread
    money: Mapping[str, Spread]
    """Of one answer, by currency."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What one value of a mode, model or setting gained over its first value, everything else being equal."""

    factor: str
    """"mode", "model" or the name of a setting."""
    value: Any
    first: Any
    score: float
    better: int
    """Cases with a higher score."""
    worse: int
    equal: int
    tokens: float
    """As a multiple."""
    seconds: float
    """More than with the first value; negative: less."""
    money: Mapping[str, float]


def figures_of(results: Sequence[EvalResult], variants: Sequence[EvalVariant]) -> list[Figures]:
    """In the order of the variants; those without a result are left out."""
    figures = []
    for variant in variants:
        own = [one for one in results if one.variant is variant]
        if not own:
            continue
        currencies = sorted({currency for one in own for currency in one.answer.money})
        money = {name: Spread.of([one.answer.money.get(name, 0.0) for one in own]) for name in currencies}
        figures.append(
            Figures(
                variant, len(own), sum(one.passed for one in own), Spread.of([one.score for one in own]),
                Spread.of([one.tokens for one in own]), Spread.of([one.answer.seconds for one in own]), money,
            )
        )  # fmt: skip
    return figures


def gains_of(results: Sequence[EvalResult], variants: Sequence[EvalVariant]) -> list[Gain]:
    """Of every mode, model and value of a setting that is compared with another."""
    by_place: dict[tuple[tuple[str, Any], ...], dict[str, list[EvalResult]]] = {}
    for one in results:
        by_place.setdefault(_place(one.variant), {}).setdefault(one.case, []).append(one)
    gains = []
    for factor, values in _factors(variants).items():
        others = {_without(place, factor) for place in by_place}
        for value in values[1:]:
            pairs = [
                (before[case], after[case])
                for rest in sorted(others, key=repr)
                if (before := by_place.get(_with(rest, factor, values[0]))) is not None
                and (after := by_place.get(_with(rest, factor, value))) is not None
                for case in before
                if case in after
            ]
            if pairs:
                gains.append(_gain(factor, value, values[0], pairs))
    return gains


Pair = tuple[Sequence[EvalResult], Sequence[EvalResult]]


def _gain(factor: str, value: Any, first: Any, pairs: Sequence[Pair]) -> Gain:
    scores = [_mean(after, _score) - _mean(before, _score) for before, after in pairs]
    tokens = [sum(_mean(one, _tokens) for one in side) for side in zip(*pairs, strict=True)]
    seconds = [_mean(after, _seconds) - _mean(before, _seconds) for before, after in pairs]
    money: dict[str, float] = {}
    for before, after in pairs:
        for sign, group in ((-1, before), (1, after)):
            for currency, amount in (spent for one in group for spent in one.answer.money.items()):
                money[currency] = money.get(currency, 0.0) + sign * amount / len(group) / len(pairs)
    return Gain(
        factor, value, first, statistics.fmean(scores), sum(one > _SAME for one in scores),
        sum(one < -_SAME for one in scores), sum(abs(one) <= _SAME for one in scores),
        tokens[1] / tokens[0] if tokens[0] else 1.0, statistics.fmean(seconds), money,
    )  # fmt: skip


def _score(one: EvalResult) -> float:
    return one.score


def _tokens(one: EvalResult) -> float:
    return one.tokens


def _seconds(one: EvalResult) -> float:
    return one.answer.seconds


def _mean(results: Sequence[EvalResult], value: Callable[[EvalResult], float]) -> float:
    return statistics.fmean(map(value, results))


Place = tuple[tuple[str, Any], ...]
"""Where a variant stands among the others: the name and value of everything that varies."""


def _place(variant: EvalVariant) -> Place:
    return (
        ("mode", variant.mode),
        ("model", variant.model),
        *((name, repr(v)) for name, v in variant.settings.items()),
    )


def _without(place: Place, factor: str) -> Place:
    return tuple((name, "" if name == factor else value) for name, value in place)


def _with(place: Place, factor: str, value: Any) -> Place:
    text = value if factor in ("mode", "model") else repr(value)
    return tuple((name, text if name == factor else other) for name, other in place)


def _factors(variants: Sequence[EvalVariant]) -> dict[str, list[Any]]:
    """What has several values, with them in their order."""
    values: dict[str, list[Any]] = {}
    for variant in variants:
        for name, value in (("mode", variant.mode), ("model", variant.model), *variant.settings.items()):
            seen = values.setdefault(name, [])
            if value not in seen:
                seen.append(value)
    return {name: seen for name, seen in values.items() if len(seen) > 1}
