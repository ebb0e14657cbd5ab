"""Passages of the book for a question, never from later than asked: by words, and by pairs of Chinese characters.

The text of the book is looked through as it is; a million characters take a few hundredths of a second, so there is no
index that could be old.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from .project import Book

Kind = Literal["chapter", "summary", "character", "world", "fact", "foreshadow"]
_PASSAGE = 300
"""Characters of a passage, to the end of its paragraph."""
_MOST_MARKS = 60


@dataclass(frozen=True, slots=True)
class BookPassage:
    kind: Kind
    title: str
    chapter: str
    text: str
    score: float = 0.0


def search(book: Book, query: str, kinds: Collection[str], before: int | None, limit: int) -> list[BookPassage]:
    """`before`: the `order` of a chapter; nothing of it or of later ones is found."""
    marks = _marks(query)
    if not marks:
        return []
    passages = [one for one in _passages(book, before) if not kinds or one.kind in kinds]
    hits: list[tuple[BookPassage, list[int]]] = []
    spread = dict.fromkeys(marks, 0)
    for passage in passages:
        text = f"{passage.title}\n{passage.text}".casefold()
        counts = [text.count(mark) for mark in marks]
        for mark, count in zip(marks, counts, strict=True):
            spread[mark] += count > 0
        if any(counts):
            hits.append((passage, counts))
    weights = [math.log(1 + len(passages) / (1 + spread[mark])) for mark in marks]
    best = sum(weights) or 1.0
    scored = []
    for passage, counts in hits:
        score = sum(w * count / (count + 1.2) * 2.2 for w, count in zip(weights, counts, strict=True)) / best
        scored.append(BookPassage(passage.kind, passage.title, passage.chapter, passage.text, round(score, 3)))
    return sorted(scored, key=lambda one: -one.score)[:limit]


def _marks(query: str) -> list[str]:
    plain = query.casefold()
    marks = dict.fromkeys(re.findall(r"[a-z0-9\u00c0-\u024f]{2,}", plain))
    for run in re.findall("[\u3400-\u9fff]+", plain):
        marks |= dict.fromkeys([run] if len(run) == 1 else [run[n : n + 2] for n in range(len(run) - 1)])
    return list(marks)[:_MOST_MARKS]


def _passages(book: Book, before: int | None) -> Iterator[BookPassage]:
    number = None
    for chapter in book.chapters:
        if before is not None and chapter.order >= before:
            number = number or chapter.number
            continue
        if chapter.summary:
            yield BookPassage("summary", chapter.title, chapter.id, chapter.summary)
        for text in _cut(chapter.text):
            yield BookPassage("chapter", chapter.title, chapter.id, text)
    for who in book.characters:
        words = [who.role, who.description, who.background, *who.personality, *who.goals, who.voice_notes]
        yield BookPassage("character", " ".join(who.names), "", "\n".join(filter(None, words)))
    for note in book.world:
        yield BookPassage("world", " ".join(note.names), "", note.text)
    for fact in book.facts:
        if number is None or fact.since_chapter < number:
            yield BookPassage("fact", f"{fact.subject} {fact.attribute}", fact.chapter, f"{fact.value}\n{fact.quote}")
    for one in book.foreshadows:
        if number is None or one.planted_in < number:
            yield BookPassage("foreshadow", one.title, "", one.note)


def _cut(text: str) -> Iterator[str]:
    lines: list[str] = []
    length = 0
    for line in text.split("\n"):
        lines.append(line)
        length += len(line)
        if length >= _PASSAGE:
            yield "\n".join(lines).strip()
            lines, length = [], 0
    if rest := "\n".join(lines).strip():
        yield rest
