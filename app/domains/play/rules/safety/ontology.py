"""What is dangerous for whom, read from `hazards.toml`: words that occur, alone or with words of other classes.

All words stand in the data; here is only what a danger is: its code, its words, the classes that have to stand with
them or after them, those that excuse it, the age below which it blocks. Every pattern is searched once in a text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any, Literal

from app.core.resources import domain_dir

FILES = ("hazards.toml", "hazards_conduct.toml")
"""Things and places, and what is done to a child. The words of one may be used in the other."""
BLOCKS_BELOW = {"S01": 36, "S02": 96, "S04": 72, "S06": 60}
"""Months; what is not here blocks at every age, as far as the plan names no grown-up beside water."""
Scope = Literal["clause", "sentence"]
Script = Literal["whole", "latin", "chinese"]
_MOST_HITS = 30
"""Of one kind in one text: where so many are excused, the next one is too."""
_ANYWHERE = 10_000
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[a-z]")


@dataclass(frozen=True, slots=True)
class WordClass:
    """A class of words; a text of one script is searched for the words of that script."""

    either: tuple[str, ...]
    before: str = ""
    """What has to follow, as a pattern."""
    whole: re.Pattern[str] = field(init=False)
    latin: re.Pattern[str] | None = field(init=False)
    chinese: re.Pattern[str] | None = field(init=False)

    def __post_init__(self) -> None:
        is_chinese = [_CHINESE.search(one) is not None for one in self.either]
        parts = {
            "whole": self.either,
            "latin": [one for one, other in zip(self.either, is_chinese, strict=True) if not other],
            "chinese": [one for one, other in zip(self.either, is_chinese, strict=True) if other],
        }
        for name, alternatives in parts.items():
            text = f"(?:{'|'.join(alternatives)}){self.before}"
            object.__setattr__(self, name, re.compile(text) if alternatives else None)

    def of(self, script: Script) -> re.Pattern[str] | None:
        return {"whole": self.whole, "latin": self.latin, "chinese": self.chinese}[script]

    def search(self, text: str) -> bool:
        pattern = self.of(_script(text))
        return pattern is not None and pattern.search(text) is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        pattern = self.of(_script(text))
        return [hit.span() for hit in islice(pattern.finditer(text), _MOST_HITS)] if pattern is not None else []


@dataclass(frozen=True, slots=True)
class DangerRule:
    code: str
    words: WordClass
    scope: Scope
    below: int | None
    """Age in months; without it that of the code."""
    with_all: tuple[WordClass, ...]
    """Each has to stand within `near` characters of the words, before or after."""
    then: WordClass | None
    """Has to stand after the words, within `near`."""
    unless: tuple[WordClass, ...]
    """Anywhere in the text: then it is no danger."""
    near: int
    only_if: str
    """A trait of the child without which this is none: "seizures"."""
    wording: str
    """Which message names it, where that of the code is about something else."""
    is_supervised_too: bool
    """A grown-up beside the child does not make it safe."""


@dataclass(frozen=True, slots=True)
class Found:
    danger: DangerRule
    words: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Ontology:
    dangers: tuple[DangerRule, ...]
    words: Mapping[str, WordClass]
    pinyin: Mapping[str, str]
    pinyin_words: re.Pattern[str]
    spelled: Mapping[str, str]
    """A long English hazard with one letter left out, and how it is written."""


def dangers(text: str, scope: Scope, age: int, *, is_mouthing: bool, traits: Sequence[str]) -> Iterator[Found]:
    """What blocks at that age, in one clause or sentence of a folded text. Excuses by its wording are not looked at."""
    for danger, pattern in _searched(scope, _script(text)):
        if pattern.search(text) is None or (danger.only_if and danger.only_if not in traits):
            continue
        below = danger.below if danger.below is not None else BLOCKS_BELOW.get(danger.code)
        if below is not None and age >= below and not (is_mouthing and danger.code in ("S01", "S06")):
            continue
        yield from _hits(danger, text)


@cache
def _searched(scope: Scope, script: Script) -> tuple[tuple[DangerRule, re.Pattern[str]], ...]:
    """What is looked for in texts of that script: most of it is in none, so this is the whole cost of most texts."""
    patterns = ((one, one.words.of(script)) for one in _ontology().dangers if one.scope == scope)
    return tuple((one, pattern) for one, pattern in patterns if pattern is not None)


def _script(text: str) -> Script:
    if text.isascii():
        return "latin"
    return "whole" if _LATIN.search(text) else "chinese"


def _hits(danger: DangerRule, text: str) -> Iterator[Found]:
    hits = danger.words.spans(text)
    if any(one.search(text) for one in danger.unless):
        return
    partners = [one.spans(text) for one in danger.with_all]
    followers = danger.then.spans(text) if danger.then is not None else []
    for start, end in hits:
        if not all(any(_gap(start, end, *other) <= danger.near for other in others) for others in partners):
            continue
        words = text[start:end]
        if danger.then is not None:
            after = next((one for one in followers if 0 <= one[0] - end <= danger.near), None)
            if after is None:
                continue
            words = f"{words} … {text[slice(*after)]}"
        yield Found(danger, words, start, end)


def _gap(start: int, end: int, other_start: int, other_end: int) -> int:
    return max(other_start - end, start - other_end, 0)


def is_play(code: str, clause: str, start: int, end: int) -> bool:
    """Food for a toy, a thing of a story, or one in quotation marks, which is something else that is called so."""
    words = _ontology().words
    quoted = clause[start - 1 : start] in ("“", "「", '"') and clause[end : end + 1] in ("”", "」", '"')
    if quoted or words["story"].search(clause[:start]):
        return True
    return code == "S06" and words["fed_toy"].search(clause) and not words["eats_too"].search(clause)


def is_dry(clause: str, hit: str) -> bool:
    """Water that is none: none in the tub, or played on a carpet."""
    words = _ontology().words
    if words["no_water"].search(clause):
        return True
    return words["on_carpet"].search(clause) and words["water_place"].whole.fullmatch(hit.strip()) is not None


def is_ended(sentence: str, start: int, end: int) -> bool:
    """Whether the sentence says what to do when a child does it by itself: "if he climbs up, lift him down"."""
    words = _ontology().words
    return words["if_it_happens"].search(sentence[:start]) and words["ended"].search(sentence[end:])


def folded_more(text: str) -> str:
    """Of a folded text: Chinese words in Latin letters, short forms of notes and single letters left out are read."""
    data = _ontology()
    plain = re.sub(r"\s(?:n|'n'|&)\s", " and ", text)
    plain = re.sub(r"\bw/ ?o\b", "without", plain)
    plain = re.sub(r"\bw/?(?=\s)", "with", plain)
    plain = data.pinyin_words.sub(lambda hit: data.pinyin[re.sub(r"[\s']", "", hit[0])], plain)
    return re.sub(r"\b[a-z]{6,14}\b", lambda hit: data.spelled.get(hit[0], hit[0]), plain)


def word_classes_in(text: str) -> list[str]:
    """Names of the classes of words that occur in a folded text."""
    return [name for name, words in _ontology().words.items() if words.search(text)]


def tidied(text: str) -> str:
    """Without what is put away, named as an allergy, or closed in."""
    return _ontology().words["put_away"].whole.sub("□", text)


@cache
def _ontology() -> _Ontology:
    parts = [tomllib.loads((domain_dir("play") / "data" / name).read_text("utf-8")) for name in FILES]
    data: dict[str, Any] = parts[0]
    for part in parts[1:]:
        data["danger"] += part["danger"]
        data["words"] |= part["words"]
    words: dict[str, WordClass] = {}
    for name, one in data["words"].items():
        words[name] = _words(one, words)
    pinyin = {str(key): str(word) for key, word in data["pinyin"].items()}
    names = sorted(pinyin, key=len, reverse=True)
    slips = data["slips"]
    long = {word for one in data["danger"] for word in re.findall(r"[a-z]{7,}", one.get("en", ""))}
    long |= set(slips["long_words"].split())
    spelled = {word[:n] + word[n + 1 :]: word for word in sorted(long) for n in range(1, len(word))}
    own = set(slips["words_of_their_own"].split())
    return _Ontology(
        tuple(_danger(one, words) for one in data["danger"]), words, pinyin,
        re.compile(r"\b(?:" + "|".join(map(_sounds, names)) + r")\b"),
        {short: word for short, word in spelled.items() if short not in own},
    )  # fmt: skip


def _danger(one: Mapping[str, Any], words: Mapping[str, WordClass]) -> DangerRule:
    return DangerRule(
        one["code"], words[one["words"]] if "words" in one else _words(one, words), one.get("scope", "clause"),
        one.get("below"), tuple(words[name] for name in one.get("all", ())),
        words[one["then"]] if "then" in one else None, tuple(words[name] for name in one.get("unless", ())),
        one.get("near", _ANYWHERE), one.get("only_if", ""), one.get("wording", ""),
        bool(one.get("supervised")),
    )  # fmt: skip


def _words(one: Mapping[str, Any], known: Mapping[str, WordClass]) -> WordClass:
    """English words are whole, in singular or plural; Chinese ones stand anywhere; `either` holds patterns."""
    parts = [*one.get("either", ()), *(known[one["like"]].either if "like" in one else ())]
    if "en" in one:
        parts.append(rf"\b(?:{one['en']})(?:e?s)?\b")
    return WordClass((*parts, *one.get("zh", "").split()), one.get("before", ""))


def _sounds(word: str) -> str:
    """With a gap where two syllables may be written apart: after a vowel or n or ng before a consonant."""
    return re.sub(r"(?<=[aeiouvng])(?=[bpmfdtlgkhjqxrzcsyw])", r"[\\s']?", word)
