"""JSON found in what a model wrote."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.finish import LONGEST_JSON, find_json

PLAN = '{"goal": "三日游", "steps": [{"text": "a } in a string \\" and {"}]}'


@pytest.mark.parametrize(
    "text",
    [
        PLAN,
        f"  \n{PLAN}\n",
        f"```json\n{PLAN}\n```",
        f"```\n{PLAN}\n```",
        f"~~~ not a fence\n```json\n{PLAN}",
        f"Sure:\n{PLAN}\nDone.",
        f'<think>maybe {{"goal": 1}} or so</think>{PLAN}',
        f"no opening tag, {{ broken </think>\n{PLAN}",
    ],
)
def test_it_is_found(text: str) -> None:
    assert find_json(text) == json.loads(PLAN)


@pytest.mark.parametrize(
    "text",
    ["", "none", "{", '{"a": 1', '{"a": NaN}', '{"a": Infinity}', '{"a": 1, "a": 2}', "{'a': 1}", "[" * 100_000, "}{"],
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        find_json(text)


def test_deep_nesting_is_refused_not_crashed() -> None:
    with pytest.raises(ValueError, match="deep"):
        find_json('{"a":' * 50_000 + "1" + "}" * 50_000)


def test_a_long_text_is_read_in_linear_time() -> None:
    with pytest.raises(ValueError, match=r"."):
        find_json('{"a": "' + "\\" * LONGEST_JSON * 2)


SIMPLE = st.integers() | st.text(max_size=20) | st.booleans()
VALUES = st.recursive(SIMPLE, lambda inner: st.lists(inner, max_size=3), max_leaves=5)
JSON = st.dictionaries(st.text(max_size=8), VALUES, max_size=4)
PROSE = st.text(alphabet=st.characters(exclude_characters="{}`<", exclude_categories=["Cs"]), max_size=40)


@given(JSON, PROSE, PROSE)
def test_an_object_between_any_words_is_found(value: dict[str, Any], before: str, after: str) -> None:
    assert find_json(f"{before}\n{json.dumps(value, ensure_ascii=False)}\n{after}") == value


@given(st.text(max_size=200))
def test_any_text_is_json_or_a_value_error(text: str) -> None:
    with contextlib.suppress(ValueError):
        find_json(text)
