"""The checks of a chapter, a draft of it, or the whole book, in one pass over its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..model.project import Book, Chapter
from . import facts, form, order, persons
from .cast import with_cast
from .finding import ContinuityFinding
from .sentences import sentences_of


def check_book(book: Book) -> list[ContinuityFinding]:
    return _checked(book, book.chapters)


def check_chapter(book: Book, chapter: Chapter, text: str | None = None) -> list[ContinuityFinding]:
    """Against what stands before it; later chapters are not looked at. `text`: a draft in place of its text."""
    draft = chapter if text is None else replace(chapter, text=text)
    chapters = [*book.before(chapter), draft]
    return _checked(replace(book, chapters=chapters), [draft], all_numbers=book)


def _checked(book: Book, wanted: Sequence[Chapter], all_numbers: Book | None = None) -> list[ContinuityFinding]:
    ids = frozenset(chapter.id for chapter in wanted)
    sentences = [sentence for chapter in book.chapters for sentence in sentences_of(chapter)]
    found: list[ContinuityFinding] = []
    carded, book = book, with_cast(book, book.chapters)
    deaths = persons.deaths_of(book, sentences)
    found += [one for one in persons.dead_who_act(book, sentences, deaths) if one.chapter in ids]
    found += facts.conflicts(book, sentences, ids)
    found += order.timeline(book, ids)
    found += order.weekdays(sentences, ids)
    found += order.first_meetings(book, sentences, ids)
    found += order.numbers(all_numbers or book)
    found += persons.name_variants(book, wanted)
    found += persons.unknown_names(carded, wanted)
    repetition = form.Repetition()
    for chapter in book.chapters:
        if chapter.id not in ids:
            repetition.pass_over(chapter)
            continue
        found += form.length(chapter)
        found += repetition.check(chapter)
        found += form.point_of_view(book.project, chapter)
        found += form.forbidden(book.project, chapter)
        found += form.meta(chapter)
        found += form.truncated(chapter)
        found += order.missing_beats(book, chapter)
    if wanted:
        found += order.overdue(book, wanted[-1])
    places = {chapter.id: place for place, chapter in enumerate(book.chapters)}
    return sorted(found, key=lambda one: (places.get(one.chapter, -1), one.start, one.code))
