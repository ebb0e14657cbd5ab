"""Passages of a length that can be found and quoted: cut at paragraphs, then sentences, then anywhere, with overlap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from app.core.knowledge import Passage
from app.core.text.hidden import without_hidden

LONGEST = 800
"""Characters of one passage."""
SHORTEST = 200
"""Neighbours under the same heading and on the same page are joined up to this length."""
OVERLAP = 80
"""Characters of the end of a cut passage that its next one begins with."""

_ENDS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"[。！？；]|[.!?;](?=\s)"), re.compile(r"[，、,\s]"))


def chunks(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Hidden characters are removed: what a person cannot see is nothing a model should read."""
    waiting: Passage | None = None
    for raw in passages:
        passage = _with(raw, without_hidden(raw.text)[0].strip())
        if not passage.text:
            continue
        if waiting is not None and _joins(waiting, passage):
            waiting = replace(waiting, text=f"{waiting.text}\n\n{passage.text}")
            continue
        if waiting is not None:
            yield from _cut(waiting)
        waiting = passage
    if waiting is not None:
        yield from _cut(waiting)


def _joins(one: Passage, other: Passage) -> bool:
    same = (one.page, one.sheet, one.heading) == (other.page, other.sheet, other.heading)
    return same and min(len(one.text), len(other.text)) < SHORTEST and len(one.text) + len(other.text) < LONGEST


def _cut(passage: Passage) -> Iterator[Passage]:
    text, start = passage.text, 0
    while len(text) - start > LONGEST:
        end = _end(text, start)
        yield replace(passage, text=text[start:end].strip())
        start = max(start + 1, end - OVERLAP)
        # The overlap begins at a word, where the language has some.
        space = text.find(" ", start, end)
        start = space + 1 if 0 <= space < end - 1 and text[start].isascii() else start
    rest = text[start:].strip()
    if rest:
        yield _with(passage, rest)


def _with(passage: Passage, text: str) -> Passage:
    return passage if text == passage.text else replace(passage, text=text)


def _end(text: str, start: int) -> int:
    """The last good place to cut in the second half of the stretch."""
    first, last = start + LONGEST // 2, start + LONGEST
    for pattern in _ENDS:
        places = [match.end() for match in pattern.finditer(text, first, last)]
        if places:
            return places[-1]
    return last
