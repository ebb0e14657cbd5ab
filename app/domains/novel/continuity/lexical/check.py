"""What the word lists find: two values of one thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ...model.project import Book
from ..english import is_english
from ..finding import ContinuityFinding
from ..sentences import StorySentence
from .calendar import moons, out_of_season, weekdays_of_dates
from .clauses import Cast, StoryClause, clauses_in
from .english_clauses import EnglishCast, english_clauses
from .english_values import ValuesOfThings, english_values
from .lexicon import KindLists, lexicon
from .lost_things import LostThings
from .states import StateClaim, StateReader, StatesOfPeople
from .values import ValueClaim, ValueReader

_SHOWN = {
    "colour": "颜色", "material": "材质", "form": "形状", "side": "左右", "number": "数目", "direction": "朝向",
    "work": "职业", "animal_sex": "公母", "sound": "左右",
}  # fmt: skip


def contradictions(
    book: Book, sentences: Sequence[StorySentence], wanted: frozenset[str]
) -> Iterator[ContinuityFinding]:
    """Warnings: a word list does not tell what the author means."""
    yield from out_of_season(sentences, wanted)
    yield from weekdays_of_dates(sentences, wanted)
    yield from moons(sentences, wanted)
    chinese = [one for one in sentences if not is_english(one.text)]
    if chinese:
        yield from _in_chinese(book, chinese, wanted)
    if len(chinese) < len(sentences):
        english = [one for one in sentences if is_english(one.text)]
        yield from _in_english(book, english, wanted)


def _in_english(book: Book, sentences: Sequence[StorySentence], wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    people, reader, things, lost = StatesOfPeople(), StateReader("en"), ValuesOfThings(), LostThings("en")
    for clause in english_clauses(book, sentences, EnglishCast(book, sentences)):
        yield from _of_people(people, reader.read(clause), wanted)
        yield from _of_lost(lost, clause, wanted)
        sentence = clause.sentence
        for claim in english_values(clause):
            earlier = things.against(claim)
            if earlier is None or sentence.chapter.id not in wanted:
                continue
            other = earlier.clause.sentence
            subject = claim.head if claim.owner == "the" else f"{claim.owner}'s {claim.head}"
            yield ContinuityFinding(
                "N03", "warn", sentence.chapter.id, sentence.start, sentence.end, sentence.quote(), subject,
                earlier.value, claim.value, other.chapter.id, other.quote(), {"attribute": claim.group},
            )  # fmt: skip


def _in_chinese(book: Book, sentences: Sequence[StorySentence], wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    words = lexicon("zh")
    cast = Cast(book, sentences)
    reader, state_reader = ValueReader(words, cast), StateReader("zh")
    standing: dict[tuple[str, str], list[ValueClaim]] = {}
    people, lost = StatesOfPeople(), LostThings("zh")
    for clause in clauses_in(book, sentences, cast, words):
        yield from _of_people(people, state_reader.read(clause), wanted)
        yield from _of_lost(lost, clause, wanted)
        for claim in reader.read(clause):
            earlier = standing.setdefault((claim.head, claim.group), [])
            if claim.owner == "?":
                continue
            other = next((one for one in reversed(earlier) if _same_thing(one, claim)), None) or _only(earlier, claim)
            if claim.changes and other is not None:
                earlier.remove(other)
            elif other is not None and _differ(words, other, claim):
                if clause.sentence.chapter.id in wanted:
                    yield _finding(other, claim)
                continue
            earlier.append(claim)


def _of_lost(lost: LostThings, clause: StoryClause, wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    for earlier, used in lost.used_again(clause):
        sentence, other = clause.sentence, earlier.clause.sentence
        if sentence.chapter.id in wanted:
            yield ContinuityFinding(
                "N03", "warn", sentence.chapter.id, sentence.start, sentence.end, sentence.quote(),
                used.shown,
                "gone", "", other.chapter.id, other.quote(), {"attribute": "gone"},
            )  # fmt: skip


def _of_people(
    people: StatesOfPeople, claims: Iterable[StateClaim], wanted: frozenset[str]
) -> Iterator[ContinuityFinding]:
    for claim in claims:
        earlier = people.against(claim) if claim.owner else None
        sentence = claim.clause.sentence
        if earlier is None or sentence.chapter.id not in wanted:
            continue
        other = earlier.clause.sentence
        yield ContinuityFinding(
            "N03", "warn", sentence.chapter.id, sentence.start, sentence.end, sentence.quote(), claim.owner,
            earlier.words, claim.words, other.chapter.id, other.quote(), {"attribute": claim.state},
        )  # fmt: skip


def _only(earlier: Sequence[ValueClaim], claim: ValueClaim) -> ValueClaim | None:
    """那口铁钟 is the bell of the book where it has one, of one kind, and that one belongs to nobody."""
    if not claim.pointed or claim.group != "material" or any(one.owner for one in earlier):
        return None
    return earlier[-1] if len({one.value for one in earlier}) == 1 else None


def _same_thing(one: ValueClaim, other: ValueClaim) -> bool:
    if one.owner and other.owner:
        return one.owner == other.owner
    if one.owner or other.owner:
        return False
    return one.alone and other.alone


def _differ(words: KindLists, one: ValueClaim, other: ValueClaim) -> bool:
    if one.group == "number":
        if "+" not in one.value and "+" not in other.value:
            return one.value != other.value
        return not (_spans(one.value, other.value) or _spans(other.value, one.value))
    if one.group == "sound":
        return one.value == other.value.lstrip("!") and one.value != other.value
    return not words.are_alike(one.group, one.value, other.value)


def _spans(rounded: str, value: str) -> bool:
    """一百多 may be 138."""
    low = int(rounded.rstrip("+"))
    step = 10 ** (len(str(low)) - len(str(low).rstrip("0")))
    return rounded.endswith("+") and low <= int(value.rstrip("+")) <= low + max(step, 2)


def _finding(earlier: ValueClaim, claim: ValueClaim) -> ContinuityFinding:
    sentence, other = claim.clause.sentence, earlier.clause.sentence
    subject = f"{claim.owner}的{claim.head}" if claim.owner else claim.head
    return ContinuityFinding(
        "N03", "warn", sentence.chapter.id, sentence.start, sentence.end, sentence.quote(), subject,
        re.sub(r"[!+]", "", earlier.value), re.sub(r"[!+]", "", claim.value), other.chapter.id, other.quote(),
        {"attribute": _SHOWN.get(claim.group, claim.group)},
    )  # fmt: skip
