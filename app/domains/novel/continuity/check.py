"""The checks of a chapter, a draft of it, or the whole book, in one pass over its sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..model.project import Book, Chapter
from . import belongings, facts, form, names, owned, persons, whereabouts
from .cast import with_cast
from .finding import ContinuityFinding
from .lexical.check import contradictions
from .sentences import sentences_of
from .sureness import weighed
from .time import almanac, meetings, order


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
    findings: list[ContinuityFinding] = []
    carded, book = book, with_cast(book, book.chapters)
    deaths = persons.deaths_of(book, sentences)
    findings += [one for one in persons.dead_who_act(book, sentences, deaths) if one.chapter in ids]
    findings += facts.conflicts(book, sentences, ids)
    findings += belongings.gone_things(book, sentences, ids)
    findings += _further(findings, owned.lost_and_used(book, sentences, ids))
    findings += _unseen(findings, contradictions(book, sentences, ids))
    findings += whereabouts.elsewhere(book, sentences, ids)
    findings += order.timeline(book, ids)
    findings += order.weekdays(sentences, ids)
    findings += almanac.against_the_outline(book.chapters, sentences, ids)
    findings += meetings.first_meetings(book, sentences, ids)
    findings += order.numbers(all_numbers or book)
    findings += names.name_variants(book, wanted)
    findings += names.unknown_names(carded, wanted)
    repetition = form.Repetition()
    for chapter in book.chapters:
        if chapter.id not in ids:
            repetition.pass_over(chapter)
            continue
        findings += form.length(chapter)
        findings += repetition.check(chapter)
        findings += form.point_of_view(book.project, chapter)
        findings += form.forbidden(book.project, chapter)
        findings += form.meta(chapter)
        findings += form.truncated(chapter)
        findings += order.missing_beats(book, chapter)
    if wanted:
        findings += order.overdue(book, wanted[-1])
    places = {chapter.id: place for place, chapter in enumerate(book.chapters)}
    findings = list(weighed(findings, carded))
    return sorted(findings, key=lambda one: (places.get(one.chapter, -1), one.start, one.code))


def _further(found: Sequence[ContinuityFinding], more: Iterator[ContinuityFinding]) -> Iterator[ContinuityFinding]:
    """Those that say nothing else of a place than what was found there."""
    reported = {(one.chapter, one.code, one.quote) for one in found}
    return (one for one in more if (one.chapter, one.code, one.quote) not in reported)


def _unseen(found: Sequence[ContinuityFinding], more: Iterator[ContinuityFinding]) -> Iterator[ContinuityFinding]:
    """Those in sentences of which nothing is found yet."""
    reported = [(one.chapter, one.start, one.end) for one in found]
    for one in more:
        if not any(one.chapter == id and one.start < end and start < one.end for id, start, end in reported):
            reported.append((one.chapter, one.start, one.end))
            yield one
