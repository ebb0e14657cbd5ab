"""Sentences of a draft that state a figure, a date or a share, and whether they have a reference."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .headings import heading
from .text import Draft, DraftLine

_END = re.compile(r"[。！？!?]+|\.(?=[\s\[*\"”’)]|$)|；")
_CLOSERS = " \t\"”’'»」』)*_"
_LEAD_IN = re.compile(
    r"(?:<sup>|[(\[*^_ ]){0,4}(?:(?:see|cf\.?|sources?|refs?\.?|参见|参考|来源|资料来源|见)[: ]{0,2})?\[?",
    re.IGNORECASE,
)
"""What may stand between a full stop and its reference, as in “. (see [1])”."""
_SOURCE_LINE = re.compile(
    r"[ ]{0,3}(?:[-*+>][ ]{1,3})?[*_(]{0,3}(?:sources?|references?|refs?|citations?"
    r"|资料来源|数据来源|信息来源|参考来源|来源|参考资料|参考)[*_]{0,2}:",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"(?<![A-Za-z0-9_.\-/#@:])(?P<sign>[$¥€£￥][ ]?)?(?P<digits>\d[\d,]{0,30}(?:\.\d{1,12})?)[ ]?"
    r"(?P<unit>%|‰|percent\b|per cent\b|million\b|billion\b|trillion\b|thousand\b"
    r"|°|[万亿千百][人元个吨美户家次]?|个?百分点|[元美欧人户家吨年倍])?"
    r"(?![A-Za-z0-9_])|百分之[一二三四五六七八九十百千零点〇两]{1,12}"
)
_PARTS = re.compile(
    r"(?:figure|fig\.|table|section|chapter|step|part|page|pp?\.|no\.|version|v\.|round|level|phase|tier|top|"
    r"图|表|第|章|节|步骤|版本|阶段|级)[ ]?$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"[ ]{0,12}(?:>[ ]?)?(?:[-*+•][ ]{1,4})?(?:\*\*|__)?"
    r"\(?(?:\d{1,3}(?:\.\d{1,2}){0,3}[.)、:]?(?!\d)[ ])?(?:\d{1,3}[.)、](?!\d))?"
)
_FACTS = re.compile(
    r"[ ]{0,4}(?:[-*+][ ])?(?:\*\*|__)?(?:date|as of|updated?|last updated|prepared|published|generated|compiled|"
    r"report date|version|confidence|置信度|可信度|"
    r"报告日期|日期|生成时间|更新时间|发布时间|撰写时间|作者|版本)[^:]{0,12}:",
    re.IGNORECASE,
)
_TABLE_ROW = re.compile(r"[ ]{0,3}\|")
_URL = re.compile(r"(?:https?://|www\.)\S{1,2000}|\]\([^()\s]{1,2000}\)")


@dataclass(frozen=True, slots=True)
class Sentence:
    at: int
    end: int


def uncited_figures(draft: Draft, body: str, marks: Sequence[tuple[int, int]]) -> Iterator[Sentence]:
    """`body` is blanked of sources and code; `marks` are the places of references and links to pages, sorted."""
    starts = [begin for begin, _end in marks]
    table: list[DraftLine] = []
    covered = _covered(draft, body, starts)
    for line in draft.lines:
        if line.at in covered:
            continue
        text = body[line.at : line.end]
        if _TABLE_ROW.match(text):
            table.append(line)
            continue
        if table:
            yield from _of_table(table, body, starts)
            table = []
        if not text.strip() or line.is_code or heading(text) is not None or _FACTS.match(text) or _is_title(text):
            continue
        for begin, end in _sentences(text, line.at, marks, starts):
            if not _has(starts, begin, end) and (at := _figure(body, begin, end)) is not None:
                yield Sentence(at, end)
    if table:
        yield from _of_table(table, body, starts)


def _covered(draft: Draft, body: str, starts: Sequence[int]) -> set[int]:
    """Lines of a section whose last line names its sources: “Sources: [One](…), [Two](…)”."""
    found: set[int] = set()
    section: list[int] = []
    for line in draft.lines:
        text = body[line.at : line.end]
        if heading(text) is not None and not _SOURCE_LINE.match(text):
            section = []
        section.append(line.at)
        if _SOURCE_LINE.match(text) and _has(starts, line.at, line.end):
            found.update(section)
            section = []
    return found


def _is_title(text: str) -> bool:
    """A line in bold alone, a rule, the line of a table of contents."""
    bare = text.strip()
    return (bare[:2] == bare[-2:] == "**" and "**" not in bare[2:-2]) or not bare.strip("-=*_ ")


def _has(starts: Sequence[int], begin: int, end: int) -> bool:
    place = bisect_left(starts, begin)
    return place < len(starts) and starts[place] < end


def _of_table(rows: list[DraftLine], body: str, starts: Sequence[int]) -> Iterator[Sentence]:
    """A table is one statement: a reference anywhere in it will do."""
    if _has(starts, rows[0].at, rows[-1].end):
        return
    for row in rows:
        if (at := _figure(body, row.at, row.end)) is not None:
            yield Sentence(at, row.end)
            return


def _sentences(
    text: str, offset: int, marks: Sequence[tuple[int, int]], starts: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """With the references that follow the full stop."""
    begin, place = offset, 0
    while place < len(text):
        match = _END.search(text, place)
        while match is not None and (behind := _mark_around(offset + match.start(), marks, starts)):
            match = _END.search(text, behind - offset)  # the full stop of “et al.”
        end = offset + (match.end() if match else len(text))
        end = _behind_marks(text, offset, end, marks, starts)
        yield begin, end
        place, begin = max(end - offset, (match.end() if match else len(text))), end


def _mark_around(at: int, marks: Sequence[tuple[int, int]], starts: Sequence[int]) -> int:
    """The end of the mark that this place is inside of; 0: of none."""
    place = bisect_left(starts, at) - 1
    return marks[place][1] if place >= 0 and marks[place][1] > at else 0


def _behind_marks(text: str, offset: int, end: int, marks: Sequence[tuple[int, int]], starts: Sequence[int]) -> int:
    last = offset + len(text)
    while end < last:
        closed = end - offset
        while closed < len(text) and text[closed] in _CLOSERS:
            closed += 1
        lead = _LEAD_IN.match(text, closed)
        first, place = offset + closed, offset + (lead.end() if lead else closed)
        at = bisect_left(starts, first)
        if at == len(starts) or starts[at] > place:
            return end
        place = starts[at]
        end = min(marks[at][1], last)
        if end <= place:
            return place
    return end


def _figure(body: str, begin: int, end: int) -> int | None:
    """Where the first figure stands that needs a source: no ordinals, names of parts, single bare digits."""
    ordinal = _ORDINAL.match(body, begin, end)
    first = ordinal.end() if ordinal else begin
    addresses = [found.span() for found in _URL.finditer(body, first, end)]
    for found in _FIGURE.finditer(body, first, end):
        if any(low <= found.start() < high for low, high in addresses):
            continue
        digits = found.group("digits")
        telling = digits is None or found.group("sign") or found.group("unit") or len(digits) > 1
        if telling and not _PARTS.search(body, max(begin, found.start() - 12), found.start()):
            return found.start()
    return None
