"""The words of a question for a full-text index that any of them may find, in Chinese and in English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise

MOST_WORDS = 64
LONGEST_QUERY = 2_000
TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+|[^\W_]+")
CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
STOP = frozenset(
    "a an and are as at be by can could do does did for from has have how i in is it its me my of on or our should so"
    " that the their them they this to was we were what when where which who why will with would you your am any"
    " please tell about 的 了 吗 呢 吧 是 我 你 他 她 它 们 在 有 和 与 也 都 就 还 很 请 给 把 被"
    " 什么 怎么 哪里 哪个 多少 一个 一下 可以 能不 我们 你们 这个 那个 是不 不是".split()
)


def words_of(text: str) -> list[str]:
    """Words, and pairs of Chinese characters; without those that every sentence has. In order, once each."""
    words: dict[str, None] = {}
    for token in TOKEN.findall(unicodedata.normalize("NFKC", text[:LONGEST_QUERY]).lower()):
        pieces = _pairs(token) if CJK.match(token) else [token]
        words.update(dict.fromkeys(piece for piece in pieces if piece not in STOP))
    return list(words)[:MOST_WORDS]


def _pairs(run: str) -> list[str]:
    if len(run) == 1:
        return [run]
    return [a + b for a, b in pairwise(run) if a not in STOP or b not in STOP]


def characters_of(text: str) -> list[str]:
    """Its Chinese characters one by one, without those that every sentence has."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST_QUERY])
    return list(dict.fromkeys(char for char in plain if CJK.match(char) and char not in STOP))[:MOST_WORDS]


def match_of(words: Iterable[str]) -> str:
    """The expression of FTS5 that finds any of them; a Chinese pair is a phrase of two characters."""
    phrases = (" ".join(word) if CJK.match(word) else word for word in words)
    return " OR ".join(f'"{phrase}"' for phrase in phrases)
