"""The words matching knows: synonyms, contrasts, forbidden pairs; those of the program and those of the person."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from app.core.resources import domain_dir

Values = frozenset[str]
_LATIN = re.compile(r"[a-z0-9]")


@dataclass(frozen=True, slots=True)
class OwnRules:
    """What the person has added. All texts are folded."""

    synonyms: tuple[tuple[str, ...], ...] = ()
    forbidden: tuple[tuple[str, str], ...] = ()
    equivalent: tuple[tuple[str, ...], ...] = ()
    """Sizes of one meaning, as written: `("3/4寸", "dn25")`."""


@dataclass(frozen=True)
class Lexicon:
    replacements: Mapping[str, str]
    """A word and what stands for it."""
    words: Mapping[str, tuple[tuple[str, str], ...]]
    """A word and the (kind, value) it says; one word may say several."""
    includes: Mapping[str, Values]
    settled: frozenset[str]
    """Kinds of which one of several variants is not guessed."""
    settled_by_code: frozenset[str]
    """As `settled`, but where both have the maker's code, what only one of them says is of no weight."""
    often_unsaid: frozenset[str]
    """Kinds of `settled` that many lists leave unsaid."""
    usual: Mapping[str, Values]
    """Kind and the values that are meant where nothing is said: windows, the full version."""
    faint: Values
    """Words that say how a product is sold rather than which one it is."""
    forbidden: tuple[tuple[str, str], ...]
    equivalent: tuple[tuple[str, ...], ...] = ()
    _replace: re.Pattern[str] = field(init=False, repr=False)
    _say: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_replace", _any_of(self.replacements))
        object.__setattr__(self, "_say", _any_of(self.words))

    def canonical(self, text: str) -> str:
        """A folded text with each synonym replaced by the word that stands for it."""
        return self._replace.sub(lambda found: self.replacements[_known(found.group(), self.replacements)], text)

    def contrasts(self, text: str) -> tuple[str, dict[str, Values]]:
        """What a text says of each kind, and the text with blanks in the place of the words that say it."""
        found: dict[str, set[str]] = {}
        low = text.lower()
        if len(low) != len(text):  # a letter whose small form is two
            text = low = text.casefold()
        pieces, at = [], 0
        for match in self._say.finditer(low):
            word = match.group()
            if len(word) == 1 and word > "\u2e80" and not _at_an_edge(low, match.start()):
                continue
            for kind, value in self.words[_known(word, self.words)]:
                found.setdefault(kind, set()).add(value)
            pieces += [text[at : match.start()], " "]
            at = match.end()
        return "".join([*pieces, text[at:]]), {kind: frozenset(values) for kind, values in found.items()}

    def forbids(self, one: str, other: str) -> tuple[str, str] | None:
        """The pair that keeps two texts apart: one of it in each, and not the other."""
        for left, right in self.forbidden:
            for first, second in ((left, right), (right, left)):
                if _has(one, first, second) and _has(other, second, first):
                    return left, right
        return None

    def agree(self, wanted: Values, offered: Values) -> str:
        """`same`, `part` (one says more than the other) or `conflict`."""
        if wanted == offered:
            return "same"
        wide = wanted | {inner for value in wanted for inner in self.includes.get(value, ())}
        if offered <= wide and all(self._meets(value, offered) for value in wanted):
            return "same"
        back = offered | {inner for value in offered for inner in self.includes.get(value, ())}
        return "part" if wide & offered or wanted & back else "conflict"

    def _meets(self, value: str, offered: Values) -> bool:
        return value in offered or bool(self.includes.get(value, frozenset()) & offered)


def _known(word: str, words: Mapping[str, object]) -> str:
    """The entry of a word that may be in the plural."""
    return word if word in words else word.removesuffix("s") if word.removesuffix("s") in words else word[:-2]


def _has(text: str, word: str, longer: str) -> bool:
    """Whether the word is there by itself, not as a part of the other one."""
    rest = text.replace(longer, " ") if word in longer else text
    return word in rest


def _at_an_edge(text: str, at: int) -> bool:
    before = text[at - 1] if at else " "
    behind = text[at + 1] if at + 1 < len(text) else " "
    return not ("\u4e00" <= before <= "\u9fff" and "\u4e00" <= behind <= "\u9fff")


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Longest first; Latin ones as whole words. By first letters, so that most places are skipped at once."""
    by_first: dict[str, list[str]] = {}
    for word in words:
        by_first.setdefault(word[0], []).append(word)
    branches = {True: [], False: []}  # type: dict[bool, list[str]]
    for first, those in by_first.items():
        is_latin = _LATIN.match(first) is not None
        tails = [
            re.escape(word[1:])
            + (r"(?:e?s)?" if word[-1].isascii() and word[-1].isalpha() and len(word) > 3 else "")
            + (r"(?![a-z0-9])" if _LATIN.match(word[-1]) else "")
            for word in sorted(those, key=len, reverse=True)
        ]
        branches[is_latin].append(f"{re.escape(first)}(?:{'|'.join(tails)})")
    latin, others = "|".join(branches[True]), "|".join(branches[False])
    firsts = re.escape("".join(first for first in by_first if not _LATIN.match(first)))
    parts = [rf"(?<![a-z0-9])(?=[a-z0-9])(?:{latin})" if latin else "", f"(?=[{firsts}])(?:{others})" if others else ""]
    return re.compile("|".join(filter(None, parts)) or r"(?!)")


@lru_cache(maxsize=8)
def lexicon(own: OwnRules = OwnRules()) -> Lexicon:
    data: Mapping[str, Any] = _shipped()
    groups: Sequence[Sequence[str]] = [*data["synonyms"], *own.synonyms]
    replacements = {word: group[0] for group in groups for word in group[1:] if word != group[0]}
    # A word that stands for a group may itself belong to a later one.
    replacements = {word: replacements.get(first, first) for word, first in replacements.items()}
    words: dict[str, list[tuple[str, str]]] = {}
    for kind, values in data["contrast"].items():
        for value, said in values.items():
            for word in said:
                words.setdefault(word, []).append((kind, value))
    shipped = [(pair[0], pair[1]) for pair in (entry["pair"] for entry in data["forbidden"])]
    return Lexicon(
        replacements,
        {word: tuple(said) for word, said in words.items()},
        {value: frozenset(inner) for value, inner in data["includes"].items()},
        frozenset(data["settled"]["kinds"]),
        frozenset(data["settled"]["unless_coded"]),
        frozenset(data["settled"]["often_unsaid"]),
        {kind: frozenset(values) for kind, values in data["usual"].items()},
        frozenset(data["faint"]["words"]),
        (*shipped, *own.forbidden),
        own.equivalent,
    )


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, Any]:
    return tomllib.loads((domain_dir("quotation") / "data" / "lexicon.toml").read_text("utf-8"))
