"""Which questions are similar, in both scripts, and in which order earlier plans are shown."""

from __future__ import annotations

import pytest

from app.core.run.past_plan import ALIKE, MOST_PLANS, PastPlan, most_alike, plain_sequence
from app.core.run.plan import Plan
from app.core.text.likeness import likeness


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("帮我规划北京三日游", "规划北京五日游", True),
        ("帮我规划北京三日游", "这段代码有什么问题", False),
        ("plan three days in Beijing", "Plan five days in Beijing, please", True),
        ("plan three days in Beijing", "what is the capital of France", False),
        ("", "anything", False),
        ("a b c", "a b c", False),
        ("三天", "三天", True),
    ],
)
def test_similar_questions_share_words(one: str, other: str, alike: bool) -> None:
    assert (likeness(one, other) >= ALIKE) is alike
    assert likeness(one, other) == likeness(other, one)


def test_the_most_similar_come_first_then_the_better_rated() -> None:
    def past(run: str, query: str, rating: int = 0) -> PastPlan:
        return PastPlan(run, query, Plan("g", ()), rating=rating)

    plans = [
        past("far", "规划上海五日游 购物"),
        past("near", "帮我规划北京三日游"),
        past("good", "规划北京三日游吧", 1),
        past("bad", "规划北京三日游呢", -1),
        past("other", "写一首诗"),
    ]
    assert [one.run for one in most_alike("帮我规划北京三日游", plans)] == ["near", "good", "bad"][:MOST_PLANS]


def test_a_sequence_has_no_repeats_next_to_each_other() -> None:
    assert plain_sequence(["a", "a", "b", "a"]) == ("a", "b", "a")
