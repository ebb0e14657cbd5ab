"""The clauses of a book in its order, each with its words, whom it is about, and how it is meant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model.project import Book
from ..readers.english_owner import EnglishPeople
from ..readers.people import People
from ..sentences import StorySentence, clauses_of, spoken_of, told_clauses
from .lexicon import KindLists, Sense, Word, names_of

_PLACE = re.compile(
    "(?<![一-鿿])(?:[在到从往去回向进出过离]了?)?(?P<v>[一-鿿]{2,5}?(?:街|"
    "巷|路|胡同|弄)(?:[一二三四五六七八九十百零〇0-9]{1,4}号)?|"
    "[一-鿿]{2,4}?(?:镇|村|庄|寨|堡|关|岭|峰|谷|渡|湾|岛|寺|观|"
    "庙|阁|楼|塔|宫|院|堂|斋|府|城|县|桥|山|江|湖|河|坞|坊|园|"
    "轩|号|站|馆|屯|营|滩|矿|厂))"
)
_NO_PLACE = re.compile("[的了着过是在不有我你他她们就也都这那里上下一座条个栋间说道把被和与向对从到来去又还只很出回]")
_NEAR_START = 8
"""Signs in which a sentence names whom it is about."""
_HE = re.compile("(?P<f>她)|(?P<m>他)(?!们)")
_FEWEST = 2
_TO_SOMEBODY = re.compile("[把将对向朝给跟和与同替着到][^，]{1,6}$")
_TO_ENGLISH = re.compile(r"\b(?:to|with|at|for|of|by|from|behind|beside|and) (?:\w+ ){1,3}$")


@dataclass(frozen=True, slots=True)
class StoryClause:
    sentence: StorySentence
    start: int
    """In the chapter."""
    text: str
    subject: str
    """Whom it goes on about, before it names anybody itself; "" nobody who is known."""
    words: Sequence[Word]
    told: bool
    """As what happens now."""
    lasts: bool
    """What it says of a lasting trait is so, even if it is remembered."""
    number: int
    """Of its chapter among those of the book."""
    before: str = ""
    """The text of the clause before it in the sentence."""
    people: People | EnglishPeople | None = None

    def owner(self, place: int) -> str:
        """Whose what stands at a place of it is; "" nobody who is known."""
        if self.people is None:
            return ""
        if isinstance(self.people, People):
            return self.people.owner(self.text, place, self.subject)
        return self.people.walk(self.text, place, self.subject)[0]

    def actor(self, place: int) -> str:
        """Who does what stands at a place of it."""
        whose = self.owner(place)
        before = self.text[:place]
        if isinstance(self.people, People) and (_TO_SOMEBODY.search(before) or "的" not in whose):
            return self.people.about(before, self.subject) or whose
        if isinstance(self.people, EnglishPeople) and ("'s " not in whose or _TO_ENGLISH.search(before)):
            return self.people.walk(self.text, place, self.subject)[1] or whose
        return whose

    @property
    def spoken(self) -> bool:
        return self.sentence.speaker is not None


class Cast:
    """Who and where a book names, and which pronoun stands for whom."""

    def __init__(self, book: Book, sentences: Sequence[StorySentence]) -> None:
        names = {name: who.name for who in book.characters for name in who.names}
        self.people = People(names)
        self.persons = names
        self.places = _places_of(sentences, names)
        known, self.longest = names_of(names)
        self.known = known | {place: Sense("place", "", place) for place in self.places}
        for place in self.places:
            self.longest[place[0]] = max(self.longest.get(place[0], 0), len(place))
        self.genders = genders_of(self.people, sentences)


_STARTS_WITH_HE = re.compile("[\\s“”]*(?P<v>[他她])(?!们)")
_GOES_ON_WITH_HE = re.compile("，(?P<v>[他她])(?!们)(?![^，。]{0,3}的)")
_BY_TITLE = (
    ("她", re.compile("(?:婶|娘|妈|姐|嫂|姨|姑|婆|奶奶|夫人|太太|姑娘|小姐|妹)$")),
    ("他", re.compile("(?:伯|叔|爷|哥|公|老爷|公子|少爷|和尚|道士|老头|头|汉)$")),
)


def genders_of(people: People, sentences: Sequence[StorySentence], least: int = 1) -> dict[str, str]:
    """By the pronouns that begin a clause behind a name, or the sentence after it, where nobody else is named; `least`:
    how often."""
    counts: dict[str, Counter[str]] = {}
    last, chapter = "", ""
    for sentence in sentences:
        if sentence.chapter.id != chapter:
            last, chapter = "", sentence.chapter.id
        named = people.all_in(sentence.text)
        starts = _STARTS_WITH_HE.match(sentence.text)
        if last and starts is not None:
            counts.setdefault(last, Counter())[starts["v"]] += 1
        if len(set(named)) == 1 and people.first(sentence.text[:_NEAR_START]):
            last = named[0]
            for pronoun in _GOES_ON_WITH_HE.finditer(sentence.text):
                counts.setdefault(last, Counter())[pronoun["v"]] += 1
        elif starts is None or named:
            last = ""
    return {
        name: most
        for name, found in counts.items()
        for most, times in found.most_common(1)
        if times * 3 >= found.total() * 2 and times >= least
    } | {
        card: gender for card in set(people.names.values()) for gender, title in _BY_TITLE if title.search(card)
    }  # fmt: skip


def _places_of(sentences: Sequence[StorySentence], names: Mapping[str, str]) -> frozenset[str]:
    found: Counter[str] = Counter()
    for sentence in sentences:
        for match in _PLACE.finditer(sentence.text):
            place = match["v"]
            if _NO_PLACE.search(place[:-1]) is None and not any(name in place for name in names):
                found[place] += 1
    text = "\n".join(one.text for one in sentences)
    return frozenset(
        place for place, _times in found.most_common(200) if len(place) > 2 and text.count(place) >= _FEWEST
    )


def clauses_in(book: Book, sentences: Sequence[StorySentence], cast: Cast, lexicon: KindLists) -> Iterator[StoryClause]:
    order = {chapter.id: place for place, chapter in enumerate(book.chapters)}
    spoken = [one for chapter in book.chapters for one in spoken_of(chapter, cast.persons)]
    in_order = sorted([*sentences, *spoken], key=lambda one: (order[one.chapter.id], one.start))
    people, chapter, subject = cast.people, "", ""
    recent: dict[str, str] = {}
    for sentence in in_order:
        if sentence.chapter.id != chapter:
            chapter, subject, recent = sentence.chapter.id, "", {}
        narrated = sentence.states_facts
        until = {start for start, _text in told_clauses(sentence)} if narrated else set()
        lasts, before = sentence.lasts, ""
        about = subject if sentence.speaker is None else sentence.speaker
        for start, raw in clauses_of(sentence):
            text = raw
            if sentence.speaker:
                text = _as_said(raw, sentence.speaker)
            pronoun = _HE.search(text)
            if sentence.speaker is None and pronoun is not None:
                gender = cast.genders.get(about)
                if gender is not None and gender != pronoun[0] and pronoun[0] in recent:
                    about = recent[pronoun[0]]
            words = tuple(lexicon.words(text, cast.known, cast.longest))
            yield StoryClause(
                sentence, start, text, about, words, start in until, lasts, order[sentence.chapter.id], before,
                people,
            )  # fmt: skip
            before = text
            named = [sense.word for word in words if (sense := word.sense("name")) is not None]
            if not named:
                continue
            about = people.about(text, about) or (named[0] if len(set(named)) == 1 else "")
            if sentence.speaker is None:
                recent.update({cast.genders[name]: name for name in named if name in cast.genders})
        if sentence.speaker is None:
            subject = about or subject


def _as_said(text: str, speaker: str) -> str:
    """I and my in what somebody says are his own; the length of the text changes, its place does not matter then."""
    text = _HUMBLE.sub(speaker, text)
    return text.replace("我", speaker) if "我们" not in text else text


_HUMBLE = re.compile(
    "^[ \u3000]*(?:弟子|在下|徒儿|属下|末将|微臣|奴婢|奴家|小的|小人|小女子|俺(?!们)|咱(?!们)|老子|老夫|老朽|贫道|"
    "贫僧|老衲|本座|本王|朕|本官|晚辈)(?![一-鿿]{0,2}的)"
)
