"""Values an English book gives to the same thing twice: colour, material, sex, side, number (`lexicon_en.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from app.core.resources import domain_dir

from ..readers.english_persons import NUMBER
from .clauses import StoryClause

_OTHER_ONE = re.compile(
    r"\b(?:another|other|others|neighbou?r\w*|new|second|next|some|"
    r"any|every|each|no|two|three|four|five|several|many|like|as|"
    r"painted|photograph|picture|portrait|dream\w*|bought|borrowed|"
    r"somebody|someone|a pair of|toy|model|old)\b[^.]{0,12}$",
    re.IGNORECASE,
)
_WOUND = re.compile(
    r"\b(?:wound\w*|hurt|scar\w*|cut|gash\w*|burn\w*|stitch\w*|"
    r"bandag\w*|rag|sling|splint|broke\w*|sprain\w*|twisted|limp\w*|lame|"
    r"throb\w*|stab\w*|shot|bullet|shrapnel|crush\w*|tattoo\w*|"
    r"birthmark|mole|missing|lost|blind\w*|deaf|patch|scald\w*|bruis\w*|"
    r"swollen|splinter|through the|bite|bitten|amputat\w*|wooden|glass|crippled|maimed|stump|"
    r"ach(?:ed|ing)|stiff|(?:not|never) (?:bend|bent|heal|healed))\b",
    re.IGNORECASE,
)
_UNHURT = re.compile(
    r"\b(?:not|never|good|sound|healthy|whole|uninjured|unhurt|with (?:his|her) (?:left|right))\b", re.IGNORECASE
)
_CHANGED = re.compile(
    r"\b(?:painted|repainted|dyed|new|replaced|rebuilt|swapped|exchanged|changed|bought|traded|"
    r"fresh coat|both|either)\b",
    re.IGNORECASE,
)
_FEWER = re.compile(
    r"\b(?:joined|added|born|died|dead|left|more|fewer|remaining|lost|gone|first|last|only one)\b", re.IGNORECASE
)
"""Of a number; the left hand and the first look change nothing else."""
_IN_ALL = re.compile(
    r"\b(?:all|the|our|my|his|her|their|its|there (?:were|are)|carried|had|has|have|with|counted|of|only|kept|housed|"
    r"raised|bore|boasted)(?: just| only| exactly)? $",
    re.IGNORECASE,
)
_OF_MATERIAL = re.compile(
    r"\b(?:built|made|carved|cut|wrought|fashioned) (?:\w+ )?(?:of|from|in|out of) (?:\w+ ){0,2}$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ThingClaim:
    owner: str
    head: str
    group: str
    value: str
    clause: StoryClause


class _Words:
    def __init__(self, rows: Mapping[str, Any]) -> None:
        self.value = {
            group: {word: shown for shown, words in rows[group].items() for word in words.split()}
            for group in ("colour", "material", "sex", "kind_of_animal", "side_of")
        }
        things = "|".join(sorted(rows["thing"]["words"].split(), key=len, reverse=True))
        tints = "|".join(sorted([*self.value["colour"], *self.value["material"]], key=len, reverse=True))
        self.tinted = re.compile(rf"\b(?P<c>{tints})(?:,? (?:and )?[a-z-]+){{0,2}}? (?P<n>{things})\b", re.IGNORECASE)
        self.one = re.compile(rf"\ba (?:\w+ ){{0,2}}?(?P<c>{tints}) (?:one|thing)\b", re.IGNORECASE)
        self.made = re.compile(
            rf"\b(?P<n>{things})\b[^.;,]{{0,40}}?{_OF_MATERIAL.pattern.removesuffix('$')}(?P<c>{tints})\b",
            re.IGNORECASE,
        )
        self.walls = re.compile(
            rf"\b(?P<c>{tints}) (?:walls|front|gable|face) of (?:the|his|her|their) (?:\w+ )?(?P<n>{things})\b",
            re.IGNORECASE,
        )
        self.thing = re.compile(rf"\b(?P<n>{things})\b", re.IGNORECASE)
        self.animal = re.compile(
            rf"\b(?P<n>{'|'.join(sorted(self.value['sex'], key=len, reverse=True))})\b", re.IGNORECASE
        )
        self.sided = re.compile(rf"\b(?P<v>left|right) (?P<n>{'|'.join(self.value['side_of'])})\b", re.IGNORECASE)
        counted = "|".join(rows["counted"]["words"].split())
        self.number = re.compile(rf"\b(?P<v>{NUMBER}) (?:[a-z-]+ )?(?P<n>{counted})\b", re.IGNORECASE)


@cache
def _words() -> _Words:
    return _Words(tomllib.loads((domain_dir("novel") / "data" / "lexicon_en.toml").read_text("utf-8")))


def english_things(text: str) -> Iterator[tuple[int, str]]:
    """Where each thing of the list is named."""
    for match in _words().thing.finditer(text):
        yield match.start(), match["n"].lower()


def english_values(clause: StoryClause) -> Iterator[ThingClaim]:
    if clause.told or clause.lasts:
        yield from _sides(clause)
    if not clause.told:
        return
    yield from _tinted(clause)
    yield from _sexes(clause)
    yield from _numbers(clause)


def _tinted(clause: StoryClause) -> Iterator[ThingClaim]:
    words, text = _words(), clause.text
    matches = [(match, match["n"]) for match in words.tinted.finditer(text)]
    matches += [(match, match["n"]) for pattern in (words.made, words.walls) if (match := pattern.search(text))]
    before = words.thing.search(clause.before)
    if (
        (match := words.one.search(text)) is not None
        and before is not None
        and not (_OTHER_ONE.search(clause.before[: before.start()]))
    ):
        matches.append((match, before["n"]))
    for match, noun in matches:
        if _OTHER_ONE.search(text[: match.start()]):
            continue
        found = match["c"].lower()
        group = "colour" if found in words.value["colour"] else "material"
        yield ThingClaim(_owner(clause, match.start()), noun.lower(), group, words.value[group][found], clause)


def _owner(clause: StoryClause, place: int) -> str:
    """Whose it is where a possessive stands before it; "the" where nobody's."""
    lead = clause.text[:place]
    possessive = re.search(r"(?:\b(?:his|her|my|their|our)|['’]s?)(?: [a-z-]+){0,2} ?$", lead, re.IGNORECASE)
    if possessive is None or re.match(r"(?:my|our)\b", possessive[0], re.IGNORECASE):
        return "the"
    return clause.owner(place)


def _sexes(clause: StoryClause) -> Iterator[ThingClaim]:
    words, text = _words(), clause.text
    for match in words.animal.finditer(text):
        noun = match["n"].lower()
        kind = words.value["kind_of_animal"].get(noun)
        owner = _owner(clause, match.start())
        lead = text[: match.start()][-9:].replace("old", "")
        if kind is not None and owner not in ("the", "") and _OTHER_ONE.search(lead) is None:
            yield ThingClaim(owner, kind, "sex", words.value["sex"][noun], clause)


def _sides(clause: StoryClause) -> Iterator[ThingClaim]:
    words, text = _words(), clause.text
    if _WOUND.search(text) is None or _UNHURT.search(text):
        return
    for match in words.sided.finditer(text):
        part = words.value["side_of"][match["n"].lower()]
        yield ThingClaim(clause.owner(match.start()), f"{part} that was hurt", "side", match["v"].lower(), clause)


def _numbers(clause: StoryClause) -> Iterator[ThingClaim]:
    for match in _words().number.finditer(clause.text):
        if _IN_ALL.search(clause.text[: match.start()]) and match["v"].lower() != "one":
            yield ThingClaim(_owner(clause, match.start()), match["n"].lower(), "number", match["v"].lower(), clause)


class ValuesOfThings:
    """What stands of each thing so far."""

    def __init__(self) -> None:
        self._standing: dict[tuple[str, str, str], ThingClaim] = {}

    def against(self, claim: ThingClaim) -> ThingClaim | None:
        if not claim.owner or (claim.owner == "the" and claim.group == "side"):
            return None
        key = (claim.owner, claim.head, claim.group)
        earlier = self._standing.get(key)
        text = claim.clause.sentence.text
        if earlier is None or _CHANGED.search(text) or (claim.group == "number" and _FEWER.search(text)):
            self._standing[key] = claim
            return None
        if earlier.value == claim.value or earlier.clause.sentence is claim.clause.sentence:
            return None
        return earlier
