"""What people never do or are, and do or are all the same: reading, drinking, married … (`data/states_*.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from app.core.resources import domain_dir

from .clauses import StoryClause

_NEVER = {
    "zh": "(?:不会|不能|没学过|从不|从来不|不懂|不敢|没法|无法|从没|从未|学不会|从没学过|一辈子没|这辈子没)",
    "en": r"\b(?:could not|couldn['’]t|cannot|can['’]t|can not|never(?: learned to| learnt to| could)?|"
    r"did not know how to|didn['’]t know how to|unable to)(?: \w+)? ",
}
_NOT = {
    "zh": re.compile("(?:[没不别未非莫免]|无法|难以|停止|假装|装作|装着|似的|要是|如果|想要|想学|教)[^，]{0,3}$"),
    "en": re.compile(
        r"\b(?:not|\w+n['’]t|never|without|nor|no|unable|pretend\w*|tried|trying|would|could|if|neither|hardly|wish\w*|"
        r"want\w*|like|nobody|as though|taught|teach|instead of|refus\w+|than)\b[^.,;]{0,24}$",
        re.IGNORECASE,
    ),
}
_UNTRUE = {
    "zh": re.compile("(?:不是|并非|又不|装|扮|当成|以为|像)[^，]{0,3}$"),
    "en": re.compile(
        r"\b(?:not|\w+n['’]t|pretend\w*|like|as if|than|nearly|almost|thought)\b[^.,;]{0,14}$", re.IGNORECASE
    ),
}


_DREAM = re.compile("梦|幻|dream", re.IGNORECASE)


class State(NamedTuple):
    name: str
    never: re.Pattern[str]
    does: re.Pattern[str]
    ends: re.Pattern[str] | None
    lasting: bool
    mutual: bool


@dataclass(frozen=True, slots=True)
class StateClaim:
    owner: str
    state: str
    value: str
    """never, does or ends."""
    words: str
    clause: StoryClause
    mutual: bool


@cache
def states(language: str) -> Sequence[State]:
    """`language` is zh or en."""
    rows = tomllib.loads((domain_dir("novel") / "data" / f"states_{language}.toml").read_text("utf-8"))["state"]
    return [_state(name, row, language) for name, row in rows.items()]


def _state(name: str, row: dict[str, Any], language: str) -> State:
    never = _any_of(row["never"], language)
    if row.get("verbs"):
        never = f"{never}|{_NEVER[language]}(?:{_any_of(row['verbs'], language)})"
    ends = row.get("ends")
    return State(
        name,
        _compiled(never, language),
        _compiled(_any_of(row["does"], language), language),
        _compiled(_any_of(ends, language), language) if ends else None,
        row.get("lasting", False),
        row.get("mutual", False),
    )


def _any_of(words: str, language: str) -> str:
    if language == "en":
        return words
    return "|".join(re.escape(word) for word in sorted(words.split(), key=len, reverse=True))


def _compiled(words: str, language: str) -> re.Pattern[str]:
    return re.compile(words if language == "zh" else rf"\b(?:{words})(?!\w)", re.IGNORECASE)


@cache
def _any_state(language: str) -> re.Pattern[str]:
    """Anything at all: most clauses hold nothing of it."""
    pieces = [pattern.pattern for one in states(language) for pattern in (one.never, one.does, one.ends) if pattern]
    return re.compile("|".join(pieces), re.IGNORECASE)


class StateReader:
    def __init__(self, language: str) -> None:
        self._language = language

    def read(self, clause: StoryClause) -> Iterator[StateClaim]:
        text, language = clause.text, self._language
        if _any_state(language).search(text) is None:
            return
        for state in states(language):
            never = state.never.search(text)
            if (
                never is not None
                and (clause.told or clause.lasts)
                and not _UNTRUE[language].search(text[: never.start()])
            ):
                yield self._claim(clause, state, "never", never)
                continue
            if state.ends is not None and state.ends.search(text):
                yield self._claim(clause, state, "ends", state.ends.search(text))
                continue
            does = state.does.search(text)
            if does is None or not (clause.told or (state.lasting and _is_past(clause))):
                continue
            if _NOT[language].search(text[: does.start()]) is None:
                yield self._claim(clause, state, "does", does)

    def _claim(self, clause: StoryClause, state: State, value: str, match: re.Match[str] | None) -> StateClaim:
        start = match.start() if match is not None else 0
        words = match[0] if match is not None else ""
        return StateClaim(clause.actor(start), state.name, value, words, clause, state.mutual)


def _is_past(clause: StoryClause) -> bool:
    """Told of an earlier time, and as true."""
    return clause.spoken or not (
        clause.sentence.supposed or clause.sentence.document or _DREAM.search(clause.sentence.text)
    )


class StatesOfPeople:
    """What stands of each person so far."""

    def __init__(self) -> None:
        self._standing: dict[tuple[str, str], StateClaim] = {}

    def against(self, claim: StateClaim) -> StateClaim | None:
        """What was said earlier and cannot be so beside it."""
        key = (claim.owner, claim.state)
        earlier = self._standing.get(key)
        if claim.value == "ends":
            self._standing.pop(key, None)
        elif earlier is None:
            if claim.value == "never" or claim.mutual:
                self._standing[key] = claim
        elif earlier.value != claim.value and earlier.clause.sentence is not claim.clause.sentence:
            return earlier if earlier.value == "never" or claim.mutual else None
        return None
