from __future__ import annotations

from app.core.wording.arguments import value_at_a_glance


def test_a_value_is_told_as_a_person_would_name_it() -> None:
    trip = {"id": "trip-6dbf", "title": "Beijing, 3 days", "days": [{"name": "Day 1"}]}
    cases: list[tuple[object, str]] = [
        ("Beijing", "Beijing"), (3, "3"), (True, "True"), (None, ""), ({"adults": 2}, ""), (trip, "Beijing, 3 days"),
        (["history", "food"], "history, food"), ([{"id": 1}, {"name": "Lake"}], "Lake"),
        ("$1.data.city.id", "the city of step 1"), (["$2.data.sights.0.id"], "no. 1 of the sights of step 2"),
    ]  # fmt: skip
    assert [(value, value_at_a_glance(value)) for value, _words in cases] == cases
