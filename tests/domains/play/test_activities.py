"""The activities that ship: enough of them, in both languages, each safe for the youngest it is for."""

from __future__ import annotations

from collections import Counter

from app.domains.play.model.activity import activities
from app.domains.play.model.vocabulary import DIMENSIONS
from app.domains.play.rules.safety import check_game_safety
from app.domains.play.rules.search import Wanted, find_activities


def test_there_are_enough_for_every_interest_and_capacity() -> None:
    cards = activities()
    assert len(cards) >= 60
    assert len({one.id for one in cards}) == len(cards)
    by_dimension = Counter(name for one in cards for name in one.dimensions)
    by_capacity = Counter(number for one in cards for number in one.capacities)
    assert [name for name in DIMENSIONS if by_dimension[name] < 5] == []
    assert [number for number in range(1, 7) if by_capacity[number] < 5] == []


def test_each_is_safe_at_its_lowest_age_in_both_languages() -> None:
    blocked = [
        (one.id, language, finding.code, finding.where, finding.words)
        for one in activities()
        for language in ("zh", "en")
        for finding in check_game_safety(one.as_plan(language), one.age_months[0])
        if finding.severity == "block"
    ]
    assert blocked == []


def test_they_are_found_by_words_after_the_filters() -> None:
    cards = activities()
    assert find_activities("毯子", cards, Wanted(age_months=20), 3)[0].id in {"a01", "a11"}
    assert find_activities("tower blocks", cards, Wanted(), 3)[0].id == "a05"
    assert all(3 in one.capacities for one in find_activities("ball", cards, Wanted(capacity=3), 20))
    assert find_activities("no such word", cards, Wanted(capacity=6), 4)
