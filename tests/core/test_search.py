"""Queries, folding and snippets of the full-text search."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.session.search import AFTER, BEFORE, LONGEST_QUERY, MOST_PHRASES, Query, snippet, spaced


def marked(text: str, query: str) -> list[str]:
    shown, ranges = snippet(text, Query.parse(query))
    return [shown[start:end] for start, end in ranges]


def test_each_chinese_character_is_a_word_of_the_index() -> None:
    assert spaced("三日游ok").split() == ["三", "日", "游", "ok"]


def test_look_alike_forms_are_one() -> None:
    assert spaced("三⽇游") == spaced("三日游")
    assert spaced("ＡＢＣ") == "ABC"


def test_P14_a_long_text_is_prepared_in_pieces_that_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """One call for 100,000 ligatures would hold every other thread for a quarter of a second."""
    lengths: list[int] = []
    normalize = unicodedata.normalize

    def watched(form: str, text: str) -> str:
        lengths.append(len(text))
        return normalize(form, text)  # type: ignore[arg-type]

    monkeypatch.setattr("app.core.session.search.unicodedata.normalize", watched)
    for unit in ("ﷺ", "ﬁ", "中文字 word ", "e\u0301a ", "中"):
        text = unit * (30_000 // len(unit))
        pieces = spaced(text)
        assert pieces.split() == " ".join(re.sub("(中|文|字)", r" \1 ", normalize("NFKC", text)).split()).split(), unit
    assert max(lengths) <= 10_000


@pytest.mark.parametrize(
    ("typed", "match"),
    [
        ("hello world", '"hello" "world"'),
        ('"hello world"', '"hello world"'),
        ("三日游", '"三 日 游"'),
        ("foo-bar", '"foo bar"'),
        ("foo foo", '"foo"'),
        ('a"b', '"a b"'),
        ('NEAR(x) OR "', '"NEAR x" "OR"'),
        ("…！ ？", ""),
        ("  ", ""),
    ],
)
def test_what_is_typed_becomes_phrases_and_never_syntax(typed: str, match: str) -> None:
    assert Query.parse(typed).match() == match


@pytest.mark.parametrize(
    "typed",
    [
        " ".join(f"word{n}" for n in range(20_000)), "a" * 100_000, '" OR AND NOT NEAR( * ^ ) -' * 4_000,
        "\x00\x01\x1b" * 30_000, "茶" * 100_000, '"' * 100_001,
    ],
    ids=["words", "one word", "operators", "control signs", "chinese", "quotes"],
)  # fmt: skip
def test_A16_a_query_of_a_hundred_kilobytes_is_cut_and_cleaned(typed: str) -> None:
    match = Query.parse(typed).match(prefix=True)
    assert len(match) <= 4 * LONGEST_QUERY
    assert len(Query.parse(typed).phrases) <= MOST_PHRASES
    assert all(char.isprintable() for char in match)
    for phrase in Query.parse(typed).phrases:
        assert all(token.isalnum() for token in phrase)


def test_marks_are_where_the_words_are_in_the_original() -> None:
    assert marked("Ein Café, ﬁne", "cafe fine") == ["Café", "ﬁne"]
    assert marked("规划北京三⽇游的路线", "三日游") == ["三⽇游"]
    assert marked("party art ART", "art ok") == ["art", "ART"]
    assert marked("が か", "か") == ["か"]


def test_the_last_word_may_go_on() -> None:
    assert marked("travelling far", "trav") == ["trav"]
    assert marked("travelling far", "trav far") == ["far"]


def test_a_snippet_is_short_and_has_the_most_of_what_was_looked_for() -> None:
    text = "museum " + "x " * 500 + "museum and tea" + " y" * 500
    shown, ranges = snippet(text, Query.parse("museum tea"))
    assert len(shown) <= BEFORE + AFTER + 2
    assert [shown[a:b] for a, b in ranges] == ["museum", "tea"]
    assert shown.startswith("…")
    assert shown.endswith("…")


@given(st.text(max_size=60), st.text(max_size=10))
def test_any_text_and_any_query_give_ranges_inside_the_snippet_in_order(text: str, query: str) -> None:
    shown, ranges = snippet(text, Query.parse(query))
    flat = [place for pair in ranges for place in pair]
    assert flat == sorted(flat)
    assert all(0 <= start < end <= len(shown) for start, end in ranges)


@given(st.text(alphabet="三日游北京ab c", min_size=1, max_size=40), st.data())
def test_a_piece_of_chinese_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    piece = text[start : start + 3]
    if all(unicodedata.category(char) == "Lo" for char in piece):
        assert piece in [mark.replace(" ", "") for mark in marked(text, piece)]
