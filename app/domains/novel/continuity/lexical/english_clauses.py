"""The clauses of an English book in its order, each with whom it is about and how it is meant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...model.project import Book
from ..english import by_speaker
from ..readers.english_owner import EnglishPeople
from ..sentences import StorySentence, clauses_of, spoken_of, told_clauses
from .clauses import StoryClause

_HE = re.compile(r"\b(?:(?P<he>he|his|him|himself)|(?P<she>she|her|hers|herself))\b", re.IGNORECASE)
_JOINED = re.compile(r"^\s*(?:and|but|so|then|while|for|yet)\s+")
_CALLED = frozenset(("captain", "doctor", "colonel", "major", "inspector", "professor", "reverend", "father", "sister"))
_TITLE = {"Mrs": "she", "Miss": "she", "Lady": "she", "Aunt": "she", "Ms": "she", "Mr": "he", "Sir": "he",
          "Uncle": "he", "Captain": "he"}  # fmt: skip


class EnglishCast:
    """Who a book names, and which pronoun stands for whom."""

    def __init__(self, book: Book, sentences: Sequence[StorySentence]) -> None:
        names = {name: who.name for who in book.characters for name in who.names}
        self.persons: Mapping[str, str] = names | _by_title(names)
        self.people = EnglishPeople(self.persons)
        self.genders = self._genders(sentences)

    def _genders(self, sentences: Sequence[StorySentence]) -> dict[str, str]:
        """By the pronouns of sentences that name nobody else, and of the sentence after."""
        counts: dict[str, Counter[str]] = {}
        last = ""
        for sentence in sentences:
            named = {card for name, card in self.persons.items() if name in sentence.text}
            who = next(iter(named)) if len(named) == 1 else last if not named else ""
            for pronoun in _HE.finditer(sentence.text) if who else ():
                counts.setdefault(who, Counter())[pronoun.lastgroup or ""] += 2 if named else 1
            last = who
        known = {
            name: most
            for name, found in counts.items()
            for most, times in found.most_common(1)
            if times * 3 >= found.total() * 2
        }
        titled = {
            card: _TITLE[first]
            for card in set(self.persons.values())
            if (first := card.split(" ")[0].strip(".")) in _TITLE
        }
        return known | titled


def _by_title(names: Mapping[str, str]) -> dict[str, str]:
    """The captain is Captain Dunmore where the book has no other."""
    found: dict[str, set[str]] = {}
    for card in set(names.values()):
        title = card.split(" ")[0].strip(".").lower()
        if " " in card and title in _CALLED:
            found.setdefault(f"the {title}", set()).add(card)
    one_each = {called: next(iter(cards)) for called, cards in found.items() if len(cards) == 1}
    return one_each | {called.capitalize(): card for called, card in one_each.items()}


def english_clauses(book: Book, sentences: Sequence[StorySentence], cast: EnglishCast) -> Iterator[StoryClause]:
    order = {chapter.id: place for place, chapter in enumerate(book.chapters)}
    spoken = [one for chapter in book.chapters for one in spoken_of(chapter, cast.persons)]
    in_order = sorted([*sentences, *spoken], key=lambda one: (order[one.chapter.id], one.start))
    chapter, subject = "", ""
    recent: dict[str, str] = {}
    for sentence in in_order:
        if sentence.chapter.id != chapter:
            chapter, subject, recent = sentence.chapter.id, "", {}
        until = {start for start, _text in told_clauses(sentence)} if sentence.states_facts else set()
        about, before = subject if sentence.speaker is None else sentence.speaker, ""
        for start, raw in clauses_of(sentence):
            text = by_speaker(raw, sentence.speaker) if sentence.speaker else raw
            about = _meant(text, about, recent, cast)
            yield StoryClause(
                sentence, start, text, about, (), start in until, sentence.lasts, order[sentence.chapter.id], before,
                cast.people,
            )  # fmt: skip
            before = text
            if (who := cast.people.first(text)) and sentence.speaker is None and who in cast.genders:
                recent[cast.genders[who]] = who
            about = cast.people.walk(_JOINED.sub("", text), len(text), about)[1] or about
        if sentence.speaker is None:
            subject = about or subject


def _meant(text: str, about: str, recent: Mapping[str, str], cast: EnglishCast) -> str:
    """Whom he or she stands for at the start of a clause."""
    pronoun = _HE.search(text)
    if pronoun is None:
        return about
    gender = pronoun.lastgroup or ""
    if about and cast.genders.get(about, gender) == gender:
        return about
    return recent.get(gender, "")
