"""The word lists of a language (`data/lexicon_*.toml`) and those of a clause, the longest first."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from app.core.resources import domain_dir


class Sense(NamedTuple):
    """One meaning of a word."""

    kind: str
    """value, noun, name, place or nothing."""
    group: str
    """Of a value its class, of a noun its category."""
    word: str
    """What it means: the word by which it is compared and shown."""


class Word(NamedTuple):
    start: int
    end: int
    senses: tuple[Sense, ...]

    def sense(self, kind: str, *groups: str) -> Sense | None:
        return next((one for one in self.senses if one.kind == kind and (not groups or one.group in groups)), None)

    def meanings(self, kind: str) -> list[Sense]:
        return [one for one in self.senses if one.kind == kind]


class KindLists:
    def __init__(self, rows: Mapping[str, Any]) -> None:
        senses: dict[str, list[Sense]] = {}
        for kind, table in (("value", "values"), ("noun", "nouns")):
            for group, words in rows.get(table, {}).items():
                for meaning, synonyms in words.items():
                    for word in synonyms.split():
                        senses.setdefault(word, []).append(Sense(kind, group, meaning))
        for word, meaning in rows.get("compounds", {}).items():
            noun, group, value = meaning.split()
            senses.setdefault(word, []).extend((Sense("noun", "hair", noun), Sense("value", group, value)))
        for word in rows.get("nothing", {}).get("words", "").split():
            senses.setdefault(word, []).append(Sense("nothing", "", word))
        self.senses = {word: tuple(meanings) for word, meanings in senses.items()}
        self.longest = _longest_by_first(self.senses)
        self._alike = {
            (group, frozenset(pair.split())) for group, pairs in rows.get("alike", {}).items() for pair in pairs
        }

    def words(self, text: str, names: Mapping[str, Sense], longest_name: Mapping[str, int]) -> Iterator[Word]:
        """Those of the lists and the names, from left to right, none within another."""
        place, end = 0, len(text)
        while place < end:
            sign = text[place]
            longest = max(self.longest.get(sign, 0), longest_name.get(sign, 0))
            for length in range(min(longest, end - place), 0, -1):
                piece = text[place : place + length]
                if piece in names:
                    yield Word(place, place + length, (names[piece],))
                    break
                if piece in self.senses:
                    yield Word(place, place + length, self.senses[piece])
                    break
            else:
                place += 1
                continue
            place += length

    def are_alike(self, group: str, one: str, other: str) -> bool:
        return one == other or (group, frozenset((one, other))) in self._alike


def _longest_by_first(words: Iterable[str]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for word in words:
        longest[word[0]] = max(longest.get(word[0], 0), len(word))
    return longest


@cache
def lexicon(language: str) -> KindLists:
    """`language` is zh or en."""
    return KindLists(tomllib.loads((domain_dir("novel") / "data" / f"lexicon_{language}.toml").read_text("utf-8")))


def names_of(names: Mapping[str, str]) -> tuple[dict[str, Sense], dict[str, int]]:
    """As `KindLists.words` takes them."""
    return {name: Sense("name", "", card) for name, card in names.items()}, _longest_by_first(names)
