"""N04 in Chinese and English: what grows, falls or sings out of its season, and weekdays that do not follow from a
date told before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from ...reading.numerals import heading_number
from ..finding import ContinuityFinding
from ..sentences import StorySentence

_MONTHS_ENGLISH = "january february march april may june july august september october november december".split()
_DAYS_ENGLISH = "monday tuesday wednesday thursday friday saturday sunday".split()
_DAYS = "一二三四五六日"
_ZH = "[0-9一二三四五六七八九十廿]"
_MONTH = re.compile(
    rf"(?P<zh>正|腊|冬|{_ZH}{{1,3}})月(?!亮|光|色|台|饼|下|影|经|季|票)|\b(?P<en>{'|'.join(_MONTHS_ENGLISH)})\b",
    re.IGNORECASE,
)
_OLD_MONTHS = {"正": 1, "冬": 11, "腊": 12}
_SEASON_NAME = re.compile(
    "(?P<w>寒冬|隆冬|深冬|入冬|数九|大寒|冬至|除夕|midwinter|christmas (?:eve|day))|"
    "(?P<s>盛夏|仲夏|酷暑|三伏|入伏|夏至|midsummer)",
    re.IGNORECASE,
)
_SIGNS = (
    (
        "冬",
        frozenset((11, 12, 1, 2, 3)),
        re.compile(
            "鹅毛大雪|大雪纷飞|下着?大?雪|飘着?雪|积雪|没膝的?雪|"
            "结了?[^，。]{0,4}冰(?!冷)|冰封|河面冻|滑冰|堆雪人|扫雪|踩着雪|"
            r"\bsnow(?:flakes)? (?:lay|fell|was falling|had fallen|"
            r"came down|drifted)|\b(?:deep|thick|fresh|fallen) snow\b|"
            r"\bknee-deep in snow|\b(?:frozen|iced) (?:pond|lake|river|"
            r"over)\b|\bskat(?:ed|ing) on\b|\bicicles\b|\bsnowball",
            re.IGNORECASE,
        ),
    ),
    (
        "夏",
        frozenset((5, 6, 7, 8, 9)),
        re.compile(
            "知了|蝉(?:声|鸣|叫|在叫)|的蝉|荷花[^，。]{0,4}开|三伏|酷暑|暑气|烈日|萤火虫|光着膀子|中暑|"
            r"\bheat ?wave\b|\b(?:sweltering|blazing|scorching|"
            r"midsummer) (?:heat|sun|day|afternoon)|\bcicadas\b|\bfireflies\b|"
            r"\bhaymak(?:ing|ers)\b|\bsunstroke\b|\bstrawberries (?:were|ripe)",
            re.IGNORECASE,
        ),
    ),
    (
        "春",
        frozenset((2, 3, 4, 5)),
        re.compile(
            "(?:桃花|杏花|梨花|樱花|油菜花|玉兰|海棠)[^，。]{0,4}(?:正?开|正?盛|满|落|谢)|柳絮|插秧|"
            r"\b(?:daffodils|crocuses|bluebells|snowdrops|primroses)\b|\b(?:cherry|"
            r"apple|pear|plum)[- ](?:blossom|trees (?:were|stood) in bloom)|"
            r"\blambing\b",
            re.IGNORECASE,
        ),
    ),
    (
        "秋",
        frozenset((8, 9, 10, 11)),
        re.compile(
            "桂花[^，。]{0,4}(?:正?开|香)|秋收|稻子[^，。]{0,3}黄|满山红叶|枫叶[^，。]{0,3}红|收高粱|割稻|"
            r"\b(?:red|golden|russet|fallen|autumn) leaves\b|\bharvest home\b|\bleaves were (?:falling|turning)",
            re.IGNORECASE,
        ),
    ),
)
_NOT_NOW = re.compile(
    "去年|前年|明年|来年|那年|等到|上个月|下个月|上月|下月|每年|往年|"
    "年年|若|如果|画|像|如|似|想起|梦|诗|记得|一样|从前|没有?|不见|还没|"
    r"\b(?:last|next|every|since|until|till|before|like|as if|as though|"
    r"if|would|painted|picture|dream\w*|remember\w*|when|no|not|"
    r"nor|never|artificial|paper|by|ago|come|years?|wait\w*)\b",
    re.IGNORECASE,
)
_OTHER_MONTH = re.compile(
    r"(?:去年|前年|明年|来年|那年|等到|上个?|下个?|每年|年年|到了?|从|自|如|像)$|"
    r"\b(?:last|next|since|until|till|every|each|before|by|from|like)(?: the| a)? $",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"(?P<m>{_ZH}{{1,3}})月(?P<d>{_ZH}{{1,3}})(?:日|号)|"
    rf"\b(?P<day>\d{{1,2}}|[a-z]+(?:-[a-z]+)?)(?:st|nd|rd|th)? of (?P<month>{'|'.join(_MONTHS_ENGLISH)})\b|"
    rf"\b(?P<month2>{'|'.join(_MONTHS_ENGLISH)}) (?:the )?(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(rf"(?P<zh>(?:星期|礼拜|周)[{_DAYS}天])|\b(?P<en>{'|'.join(_DAYS_ENGLISH)})s?\b", re.IGNORECASE)
_OTHER_DAY = re.compile(
    r"(?:上个?|下个?|每个?|逢|前一个|等|到|过了|(?<!那)一个)$|\b(?:last|"
    r"next|every|each|on|since|until|till|by|before|of|the|following|"
    r"previous|come|for|or|and|from)(?: (?:the|a|that|some|other))? $",
    re.IGNORECASE,
)
_NEXT_DAY = re.compile(
    "第二天|次日|翌日|转天|隔天|隔日|\\b(?:the )?(?:next|following) (?:day|"
    "morning|evening|afternoon)\\b|\\bthe (?:day|morning) after\\b",
    re.IGNORECASE,
)
_LONG_AFTER = re.compile(
    "天后|日后|周后|个月后|年后|过了|之后|以后|转眼|后来|几天|数日|\\b(?:later|weeks?|months?|years?|days)\\b",
    re.IGNORECASE,
)
_ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third "
        "twenty-fourth twenty-fifth "
        "twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first".split(),
        1,
    )
}
_REFERENCE_YEAR = 2001
"""Any that has no leap day: dates are compared with each other, not with a calendar."""


def out_of_season(sentences: Sequence[StorySentence], wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    """Within one chapter, against the month or season it names last."""
    chapter = ""
    months: tuple[frozenset[int], str, StorySentence] | None = None
    for sentence in sentences:
        if sentence.chapter.id != chapter:
            chapter, months = sentence.chapter.id, None
        if not sentence.is_plain:
            continue
        named = _months_of(sentence)
        if named is not None:
            months = (*named, sentence)
        if months is None or _LONG_AFTER.search(sentence.text):
            continue
        for _season, fitting, signs in _SIGNS:
            sign = signs.search(sentence.text)
            if sign is None or months[0] & fitting or sentence.chapter.id not in wanted:
                continue
            if _NOT_NOW.search(sentence.text[: sign.start()][-24:]) is None:
                yield _finding(sentence, months[2], months[1], sign[0])


_MOONS = (
    (re.compile("十[四五六]的月亮|满月|一轮圆月|圆圆的月亮|中秋|元宵(?!灯|节前)|\\bfull moon\\b"),
     re.compile("上弦月|下弦月|月牙儿?(?!泉|形|状|眼)|弯月|残月|新月(?!形)|\\b(?:crescent|half|new|quarter) moon\\b")),
    (re.compile("(?:月初|初[一二三])(?:的?月亮|的?晚上|的?夜)|月牙儿?(?!泉|形|状|眼)|"
                "上弦月|新月(?!形)|\\bcrescent moon\\b"),
     re.compile("满月|一轮圆月|圆圆的月亮|\\bfull moon\\b")),
)  # fmt: skip
_SAME_NIGHT = re.compile("那天?[晚夜]|当[晚夜天]|这[晚夜]|此[时刻]|\\bthat (?:same )?night\\b|\\bthat evening\\b")


def moons(sentences: Sequence[StorySentence], wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    """十五的月亮, and 那天晚上的上弦月 in the next two sentences."""
    for earlier, *later in zip(sentences, sentences[1:], sentences[2:], strict=False):
        for sentence in later:
            if sentence.chapter.id != earlier.chapter.id or not (earlier.is_plain and sentence.is_plain):
                continue
            if sentence.chapter.id not in wanted or not _SAME_NIGHT.search(sentence.text):
                continue
            for one, other in _MOONS:
                told, seen = one.search(earlier.text), other.search(sentence.text)
                if told is not None and seen is not None and not _NOT_NOW.search(sentence.text[: seen.start()][-8:]):
                    yield _finding(sentence, earlier, told[0], seen[0])


def _months_of(sentence: StorySentence) -> tuple[frozenset[int], str] | None:
    match = _MONTH.search(sentence.text)
    if match is not None and _OTHER_MONTH.search(sentence.text[: match.start()]) is None:
        month = _month_of(match["zh"] or "", match["en"] or "")
        if month:
            # A Chinese number may be of the old calendar, which runs about a month behind.
            return frozenset({month} if match["en"] else {month, month % 12 + 1}), match[0]
    season = _SEASON_NAME.search(sentence.text)
    if season is not None and _OTHER_MONTH.search(sentence.text[: season.start()]) is None:
        return frozenset((11, 12, 1, 2) if season["w"] else (5, 6, 7, 8)), season[0]
    return None


def _month_of(chinese: str, english: str) -> int:
    if english:
        return _MONTHS_ENGLISH.index(english.lower()) + 1
    number = _OLD_MONTHS.get(chinese) or heading_number(chinese) or 0
    return number if number <= 12 else 0


def weekdays_of_dates(sentences: Sequence[StorySentence], wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    """十月二十号星期四, and the next day is 礼拜六."""
    anchor: tuple[int, StorySentence, str] | None = None
    today: date | None = None
    chapter = ""
    for sentence in sentences:
        if sentence.chapter.id != chapter:
            chapter, today = sentence.chapter.id, None
        if not sentence.is_plain:
            continue
        for dated, _start, words, is_date in sorted(_days_in(sentence), key=_place):
            if is_date:
                today = dated
                continue
            if dated is None:
                today = today + timedelta(days=1) if words and today is not None else None
                continue
            weekday = dated.weekday()
            if today is None:
                continue
            offset = (weekday - today.weekday()) % 7
            if anchor is not None and anchor[0] != offset and sentence.chapter.id in wanted:
                yield _finding(sentence, anchor[1], anchor[2], words)
                continue
            anchor = (offset, sentence, words)


_Day = tuple[date | None, int, str, bool]


def _place(day: _Day) -> int:
    return day[1]


def _days_in(sentence: StorySentence) -> Iterator[_Day]:
    """Dates, weekdays (as the days of a week that begins on a Monday), next days, and leaps of unknown length."""
    text = sentence.text
    monday = date(_REFERENCE_YEAR, 1, 1)
    if _NEXT_DAY.search(text) is None and _LONG_AFTER.search(text):
        yield None, -1, "", False
    for match in _NEXT_DAY.finditer(text):
        yield None, match.start(), match[0], False
    for match in _DATE.finditer(text):
        dated = _date_of(match)
        if dated is not None:
            yield dated, match.start(), match[0], True
    for match in _WEEKDAY.finditer(text):
        before = text[: match.start()][-12:]
        if match["en"] and match[0].endswith("s"):
            continue
        is_dated = _date_follows(text, match.end())
        if not is_dated and _OTHER_DAY.search(before) and not re.search(r"\b(?:was|is) (?:on )?(?:a |the )?$", before):
            continue
        number = _weekday_of(match)
        yield (
            monday + timedelta(days=number),
            match.start() + 40 * is_dated,
            match[0],
            False,
        )


def _weekday_of(match: re.Match[str]) -> int:
    """0 is Monday."""
    if match["en"]:
        return _DAYS_ENGLISH.index(match["en"].lower())
    sign = match["zh"][-1]
    return _DAYS.index("日" if sign == "天" else sign)


def _date_follows(text: str, place: int) -> bool:
    """Monday, the third of May: the date is read first."""
    after = _DATE.search(text, place)
    return after is not None and after.start() - place <= 8


def _date_of(match: re.Match[str]) -> date | None:
    if match["m"]:
        month, day = heading_number(match["m"]) or 0, heading_number(match["d"]) or 0
    else:
        month = _MONTHS_ENGLISH.index((match["month"] or match["month2"]).lower()) + 1
        number = (match["day"] or match["day2"]).lower()
        day = int(number) if number.isdecimal() else _ORDINALS.get(number, 0)
    try:
        return date(_REFERENCE_YEAR, month, day)
    except ValueError:
        return None


def _finding(sentence: StorySentence, other: StorySentence, expected: str, found: str) -> ContinuityFinding:
    return ContinuityFinding(
        "N04", "warn", sentence.chapter.id, sentence.start, sentence.end, sentence.quote(), found,
        expected, found, other.chapter.id, other.quote(),
    )  # fmt: skip
