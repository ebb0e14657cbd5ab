"""Arithmetic: exact, bounded, and never anything but arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import ToolError
from app.core.tools.tool import ToolContext, ToolResult
from app.tools.calculator import LONGEST, calculator
from tests.every import looped


def compute(expression: str) -> str:
    assert calculator.check({"expression": expression}) == []
    result = calculator.body(ToolContext(), {"expression": expression})
    assert isinstance(result, ToolResult)
    value = result.data["value"]
    assert isinstance(value, str)
    return value


def refused(expression: str) -> str:
    with pytest.raises(ToolError) as caught:
        compute(expression)
    return caught.value.tool_code


@looped(
    ("expression", "value"),
    [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("0.1 + 0.2", "0.3"),
        ("1 / 3", "0.3333333333333333333333333333"),
        ("7 // 2", "3"),
        ("7 % 4", "3"),
        ("2 ** 10", "1024"),
        ("2^10", "1024"),
        ("-3 - -5", "2"),
        ("+4", "4"),
        ("3×4÷2", "6"),
        ("（1+2）*2", "6"),
        ("abs(-3)", "3"),
        ("min(3, 1, 2)", "1"),
        ("max(3, 1, 2)", "3"),
        ("sqrt(16)", "4"),
        ("round(2.5)", "3"),
        ("round(2.345, 2)", "2.35"),
        ("round(-2.5)", "-3"),
        ("1_000 * 2", "2000"),
        ("1e3", "1000"),
        ("  5 ", "5"),
        ("2734.00 + 45", "2779"),
        ("12345678901234567.89 + 0.01", "12345678901234567.9"),
        ("0.1234567890123456789", "0.1234567890123456789"),
        ("100 * 1.1", "110"),
        ("max(1)", "1"),
        ("0 * -1", "0"),
        ("1e99", "1E+99"),
        ("1e-99", "1E-99"),
        ("10**27", "1000000000000000000000000000"),
    ],
)
def test_it_computes(expression: str, value: str) -> None:
    assert compute(expression) == value


@pytest.mark.parametrize(
    "expression",
    ["1/0", "1 % 0", "0 ** 0", "sqrt(-1)", "9**9**9", "2 ** 401", "(-8) ** 0.5", "round(1, 1e9)", "round(1e99)"],
)
def test_what_has_no_result_says_so(expression: str) -> None:
    assert refused(expression) == "NO_RESULT"


@looped(
    "expression",
    [
        "", " ", "1 +", "x", "天", "__import__('os')", "open('/etc/passwd')", "(1).real", "[1]", "{1}", "1 < 2", "True",
        "1j", "'a' * 9", "lambda: 1", "1 if 1 else 2", "1; 2", "a := 1", "abs(x=1)", "abs()", "abs(1, 2)", "sqrt(1, 2)",
        "abs", "min()", "round()", "f'{1}'", "\x00",
    ],
)  # fmt: skip
def test_what_is_no_arithmetic_is_refused(expression: str) -> None:
    assert refused(expression) == "BAD_EXPRESSION"


def test_long_and_deep_expressions_are_bounded() -> None:
    assert calculator.check({"expression": "1" * (LONGEST + 1)})
    assert refused("(" * 240 + "1" + ")" * 240) in ("BAD_EXPRESSION", "NO_RESULT")
    assert compute("-" * 400 + "1") == "1"


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_whole_numbers_are_exact(a: int, b: int) -> None:
    assert compute(f"({a}) + ({b})") == str(a + b)
    assert compute(f"({a}) * ({b})") == str(a * b)


@given(st.text(alphabet="0123456789.+-*/%()e, ^_absqrtminx", max_size=30))
def test_any_text_is_a_number_or_a_refusal(expression: str) -> None:
    try:
        compute(expression)
    except ToolError as error:
        assert error.tool_code in ("BAD_EXPRESSION", "NO_RESULT")  # noqa: PT017 - both ends are right
