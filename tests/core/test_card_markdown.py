from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.core.tools.card import CARD_KINDS
from app.core.tools.card_markdown import card_csv, card_markdown

TABLE = {
    "title": "Budget",
    "columns": [{"key": "name", "label": "Line"}, {"key": "amount", "label": "Amount", "align": "right"}],
    "rows": [{"name": "a|b", "amount": 12}, {"name": "=1+1", "amount": None}],
}


def test_a_table_is_a_markdown_table_with_its_borders_escaped() -> None:
    assert card_markdown("table", TABLE) == (
        "### Budget\n\n| Line | Amount |\n| --- | ---: |\n| a\\|b | 12 |\n| =1+1 |  |\n"
    )


def test_csv_keeps_the_cells_and_runs_no_formula() -> None:
    assert list(csv.reader(io.StringIO(card_csv(TABLE)))) == [["Line", "Amount"], ["a|b", "12"], ["'=1+1", ""]]


@pytest.mark.parametrize("number", ["-12", "+3.5", "-0"])
def test_numbers_are_no_formulas(number: str) -> None:
    table = {"columns": [{"key": "n", "label": "n"}], "rows": [{"n": number}]}
    assert card_csv(table).splitlines()[1] == number


def test_each_kind_says_what_it_shows() -> None:
    assert "- **Days**: 3 (typical)" in card_markdown(
        "key_values", {"items": [{"label": "Days", "value": 3, "note": "typical"}]}
    )
    timeline = {"groups": [{"label": "Day 1", "items": [{"time": "09:00", "end": "10:00", "title": "Tower"}]}]}
    assert "- 09:00–10:00 **Tower**" in card_markdown("timeline", timeline)
    gallery = {"items": [{"title": "Chengdu", "score": 45, "chips": ["food"]}]}
    assert "- **Chengdu** (45): food" in card_markdown("gallery", gallery)
    checks = {"items": [{"text": "open", "state": "ok"}, {"text": "late", "state": "error", "hint": "move it"}]}
    assert card_markdown("checklist", checks) == "- [x] open\n- [ ] ⚠ late – move it\n"
    assert "| a | 2 |" in card_markdown("chart", {"kind": "pie", "series": [{"label": "a", "value": 2}]})
    lines = {"kind": "line", "series": [{"name": "x", "points": [["Mon", 1], ["Tue", 2.5]]}]}
    assert "| Tue | 2.5 |" in card_markdown("chart", lines)


@pytest.mark.parametrize(
    ("value", "text"), [(1234567.0, "1234567"), (1086.33, "1086.33"), (0.1 + 0.2, "0.3"), (-2605.0, "-2605")]
)
def test_large_amounts_keep_their_last_unit(value: float, text: str) -> None:
    assert f"| a | {text} |" in card_markdown("chart", {"kind": "pie", "series": [{"label": "a", "value": value}]})


def test_an_unknown_kind_is_listed_by_its_keys() -> None:
    assert card_markdown("hologram", {"depth": 3, "parts": [1, 2]}) == "- **depth**: 3\n- **parts**: \\[1, 2\\]\n"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=10,
)
_KEYS = st.sampled_from(["title", "items", "rows", "columns", "groups", "series", "label", "value", "text", "state"])


@given(st.sampled_from([*sorted(CARD_KINDS), "other"]), st.dictionaries(_KEYS, _JSON, max_size=5))
def test_any_payload_can_be_written(kind: str, payload: dict[str, Any]) -> None:
    assert card_markdown(kind, payload).endswith("\n")
    card_csv(payload)


@given(st.text(max_size=60))
def test_no_value_becomes_markup(text: str) -> None:
    shown = card_markdown("key_values", {"items": [{"label": "L", "value": text}]})
    kinds = {token.type for token in MarkdownIt("commonmark").parse(shown)}
    inline = {child.type for token in MarkdownIt("commonmark").parse(shown) for child in token.children or ()}
    assert kinds <= {"bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close", "paragraph_open",
                     "paragraph_close", "inline"}  # fmt: skip
    assert inline <= {"text", "strong_open", "strong_close", "text_special"}
