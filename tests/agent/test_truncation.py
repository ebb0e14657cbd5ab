"""How long results are cut, and how a batch shares its room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.agent.policy.truncation import cut, shares

PARTS = st.lists(st.sampled_from(["a" * 97, "b\n" * 40, "字 " * 150, "😀", "\n"]), max_size=60)
TEXTS = st.builds("".join, PARTS)


@given(TEXTS, st.integers(500, 4_000))
def test_a_cut_text_is_never_longer_than_the_limit(text: str, limit: int) -> None:
    assert len(cut(text, limit)) <= limit


@given(TEXTS, st.integers(0, 400))
def test_even_a_tiny_limit_holds(text: str, limit: int) -> None:
    assert len(cut(text, limit)) <= max(limit, 0)


@given(TEXTS, st.integers(500, 4_000))
def test_what_is_kept_is_head_and_tail_and_the_mark_says_how_much_is_missing(text: str, limit: int) -> None:
    kept = cut(text, limit)
    if len(text) <= limit:
        assert kept == text
        return
    head, opening, rest = kept.partition("\n[… ")
    mark, closing, tail = rest.partition(" …]\n")
    assert opening
    assert closing
    assert text.startswith(head)
    assert text.endswith(tail)
    missing = len(text) - len(head) - len(tail)
    counted = f"first {len(head):,} and last {len(tail):,} of {len(text):,} characters; {missing:,} omitted"
    assert mark == counted, "nothing is lost without being counted"


def test_the_head_gets_the_larger_part() -> None:
    kept = cut("a" * 5_000 + "z" * 5_000, 1_000)
    assert 600 < kept.count("a") < 700
    assert 250 < kept.count("z") < 300


def test_cuts_fall_on_line_borders_where_they_are_near() -> None:
    lines = "\n".join(f"line {n:04d}" for n in range(1_000))
    kept = cut(lines, 1_000)
    head, _mark, tail = kept.partition("\n[… ")
    assert all(len(line) == 9 for line in head.splitlines())
    assert all(len(line) == 9 for line in tail.partition("…]\n")[2].splitlines())


LENGTHS = st.lists(st.integers(0, 20_000), min_size=1, max_size=12)


@given(LENGTHS, st.integers(500, 10_000), st.integers(500, 30_000))
def test_shares_keep_both_limits_and_waste_nothing(lengths: list[int], each: int, total: int) -> None:
    limits = shares(lengths, each, total)
    kept = [min(length, limit) for length, limit in zip(lengths, limits, strict=True)]
    assert all(limit <= each for limit in limits)
    assert sum(kept) <= total
    if any(k < length for k, length in zip(kept, lengths, strict=True)):
        full = all(k == each for k, length in zip(kept, lengths, strict=True) if k < length)
        assert full or total - sum(kept) < len(lengths), "whoever was cut got all that was left"


def test_short_results_leave_their_room_to_long_ones() -> None:
    assert shares([100, 9_000, 9_000], 4_000, 6_000) == [2_000, 2_950, 2_950]
    assert shares([9_000], 4_000, 12_000) == [4_000]
    assert shares([1, 1, 1], 4_000, 9_000) == [3_000, 4_000, 4_000]
