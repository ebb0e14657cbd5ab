"""P20 of the quality page: inquiry lines matched against a long price list.

    python -m tests.benchmarks.matching p20 [--json] [--short]

10,000 lines against 100,000 products, of which the lines are misspelt or shortened; against the bare scorer:
`extract` of rapidfuzz (`token_set_ratio`, the best 8) over the texts of all products. Processor time per line, in turn
over pieces of the lines; the bare scorer gets fewer of them, since it looks at every product. On a machine that does
much else at the same time the pieces end after some minutes: the figure is one per line and the same, and it says of
how many.
"""

from __future__ import annotations

import statistics
import time
from random import Random
from typing import Any

from rapidfuzz import fuzz, process

from app.domains.quotation.matching.decide import Request, Thresholds, match
from app.domains.quotation.matching.index import MatchIndex
from app.domains.quotation.matching.lexicon import lexicon
from app.domains.quotation.model.price_list import Item
from tests.benchmarks.program import figure

PRODUCTS, LINES = 100_000, 10_000
GOAL = 3.0
TURNS, BARE = 10, 10
"""Pieces of the lines, and lines of each that the bare scorer gets."""
KINDS = (
    "球阀",
    "闸阀",
    "截止阀",
    "弯头",
    "三通",
    "法兰",
    "电缆",
    "断路器",
    "ball valve",
    "gate valve",
    "elbow",
    "cable",
)
LONGEST, FEWEST = 240.0, 3
"""Seconds after which no further piece begins, and the pieces there are in any case."""
MATERIALS = ("不锈钢304", "不锈钢316L", "碳钢", "铸铁", "铜", "PVC", "PPR", "stainless", "brass")
MAKERS = ("Alda", "Borek", "Cerva", "Dorn", "Elko", "Fenix", "Gant", "Holm")


def main() -> int:
    return figure(__doc__, ["p20"], measure)


def measure(_name: str, short: bool) -> dict[str, Any]:
    share = 10 if short else 1
    chance = Random(20)
    items = [_product(chance, number) for number in range(PRODUCTS // share)]
    lines = [_line(chance, chance.choice(items)) for _ in range(LINES // share)]
    index, texts = MatchIndex(items, lexicon()), [item.text for item in items]
    size = len(lines) // TURNS
    ours: list[float] = []
    floors: list[float] = []
    end = time.monotonic() + LONGEST
    for start in range(0, size * TURNS, size):
        if len(ours) >= FEWEST and time.monotonic() > end:
            break
        piece = lines[start : start + size]
        began = time.process_time()
        for line in piece:
            match(index, Request(line), Thresholds(), {})
        ours.append((time.process_time() - began) / len(piece))
        began = time.process_time()
        for line in piece[:BARE]:
            process.extract(line, texts, scorer=fuzz.token_set_ratio, limit=8)
        floors.append((time.process_time() - began) / BARE)
    own, floor = statistics.median(ours), statistics.median(floors)
    return {
        "name": "P20", "ours": round(own, 5), "floor": round(floor, 5), "ratio": round(own / floor, 3), "goal": GOAL,
        "ok": own / floor <= GOAL, "products": len(items), "lines": size * len(ours),
    }  # fmt: skip


def _product(chance: Random, number: int) -> Item:
    size = chance.choice((15, 20, 25, 32, 40, 50, 65, 80, 100, 125, 150, 200))
    name = f"{chance.choice(MATERIALS)}{chance.choice(KINDS)}"
    spec = f"DN{size} PN{chance.choice((10, 16, 25, 40))} {chance.choice('ABCDEFGH')}{number % 977}"
    return Item(f"P{number:06}", name, spec, "个", chance.choice(MAKERS))


def _line(chance: Random, item: Item) -> str:
    """As people write it: words left out, one letter wrong."""
    words = item.text.split()
    if len(words) > 2 and chance.random() < 0.5:
        words.pop(chance.randrange(len(words)))
    text = " ".join(words)
    if chance.random() < 0.3:
        place = chance.randrange(len(text))
        text = text[:place] + text[place + 1 :]
    return text


if __name__ == "__main__":
    raise SystemExit(main())
