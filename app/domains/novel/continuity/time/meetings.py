"""N04: two who have met meet for the first time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...model.project import Book, Chapter
from ..finding import ContinuityFinding
from ..sentences import StorySentence, is_supposed

_TOGETHER = re.compile(
    "对|吵|打架|成亲|结婚|娶|嫁|married|青梅竹马|向|和|与|跟|把|给|拉|扶|递|抱|拍|问|并肩|一起|握| and | to |"
    " with | at |"
    "asked|told|\\bmet\\b"
)
_NEAR = 60
"""Signs between two sentences of one scene."""
_FIRST_MEETING = re.compile(
    "第一次(?:见|遇|碰)|头一[回次遭](?:见|遇|碰|照面)|初次(?:见|相)|"
    "\\bmet\\b[^.;]{0,40}for the first time|first (?:saw|met|set eyes on)|had never (?:met|seen|laid eyes on)|"
    "first time "
    "they (?:met|had met)|素不相识|从未见过|素未谋面|从没见过|从来没见过|不认识|连名字都没听|没打过照面|"
    "素昧平生|从未谋面"
)
_SEES_DO = re.compile("(?:到)?[一-鿿]{2,3}?(?:[这那]么|这样|如此|[哭笑发生喝说流做吃跑唱跳穿戴醉骂])")
"""Behind it: 第一次见苏梅哭 is no first meeting."""
_FIRST_WORDS = re.compile(
    '[“「"][^”」"\n]{0,24}?(?:初次见面|头一[回次]见面|第一次见面|未请教|敢问(?:姑娘|公子|阁下|这位|先生)?[^”」"]{0,4}'
    "(?:芳名|尊姓|高姓)|久仰大名|请问您?你?是哪位|怎么称呼|咱们没见过|我们没见过|"
    "I don['’]t (?:think|believe) we['’]ve met|we have not (?:met|been introduced)|pleased to meet you)"
)
"""What one says to somebody whom one has never met."""


def first_meetings(
    book: Book, sentences: Sequence[StorySentence], wanted: frozenset[str]
) -> Iterator[ContinuityFinding]:
    names = {name: who.name for who in book.characters for name in who.names}
    met: dict[frozenset[str], StorySentence] = {}
    together: dict[frozenset[str], list[str]] = {}
    beside: dict[frozenset[str], StorySentence] = {}
    """Pairs who stand in one paragraph: they have met in all likelihood."""
    last: tuple[str, StorySentence] | None = None
    for sentence in sentences:
        persons = sorted({names[name] for name in names if name in sentence.text})
        if len(persons) == 1 and sentence.is_told_now:
            [one] = persons
            # Who do something one after the other, again and again, have met.
            if last is not None and last[0] != one and last[1].chapter is sentence.chapter:
                pair = frozenset((one, last[0]))
                if sentence.start - last[1].end < _NEAR:
                    together.setdefault(pair, []).append(sentence.chapter.id)
                    # In two chapters, or by turns in one.
                    if len(set(together[pair])) >= 2 or together[pair].count(sentence.chapter.id) >= 3:
                        met.setdefault(pair, sentence)
                    elif not _lies_between(last[1], sentence):
                        beside.setdefault(pair, sentence)
            last = (one, sentence)
        if len(persons) != 2:
            continue
        pair = frozenset(persons)
        first = _FIRST_MEETING.search(sentence.text)
        if first is not None and _SEES_DO.match(sentence.text, first.end()):
            first = None
        if first is not None and sentence.remembered_at is None and not is_supposed(sentence.text[: first.end()]):
            before = met.get(pair) or beside.get(pair)
            if before is not None and before.chapter is not sentence.chapter and sentence.chapter.id in wanted:
                yield _finding(sentence, persons, before, pair in met and "不认识" not in first[0])
            met.setdefault(pair, sentence)
        elif (sentence.is_told_now or sentence.lasts) and _TOGETHER.search(sentence.text) and not sentence.denied:
            met.setdefault(pair, sentence)
    order = {chapter.id: place for place, chapter in enumerate(book.chapters)}
    both = [*met.items(), *beside.items()]
    both.sort(key=lambda one: (order[one[1].chapter.id], one[1].start), reverse=True)
    yield from _in_speech(book.chapters, names, dict(both), wanted)


def _lies_between(one: StorySentence, other: StorySentence) -> bool:
    """Whether another paragraph begins between two sentences."""
    return "\n" in one.chapter.text[one.end : other.start]


def _in_speech(
    chapters: Sequence[Chapter],
    names: dict[str, str],
    met: dict[frozenset[str], StorySentence],
    wanted: frozenset[str],
) -> Iterator[ContinuityFinding]:
    """Who asks for the name of somebody whom he knows; the paragraph names both."""
    order = {chapter.id: place for place, chapter in enumerate(chapters)}
    for chapter in chapters:
        at = 0
        for line in chapter.text.split("\n"):
            if chapter.id in wanted and (words := _FIRST_WORDS.search(line)) is not None:
                around = line[: words.start()] + re.split('[”」"]', line[words.end() :], maxsplit=1)[-1]
                persons = sorted({names[name] for name in names if name in around})
                before = met.get(frozenset(persons)) if len(persons) == 2 else None
                if before is not None and order[before.chapter.id] < order[chapter.id]:
                    sentence = StorySentence(chapter, at, line, None, False, False, 0, False)
                    yield _finding(sentence, persons, before, False)
            at += len(line) + 1


def _finding(
    sentence: StorySentence, persons: Sequence[str], before: StorySentence, is_sure: bool
) -> ContinuityFinding:
    return ContinuityFinding(
        "N04",
        "error" if is_sure else "warn",
        sentence.chapter.id,
        sentence.start,
        sentence.end,
        sentence.quote(),
        subject="、".join(persons),
        other_chapter=before.chapter.id,
        other_quote=before.quote(),
    )
