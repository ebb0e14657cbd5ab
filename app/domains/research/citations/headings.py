"""Which line is the heading of a list of sources, in Chinese and English."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKDOWN = re.compile(r" {0,3}(#{1,6})[ ]{0,4}(.{1,200})$")
_BOLD = re.compile(r"[ ]{0,3}(\*\*|__)(.{1,80}?)\1[ ]{0,2}(:?)[ ]{0,4}$")
_TAG = re.compile(r"<[^<>]{0,200}>")
_TITLE_TAG = re.compile(r"[ ]{0,3}<h([1-6])\b", re.IGNORECASE)
_NUMBERING = re.compile(
    r"^(?:第?[一二三四五六七八九十百\d]{1,4}(?:\.\d{1,2}){0,3}[章节部分]{0,2}|[ivxlc]{1,5}"
    r"|附录?[a-z\d一二三四]?|appendix[ ]?[a-z\d]?)"
    r"[.、:) ]{1,3}[ ]{0,3}",
    re.IGNORECASE,
)
_CORE = frozenset(
    "references reference sources source citation footnote endnote bibliography citations footnotes endnotes".split()
)
_WITH = frozenset(
    "cited referenced works work list listing of and further reading notes links link web online "
    "key main primary secondary used appendix literature consulted urls url the for full selected "
    "additional data a b c & all table register log".split()
)
_WHOLE = frozenset(
    ("works cited", "works consulted", "literature", "literature cited", "links", "urls", "web links", "cited works")
)
_CORE_ZH = re.compile(
    r"信源|相关链接|参考文献|参考资料|参考来源|参考链接|参考书目|参考|资料来源|信息来源|引用来源|数据来源|来源|引用|引文|文献|出处|脚注|尾注|书目|注释"
)
_REST_ZH = re.compile(
    r"(?:主要|相关|部分|全部|延伸|阅读|网络|在线|网页|网址|列表|链接|清单|目录|索引|汇总|说明"
    r"|资料|数据|信息|的|与|和|及|以及|[ 、/,.&-])*"
)


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    """1–6; 7: no heading of Markdown, but a line of its own."""
    of_sources: bool
    sure: bool = True
    """It looks like a heading whatever stands below it."""


def heading(line: str) -> Heading | None:
    """None: a line of text."""
    if found := _MARKDOWN.match(line):
        return Heading(len(found.group(1)), names_sources(found.group(2)))
    if found := _TITLE_TAG.match(line):
        return Heading(int(found.group(1)), names_sources(line))
    if found := _BOLD.match(line):
        return Heading(7, True) if names_sources(found.group(2)) else None
    if len(line) <= 48 and names_sources(line):
        bare = line.strip(" *_")
        return Heading(7, True, sure=bare.endswith(":") or (bare[0] == "[" and bare[-1] == "]"))
    return None


_SIMPLIFIED = str.maketrans(
    "參資獻來鏈結書腳註處網頁數據錄連關閱讀說與單總彙訊", "参资献来链结书脚注处网页数据录连关阅读说与单总汇讯"
)


def names_sources(title: str) -> bool:
    text = _TAG.sub(" ", title[:200]).translate(_SIMPLIFIED).strip(" *_`#>-•=\u3000").casefold()
    for _twice in range(2):
        text = _NUMBERING.sub("", text).strip(" *_")
    if text[:1] == "[" and text[-1:] == "]":
        text = text[1:-1]
    text = re.sub(r"\([^()]{0,60}\)|\[[^\[\]]{0,60}\]|<[^<>]{0,60}>", " ", text).strip(" :*_.\ufe0f")
    if not text or len(text) > 60:
        return False
    if not text.isascii():
        bare = "".join(char for char in text if char.isalnum() or char in " 、/,.&-").strip()
        if any("\u4e00" <= char <= "\u9fff" for char in bare):
            rest = _CORE_ZH.sub("", bare)
            rest = " ".join(word for word in rest.split() if word not in _CORE and word not in _WITH)
            return rest != bare and _REST_ZH.fullmatch(rest) is not None
        text = bare
    words = re.findall(r"[a-z&]+|\d+", text)
    return bool(words) and all(word in _CORE or word in _WITH for word in words) and (
        any(word in _CORE for word in words) or " ".join(words) in _WHOLE or words[:2] == ["further", "reading"]
    )  # fmt: skip
