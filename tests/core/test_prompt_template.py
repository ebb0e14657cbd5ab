from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.core.session.prompt_template import MOST_GAPS, Gap, PromptTemplate, filled, gaps_of

TRIP = "{{days = 3}} days in {{city}} for {{people=2}}, then {{ city }} again"


def test_gaps_are_told_once_in_order_with_what_is_usual() -> None:
    assert gaps_of(TRIP) == (Gap("days", "3"), Gap("city"), Gap("people", "2"))
    assert PromptTemplate("1", "trip", TRIP).gaps == gaps_of(TRIP)


def test_filling_uses_what_was_given_and_what_is_usual_for_the_rest() -> None:
    assert filled(TRIP, {"city": "杭州"}) == "3 days in 杭州 for 2, then 杭州 again"
    assert filled(TRIP, {"city": "", "days": "5"}) == "5 days in  for 2, then  again"


def test_braces_of_other_kinds_are_text() -> None:
    code = "f{x} {{}} {{ }} { {a} } ${{\n}}"
    assert gaps_of(code) == ()
    assert filled(code, {"x": "1"}) == code


def test_so_many_gaps_and_no_more() -> None:
    text = "".join(f"{{{{g{n}}}}}" for n in range(MOST_GAPS + 5))
    assert len(gaps_of(text)) == MOST_GAPS


@given(st.text(), st.text())
def test_what_is_filled_in_is_never_a_gap_again(name: str, value: str) -> None:
    assert filled("a {{city}} b", {"city": "{{" + name + "}}" + value}).startswith("a {{" + name + "}}" + value[:0])
