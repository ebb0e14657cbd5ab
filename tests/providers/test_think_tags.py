"""The splitter of think tags: the same for every cut, nothing lost, linear."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.providers.text_calls.think_tags import ThinkSplitter
from tests.every import looped
from tests.floor import assert_linear

CASES = [
    ("hello", "", "hello"),
    ("<think>a</think>b", "a", "b"),
    ("  \n<think>\na\n</think>\n\nb", "\na\n", "\n\nb"),
    ("<thinking>a</think></thinking>b", "a</think>", "b"),
    ("<think>a</think>\n<think>b</think>c", "ab", "c"),
    ("<think>never closed", "never closed", ""),
    ("<think>a</think>b <think>c</think>", "a", "b <think>c</think>"),
    ("a\n</think>\n\nb", "a\n", "\n\nb"),
    ("a</think>\nb</think>\nc", "a", "\nb</think>\nc"),
    ("say `</think>` to\nend", "", "say `</think>` to\nend"),
    ("```\n</think>\n```\nx", "", "```\n</think>\n```\nx"),
    ("mid </think> sentence", "", "mid </think> sentence"),
    ("at the end </think>", "", "at the end </think>"),
    ("<thi", "", "<thi"),
    ("a < b <thin c", "", "a < b <thin c"),
]


def _split(text: str, size: int, *, prefilled: bool = False) -> tuple[str, str]:
    splitter = ThinkSplitter(prefilled=prefilled)
    pieces = [piece for at in range(0, len(text), size) for piece in splitter.feed(text[at : at + size])]
    thought = shown = ""
    for kind, piece in [*pieces, *splitter.finish()]:
        if kind == "reasoning":
            thought += piece
        elif kind == "text":
            shown += piece
        else:
            thought, shown = thought + shown, ""
    return thought, shown


@looped(("text", "thought", "shown"), CASES)
@looped("size", [1, 2, 3, 5, 100])
def test_splits(text: str, thought: str, shown: str, size: int) -> None:
    assert _split(text, size) == (thought, shown)


@pytest.mark.parametrize("size", [1, 4, 100])
def test_a_prefilled_opening_tag_needs_only_the_closing_one(size: int) -> None:
    assert _split("a</think>b", size, prefilled=True) == ("a", "b")
    assert _split("<think>a</think>b", size, prefilled=True) == ("a", "b")


def test_a_closing_tag_before_a_tool_call_had_something_to_close() -> None:
    splitter = ThinkSplitter()
    pieces = splitter.feed("I will look.\n</think>\n")
    assert pieces == [("text", "I will look.\n")]
    assert ("reclassify", "</think>") in splitter.finish(followed=True)


def test_after_reasoning_of_its_own_field_a_closing_tag_is_text() -> None:
    splitter = ThinkSplitter()
    pieces = splitter.feed("a\n")
    splitter.settle()
    pieces += splitter.feed("</think>\nb")
    assert "".join(text for _, text in pieces) == "a\n</think>\nb"


TEXTS = st.lists(
    st.sampled_from(["<think>", "</think>", "<thinking>", "</thinking>", "<", "</", "th", "```", "`", "\n", " ", "a"]),
    max_size=24,
).map("".join)


@given(TEXTS, st.integers(1, 9), st.booleans())
@settings(max_examples=50, deadline=None)
def test_the_cut_does_not_matter_and_nothing_is_lost(text: str, size: int, prefilled: bool) -> None:
    whole = _split(text, len(text) + 1, prefilled=prefilled)
    assert _split(text, size, prefilled=prefilled) == whole
    for letter in "a`":  # white space before an opening tag is nobody's text
        assert sum(part.count(letter) for part in whole) == text.count(letter)


@pytest.mark.parametrize(
    "unit", ["<think>", "</think>", "`</think>\n", "a</thinking>", "<think>x</think>", "<", "```\n"]
)
def test_P37_the_work_grows_with_the_length_only(unit: str) -> None:
    assert_linear(lambda times: _split(unit * times, 4096), 4_000, 40_000)
