"""The closed lists of words the cities are described with, and the ways people say them.

They are in resources/travel/data/vocabulary.json. To add a tag: one line there, with its two labels and its words;
`offered` once three cities carry it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from app.core.resources import domain_dir

LUNCH_WORDS = ("午餐", "午饭", "中饭", "中餐", "lunch")
DINNER_WORDS = ("晚餐", "晚饭", "dinner", "supper")
"""Names of meals in trips that people wrote."""


def data_dir() -> Path:
    return domain_dir("travel") / "data"


@dataclass(frozen=True)
class Term:
    code: str
    zh: str
    en: str
    words: tuple[str, ...] = ()
    """Further ways to say it."""
    offered: bool = True
    """Named among the choices; a term not offered is still understood."""

    def label(self, language: str) -> str:
        return self.zh if language.startswith("zh") else self.en


@dataclass(frozen=True)
class Terms:
    """One closed list, found by code, label or word in either language."""

    terms: tuple[Term, ...]

    @cached_property
    def by_code(self) -> Mapping[str, Term]:
        return {term.code: term for term in self.terms}

    @cached_property
    def _by_word(self) -> Mapping[str, Term]:
        return {
            folded(word): term for term in reversed(self.terms) for word in (*term.words, term.en, term.zh, term.code)
        }

    def find(self, said: str) -> Term | None:
        """The term meant by `said`; small additions as in 美食游 or 历史类 are seen through."""
        word = folded(said)
        if word in self._by_word:
            return self._by_word[word]
        for tail in ("旅游", "之旅", "城市", "体验", "游", "类", "的", "s"):
            if word.endswith(tail) and word[: -len(tail)] in self._by_word:
                return self._by_word[word[: -len(tail)]]
        return None

    def label(self, code: str, language: str) -> str:
        term = self.by_code.get(code)
        return term.label(language) if term else code


@dataclass(frozen=True)
class Vocabulary:
    tags: Terms
    categories: Terms
    regions: Terms
    countries: Terms
    diet: Terms
    food_kinds: Terms


@cache
def vocabulary() -> Vocabulary:
    """Read once, at the first use."""
    raw = json.loads((data_dir() / "vocabulary.json").read_text(encoding="utf-8"))
    return Vocabulary(**{name: _terms(raw[name]) for name in Vocabulary.__dataclass_fields__})


def _terms(raw: Mapping[str, Mapping[str, Any]]) -> Terms:
    return Terms(
        tuple(
            Term(code, entry["zh"], entry["en"], tuple(entry.get("words", ())), entry.get("offered", True))
            for code, entry in raw.items()
        )
    )


def folded(text: str) -> str:
    """A word as it is compared: no case, no spaces, no hyphens or apostrophes."""
    return "".join(c for c in text.casefold() if c.isalnum())
