"""How a chapter is written: length, repetition, point of view, forbidden words, words about the text, its end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..model.project import Chapter, Project
from ..model.words import count_words
from .finding import ContinuityFinding
from .sentences import MASK, masked

_PARAGRAPH = 25
"""字 from which on a repeated paragraph is no refrain."""
_FIRST_PERSON = re.compile(
    r"(?<![自忘唯大小本敌真超])我(?![国军方家佛等见犹])|(?<![\w’'])(?:I|my|me|mine|myself)(?![\w])(?!\.)"
)
_THOUGHT = re.compile(
    "心想|心道|心说|暗想|暗道|想道|想[：:，]|心里[想说道]|自问|默念|寻思|写道|写着|信[上中里]|日记|唱道|念道|thought",
    re.IGNORECASE,
)
_META = (
    re.compile(r"作为(?:一个|一名)?\s*(?:AI|人工智能|语言模型|大模型)|as an? (?:AI|language model)", re.IGNORECASE),
    re.compile(
        r"[（(【]?(?:第[0-9零〇一二三四五六七八九十百千]{1,12}章)?\s{0,4}(?:本章)?(?:未完待续|本章完|"
        r"全文完|完待续)[）)】]?|第[0-9零〇一二三四五六七八九十百千]{1,12}章\s{0,4}完"
    ),
    re.compile(r"^[ \t\u3000]*(?:```|~~~)", re.MULTILINE),
    re.compile(
        r"^[ \t\u3000]*(?:好的|当然|没问题)[，,！!。].{0,30}(?:以下|下面|这是|为您|为你).{0,30}[:：。]?[ \t\u3000]*$",
        re.MULTILINE,
    ),
    re.compile(
        r"^[ \t\u3000]*(?:以下是|下面是|这是)(?:根据|按照|为您|为你|续写|改写|第).{0,30}[:：][ \t\u3000]*$",
        re.MULTILINE,
    ),
    re.compile(
        r"(?:system prompt|系统提示词|<\|(?:im_start|endoftext)|字数[:：]\s*\d+|\(?word count[:：]?\s*\d+)",
        re.IGNORECASE,
    ),
    re.compile(r"^[ \t\u3000]*(?:#{1,6}\s|\*\*第.{1,20}\*\*)", re.MULTILINE),
    re.compile(r"^(?:sure|certainly|of course)[,!.].{0,60}\bhere(?:'s| is)\b", re.IGNORECASE | re.MULTILINE),
)
_ENDS = tuple('。！？…”」』’"）)》】—~～!?.♪')


def length(chapter: Chapter) -> Iterator[ContinuityFinding]:
    goal, words = chapter.word_count_goal, count_words(chapter.text)
    if goal and words and not goal * 0.85 <= words <= goal * 1.15:
        yield ContinuityFinding("N07", "warn", chapter.id, expected=str(goal), found=str(words))


class Repetition:
    """N08: whole paragraphs that stand in the book twice, and paragraphs most of whose runs of four stand in an earlier
    one of the chapter. Chapters are taken in their order, each read once."""

    def __init__(self) -> None:
        self._seen: dict[str, str] = {}

    def pass_over(self, chapter: Chapter) -> None:
        for _start, line in _paragraphs(chapter.text):
            self._seen.setdefault(_core(line), chapter.id)

    def check(self, chapter: Chapter) -> Iterator[ContinuityFinding]:
        grams: set[str] = set()
        for start, line in _paragraphs(chapter.text):
            core = _core(line)
            end, quote = start + len(line), line.strip()[:80]
            if core in self._seen:
                yield ContinuityFinding("N08", "warn", chapter.id, start, end, quote, other_chapter=self._seen[core])
                continue
            self._seen[core] = chapter.id
            pieces = {core[n : n + 4] for n in range(len(core) - 3)}
            repeats = sum(piece in grams for piece in pieces)
            if len(pieces) >= 40 and repeats >= len(pieces) * 0.7:
                yield ContinuityFinding("N08", "warn", chapter.id, start, end, quote, other_chapter=chapter.id)
            grams |= pieces


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.split("\n"):
        if len(line) >= _PARAGRAPH and count_words(line) >= _PARAGRAPH:
            yield at, line
        at += len(line) + 1


def _core(line: str) -> str:
    return re.sub(r"\W+", "", line).casefold()


def point_of_view(project: Project, chapter: Chapter) -> Iterator[ContinuityFinding]:
    """N10: the narrator of a book in the third person says I. One finding per chapter."""
    if not project.pov.casefold().startswith(("third", "第三")):
        return
    at = 0
    for line in masked(chapter.text).split("\n"):
        for match in _FIRST_PERSON.finditer(line):
            if not _THOUGHT.search(line[: match.start()]) and MASK not in match[0]:
                place = at + match.start()
                quote = chapter.text[max(0, place - 20) : place + 30].strip()
                yield ContinuityFinding("N10", "error", chapter.id, place, place + len(match[0]), quote, found=match[0])
                return
        at += len(line) + 1


def forbidden(project: Project, chapter: Chapter) -> Iterator[ContinuityFinding]:
    for term in filter(None, project.forbidden_terms):
        place = chapter.text.casefold().find(term.casefold())
        if place >= 0:
            quote = chapter.text[max(0, place - 20) : place + len(term) + 20].strip()
            yield ContinuityFinding("N13", "error", chapter.id, place, place + len(term), quote, term)


def meta(chapter: Chapter) -> Iterator[ContinuityFinding]:
    narration = masked(chapter.text)
    for pattern in _META:
        for match in pattern.finditer(narration):
            text = chapter.text[match.start() : match.end()].strip()
            yield ContinuityFinding("N14", "error", chapter.id, match.start(), match.end(), text[:80], found=text[:80])
            break


def truncated(chapter: Chapter) -> Iterator[ContinuityFinding]:
    text = chapter.text.rstrip().rstrip("*_`")
    if text and not text.endswith(_ENDS):
        start = max(0, len(text) - 30)
        yield ContinuityFinding("N15", "error", chapter.id, start, len(text), text[start:].strip())
