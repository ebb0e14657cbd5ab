"""The template language of the rule books: values, loops, conditions – and nothing that can run away."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.reading.numerals import numbers
from app.core.reading.text import contains, normalise
from app.providers.rules.template import Template, TemplateError
from app.providers.rules.wording import filters
from tests.every import looped

ZH, EN = filters("zh", {"rail": "火车站"}), filters("en", {})


def render(source: str, language: str = "en", **values: Any) -> str:
    return Template(source, ZH if language == "zh" else EN).render(values)


@looped(
    ("source", "values", "shown"),
    [
        ("plain text", {}, "plain text"),
        ("{city.name}!", {"city": {"name": "Xi'an"}}, "Xi'an!"),
        ("{a.0.b}", {"a": [{"b": 1}]}, "1"),
        ("<{missing.path}>", {}, "<>"),
        ("{{not a value}", {}, "{not a value}"),
        ("{if a}yes{else}no{end}", {"a": [1]}, "yes"),
        ("{if a}yes{else}no{end}", {"a": []}, "no"),
        ("{if not a}none{end}", {}, "none"),
        ("{if kind is meal}eat{end}", {"kind": "meal"}, "eat"),
        ("{if a above b}more{else}less{end}", {"a": 2, "b": 1}, "more"),
        ("{if a above b}more{else}less{end}", {"a": 2}, "less"),
        ("{each x in xs}{n}{x.name};{end}", {"xs": [{"name": "a"}, {"name": "b"}]}, "1a;2b;"),
        ("{each x in xs max 1}{x}{end}", {"xs": ["a", "b"]}, "a"),
        ("{each x in xs}{x}{else}nothing{end}", {"xs": []}, "nothing"),
        ("{each x in xs}{each y in x.ys}{y}{outer}{end}{end}", {"xs": [{"ys": [1, 2]}], "outer": "!"}, "1!2!"),
        ("a\n{if no}\nb\n{end}\nc", {}, "a\nc"),
        ("a\n\n{if no}\nb\n{end}\n\nc", {}, "a\n\nc"),
        ("{x.y}", {"x": "a text has no fields"}, ""),
        ("{x}", {"x": 2.0}, "2"),
        ("{xs.*.a|join}", {"xs": [{"a": 1}, {"a": 2}, {}]}, "1, 2"),
    ],
)
def test_a_template_renders(source: str, values: dict[str, Any], shown: str) -> None:
    assert render(source, **values) == shown


@looped(
    ("source", "language", "value", "shown"),
    [
        ("{v|money}", "en", 12345, "12,345"),
        ("{v|money}", "en", "1234.5", "1,234.50"),
        ("{v|money|dash}", "en", None, "—"),
        ("{v|money|dash}", "en", 0, "0"),
        ("{v|join}", "zh", ["a", "rail"], "a、火车站"),
        ("{v|join}", "en", ["a", "b"], "a, b"),
        ("{v|months}", "zh", [3, 4, 5, 9, 12], "3–5、9、12月"),
        ("{v|months}", "en", [3, 4, 5, 9], "Mar–May, Sep"),
        ("{v|minutes}", "en", 95, "1 h 35 min"),
        ("{v|minutes}", "zh", 60, "1 小时"),
        ("{v|cell}", "en", "a|b\nc", "a/b c"),
        ("{v|count}", "en", [1, 2], "2"),
        ("{v|word}", "zh", "rail", "火车站"),
    ],
)
def test_a_filter_writes_a_value_in_the_language(source: str, language: str, value: Any, shown: str) -> None:
    assert render(source, language, v=value) == shown


@looped(
    "source",
    ["{if a}", "{end}", "{else}", "{each a}x{end}", "{each a of b}x{end}", "{a b}", "{", "{}", "{a|shout}",
     "{if a like b}x{end}", "{each a in b max many}x{end}", "{if a}" * 20 + "{end}" * 20],
)  # fmt: skip
def test_a_wrong_template_is_refused_when_it_is_read(source: str) -> None:
    with pytest.raises(TemplateError):
        Template(source, EN)


def test_values_are_never_read_as_templates() -> None:
    assert render("{a}", a="{b}", b="secret") == "{b}"


def test_output_is_bounded() -> None:
    many = list(range(1_000))
    assert len(render("{each a in xs}{each b in xs}xxxxxxxxxx{end}{end}", xs=many)) <= 60_000


@given(st.text(max_size=60))
def test_any_template_renders_or_is_refused(source: str) -> None:
    try:
        template = Template(source, EN)
    except TemplateError:
        return
    template.render({"a": 1})


# ---------------------------------------------------------------- words and numbers


@pytest.mark.parametrize(
    ("text", "pattern", "found"),
    [
        ("我想去北京玩", "北京", True),
        ("我想去北京玩", "去*玩", True),
        ("去" + "很" * 20 + "玩", "去*玩", False),
        ("say hi to him", "hi", True),
        ("this is him", "hi", False),
        ("museums", "museum", False),
        ("museums", "museum*", True),
        ("hi北京", "hi", True),
        ("two words here", "two words", True),
        ("anything", "", False),
        ("anything", "*", False),
    ],
)
def test_a_pattern_is_found_as_a_reader_would(text: str, pattern: str, found: bool) -> None:
    assert contains(text, pattern) is found


@looped(
    ("text", "values"),
    [
        ("3", [3]),
        ("三天", [3]),
        ("十二", [12]),
        ("二十", [20]),
        ("两百五十", [250]),
        ("三千", [3_000]),
        ("一万二千", [12_000]),
        ("1.5万", [15_000]),
        ("5k 2w", [5_000, 20_000]),
        ("1,500 and 2,000.5", [1_500, 2_000.5]),
        ("三四天", [4]),
        ("three days", [3]),
        ("stone tenor", []),
        ("3天2晚", [3, 2]),
        ("9" * 40, []),
    ],
)
def test_numbers_are_read_in_both_languages(text: str, values: list[float]) -> None:
    assert [number.value for number in numbers(normalise(text))] == values


@given(st.text(alphabet="零一二三四五六七八九十百千万两半0123456789.,kw天日 -a", max_size=40))
def test_any_text_has_numbers_in_order(text: str) -> None:
    found = list(numbers(text))
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(0 <= number.start < number.end <= len(text) for number in found)
