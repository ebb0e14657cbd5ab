"""A product's or a line's text as features: words, sizes, quantities, what it says of contrasting kinds, codes."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from .lexicon import Lexicon, Values
from .measures import Size, measures

_MARKS = str.maketrans({
    "×": "x", "✕": "x", "╳": "x", "х": "x", "＊": "x", "º": "°", "˚": "°", "“": '"', "”": '"', "″": '"', "〞": '"',
    "‘": "'", "’": "'", "′": "'", "–": "-", "—": "-", "－": "-", "，": ",", "、": ",", "；": ";", "：": ":", "℃": "°C",
    "㎜": "mm", "㎝": "cm", "㎡": "m2", "㎏": "kg", "²": "2",
})  # fmt: skip
_VULGAR = re.compile(r"(?<=\d)(?=[½¼¾⅓⅔⅛⅜⅝⅞])")
_STAR = re.compile(r"(?:(?<=[\d\"])|(?<=[cmCM][mM])|(?<=\d[mM]))\s*[*xX]\s*(?=\d|[φΦMm]\d|DN|dn)")
_GLUED = re.compile(
    r"(?<![A-Za-z0-9])((?i:pvc|ppr|upvc|cpvc|hdpe|pe|abs|bv|bvr|blv|rv|rvv|rvs|rvvp|yjv|yjlv|yjv22|vv|kvv|zr-bv|zr-yjv|"
    r"zc-yjv|wdz-byj|led|pn|sdr))-?(?=\d)"
)
_LATIN_RUN = re.compile(r"[a-z0-9]+(?:[-./+'][a-z0-9]+)*")
_PARTS = re.compile(r"[-./+']")
_VERSION = re.compile(r"(?<![A-Za-z0-9.-])(?i:v|ver|vers|version|rel|release)[. ]*(?=\d{1,2}(?:\.\d+)*(?![\w-]))")
_RELEASE = re.compile(r"(?<![A-Za-z0-9.-])[rR](?=\d{1,2}\.\d+(?![\w-]))")
_SHORT_YEAR = re.compile(r"(?<![\w'\"])'(?=[012]\d(?![\w'\"]))")
_SPLIT_DECIMAL = re.compile(r"(?<![A-Za-z0-9.-])((?i:v|ver|vers|version)[. ]*\d{1,2}) (?=\.\d{1,2}(?![\w.]))")
_PACK_OF = re.compile(r"(?<![A-Za-z0-9])(?i:pack|set|box|case|carton)s? of ?(\d+)")
_PER_PACK = re.compile(r"(?<![A-Za-z0-9./-])(\d+) ?(?i:per |/ ?)(?i:pack|pk|box|bx|carton|case)(?![A-Za-z])")
_NUMBER_WORDS = {
    word: str(n) for n, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)
}
_NUMBER_WORD = re.compile(rf"(?<![A-Za-z0-9])(?i:{'|'.join(_NUMBER_WORDS)})(?![A-Za-z0-9])")
_SIGNS = re.compile(r"[™®©]|(?<![A-Za-z0-9])\((?i:r|tm|c)\)|(?<![A-Za-z0-9])\( (?i:r|tm|c) \)")
"""Of registered names: no letters of a word. NFKC would write them behind it."""
_TOKEN = re.compile(r"[a-z0-9]+")
_LONGEST_HEAD, _CODE_FROM, _NUMBER_FROM = 8, 4, 3
_CJK_RUN = re.compile(r"[\u3400-\u9fff]+")
_STOP = frozenset(
    "the a an of with for and in to by on at from or is w per no new 的 了 个 只 型 款 用".split()
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Features:
    text: str
    """Folded, with synonyms replaced."""
    words: frozenset[str]
    models: frozenset[str]
    """Words that have letters and digits, or are long numbers: the makers' own codes."""
    joined: frozenset[str]
    """Codes as they read when the words around them are taken in: "ps lx350h" is pslx350h."""
    squashed: str
    sizes: tuple[Size, ...]
    quantities: dict[str, Values]
    contrasts: dict[str, Values]
    lead: str = ""
    """The first word that is no number: in most titles the maker."""


def unified(text: str) -> str:
    """One form of width, signs and fractions; letters keep their case."""
    text = _SIGNS.sub(" ", text) if not text.isascii() or "(" in text else text
    if not text.isascii():
        text = _VULGAR.sub(" ", text.translate(_MARKS))
        if not unicodedata.is_normalized("NFKC", text):
            text = unicodedata.normalize("NFKC", text).replace("\u2044", "/").translate(_MARKS)
        else:
            text = text.replace("\u2044", "/")
    return _GLUED.sub(r"\1 ", _STAR.sub("x", _numbers_in_words(text)))


def _numbers_in_words(text: str) -> str:
    """Version 7, v7.0 and 7 are one number, so are '08 and 2008, eight and 8, and v4 .2 and 4.2."""
    text = _SPLIT_DECIMAL.sub(r"\1", text) if " ." in text else text
    text = _RELEASE.sub("", _VERSION.sub("", text))
    text = _SHORT_YEAR.sub("20", text)
    text = _NUMBER_WORD.sub(lambda found: _NUMBER_WORDS[found.group().lower()], text)
    return _PACK_OF.sub(r"\1 pack", _PER_PACK.sub(r"\1 pack", text))


def folded(text: str) -> str:
    return " ".join(unified(text).casefold().split())


def features(text: str, lexicon: Lexicon) -> Features:
    even = unified(text)
    left, contrasts = lexicon.contrasts(even)
    read = measures(left)
    low = lexicon.canonical(" ".join(even.casefold().split()))
    words, models, joined, lead = _words(lexicon.canonical(read.rest.casefold()))
    joined |= _parted_codes(even.casefold()) - models
    if _CJK_RUN.search(low):
        # Latin letters in a Chinese name are a type: YJV and RVV are different cables.
        types = frozenset(word for word in words if word.isascii() and len(word) > 1)
        words, models = words - types, models | types
    squashed = "".join(filter(str.isalnum, low))
    return Features(low, words, models, joined, squashed, tuple(read.sizes), read.quantities, contrasts, lead)


def _words(rest: str) -> tuple[frozenset[str], frozenset[str], frozenset[str], str]:
    words: set[str] = set()
    models: set[str] = set()
    joined: set[str] = set()
    before, before_is_code, lead = "", False, ""
    for run in _LATIN_RUN.findall(rest):
        one = _latin_run(run)
        if one.is_model:
            joined |= one.joined
            if before:
                joined.add(before + one.whole)
            models.add(one.whole)
        elif before_is_code:
            joined.add(before + one.whole)
        words |= one.words
        if not lead and not one.has_digit:
            lead = _stem(one.whole)
        before, before_is_code = one.whole, one.has_digit
    for run in _CJK_RUN.findall(rest):
        words |= _cjk_run(run)
    return frozenset(words), frozenset(models), frozenset(joined - models), lead


def _parted_codes(text: str) -> frozenset[str]:
    """Codes whose parts stand apart, before numbers are read as measures: "dgs 1008p", "108 r00645", "elite -5"."""
    codes: set[str] = set()
    before, end = "", -9
    for found in _TOKEN.finditer(text):
        part = found.group()
        if before and found.start() - end <= 3 and not text[end : found.start()].strip(" -./_"):
            is_head = before.isalpha() and len(before) <= _LONGEST_HEAD and before not in _STOP and part[0].isdigit()
            is_number = before.isdigit() and len(before) >= _NUMBER_FROM and part.isalnum() and not part.isdigit()
            if is_head or (is_number and not part.isalpha()) or (_is_mixed(before) and _is_mixed(part)):
                codes.add(before + part)
        before, end = part, found.end()
    return frozenset(code for code in codes if len(code) >= _CODE_FROM)


def _is_mixed(part: str) -> bool:
    return not part.isalpha() and not part.isdigit()


@dataclass(frozen=True, slots=True)
class _Run:
    whole: str
    has_digit: bool
    is_model: bool
    words: frozenset[str]
    joined: frozenset[str] = frozenset()


@lru_cache(maxsize=1 << 16)
def _latin_run(run: str) -> _Run:
    """The same few thousand words make up all products of a list."""
    parts = [part for part in _PARTS.split(run) if part]
    whole = "".join(parts)
    has_digit = any(char.isdigit() for char in whole)
    if has_digit and len(whole) > 1:
        several = len(parts) > 1
        words = {_stem(part) for part in parts if len(part) > 1} if several else set()
        joined = {parts[n] + parts[n + 1] for n in range(len(parts) - 1)}
        return _Run(whole, True, True, frozenset(words), frozenset(joined))
    if len(parts) > 1:
        words = {_stem(part) for part in parts if part not in _STOP and len(part) > 1}
        if all(len(part) <= 3 for part in parts):
            words.add(whole)
    else:
        words = {_stem(whole)} if whole not in _STOP else set()
    return _Run(whole, has_digit, False, frozenset(words))


@lru_cache(maxsize=1 << 14)
def _cjk_run(run: str) -> frozenset[str]:
    if len(run) == 1:
        return frozenset() if run in _STOP else frozenset((run,))
    return frozenset(run[n : n + 2] for n in range(len(run) - 1))


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
