"""Which lines are headings: of chapters, of volumes, of what stands before and behind them; Chinese and English.

A line is judged by itself, in linear time; what only looks like a heading is sorted out by `split`, which sees them
all: a kind that hardly occurs beside another that does, and sentences that begin like a heading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .numerals import CHINESE, heading_number

Kind = Literal["volume", "chapter", "front", "back"]
LONGEST = 60
"""Characters of a heading."""

_N = rf"[0-9\uff10-\uff19]{{1,6}}|[{CHINESE}]{{1,12}}"
_SPACE = r"[ \t\u3000\u00a0]"
_SEPARATOR = rf"{_SPACE}*[:：、.．·•,，—–\-―~|/]*{_SPACE}*"
_MARKS = " \t\u3000\u00a0*=~#-—_"
_PAIRS = dict(zip("【[〔《「（(", "】]〕》」）)", strict=True))
_BODY = re.compile(rf"(?:正文|VIP章节|VIP){_SPACE}*(?=第)")
"""What sites put before the heading of every chapter."""
_ZH_CHAPTER = re.compile(rf"第{_SPACE}*({_N}){_SPACE}*([章回节節折幕话話集])(?P<rest>.*)")
_ZH_VOLUME = re.compile(rf"(?:第{_SPACE}*({_N}){_SPACE}*(部分|[卷部篇册冊辑輯])|([卷部篇]){_SPACE}*({_N}))(?P<rest>.*)")
_ZH_NAMED_VOLUME = re.compile(rf"([上中下]){_SPACE}*([卷部篇册冊])(?P<rest>.*)")
_BARE_ZH = re.compile(rf"([{CHINESE}]{{1,8}})(?:(?:{_SPACE}*[、.．:：·]{_SPACE}*|{_SPACE}+)(?P<rest>\S.*))?")
_BARE_DIGITS = re.compile(rf"([0-9]{{1,4}})(?:(?:{_SPACE}*[、.．:：)]{_SPACE}*|{_SPACE}+)(?P<rest>\S.*))?")
_FRONT = (
    "序",
    "自序",
    "代序",
    "总序",
    "序言",
    "序章",
    "序幕",
    "楔子",
    "引子",
    "引言",
    "前言",
    "开篇",
    "缘起",
    "内容简介",
    "简介",
    "作品简介",
    "作品相关",
    "題記",
    "题记",
    "献词",
    "prologue",
    "preface",
    "foreword",
    "introduction",
    "dedication",
    "epigraph",
    "author's note",
    "to the reader",
)
_BACK = (
    "尾声",
    "尾聲",
    "终章",
    "終章",
    "后记",
    "後記",
    "跋",
    "番外",
    "附录",
    "附錄",
    "完本感言",
    "结语",
    "大结局",
    "epilogue",
    "afterword",
    "appendix",
    "acknowledgements",
    "acknowledgments",
    "postscript",
    "conclusion",
)
_SPECIAL = re.compile(
    rf"({'|'.join(map(re.escape, sorted((*_FRONT, *_BACK), key=len, reverse=True)))})"
    rf"(?:{_SPACE}*({_N})|{_SPACE}*[之]?(?P<part>[一二三四五六七八九十上中下]))?"
    rf"(?:(?:{_SPACE}*[:：、.．·—–\-]+{_SPACE}*|{_SPACE}+)(?P<rest>\S.*))?",
    re.IGNORECASE,
)
_EN_NUMBER = r"[0-9]{1,4}|[IVXLCDM]{1,9}|[A-Za-z]{3,9}(?:[ \-][A-Za-z]{3,9}){0,3}?"
_EN = re.compile(
    rf"(chapter|chap\.?|canto|letter|stave|scene|episode|part|book|volume|"
    rf"vol\.?|act)[ \t\u00a0]+(?:the[ \t]+)?({_EN_NUMBER})"
    r"(?:(?:\.?[ \t]*[:.—–]|\.?[ \t]+-|\.-)[ \t—–\-]*(?P<rest>\S.*)|[.:]?|[ \t]{1,8}(?P<after>\S.*))",
    re.IGNORECASE,
)
_EN_VOLUMES = frozenset(("part", "book", "volume", "vol", "vol.", "act"))
_BARE_ROMAN = re.compile(r"([IVXLCDM]{1,8})(?:\.|(?:\.?[ \t]+|[ \t]*[.:—–-][ \t]*)(?P<rest>[A-Z].*))?")
_ENDS_SENTENCE = tuple("。！；，…”」』,;")
_STARTS_IN_SENTENCE = tuple("的是里中就也都还不才便在了已讲写说到与和从对")


@dataclass(frozen=True, slots=True)
class ChapterHeading:
    kind: Kind
    style: str
    """Which form it has; headings of one book have few."""
    number: int | None
    title: str
    is_sure: bool = True
    """Not sure: a form that sentences and lists have too; it counts only where the book uses it throughout."""


def heading_of(line: str) -> ChapterHeading | None:
    """What a line of its own says, None where it is text."""
    text = line.strip(" \t\u3000\u00a0\ufeff")
    if not text or len(text) > LONGEST + 20:
        return None
    text = _unwrapped(text)
    if not text or len(text) > LONGEST:
        return None
    first = text[0]
    heading: ChapterHeading | None = None
    if first in "第卷部篇上中下":
        heading = _chinese(text)
    if heading is None:
        heading = _special(text)
    if heading is None and first.isascii() and first.isalpha():
        heading = _english(text)
    return heading if heading is not None else _bare(text)


def _unwrapped(text: str) -> str:
    """Without the signs that headings are set off by: ## 第一章, 【第一章】, *** I ***."""
    plain = text.strip(_MARKS)
    while len(plain) > 2 and _PAIRS.get(plain[0]) == plain[-1] and plain.count(plain[0]) == 1:
        plain = plain[1:-1].strip(_MARKS)
    return _BODY.sub("", plain, count=1)


def _chinese(text: str) -> ChapterHeading | None:
    # 第一卷 风起 第三章 夜雨: the chapter is what begins here, the volume is told with it (`split`).
    if match := _ZH_CHAPTER.fullmatch(text):
        rest = match["rest"]
        if _is_sentence(rest):
            return None
        return ChapterHeading("chapter", f"第{match[2]}", heading_number(match[1]), _title(rest))
    if match := _ZH_VOLUME.fullmatch(text):
        rest = match["rest"]
        if _is_sentence(rest) or (match[3] and rest and not rest[0].isspace() and rest[0] not in ":：、·"):
            return None
        unit = match[2] or match[3]
        return ChapterHeading(
            "volume", f"{'第' if match[2] else ''}{unit}", heading_number(match[1] or match[4]), _title(rest)
        )
    if match := _ZH_NAMED_VOLUME.fullmatch(text):
        rest = match["rest"]
        if rest and not rest[0].isspace() and rest[0] not in ":：、·":
            return None
        number = {"上": 1, "中": 2, "下": 3}[match[1]]
        return ChapterHeading("volume", f"上{match[2]}", number, _title(rest) or text)
    return None


def chapter_behind_volume(text: str) -> tuple[str, str] | None:
    """第一卷 风起 第三章 夜雨, as the heading of the volume and that of the chapter."""
    plain = text.strip(" \t\u3000\u00a0")
    if not plain.startswith(("第", "卷")) or len(plain) > LONGEST:
        return None
    match = re.search(rf"[ \t\u3000](第{_SPACE}*(?:{_N}){_SPACE}*[章回节節话話].*)$", plain)
    if match is None or not _ZH_VOLUME.match(plain):
        return None
    return plain[: match.start()].strip(), match[1]


def _special(text: str) -> ChapterHeading | None:
    match = _SPECIAL.fullmatch(text)
    if match is None:
        return None
    rest = match["rest"] or ""
    if _is_sentence(rest):
        return None
    kind: Kind = "front" if match[1].lower() in _FRONT else "back"
    return ChapterHeading(kind, match[1].lower(), None, text)


def _english(text: str) -> ChapterHeading | None:
    match = _EN.fullmatch(text)
    if match is None:
        return None
    word, number = match[1].lower().rstrip("."), heading_number(match[2])
    rest = match["rest"] or match["after"] or ""
    if number is None or (match["after"] and (match["after"][0].islower() or rest.endswith((".", ",", ";")))):
        return None
    kind: Kind = "volume" if word in _EN_VOLUMES else "chapter"
    return ChapterHeading(kind, word, number, _title(rest))


def _bare(text: str) -> ChapterHeading | None:
    for style, form in (("一", _BARE_ZH), ("I", _BARE_ROMAN), ("1", _BARE_DIGITS)):
        if match := form.fullmatch(text):
            number, rest = heading_number(match[1]), match["rest"] or ""
            if number is None or len(rest) > 30 or rest.endswith(_ENDS_SENTENCE) or rest.endswith((".", "?", "!")):
                return None
            return ChapterHeading("chapter", style, number, _title(rest), is_sure=False)
    return None


def _is_sentence(rest: str) -> bool:
    """第三章的内容……: what follows goes on as a sentence does."""
    if not rest:
        return False
    if rest.startswith(_STARTS_IN_SENTENCE) or rest.startswith(("，", "。", "；", "？", "！", "”", "》", "）")):
        return True
    return rest.endswith(_ENDS_SENTENCE) and not rest.endswith("…")


def _title(rest: str) -> str:
    return re.sub(rf"^{_SEPARATOR}", "", rest, count=1).strip(" \t\u3000\u00a0")
