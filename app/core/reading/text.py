"""One spelling for every question, and the word patterns of a rule book.

A pattern is a plain word or phrase: Chinese is found anywhere, Latin words only at word borders.
`*` inside stands for up to GAP characters ("去*玩"); at an end it drops the border ("attraction*").
No regular expressions: matching is linear in the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

MAX_QUESTION = 4_000
"""Characters of a question that are looked at."""
GAP = 12
_TRADITIONAL = (
    "規劃預遊點塊錢個幾帶親兒歲過週間時東風馬鳥兩萬國慶電車買後從來這還麼嗎問題門開關樂園廳飯館際機場鐵臺灣廣長達觀舊"
    "陽線寧濟貴瀋費夠單價輪無礙養麵魚蝦貝雞難輕鬆緊湊條適濕熱涼氣溫選擇議較對換刪導誰為會請謝煩陸島處結訂約廟習華藝術攝畫覽劇紅綠藍銀鄉鎮愛歡賞楓葉燈龍貓寶張蘇廈雲麗漢濱頭倫爾呂輩"
)
_SIMPLIFIED = (
    "规划预游点块钱个几带亲儿岁过周间时东风马鸟两万国庆电车买后从来这还么吗问题门开关乐园厅饭馆际机场铁台湾广长达观旧"
    "阳线宁济贵沈费够单价轮无碍养面鱼虾贝鸡难轻松紧凑条适湿热凉气温选择议较对换删导谁为会请谢烦陆岛处结订约庙习华艺术摄画览剧红绿蓝银乡镇爱欢赏枫叶灯龙猫宝张苏厦云丽汉滨头伦尔吕辈"
)
TO_SIMPLIFIED = str.maketrans(_TRADITIONAL, _SIMPLIFIED)
"""Common characters: rule books and data are written in simplified ones."""


def normalise(text: str) -> str:
    """Half-width, lower case, single spaces, simplified characters."""
    folded = unicodedata.normalize("NFKC", text[:MAX_QUESTION]).casefold().translate(TO_SIMPLIFIED)
    return " ".join(folded.split())


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= char <= "\u9fff" for char in text)


def contains(text: str, pattern: str) -> bool:
    return find(text, pattern) != -1


def first_of(text: str, patterns: Iterable[str]) -> str | None:
    """The first pattern of the list that occurs."""
    return next((pattern for pattern in patterns if contains(text, pattern)), None)


def find(text: str, pattern: str, start: int = 0) -> int:
    """Where the pattern begins in an already normalised text; -1 if nowhere."""
    return next(spans(text, pattern, start), (-1, -1))[0]


def spans(text: str, pattern: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Where the pattern is in an already normalised text, left to right."""
    pieces = [piece for piece in pattern.split("*") if piece]
    if not pieces:
        return
    head, *tail = pieces
    at = start
    while (at := text.find(head, at)) != -1:
        end = _end_of(text, tail, at + len(head))
        starts_word = pattern.startswith("*") or _is_border(text, at)
        right = pattern.endswith("*") or (end != -1 and _is_border(text, end))
        if end != -1 and starts_word and right:
            yield at, end
        at += 1


def without(text: str, patterns: Iterable[str]) -> str:
    """The text with blanks where the patterns stood."""
    for pattern in patterns:
        text = blanked(text, list(spans(text, pattern)))
    return text


def blanked(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """The text with blanks from each start to its end."""
    for start, end in stretches:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _end_of(text: str, pieces: list[str], end: int) -> int:
    for piece in pieces:
        at = text.find(piece, end, end + GAP + len(piece))
        if at == -1:
            return -1
        end = at + len(piece)
    return end


def _is_border(text: str, at: int) -> bool:
    """Whether no Latin word or number runs across this place."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    return not (_is_latin(before) and _is_latin(after))


def _is_latin(char: str) -> bool:
    return char.isalpha() and not is_chinese(char)
