"""Compatible forms: the quick way gives what the standard library gives."""

from __future__ import annotations

import unicodedata
from random import Random

from app.core.session.search import spaced
from app.core.text.compatible import nfkc
from app.core.text.hidden import is_drawn_as_nothing, marked

SIGNS = "，！？：；（）ａＡ１ﬁ①é\u0301\u0338\u0327が\u3099ｶﾞ한\u1161国 a;,!)(:?=<>𠮷\U000e0101\u3164\ufe0f\u200b"


def texts() -> list[str]:
    chance = Random(3)
    return ["".join(chance.choices(SIGNS, k=chance.randint(1, 8))) for _ in range(3_000)]


def test_signs_replaced_first_change_no_result() -> None:
    assert [text for text in texts() if nfkc(text) != unicodedata.normalize("NFKC", text)] == []


def test_the_index_cuts_the_rare_characters_as_the_common_ones() -> None:
    assert spaced("ab吃𠮷野\U00030001家c") == "ab 吃  𠮷  野  \U00030001  家 c"


def test_whatever_is_drawn_as_nothing_is_seen_in_the_quick_look_too() -> None:
    hidden = [chr(code) for code in (*range(0x80, 0x3000), *range(0xFE00, 0xFFFF), *range(0xE0000, 0xE0200))]
    missed = [
        f"U+{ord(char):04X}" for char in hidden if is_drawn_as_nothing(char) and marked(f"国{char}a") == f"国{char}a"
    ]
    assert [one for one in missed if one not in EXCUSED] == []


EXCUSED = {f"U+{code:04X}" for code in range(0xFE00, 0xFE10)}
"""Variation selectors choose how the Han character before them is drawn."""
