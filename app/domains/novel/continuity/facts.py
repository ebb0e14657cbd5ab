"""N03: what the book says of somebody or something, against what it said before or what the ledger holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ..model.project import Book, StoryFact
from ..reading.numerals import CHINESE, heading_number
from . import english
from .abilities import KEPT
from .cards import CARD, of_cards
from .finding import ContinuityFinding
from .lexical.clauses import genders_of
from .readers.chinese import ChineseReader
from .readers.english import EnglishReader
from .readers.english_owner import EnglishPeople
from .readers.people import People
from .sentences import StorySentence, spoken_of
from .statements import StoryStatement, of_persons
from .things import of_places, of_things, placed

_ATTRIBUTES = {
    "惯用手": ("惯用手", "手", "handedness", "左撇子"),
    "眼睛": ("眼睛", "眼睛颜色", "瞳色", "眼色", "眼眸", "eyes", "eye colour"),
    "头发": ("头发", "发色", "头发颜色", "hair"),
    "年龄": ("年龄", "岁数", "年纪", "age"),
    "出生地": ("出生地", "籍贯", "故乡", "老家", "birthplace"),
}
_MANY_YEARS = 100
_SURE_GENDER = 2
"""Sentences that tell it."""
_GOES_ON = re.compile("[\\s“”]*(?:[他她](?![们的])|这(?:孩子|姑娘|小子|丫头|人|位|女人|男人|老头)|此人)")
"""Begins a sentence about whoever the one before was about; who is named later in it is somebody else."""
_FIRST_PRONOUN = re.compile("[\\s“”]*(?P<v>[他她])(?!们)")
_BEGINS_WITH_HIM = re.compile("[\\s“”]*(?:[他她]|(?:He|She|His|Her)\\b)")
_YEARS = re.compile("年后|过了.{0,4}年|又是一年|.{1,3}年过去|生日|寿辰|来年|转年|翌年|次年|第二年|开春|过完年|新年")


def conflicts(book: Book, sentences: Sequence[StorySentence], wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    """In the chapters `wanted`, against all that stands before them."""
    order = {chapter.id: place for place, chapter in enumerate(book.chapters)}
    standing: dict[tuple[str, str], StoryStatement] = {}
    ledger = _ledger(book)
    reported: set[tuple[str, str, str]] = set()
    years: list[tuple[int, int]] = []
    names = {name: who.name for who in book.characters for name in who.names}
    spoken = [one for chapter in book.chapters for one in spoken_of(chapter, names)]
    in_order = sorted([*sentences, *spoken], key=lambda one: (order[one.chapter.id], one.start))
    for statement in _statements(book, [*of_cards(book), *in_order], years):
        key = (statement.subject, statement.attribute)
        if statement.changes:
            standing[key] = statement
            ledger.pop(key, None)
            continue
        fact = ledger.get(key)
        earlier = standing.get(key)
        if fact is not None and _holds(fact, statement, book):
            expected, other, quote = _plain_value(fact.value, statement.attribute), fact.chapter, fact.quote
        elif earlier is not None:
            expected, quote = earlier.value, earlier.sentence.quote()
            other = "" if earlier.sentence.chapter.id.startswith(CARD) else earlier.sentence.chapter.id
        else:
            if (
                statement.value not in ("会", "有")
                or statement.attribute in KEPT
                or statement.attribute.startswith(("去过", "been in "))
            ):
                standing[key] = statement
            continue
        if not _differ(statement, expected) or _grew_older(statement, earlier, expected, years):
            if statement.attribute == "年龄":
                standing[key] = statement
            continue
        mark = (statement.subject, statement.attribute, statement.sentence.chapter.id)
        if statement.sentence.chapter.id not in wanted or mark in reported:
            continue
        reported.add(mark)
        is_sure = _is_sure(statement, earlier if fact is None else None) and _is_named(statement, names)
        label = english.label if english.is_english(statement.sentence.text) else str
        yield ContinuityFinding(
            "N03",
            "error" if is_sure else "warn",
            statement.sentence.chapter.id,
            statement.sentence.start,
            statement.sentence.end,
            statement.sentence.quote(),
            statement.subject,
            label(expected),
            label(statement.value),
            other,
            quote,
            {"attribute": label(statement.attribute)},
        )


def _is_sure(statement: StoryStatement, earlier: StoryStatement | None) -> bool:
    """Neither is said by somebody, nor read with a doubt."""
    both = [statement, *([earlier] if earlier is not None else [])]
    return all(one.sentence.speaker is None and not one.weak for one in both)


def _is_named(statement: StoryStatement, names: Mapping[str, str]) -> bool:
    """The sentence itself says whom it is about, or begins with a pronoun."""
    text = statement.sentence.text
    persons = [name for name, card in names.items() if statement.subject.startswith(card)]
    return not persons or any(name in text for name in persons) or _BEGINS_WITH_HIM.match(text) is not None


def _statements(
    book: Book, sentences: Sequence[StorySentence], years: list[tuple[int, int]]
) -> Iterator[StoryStatement]:
    persons = {name: who.name for who in book.characters for name in who.names}
    things = {name: note.title for note in book.world for name in note.names}
    last, chapter, before = "", "", ""
    people = People(persons)
    reader = ChineseReader(people)
    english_reader = EnglishReader(EnglishPeople(persons))
    genders = genders_of(people, sentences, _SURE_GENDER)
    recent: dict[str, str] = {}
    for number, sentence in enumerate(sentences):
        if sentence.chapter.id != chapter:
            last, chapter, recent = "", sentence.chapter.id, {}
        if _YEARS.search(sentence.text) and not sentence.remembered:
            years.append((number, _years_in(sentence.text)))
        subjects = [name for name in persons if name in sentence.text]
        if last and (pronoun := _FIRST_PRONOUN.match(sentence.text)) is not None:
            is_other = genders.get(last, pronoun["v"]) != pronoun["v"]
            last = recent.get(pronoun["v"], last) if is_other else last
        if chapter.startswith(CARD):
            last = chapter.removeprefix(CARD)
        if sentence.states_facts or sentence.lasts:
            yield from of_persons(sentence, persons, last if sentence.speaker is None else sentence.speaker)
        if sentence.states_facts:
            yield from of_things(sentence, things | placed(sentence, things))
            yield from of_places(sentence, before)
        one = english_reader if english.is_english(sentence.text) else reader
        yield from one.read(sentence, last if sentence.speaker is None else "")
        before = sentence.text
        goes_on = bool(last) and _GOES_ON.match(sentence.text) is not None
        if subjects and sentence.speaker is None and not goes_on:
            last = persons[min(subjects, key=sentence.text.find)]
        recent.update({genders[persons[name]]: persons[name] for name in subjects if persons[name] in genders})


def _ledger(book: Book) -> dict[tuple[str, str], StoryFact]:
    names = {name: who.name for who in book.characters for name in who.names}
    facts: dict[tuple[str, str], StoryFact] = {}
    for fact in book.facts:
        attribute = next(
            (one for one, words in _ATTRIBUTES.items() if fact.attribute.casefold() in words), fact.attribute
        )
        facts[(names.get(fact.subject, fact.subject), attribute)] = fact
    return facts


def _holds(fact: StoryFact, statement: StoryStatement, book: Book) -> bool:
    number = statement.sentence.chapter.number
    return number >= fact.since_chapter and (fact.until is None or number <= fact.until)


def _plain_value(value: str, attribute: str) -> str:
    plain = value.strip()
    if attribute == "惯用手":
        sides = (("左", "左"), ("右", "右"), ("left", "left"), ("right", "right"))
        return next((side for mark, side in sides if mark in plain.casefold()), plain)
    if attribute == "年龄":
        return re.sub(r"\D", "", plain) or plain
    return plain.removesuffix("色")


def _differ(statement: StoryStatement, expected: str) -> bool:
    if statement.attribute == "出生地":
        return not (expected.startswith(statement.value) or statement.value.startswith(expected))
    return statement.value not in (expected, expected.removesuffix("色")) and expected not in (
        "",
        statement.value + "色",
    )


def _grew_older(
    statement: StoryStatement, earlier: StoryStatement | None, expected: str, years: list[tuple[int, int]]
) -> bool:
    """An age may rise where the story says that time has passed, by a year in any case; it never falls."""
    if statement.attribute.endswith("年数") and expected.isdecimal():
        return int(statement.value) - int(expected) in (0, 1) or (bool(years) and int(statement.value) > int(expected))
    if statement.attribute == "年龄" and (statement.weak or (earlier is not None and earlier.weak)):
        return expected.isdecimal() and abs(int(statement.value) - int(expected)) <= 5
    if statement.attribute != "年龄" or not expected.isdecimal() or not statement.value.isdecimal():
        return False
    return 0 <= int(statement.value) - int(expected) <= sum(amount for _number, amount in years)


def _years_in(text: str) -> int:
    """How many years a sentence says have passed; a new year or a birthday is one."""
    match = re.search(rf"([0-9]{{1,3}}|[{CHINESE}]{{1,3}})(?:多|来)?年(?:后|以后|之后|过去)", text)
    number = heading_number(match[1]) if match is not None else None
    if number is not None:
        return number + 1
    return _MANY_YEARS if re.search("[多几数]年|许多年|years", text) else 1
