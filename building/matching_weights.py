"""`python -m building.matching_weights [FOLDER …]`: the weights of the signs by which products are put in order.

Learned from labelled lists: pairs of files `NAME_products.csv` (code, name) and `NAME_labelled.csv` (name, code), where
several codes are parted by blanks. Those of the tests are always among them; public ones lie in the folders given. For
each line the chance of a product is the softmax over its candidates; the weights make the labelled ones likely, each
list counting the same. With `--held-out` each list is tried with weights learned from the others, and nothing is
written. The same lists give the same file.
"""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path

from app.domains.quotation.matching.decide import NEAREST, Request, scores_of
from app.domains.quotation.matching.index import MatchIndex
from app.domains.quotation.matching.lexicon import lexicon
from app.domains.quotation.matching.ranking import FILE, SIGNS, near_best, signs, writing
from app.domains.quotation.matching.scoring import best_first
from app.domains.quotation.reading.price_list import read_price_list

ROOT = Path(__file__).parent.parent
OWN = ROOT / "tests" / "data" / "quotation"
TARGET = ROOT / "resources" / "quotation" / "data" / FILE
_ROUNDS, _STEP, _SHRINK, _MOST = 12, 0.6, 0.002, 1_500

HEAD = """# How much each sign counts by which the products that score best for a line are put in order.
# Learned by building/matching_weights.py from these lists (name, lines):
# {lists}.

[weights]
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """One line: the signs of its candidates, and which of them are meant."""

    rows: tuple[tuple[float, ...], ...]
    right: tuple[bool, ...]


def main(arguments: Sequence[str]) -> None:
    folders = [OWN, *(Path(one) for one in arguments if not one.startswith("--"))]
    lists = {}
    for folder in folders:
        for path in sorted(folder.glob("*labelled.csv")):
            name = path.stem.removesuffix("labelled").strip("_") or "trades"
            lists[name] = read(path, path.with_name(path.name.replace("labelled", "products")))
    if "--held-out" in arguments:
        for name, choices in lists.items():
            others = {other: those for other, those in lists.items() if _trade(other) != _trade(name)}
            print(f"{name}: by score {first(choices, _by_score()):.3f}, held out {first(choices, learn(others)):.3f}")
        return
    found = learn(lists)
    head = HEAD.format(lists=", ".join(f"{name} {len(those)}" for name, those in lists.items()))
    rows = "".join(f"{sign} = {weight:.3f}\n" for sign, weight in zip(SIGNS, found, strict=True))
    TARGET.write_text(head + rows, "utf-8", newline="\n")


def _trade(name: str) -> str:
    """Lists of one source, the one asked for in the other: `shop` and `shop_back`."""
    return name.removesuffix("_back")


def _by_score() -> list[float]:
    return [1.0, *([0.0] * (len(SIGNS) - 1))]


def read(labelled: Path, products: Path) -> list[Choice]:
    items = read_price_list(products).items
    index = MatchIndex(items, lexicon())
    with labelled.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["code"]][:_MOST]
    choices = []
    for row in rows:
        scores, line = scores_of(index, Request(row["name"]))
        best = near_best([one for one in best_first(scores) if one.value >= NEAREST and one.forbidden is None])
        written = writing(line)
        choices.append(
            Choice(
                tuple(signs(written, writing(index.features[one.place].text), one) for one in best),
                tuple(items[one.place].code in row["code"].split() for one in best),
            )
        )
    return choices


def learn(lists: Mapping[str, Sequence[Choice]]) -> list[float]:
    """Stochastic descent over signs brought to one spread, with a falling step."""
    all_rows = [row for choices in lists.values() for choice in choices for row in choice.rows]
    means = [sum(row[n] for row in all_rows) / len(all_rows) for n in range(len(SIGNS))]
    spreads = [
        max(1e-6, (sum((row[n] - means[n]) ** 2 for row in all_rows) / len(all_rows)) ** 0.5) for n in range(len(SIGNS))
    ]
    usual = sum(map(len, lists.values())) / len(lists)
    lines = [
        ([_divided(row, spreads) for row in choice.rows], choice.right, share)
        for choices in lists.values()
        for share in (usual / len(choices),)
        for choice in choices
        if any(choice.right) and not all(choice.right)
    ]
    weights, total, chance = [0.0] * len(SIGNS), [0.0] * len(SIGNS), random.Random(1)
    for turn in range(_ROUNDS):
        chance.shuffle(lines)
        step = _STEP / (4 + turn * 4)
        for rows, right, share in lines:
            _step(weights, rows, right, step * share)
        if turn >= _ROUNDS // 2:
            total = [one + weight for one, weight in zip(total, weights, strict=True)]
    return [one / (_ROUNDS - _ROUNDS // 2) / spread for one, spread in zip(total, spreads, strict=True)]


def _divided(row: Sequence[float], spreads: Sequence[float]) -> list[float]:
    return [value / spread for value, spread in zip(row, spreads, strict=True)]


def _step(weights: list[float], rows: list[list[float]], right: tuple[bool, ...], step: float) -> None:
    ranks = [sum(map(float.__mul__, weights, row)) for row in rows]
    top = max(ranks)
    odds = [exp(rank - top) for rank in ranks]
    whole, good = sum(odds), sum(odd for odd, is_right in zip(odds, right, strict=True) if is_right)
    pulls = [odd / max(good, 1e-12) * is_right - odd / whole for odd, is_right in zip(odds, right, strict=True)]
    for n, weight in enumerate(weights):
        slope = sum(pull * row[n] for pull, row in zip(pulls, rows, strict=True))
        weights[n] = weight + step * (slope - _SHRINK * weight)


def first(choices: Sequence[Choice], weights: Sequence[float]) -> float:
    """Share of the lines whose first product is right."""
    right = 0
    for choice in choices:
        ranks = [round(sum(map(float.__mul__, weights, row)), 6) for row in choice.rows]
        right += bool(ranks) and choice.right[ranks.index(max(ranks))]
    return right / max(1, len(choices))


if __name__ == "__main__":
    main(sys.argv[1:])
