"""Whether two questions to a search ask the same (agents.md 4.2): by words, not by meaning, so the same every time.

Words of either script as a set, without what carries no meaning; the same from a likeness of 0.65 on, if every number
and every word that turns the meaning round is in both.
"""

from __future__ import annotations

import re
import unicodedata

ALIKE = 0.65
_STOP = frozenset(
    "a an the of for to in on at by with and or is are was were be do does did how what which who when where why "
    "me my i you your please tell show find search about".split()
)
_STOP_ZH = re.compile(
    r"请问|请|帮我|查一下|查询|搜索|告诉我|一下|关于|有关|是什么|什么是|怎么样|如何|多少|有哪些|哪些|什么|的|了|吗|呢|和|与|及|是|在|有"
)
_TURNING = frozenset(
    "not no without never before after vs versus least most worst best cheapest more less than except excluding "
    "increase decrease rise fall import export buy sell pros cons advantages disadvantages against under over "
    "first last north south east west".split()
)
_TURNING_ZH = re.compile(
    r"不|非|无|没|未|前|后|优点|缺点|利|弊|最|进口|出口|上涨|下跌|增|减|男|女|东|西|南|北|上|下|大|小|新|旧|早|晚|买|卖|除|反"
)
_TOKEN = re.compile(r"[a-z]+|\d+(?:\.\d+)?|[\u3400-\u9fff]+|[^\W\d_]+")
_DATE = re.compile(r"(\d)[年月日号]")
_KEPT_S = ("ss", "us", "is", "as", "os")


def alike(one: str, other: str) -> bool:
    left, right = _read(one), _read(other)
    if left.numbers != right.numbers or left.turning != right.turning or left.names != right.names:
        return False
    if not left.marks or not right.marks:
        return left.marks == right.marks and one.strip().casefold() == other.strip().casefold()
    return len(left.marks & right.marks) / len(left.marks | right.marks) >= ALIKE


class _Words:
    __slots__ = ("marks", "names", "numbers", "turning")

    def __init__(self) -> None:
        self.marks: set[str] = set()
        self.numbers: list[str] = []
        self.turning: list[str] = []
        self.names: list[str] = []
        """Short codes of letters beside figures, such as the X of “X 200”, and single letters."""


def _read(text: str) -> _Words:
    words = _Words()
    folded = _DATE.sub(r"\1 ", unicodedata.normalize("NFKC", text).casefold()[:2_000])
    chinese = ""
    for found in _TOKEN.finditer(folded):
        token = found.group()
        if token[0].isdigit():
            words.numbers.append(token)
            words.marks.add(token)
        elif "\u3400" <= token[0] <= "\u9fff":
            chinese += token  # a space between Chinese words says nothing
        elif len(token) == 1:
            if token not in _STOP and token != "s":
                words.names.append(token)
        elif token not in _STOP:
            if token in _TURNING:
                words.turning.append(token)
            words.marks.add(_singular(token))
    chinese = _STOP_ZH.sub("", chinese)
    words.turning += _TURNING_ZH.findall(chinese)
    words.marks |= {chinese[at : at + 2] for at in range(len(chinese) - 1)} or {chinese} - {""}
    words.numbers.sort()
    words.turning.sort()
    words.names.sort()
    return words


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(_KEPT_S) else word
