"""Order of times, numbers and promises: N04, N05, N06, N09, N12."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...model.project import Book, Chapter
from ...reading.numerals import CHINESE, heading_number
from ..finding import ContinuityFinding
from ..sentences import StorySentence, is_retold

_N = rf"[0-9]{{1,4}}|[{CHINESE}元]{{1,5}}"
_YEAR = re.compile(rf"(?P<y>[0-9]{{3,4}}|[〇零○一二三四五六七八九]{{4}}|(?:[一-鿿]{{2}})?(?:{_N}))年")
_MONTH = re.compile(
    rf"(?P<m>正|冬|腊|[0-9]{{1,2}}|[{CHINESE}]{{1,3}})月(?:初?(?P<d>[0-9]{{1,2}}|[{CHINESE}]{{1,3}})[日号]?)?"
)
_DAY = re.compile(rf"第(?P<n>{_N})[天日]|day\s*(?P<e>[0-9]{{1,4}})", re.IGNORECASE)
_ISO = re.compile(r"(\d{3,4})-(\d{1,2})(?:-(\d{1,2}))?")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ENGLISH_DATE = re.compile(
    r"(?:(?P<d>\d{1,2})(?:st|nd|rd|th)?(?: of)? )?(?P<m>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
    r"(?: (?P<e>\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?:,? (?P<y>\d{4}))?",
    re.IGNORECASE,
)
_HOUR = {
    "凌晨": 1,
    "清晨": 5,
    "黎明": 5,
    "早晨": 6,
    "早上": 7,
    "上午": 9,
    "中午": 12,
    "正午": 12,
    "下午": 15,
    "午后": 14,
    "黄昏": 18,
    "傍晚": 18,
    "晚上": 20,
    "入夜": 19,
    "深夜": 23,
    "夜里": 22,
    "半夜": 23,
    "子夜": 24,
}
_WEEK = re.compile("(?:星期|周|礼拜)(?P<v>[一二三四五六日天])")
_FULL_DATE = re.compile(
    rf"(?:正|冬|腊|[0-9]{{1,2}}|[{CHINESE}]{{1,3}})月(?:初|廿)?(?:[0-9]{{1,2}}|[{CHINESE}]{{1,3}})[日号]?"
)
_NEXT = re.compile("第二天|次日|翌日|隔天|转天|当天|同一天|the next day")
_NOT_THE_DAY = re.compile(
    "(?:不是|并非|还没到|没到|不到|not (?:a|the)?) ?(?:星期|周|礼拜|[正冬腊一二三四五六七八九十])|n't|never"
)
_SEASONS = {
    "春": "春天|春日|初春|暮春|阳春|三月|四月",
    "夏": "知了|盛夏|蝉声|蝉鸣|酷热|夏天|夏日|酷暑|三伏|炎夏|六月|七月",
    "秋": "深秋|秋天|秋日|金秋|九月|十月",
    "冬": "寒冬|隆冬|冬天|冬日|腊月|数九|大雪纷飞|十二月|结了[^，。]{0,4}冰|冰天雪地|鹅毛大雪|积雪|下[着起]了?大雪",
}


def moment_of(words: str) -> tuple[float, ...] | None:
    """A time in the story as something that can be compared; None where it says none. Times of different forms are
    not compared: the first number tells the form."""
    words = words.replace("廿", "二十").replace("卅", "三十")
    if match := _ENGLISH_DATE.search(words):
        month_number = _MONTHS.index(match["m"][:3].lower()) + 1
        day = int(match["d"] or match["e"] or 0)
        return (1, int(match["y"]), month_number, day, 0) if match["y"] else (2, month_number, day, 0)
    if match := _ISO.search(words):
        return 1, int(match[1]), int(match[2]), int(match[3] or 0), _hour(words)
    month = _MONTH.search(words)
    year = _YEAR.search(words)
    if month is not None:
        m = {"正": 1, "冬": 11, "腊": 12}.get(month["m"]) or heading_number(month["m"]) or 0
        d = heading_number(month["d"]) if month["d"] else 0
        y = _number(year["y"]) if year is not None and year.start() < month.start() else None
        return (1, y, m, d or 0, _hour(words)) if y is not None else (2, m, d or 0, _hour(words))
    if year is not None:
        y = _number(year["y"])
        return (1, y, 0, 0, 0) if y is not None else None
    if match := _DAY.search(words):
        n = heading_number(match["n"] or match["e"])
        return (3, n, _hour(words)) if n is not None else None
    return None


def _number(words: str) -> int | None:
    digits = re.search(rf"[0-9]+|[{CHINESE}元]+$", words)
    return heading_number(digits[0].replace("元", "一")) if digits else None


def _hour(words: str) -> int:
    return next((hour for word, hour in _HOUR.items() if word in words), 0)


def timeline(book: Book, wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    """N04: a chapter, or an event noted for it, lies before what was told already and does not say it goes back."""
    last: dict[float, tuple[tuple[float, ...], Chapter, str]] = {}
    events: dict[int, list[str]] = {}
    for event in book.timeline:
        events.setdefault(event.chapter, []).append(event.when)
    for chapter in book.chapters:
        times = [chapter.outline.time_in_story, *events.get(chapter.number, [])]
        if is_retold(chapter):
            continue
        for words in filter(None, times):
            moment = moment_of(words)
            if moment is None or re.search("回忆|倒叙|flashback", words):
                continue
            before = last.get(moment[0])
            if before is not None and _is_before(moment, before[0]):
                if chapter.id in wanted:
                    yield ContinuityFinding(
                        "N04",
                        "error",
                        chapter.id,
                        subject=words,
                        expected=before[2],
                        found=words,
                        other_chapter=before[1].id,
                    )
            else:
                last[moment[0]] = (moment, chapter, words)


def _is_before(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Parts that one of them does not name decide nothing."""
    for place, (mine, theirs) in enumerate(zip(one[1:], other[1:], strict=True)):
        if not mine or not theirs:
            return False
        if mine != theirs:
            # Months without a year go round: from the twelfth to the first is on, not back.
            if one[0] == 2 and place == 0 and theirs - mine >= 6:
                return False
            return mine < theirs
    return False


def weekdays(sentences: Sequence[StorySentence], wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    """N04: 星期一, and 第二天 is 星期四; the season turns within a day."""
    days = "一二三四五六日"
    last_day: tuple[int, StorySentence] | None = None
    season: tuple[str, StorySentence] | None = None
    next_day = False
    last_date: tuple[tuple[float, ...], StorySentence] | None = None
    for sentence in sentences:
        if not sentence.is_plain or _NOT_THE_DAY.search(sentence.text):
            continue
        if re.search("几天|数日|天后|日后|周后|[个]月|年后|过了|以后|之后|半年|转眼", sentence.text):
            last_day = season = last_date = None
        if _NEXT.search(sentence.text):
            if last_day is not None and next_day:
                last_day = None
            next_day = True
        date = _FULL_DATE.search(sentence.text)
        moment = moment_of(date[0]) if date is not None else None
        if moment is not None and len(moment) == 4 and moment[2]:
            if last_date is not None and _NEXT.search(sentence.text) and sentence.chapter.id in wanted:
                is_next = moment[1:3] == (last_date[0][1], last_date[0][2] + 1) or (
                    moment[2] == 1 and last_date[0][2] >= 28
                )
                if not is_next and date is not None:
                    yield _against(sentence, last_date[1], "", date[0])
            last_date = (moment, sentence)
        if match := _WEEK.search(sentence.text):
            if re.search("上周|下周|上个?星期|下个?星期|每|逢", sentence.text):
                continue
            day = days.index("日" if match["v"] == "天" else match["v"])
            differs = last_day is not None and day != (last_day[0] + (1 if next_day else 0)) % 7
            if last_day is not None and differs and next_day and sentence.chapter.id in wanted:
                expected = f"星期{days[(last_day[0] + 1) % 7]}"
                yield _against(sentence, last_day[1], expected, match[0])
            last_day, next_day = (day, sentence), False
        for name, words in _SEASONS.items():
            if re.search(words, sentence.text):
                follows = season is not None and _NEXT.search(sentence.text) and sentence.chapter.id in wanted
                if season is not None and follows and {season[0], name} in ({"春", "秋"}, {"夏", "冬"}):
                    yield _against(sentence, season[1], season[0], name)
                season = (name, sentence)


def numbers(book: Book) -> Iterator[ContinuityFinding]:
    """N05 and N06: numbers of chapters that are left out or used twice, in a volume where each begins anew."""
    firsts = {chapter.volume: chapter.number for chapter in reversed(book.chapters) if chapter.number}
    restarts = len(firsts) > 1 and sum(number == 1 for number in firsts.values()) * 2 > len(firsts)
    seen: dict[tuple[str, int], Chapter] = {}
    last: dict[str, int] = {}
    for chapter in book.chapters:
        if not chapter.number:
            continue
        volume = chapter.volume if restarts else ""
        if (earlier := seen.get((volume, chapter.number))) is not None:
            yield ContinuityFinding("N06", "error", chapter.id, found=str(chapter.number), other_chapter=earlier.id)
            continue
        before = last.get(volume, 0)
        if chapter.number > before + 1:
            missing = f"{before + 1}" if chapter.number == before + 2 else f"{before + 1}–{chapter.number - 1}"
            yield ContinuityFinding("N05", "error", chapter.id, expected=missing, found=str(chapter.number))
        seen[(volume, chapter.number)] = chapter
        last[volume] = max(before, chapter.number)


def overdue(book: Book, chapter: Chapter) -> Iterator[ContinuityFinding]:
    """N09, as the book stands with this chapter."""
    for one in book.foreshadows:
        if one.phase_at(chapter.number) == "overdue" and one.title not in chapter.outline.pay:
            yield ContinuityFinding(
                "N09",
                "warn",
                chapter.id,
                subject=one.title,
                expected=str(one.expected_by),
                values={"planted_in": one.planted_in},
            )


def missing_beats(book: Book, chapter: Chapter) -> Iterator[ContinuityFinding]:
    """N12: hardly anything of a beat stands in the text."""
    if not chapter.text.strip():
        return
    names = {name for who in book.characters for name in who.names}
    text = chapter.text.casefold()
    for beat in chapter.outline.beats:
        if beat_share(beat, text, names) < 0.34:
            yield ContinuityFinding("N12", "warn", chapter.id, subject=beat)


def beat_share(beat: str, text: str, names: set[str]) -> float:
    """How much of what a beat names occurs in a text: its words, of Chinese every two characters, its names twice."""
    rest, weight, hit = beat.casefold(), 0, 0
    for name in sorted(names, key=len, reverse=True):
        if name.casefold() in rest:
            rest = rest.replace(name.casefold(), " ")
            weight, hit = weight + 1, hit + (name.casefold() in text)
    marks = set(re.findall(r"[a-z0-9]{3,}", rest))
    for run in re.findall("[\u3400-\u9fff]+", rest):
        marks.update(run[n : n + 2] for n in range(len(run) - 1)) if len(run) > 1 else marks.add(run)
    weight += 2 * len(marks)
    hit += 2 * sum(mark in text for mark in marks)
    return hit / weight if weight else 1.0


def _against(sentence: StorySentence, before: StorySentence, expected: str, found: str) -> ContinuityFinding:
    """N04: it follows directly on another sentence that says an earlier or later time."""
    return ContinuityFinding(
        "N04", "error", sentence.chapter.id, sentence.start, sentence.end, sentence.quote(), subject=found,
        expected=expected, found=found, other_chapter=before.chapter.id, other_quote=before.quote(),
    )  # fmt: skip
