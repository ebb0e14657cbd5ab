"""What the words of a text weigh: how often such words stood in texts that would hurt a child, or in harmless ones.

Where no rule knows the words, many of them together may still say it; and where a rule knows one word alone, the rest
of the sentence may say that it harms nobody. The weights are learned from texts (`building/play_weights.py`) and stand
in `word_weights.tsv`: a piece of text or a class of words, its weight in hundredths, the code it speaks for most. No
model is asked.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt

from app.core.resources import domain_dir

from .word_classes import class_features

FILE = "word_weights.tsv"
BLOCKS_FROM = 0.8
"""Without a rule's finding: chosen on texts held out from learning."""
EXCUSES_BELOW = -1.74
"""Together with a reason of the sentence, a finding of a rule may be a warning here (`lessened.py`)."""
_FEWEST = 26
"""Pieces: what is shorter than about seven words, or ten Chinese characters, says nothing by itself."""
_STEM = 6
_LONGEST = 160
"""Characters that are weighed together: a sentence, with the short ones that follow it."""
_RUN = re.compile(r"[\u4e00-\u9fff]+")
_WORD = re.compile(r"[a-z']+")
_SENTENCE = re.compile(r"(?<=[.!?。！？\n])")


@dataclass(frozen=True, slots=True)
class Weight:
    score: float
    """Above zero: rather hurtful."""
    code: str
    """What it speaks for; empty where nothing does."""


def features(text: str) -> list[str]:
    """Pieces of a folded text, and the classes its words belong to."""
    return [*pieces_of(text), *class_features(text)]


def pieces_of(text: str) -> list[str]:
    """One to three characters of Chinese, one to three words of English."""
    pieces = [
        run[start : start + size]
        for run in _RUN.findall(text)
        for size in (1, 2, 3)
        for start in range(len(run) - size + 1)
    ]
    words = [word[:_STEM] for word in _WORD.findall(text)]
    pieces += [" ".join(words[n : n + size]) for size in (1, 2, 3) for n in range(len(words) - size + 1)]
    pieces += [f"{first}_{third}" for first, third in zip(words, words[2:], strict=False)]
    return list(dict.fromkeys(pieces))


def weight_of(text: str) -> Weight:
    """Of a folded text: the heaviest of its parts."""
    weights = [_weight(part) for part in parts(text)]
    return max(weights, key=lambda one: one.score) if weights else Weight(0.0, "")


def parts(text: str) -> Iterator[str]:
    """Sentences, and those that are joined while they are short: kind words around one do not hide it."""
    part, count = "", 0
    for sentence in _SENTENCE.split(text):
        if sentence.strip():
            yield sentence
        if count and len(part) + len(sentence) > _LONGEST:
            if count > 1:
                yield part
            part, count = "", 0
        part += sentence
        count += 1
    if count > 1 and part.strip():
        yield part


def _weight(text: str) -> Weight:
    data, pieces = _data(), pieces_of(text)
    if len(pieces) < _FEWEST:
        return Weight(0.0, "")
    pieces += class_features(text)
    known = [(data.weights[one], one) for one in pieces if one in data.weights]
    codes: defaultdict[str, float] = defaultdict(float)
    for weight, piece in known:
        if weight > 0 and piece in data.codes:
            codes[data.codes[piece]] += weight
    score = data.bias + sum(weight for weight, _ in known) / sqrt(max(1, len(pieces)))
    return Weight(score, max(codes, key=lambda code: codes[code]) if codes else "")


@dataclass(frozen=True, slots=True)
class _Data:
    bias: float
    weights: Mapping[str, float]
    codes: Mapping[str, str]


@cache
def _data() -> _Data:
    lines = (domain_dir("play") / "data" / FILE).read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    weights = {piece: int(weight) / 100 for piece, weight, _ in rows}
    return _Data(weights.pop(""), weights, {piece: code for piece, _, code in rows if code})
