"""N04: what the text of a chapter says of its day or season, against the time its outline gives. Warnings: a chapter
may go on for longer than its time says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model.project import Chapter
from ..finding import ContinuityFinding
from ..sentences import StorySentence, is_retold
from .order import moment_of

_DAYS = "一二三四五六日"
_WEEK = re.compile("(?:星期|周|礼拜)(?P<v>[一二三四五六日天])")
_SAID = re.compile(
    "(?P<when>今天|今日|今儿|明天|明日|明儿|后天|昨天|昨日|昨儿|前天)(?:就|又|正好|刚好|可)?是?(?:星期|周|礼拜)"
    "(?P<v>[一二三四五六日天])"
)
_AWAY = {"今": 0, "明": 1, "后": 2, "昨": -1, "前": -2}
_ENGLISH_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ENGLISH_WEEK = re.compile(rf"\b(?P<v>{'|'.join(_ENGLISH_DAYS)})\b", re.IGNORECASE)
_ENGLISH_SAID = re.compile(
    r"\b(?P<when>today|tomorrow|yesterday)(?: is| was|[’']s)? (?:a )?"
    rf"(?P<v>{'|'.join(_ENGLISH_DAYS)})\b",
    re.IGNORECASE,
)
_ENGLISH_AWAY = {"today": 0, "tomorrow": 1, "yesterday": -1}
_SEASONS = (
    (
        frozenset((2, 3, 4, 5)),
        re.compile(
            "(?:桃花|杏花|梨花|樱花|油菜花|玉兰)[^，。]{0,4}(?:开|满|落|谢)|柳絮|\\bblossoms? (?:on|fell|drifted)"
        ),
    ),
    (
        frozenset((5, 6, 7, 8, 9)),
        re.compile("蝉(?:声|鸣|叫)|知了|荷花[^，。]{0,4}开|三伏|酷暑|盛夏|炎夏|\\b(?:August|July) heat\\b"),
    ),
    (frozenset((7, 8, 9, 10, 11)), re.compile("桂花[^，。]{0,4}(?:开|香)|秋收|稻子[^，。]{0,3}黄|满山红叶|深秋")),
    (
        frozenset((10, 11, 12, 1, 2, 3)),
        re.compile(
            "鹅毛大雪|大雪纷飞|结了?[^，。]{0,4}厚[^，。]{0,3}冰|冰封|积雪没|寒冬腊月|数九|\\bknee-deep snow\\b"
        ),
    ),
)


def against_the_outline(
    chapters: list[Chapter], sentences: list[StorySentence], wanted: frozenset[str]
) -> Iterator[ContinuityFinding]:
    times = {one.id: one.outline.time_in_story for one in chapters if one.outline.time_in_story and not is_retold(one)}
    for chapter in chapters:
        if chapter.id in times and chapter.id in wanted:
            yield from _days(chapter, times[chapter.id])
    for sentence in sentences:
        when = times.get(sentence.chapter.id)
        if when and sentence.chapter.id in wanted and sentence.is_plain and not sentence.denied:
            yield from _season(sentence, when)


def _days(chapter: Chapter, when: str) -> Iterator[ContinuityFinding]:
    """明天是星期三 in a chapter of a Friday."""
    stated = _WEEK.search(when)
    english = _ENGLISH_WEEK.search(when)
    if stated is not None:
        day = _day(stated["v"])
        spoken = [(match, _day(match["v"]) - _AWAY[match["when"][0]]) for match in _SAID.finditer(chapter.text)]
    elif english is not None:
        day = _ENGLISH_DAYS.index(english["v"].lower())
        spoken = [
            (match, _ENGLISH_DAYS.index(match["v"].lower()) - _ENGLISH_AWAY[match["when"].lower()])
            for match in _ENGLISH_SAID.finditer(chapter.text)
        ]
    else:
        return
    for match, is_day in spoken:
        if (is_day - day) % 7:
            start = chapter.text.rfind("\n", 0, match.start()) + 1
            quote = chapter.text[max(start, match.start() - 30) : match.end() + 30].partition("\n")[0].strip()
            yield ContinuityFinding(
                "N04", "warn", chapter.id, match.start(), match.end(), quote, match[0], expected=when, found=match[0]
            )


def _day(sign: str) -> int:
    return _DAYS.index("日" if sign == "天" else sign)


def _season(sentence: StorySentence, when: str) -> Iterator[ContinuityFinding]:
    moment = moment_of(when)
    if moment is None or moment[0] not in (1, 2):
        return
    month = int(moment[2] if moment[0] == 1 else moment[1])
    months = {month, month % 12 + 1} if re.search("[正冬腊]月|月初|月廿", when) else {month}
    """The months of the old calendar run about one behind."""
    for fitting, words in _SEASONS:
        if month and not months & fitting and (match := words.search(sentence.text)) is not None:
            yield ContinuityFinding(
                "N04",
                "warn",
                sentence.chapter.id,
                sentence.start,
                sentence.end,
                sentence.quote(),
                match[0],
                expected=when,
                found=match[0],
            )
