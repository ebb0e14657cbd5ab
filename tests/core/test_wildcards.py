"""Patterns without regular expressions: what they find, what they refuse, and that they cannot be made slow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.text.wildcards import WrongPattern, compiled
from tests.floor import assert_linear


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("9.99", "price 9.99 or 9x99", ["9.99"]),
        ("1##########", "tel 13800138000, no 1380", ["13800138000"]),
        ("b?d", "bad bed bd", ["bad", "bed"]),
        ("/srv/*.txt", "at /srv/a/b.txt and /srv/c.txt", ["/srv/a/b.txt", "/srv/c.txt"]),
        ("key=*", "x key=abc d\nnext", ["key=abc d"]),
        (r"100\#\*", "100#* 1001*", ["100#*"]),
        ("价格：*元", "价格：12元，价格：8元", ["价格：12元", "价格：8元"]),
        ("a*b*c", "a1b2c a1b", ["a1b2c"]),
    ],
)
def test_what_a_pattern_finds(pattern: str, text: str, found: list[str]) -> None:
    assert compiled(pattern).findall(text) == found


@pytest.mark.parametrize(
    ("pattern", "code"),
    [("", "empty"), ("  ", "empty"), ("*x", "star_first"), ("x\\", "backslash"), ("a" * 201, "long"),
     ("a" + "*b" * 9, "stars")],
)  # fmt: skip
def test_a_wrong_pattern_says_what_is_wrong(pattern: str, code: str) -> None:
    with pytest.raises(WrongPattern) as wrong:
        compiled(pattern)
    assert wrong.value.code == code


@given(st.text(min_size=1, max_size=60))
def test_a_text_with_every_sign_escaped_finds_itself(text: str) -> None:
    pattern = "".join(f"\\{sign}" for sign in text)
    if text.strip() and len(pattern) <= 200:
        assert compiled(pattern).search(text) is not None


@pytest.mark.parametrize("pattern", ["a*a*a*a*a*a*a*a*b", "?*?*?*?*?*b", "#*#*#*x", "aaaaaaaa*b"])
def test_hostile_text_cannot_make_it_slow(pattern: str) -> None:
    assert_linear(lambda size: compiled(pattern).sub("***", "a" * size + "1" * size), 2_000, 20_000)
