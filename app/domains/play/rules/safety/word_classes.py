"""What the words of a text are to a small child: small things, cords, heights, grips, a grown-up who leaves or stays.

The classes stand in `word_classes.toml`; a class and two classes together are weighed like words (`weights.py`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from app.core.resources import domain_dir

from .ontology import word_classes_in

FILE = "word_classes.toml"
_CHINESE, _LATIN = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[a-z]")


@dataclass(frozen=True, slots=True)
class _Class:
    chinese: re.Pattern[str]
    latin: re.Pattern[str]


def class_features(text: str) -> list[str]:
    """Of a folded text: `%class` for each, `%first+second` for two, and `@class` for those of the hazards."""
    names = _names_in(text)
    pairs = [f"%{first}+{second}" for first, second in combinations(names, 2)]
    return [*(f"%{name}" for name in names), *pairs, *(f"@{name}" for name in word_classes_in(text))]


def classes_of(text: str) -> frozenset[str]:
    """Those of `word_classes.toml` that occur in a folded text."""
    return frozenset(_names_in(text))


def _names_in(text: str) -> list[str]:
    has_chinese, has_latin = _CHINESE.search(text), _LATIN.search(text)
    return [
        name for name, one in _classes().items()
        if (has_chinese and one.chinese.search(text)) or (has_latin and one.latin.search(text))
    ]  # fmt: skip


@cache
def _classes() -> Mapping[str, _Class]:
    with (domain_dir("play") / "data" / FILE).open("rb") as file:
        data: dict[str, dict[str, str]] = tomllib.load(file)["class"]
    return {name: _Class(_any_of(one["zh"].split()), _whole(one["en"])) for name, one in data.items()}


def _any_of(words: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, words)))


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})(?:e?s)?\b")
