"""A text as volumes and chapters, with what is odd about them: gaps, duplicates, empty and very long ones.

    split = split_text(text)            # by the headings it uses
    split = split_text(text, rule="^Day ")   # by a rule of the person's: a word every heading begins with, or a pattern

Nothing is lost: the texts of the chapters joined are the text, headings apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from app.core.errors import ToolError
from app.core.text.i18n import N_

from ..model.words import count_words
from .headings import ChapterHeading, chapter_behind_volume, heading_of

FaultCode = Literal["GAP", "DUPLICATE", "ORDER", "EMPTY", "LONG", "SAME_TEXT"]
Progress = Callable[[int, int], None]
_LONG = 30_000
"""字 of one chapter above which a heading was probably missed."""
_STEP = 200_000
"""Characters between two reports of progress."""


@dataclass(slots=True)
class Part:
    """One chapter of the import, or what stands before the first."""

    kind: Literal["chapter", "front", "back"]
    heading: str
    """The line as it stands; "" where the text begins without one."""
    number: int | None
    title: str
    volume: str
    text: str
    line: int
    """Of the heading in the file, from 1."""
    words: int = 0


@dataclass(frozen=True, slots=True)
class SplitFault:
    code: FaultCode
    part: int
    """Index of the part it concerns; of a gap, the part behind it."""
    first: int = 0
    last: int = 0
    """Missing numbers, or the number and index of the one before."""


@dataclass(slots=True)
class Split:
    parts: list[Part]
    faults: list[SplitFault] = field(default_factory=list)
    volumes: list[str] = field(default_factory=list)

    @property
    def words(self) -> int:
        return sum(part.words for part in self.parts)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A heading at its place."""

    line: int
    text: str
    heading: ChapterHeading
    alone: bool


def split_text(text: str, *, rule: str = "", progress: Progress | None = None) -> Split:
    """Raises ToolError NO_CHAPTERS for a text without headings, BAD_RULE for a pattern that is none."""
    lines = text.split("\n")
    marks = _by_rule(lines, rule) if rule else _headings(lines, len(text), progress)
    if not any(mark.heading.kind == "chapter" for mark in marks):
        raise ToolError(
            "NO_CHAPTERS", N_("no headings of chapters were found"),
            hint=N_("give split_rule: what every heading begins with, or a regular expression for its line"),
        )  # fmt: skip
    return parted(lines, marks)


def split_sections(sections: Sequence[tuple[int, str, str]]) -> Split:
    """Of a document with headings of its own: level (0 for none), heading, text. Where its headings number no chapter
    the level that occurs most often is that of the chapters."""
    lines: list[str] = []
    named: list[tuple[int, int, str]] = []
    for level, heading, text in sections:
        if heading:
            named.append((len(lines), level, heading))
            lines += [heading]
        lines += text.split("\n")
    recognised = [(line, level, text, heading_of(text)) for line, level, text in named]
    numbered = Counter(
        level for _line, level, _text, recognition in recognised if recognition and recognition.kind == "chapter"
    )
    levels = numbered or Counter(level for _line, level, _text, _known in recognised)
    if not levels:
        return split_text("\n".join(lines))
    chapter_level = levels.most_common(1)[0][0]
    marks = []
    for line, level, text, recognition in recognised:
        if recognition is not None and (recognition.is_sure or level == chapter_level):
            marks.append(_Mark(line, text, recognition, alone=True))
        elif level == chapter_level:
            marks.append(_Mark(line, text, ChapterHeading("chapter", "styled", None, text), alone=True))
        elif level < chapter_level and len(named) > 1:
            marks.append(_Mark(line, text, ChapterHeading("volume", "styled", None, text), alone=True))
    return parted(lines, _without_title(lines, marks))


def _without_title(lines: list[str], marks: list[_Mark]) -> list[_Mark]:
    """The title of the book itself, which a document has as its only heading of the highest level, is no volume."""
    styled = [mark for mark in marks if mark.heading.kind == "volume" and mark.heading.style == "styled"]
    return [mark for mark in marks if mark not in styled] if len(styled) == 1 else marks


# ---------------------------------------------------------------- which lines are headings


def _headings(lines: list[str], length: int, progress: Progress | None) -> list[_Mark]:
    marks: list[_Mark] = []
    seen = reported = 0
    for number, line in enumerate(lines):
        seen += len(line) + 1
        if progress is not None and seen - reported >= _STEP:
            progress(seen, length)
            reported = seen
        if not line or len(line) > 100:
            continue
        if (double := chapter_behind_volume(line)) is not None:
            volume, chapter = heading_of(double[0]), heading_of(double[1])
            if volume is not None and chapter is not None and chapter.kind == "chapter":
                if not any(mark.text == double[0] for mark in marks[-40:] if mark.heading.kind == "volume"):
                    marks.append(_Mark(number, double[0], volume, alone=True))
                marks.append(_Mark(number, double[1], chapter, alone=True))
                continue
        heading = heading_of(line)
        if heading is not None:
            marks.append(_Mark(number, line.strip(), heading, _is_alone(lines, number)))
    if progress is not None:
        progress(length, length)
    return _without_contents(lines, _consistent(marks))


def _is_alone(lines: list[str], number: int) -> bool:
    """Whether blank lines stand around it."""
    before = number == 0 or not lines[number - 1].strip()
    return before and (number + 1 >= len(lines) or not lines[number + 1].strip())


def _consistent(marks: list[_Mark]) -> list[_Mark]:
    """Of forms that sentences have too, only what the book uses throughout. 节 below 章 is a part of the chapter."""
    styles = Counter(mark.heading.style for mark in marks if mark.heading.kind == "chapter" and mark.heading.is_sure)
    sure = sum(styles.values())
    certain = [mark for mark in marks if mark.heading.is_sure]
    if sure < 2:
        loose = _ascending([mark for mark in marks if not mark.heading.is_sure])
        if len(loose) > max(1, sure):
            return sorted([*(m for m in certain if m.heading.kind != "chapter"), *loose], key=lambda mark: mark.line)
        return certain
    main = styles.most_common(1)[0][0]
    if "第章" in styles and "第节" in styles:
        main = "第章"
    elif "第回" in styles and "第节" in styles:
        main = "第回"
    below = {"第节", "scene", "第集", "第话", "letter"} - {main}
    volumes = Counter(mark.heading.style for mark in certain if mark.heading.kind == "volume")
    return [
        mark
        for mark in certain
        if mark.heading.kind != "chapter" or mark.heading.style == main
        or (mark.heading.style not in below and (mark.alone or styles[mark.heading.style] * 20 >= sure))
        if mark.heading.kind != "volume" or mark.alone or volumes[mark.heading.style] > 1 or mark.heading.number == 1
    ]  # fmt: skip


def _ascending(marks: list[_Mark]) -> list[_Mark]:
    """Of each uncertain form the lines that count on from 1; the form with the most of them."""
    best: list[_Mark] = []
    for style in {mark.heading.style for mark in marks}:
        chosen: list[_Mark] = []
        for mark in (mark for mark in marks if mark.heading.style == style):
            number = mark.heading.number or 0
            last = chosen[-1].heading.number or 0 if chosen else 0
            if (not chosen and number <= 1) or (chosen and last < number <= last + 3) or (chosen and number == 1):
                chosen.append(mark)
        alone = sum(mark.alone for mark in chosen)
        if len(chosen) >= 2 and alone * 2 >= len(chosen) and len(chosen) > len(best):
            best = chosen
    return best


def _without_contents(lines: list[str], marks: list[_Mark]) -> list[_Mark]:
    """A table of contents names every chapter once more, line below line, before the first of them begins."""
    end = 0
    while end + 1 < len(marks) and not any(line.strip() for line in lines[marks[end].line + 1 : marks[end + 1].line]):
        end += 1
    listed = marks[: end + 1]
    names = Counter(_key(mark) for mark in marks[end + 1 :])
    if end >= 3 and sum(_key(mark) in names for mark in listed) * 2 >= len(listed):
        last = listed[-1]
        is_text = _key(last) not in names
        return [*([last] if is_text else []), *marks[end + 1 :]]
    return marks


def _key(mark: _Mark) -> tuple[str, int | None, str]:
    return mark.heading.kind, mark.heading.number, mark.heading.title if mark.heading.number is None else ""


def _by_rule(lines: list[str], rule: str) -> list[_Mark]:
    """A regular expression where it has signs of one, else the words a heading begins with. Lines are short, and the
    time of a pattern is limited by that."""
    if not re.search(r"[\\^$.*+?\[\](){}|]", rule):
        pattern = re.compile(re.escape(rule))
    else:
        if re.search(r"[*+}]\)?[*+{]|\([^)]*[*+][^)]*\)[*+{]", rule):
            raise ToolError("BAD_RULE", N_("the rule repeats a repetition, which can take for ever"))
        try:
            pattern = re.compile(rule)
        except re.error as error:
            raise ToolError("BAD_RULE", N_("the rule is no pattern: {why}"), values={"why": str(error)}) from error
    marks = []
    for number, line in enumerate(lines):
        text = line.strip()
        if text and len(text) <= 80 and pattern.match(text):
            recognition = heading_of(text)
            heading = ChapterHeading(
                "chapter",
                "rule",
                recognition.number if recognition else None,
                recognition.title if recognition else text,
            )
            marks.append(_Mark(number, text, heading, alone=True))
    return marks


# ---------------------------------------------------------------- the parts


def parted(lines: list[str], marks: list[_Mark]) -> Split:
    parts: list[Part] = []
    volume, volumes = "", []
    head = _joined(lines[: marks[0].line]) if marks else ""
    if head:
        parts.append(Part("front", "", None, "", "", head, 1, count_words(head)))
    titled = _titles_below(lines, marks)
    for place, mark in enumerate(marks):
        end = marks[place + 1].line if place + 1 < len(marks) else len(lines)
        start, title = mark.line + 1, mark.heading.title
        if titled and not title and (below := _title_below(lines, mark, end)) is not None:
            start, title = below[0] + 1, below[1]
        text = _joined(lines[start : max(start, end)])
        if mark.heading.kind == "volume":
            volume = f"{mark.text} {title}".strip() if title and title not in mark.text else mark.text
            volumes.append(volume)
            if text:
                parts.append(Part("front", mark.text, None, volume, volume, text, mark.line + 1, count_words(text)))
            continue
        if mark.heading.kind == "back" and not volume:
            volume = ""
        parts.append(
            Part(mark.heading.kind, mark.text, mark.heading.number, title, volume, text, mark.line + 1,
                 count_words(text))
        )  # fmt: skip
    split = Split(parts, volumes=volumes)
    split.faults = faults_of(split)
    return split


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines).strip("\n").rstrip()


def _titles_below(lines: list[str], marks: list[_Mark]) -> bool:
    """Whether this book sets the title of a chapter in the line below its number."""
    bare = [(mark, marks[n + 1].line if n + 1 < len(marks) else len(lines)) for n, mark in enumerate(marks)
            if mark.heading.kind == "chapter" and not mark.heading.title]  # fmt: skip
    titles = sum(_title_below(lines, mark, end) is not None for mark, end in bare)
    return len(bare) >= 2 and titles * 10 >= len(bare) * 7


def _title_below(lines: list[str], mark: _Mark, end: int) -> tuple[int, str] | None:
    for number in range(mark.line + 1, min(mark.line + 4, end)):
        text = lines[number].strip(" \t\u3000*_#")
        if not text:
            continue
        is_alone = number + 1 < len(lines) and not lines[number + 1].strip()
        is_title = len(text) <= 50 and text[-1] not in '。！？；，,;:：.!?”"…' and text[0] not in '“"「—'
        return (number, text) if is_alone and is_title else None
    return None


def faults_of(split: Split) -> list[SplitFault]:
    """Numbers start again in a new volume where the book does so; an unnumbered chapter breaks no order."""
    faults: list[SplitFault] = []
    last: tuple[int, int] | None = None
    seen: dict[tuple[str, int], int] = {}
    texts: dict[str, int] = {}
    volume = ""
    restarts = _restarts(split.parts)
    for place, part in enumerate(split.parts):
        if part.volume != volume:
            volume = part.volume
            last = None if restarts else last
        if part.kind == "chapter" and part.number is not None:
            key = (volume if restarts else "", part.number)
            if key in seen and not _is_half(split.parts[seen[key]], part):
                faults.append(SplitFault("DUPLICATE", place, part.number, seen[key]))
            elif last is not None and part.number > last[0] + 1:
                faults.append(SplitFault("GAP", place, last[0] + 1, part.number - 1))
            elif last is not None and part.number < last[0]:
                faults.append(SplitFault("ORDER", place, part.number, last[1]))
            elif last is None and part.number > 1 and (restarts or not seen):
                faults.append(SplitFault("GAP", place, 1, part.number - 1))
            seen.setdefault(key, place)
            last = (part.number, place)
        if part.kind == "chapter" and part.words == 0:
            faults.append(SplitFault("EMPTY", place))
        elif part.words > _LONG:
            faults.append(SplitFault("LONG", place, part.words))
        body = "".join(part.text.split())
        if part.words > 20 and body in texts:
            faults.append(SplitFault("SAME_TEXT", place, last=texts[body]))
        texts.setdefault(body, place)
    return faults


def _restarts(parts: Sequence[Part]) -> bool:
    """Whether each volume begins with chapter 1."""
    firsts: dict[str, int] = {}
    for part in parts:
        if part.kind == "chapter" and part.number is not None and part.volume:
            firsts.setdefault(part.volume, part.number)
    values = list(firsts.values())
    return len(values) > 1 and sum(value == 1 for value in values[1:]) * 2 >= len(values) - 1


_HALVES = re.compile(r"[（(]?([上中下一二三四五六七八九十]|\d{1,2})[）)]?$")


def _is_half(one: Part, other: Part) -> bool:
    """第五章 雪夜（上） and 第五章 雪夜（下）."""
    first, second = _HALVES.search(one.title), _HALVES.search(other.title)
    return bool(
        first and second and first[1] != second[1] and one.title[: first.start()] == other.title[: second.start()]
    )
