"""`python -m building.play_weights`: the weights of words for the safety check of games, learned from labelled texts.

Logistic regression over pieces of text, in a fixed order, so that the same texts give the same file. Texts that would
hurt are weighed as much as the harmless ones together. The texts stand beside the tests of the check; the sentences of
the activity cards, which a person wrote and read, are harmless ones.
"""

from __future__ import annotations

import hashlib
import random
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import exp, sqrt
from pathlib import Path

from app.domains.play.rules.safety.ontology import folded_more
from app.domains.play.rules.safety.text import folded
from app.domains.play.rules.safety.weights import FILE, features

ROOT = Path(__file__).parent.parent
TEXTS = ROOT / "tests" / "domains" / "play" / "data"
CARDS = ROOT / "resources" / "play" / "data" / "activities.toml"
_ROUNDS, _STEP, _SHRINK = 40, 8.0, 0.00001
_LEAST = 6
"""Hundredths: what weighs less is left out."""
Text = tuple[str, str]
"""A code, empty for a harmless one, and the text."""


def main() -> None:
    texts = [*labelled(sources()), *_of_cards()]
    (CARDS.parent / FILE).write_text(f"# {digest()}\n" + learned(texts), "utf-8", newline="\n")


def sources() -> list[Path]:
    return sorted([*TEXTS.glob("hostile*.txt"), *TEXTS.glob("harmless*.txt")])


def digest() -> str:
    """Of the texts: the weights are those of these."""
    return hashlib.sha256(b"".join(path.read_bytes().replace(b"\r", b"") for path in sources())).hexdigest()


def labelled(paths: Sequence[Path]) -> Iterator[Text]:
    for path in paths:
        is_hostile = path.name.startswith("h") and "hostile" in path.name
        for line in path.read_text("utf-8").splitlines():
            if line and not line.startswith("#"):
                columns = line.split("|", 3 if is_hostile else 2)
                yield columns[0] if is_hostile else "", columns[-1]


def _of_cards() -> Iterator[Text]:
    def strings(value: object) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from strings(one)

    for text in strings(tomllib.loads(CARDS.read_text("utf-8"))):
        if len(text) > 8:
            yield "", text


def learned(texts: Sequence[Text]) -> str:
    pieces = [features(folded_more(folded(text))) for _, text in texts]
    counts = Counter(piece for one in pieces for piece in one)
    lengths = [1 / sqrt(max(1, len(one))) for one in pieces]
    known = [[piece for piece in one if counts[piece] > 1] for one in pieces]
    hostile = sum(1 for code, _ in texts if code)
    share = {True: len(texts) / (2 * hostile), False: len(texts) / (2 * (len(texts) - hostile))}
    weights: defaultdict[str, float] = defaultdict(float)
    bias, order, chance = 0.0, list(range(len(texts))), random.Random(1)
    for turn in range(_ROUNDS):
        chance.shuffle(order)
        step = _STEP / (1 + turn / 4)
        for n in order:
            is_hostile, length = bool(texts[n][0]), lengths[n]
            score = bias + length * sum(weights[piece] for piece in known[n])
            wrong = share[is_hostile] * ((1.0 if is_hostile else 0.0) - 1 / (1 + exp(-max(-30.0, min(30.0, score)))))
            bias += 0.01 * step * wrong
            for piece in known[n]:
                weights[piece] += step * (wrong * length - _SHRINK * weights[piece] * len(texts) / counts[piece])
    return _lines(bias, weights, _codes(texts, known))


def _codes(texts: Sequence[Text], known: Sequence[Sequence[str]]) -> dict[str, str]:
    """Of each piece the code it stands with most, in proportion to how many texts a code has."""
    sizes = Counter(code for code, _ in texts if code)
    codes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for (code, _), one in zip(texts, known, strict=True):
        for piece in one if code else ():
            codes[piece][code] += 1
    return {
        piece: max(sorted(counter), key=lambda code: counter[code] / sqrt(sizes[code]))
        for piece, counter in codes.items()
    }


def _lines(bias: float, weights: dict[str, float], codes: dict[str, str]) -> str:
    rows = [("", round(bias * 100), "")]
    rows += [
        (piece, round(weight * 100), codes.get(piece, "") if weight > 0 else "") for piece, weight in weights.items()
    ]
    return "".join(
        f"{piece}\t{weight}\t{code}\n" for piece, weight, code in sorted(rows) if not piece or abs(weight) >= _LEAST
    )


if __name__ == "__main__":
    main()
