"""Stand-ins for names: put into what leaves, taken out of what comes back, also where pieces of a stream cut them."""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...model.child import ChildProfile, NameKind, PrivateName
from . import chinese, english
from .letters import plain_text
from .traits import traits
from .unnamed import conditions, unnamed

_STAND_INS: dict[NameKind, tuple[str, str]] = {
    "child": ("孩子", "Child "), "relative": ("亲人", "Relative "), "friend": ("朋友", "Friend "), "carer": ("照护者", "Carer "),
    "pet": ("宠物", "Pet "), "school": ("学校", "School "), "place": ("地点", "Place "), "other": ("称呼", "Name "),
}  # fmt: skip
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_HAN = re.compile("[\u4e00-\u9fff]")
_SCHOOL_ENDS = (
    "实验幼儿园|双语幼儿园|国际幼儿园|幼儿园|幼稚园|小学|学校|托育园|托儿所|托班|早教中心|康复中心|干预中心|中心|学前班|"
    "kindergarten|preschool|pre-school|nursery school|nursery|primary school|elementary school|primary|elementary|school|daycare|academy|montessori"
)
_SCHOOL_ALSO = "幼儿园|幼稚园|小学|学校|托育园|托班|早教中心|早教|康复中心|中心|学前班|园|幼|班|小(?=的|上|读|一|二|三)"


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    chinese: str
    english: str
    kind: str
    """A kind of name, or `diagnosis`."""
    is_latin: bool = False


class Pseudonyms:
    """Of one profile, or of none: then only what no profile has to name is taken out."""

    def __init__(
        self, names: Iterable[PrivateName] = (), diagnosis: str = "", *, sends_diagnosis: bool = False
    ) -> None:
        self._rules: list[_Rule] = []
        self._originals: dict[str, str] = {}
        counts: dict[NameKind, int] = {}
        for name in names:
            text = name.text.strip()
            if not text:
                continue
            number = counts.get(name.kind, 0)
            # Nicknames of the one child are one child.
            counts[name.kind] = number if name.kind == "child" else number + 1
            letter = _LETTERS[number] if number < len(_LETTERS) else f"Z{number}"
            inner, outer = (f"{stem}{letter}" for stem in _STAND_INS[name.kind])
            self._originals.setdefault(inner, text)
            self._originals.setdefault(outer, text)
            self._rules += _rules_of(name.kind, text, inner, outer)
        if not sends_diagnosis:
            self._rules += _diagnosis_rules(diagnosis)
        self._stand_in = _stand_in_pattern(self._originals)

    def outgoing(self, text: str) -> str:
        folded = plain_text(text)
        pieces, end = [], 0
        for start, stop, stand_in in _disjoint(self._spans(folded.plain)):
            first, last = folded.span(start, stop)
            pieces += [text[end:first], stand_in]
            end = max(end, last)
        return "".join([*pieces, text[end:]])

    def profile_terms(self, text: str) -> list[str]:
        """What of the profile a text still names: such a text is not sent to a search service at all."""
        plain = plain_text(text).plain
        return list(dict.fromkeys(plain[start:end] for start, end, _ in self._named(plain)))

    def restore(self, text: str) -> str:
        if self._stand_in is None:
            return text
        return self._stand_in.sub(lambda hit: self._originals[_key(hit[0])], text)

    def incoming(self) -> RestoredText:
        return RestoredText(self)

    def settled(self, text: str) -> int:
        """How much of it no later piece can change."""
        longest = max((len(name) for name in self._originals), default=0) + 1
        for start in range(max(0, len(text) - longest), len(text)):
            tail = _flat(text[start:])
            # A stand-in that is whole may go on to be a longer word: "Child A" in "Child Aaron".
            if any(_flat(name).startswith(tail) for name in self._originals):
                return start
        return len(text)

    def _spans(self, plain: str) -> Iterator[tuple[int, int, str]]:
        yield from self._named(plain)
        for start, end, inner, outer in (*traits(plain), *unnamed(plain)):
            yield start, end, inner if _HAN.search(plain[start:end]) or _is_chinese_around(plain, start, end) else outer

    def _named(self, plain: str) -> Iterator[tuple[int, int, str]]:
        for rule in self._rules:
            for hit in rule.pattern.finditer(plain):
                start, end = hit.span()
                if rule.is_latin:
                    if not english.is_whole(plain, start, end) or english.is_word(plain, start, end):
                        continue
                    if rule.kind in ("child", "relative", "friend"):
                        end = _with_surname(plain, end)
                elif rule.kind not in ("school", "place", "diagnosis") and chinese.stands_in_words(plain, start, end):
                    continue
                stand_in = (
                    rule.chinese if _HAN.search(hit[0]) or _is_chinese_around(plain, start, end) else rule.english
                )
                yield start, end, stand_in


class RestoredText:
    """One text that comes in pieces; held back is only what may be the beginning of a stand-in."""

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self._pseudonyms, self._held = pseudonyms, ""

    def feed(self, piece: str) -> str:
        self._held += piece
        cut = self._pseudonyms.settled(self._held)
        ready, self._held = self._held[:cut], self._held[cut:]
        return self._pseudonyms.restore(ready)

    def end(self) -> str:
        ready, self._held = self._held, ""
        return self._pseudonyms.restore(ready)


def pseudonyms_of(profile: ChildProfile | None) -> Pseudonyms:
    if profile is None:
        return Pseudonyms()
    names = (PrivateName(profile.nickname, "child"), *profile.private_names)
    return Pseudonyms(names, profile.diagnosis, sends_diagnosis=profile.sends_diagnosis)


def _rules_of(kind: NameKind, text: str, inner: str, outer: str) -> Iterator[_Rule]:
    plain = plain_text(text).plain
    if kind in ("school", "place"):
        core = re.sub(rf"\s*(?:{_SCHOOL_ENDS})$", "", plain, flags=re.IGNORECASE).strip() or plain
        core_pattern = r"[\s·-]*".join(map(re.escape, core.replace(" ", "")))
        yield _Rule(re.compile(re.escape(plain), re.IGNORECASE), inner, outer, kind)
        if kind == "school" and _HAN.search(core):
            yield _Rule(
                re.compile(rf"{core_pattern}(?:实验|双语|国际|第[一二三]|分园)?(?:{_SCHOOL_ALSO})"), inner, outer, kind
            )
            yield _Rule(
                re.compile(
                    rf"{core_pattern}(?=的[一-鿿]{{1,3}}(?:老师|园长|保安|同学|阿姨)|的(?:园长|保育员|校车|入园|接送))|"
                    rf"(?<=[在去到从送回]){core_pattern}(?=上学|上课|读|念|那边|接|的老师|的小朋友|的同学|放学|上了|上的|$)"
                ),
                inner,
                outer,
                kind,
            )
        elif kind == "school":
            yield _Rule(
                re.compile(rf"\b{core_pattern}[\s-]*(?:{_SCHOOL_ENDS}|kinder|pre-?k|class|K\b)", re.IGNORECASE),
                inner,
                outer,
                kind,
            )
            yield _Rule(re.compile(rf"(?:(?<=\bat )|(?<=\bfrom )|(?<=\bto )){re.escape(core)}\b"), inner, outer, kind)
        else:
            yield _Rule(re.compile(core_pattern, re.IGNORECASE), inner, outer, kind)
        return
    if chinese.is_chinese(plain):
        yield _Rule(re.compile(chinese.pattern(plain)), inner, outer, kind)
        if sounds := chinese.pinyin_pattern(plain):
            yield _Rule(re.compile(sounds, re.IGNORECASE), inner, outer, kind, is_latin=True)
        if kind == "child" and (initials := chinese.initials_pattern(plain)):
            yield _Rule(re.compile(initials), inner, outer, kind, is_latin=True)
        return
    if latin := english.pattern(plain):
        yield _Rule(re.compile(latin, re.IGNORECASE), inner, outer, kind, is_latin=True)
    if surname := english.surname_pattern(plain):
        yield _Rule(re.compile(surname), inner, outer, kind, is_latin=True)
    if not plain.isascii():
        yield _Rule(re.compile(re.escape(plain), re.IGNORECASE), inner, outer, kind)


def _diagnosis_rules(diagnosis: str) -> Iterator[_Rule]:
    plain = plain_text(diagnosis).plain.strip()
    if plain:
        yield _Rule(re.compile(re.escape(plain), re.IGNORECASE), "[诊断]", "[diagnosis]", "diagnosis")
    for words in conditions():
        yield _Rule(words, "[诊断]", "[diagnosis]", "diagnosis")


def _with_surname(plain: str, end: int) -> int:
    after = english.SURNAME_AFTER.match(plain, end)
    if after is None:
        return end
    for word in after[0].split():
        if word in english.NO_SURNAME:
            break
        end = plain.index(word, end) + len(word)
    return end


def _is_chinese_around(plain: str, start: int, end: int) -> bool:
    return bool(_HAN.search(plain[max(0, start - 3) : start] + plain[end : end + 3]))


def _disjoint(spans: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Those that meet become one: nothing between the first letter of one and the last of the other is kept."""
    merged: list[tuple[int, int, str]] = []
    for start, end, stand_in in sorted(spans, key=lambda span: (span[0], -span[1])):
        if merged and start < merged[-1][1]:
            first, last, first_stand_in = merged[-1]
            merged[-1] = (first, max(last, end), first_stand_in)
        else:
            merged.append((start, end, stand_in))
    return merged


def _stand_in_pattern(originals: Iterable[str]) -> re.Pattern[str] | None:
    names = sorted(originals, key=len, reverse=True)
    forms = [rf"{re.escape(name[:-1].strip())}\s?{re.escape(name[-1])}(?![A-Za-z])" for name in names]
    return re.compile("|".join(forms)) if forms else None


def _key(text: str) -> str:
    """A stand-in as it is stored, whatever space a model put into it."""
    plain = _flat(text)
    return f"{plain[:-1]} {plain[-1:]}" if plain[:-1].isascii() and len(plain) > 1 else plain


def _flat(text: str) -> str:
    return "".join(text.split())
