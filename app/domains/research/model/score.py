"""A score from 0 to 100, however a model writes it: 85, "85%", 0.85, "8/10", "4 out of 5", "八十五分", "high"."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from app.core.reading.numerals import numbers

_WORDS = {
    "very high": 95, "high": 85, "medium": 60, "moderate": 60, "low": 30, "very low": 10, "none": 0, "certain": 100,
    "非常高": 95, "很高": 90, "较高": 80, "高": 85, "中等": 60, "中": 60, "较低": 40, "很低": 10, "低": 30, "无": 0,
}  # fmt: skip
_OF = re.compile(r"(\d+(?:\.\d+)?)\s{0,3}(?:/|out of|of|分之)\s{0,3}(\d+(?:\.\d+)?)")
_PERCENT_ZH = re.compile(r"百分之(.{1,8})")


def as_scores(*values: Any) -> list[float | None]:
    """From 0 to 100; None for what is no score. Between 0 and 1 is a share; 1 is one beside other shares."""
    read = [_read(value) for value in values]
    loose = [one.number for one in read if one is not None and one.may_be_share]
    are_shares = bool(loose) and max(loose) <= 1 and any(loose)
    scores: list[float | None] = []
    for one in read:
        if one is None:
            scores.append(None)
            continue
        is_share = one.may_be_share and (0 < one.number < 1 or (one.number == 1 and are_shares))
        scores.append(min(max(one.number * (100 if is_share else 1), 0.0), 100.0))
    return scores


@dataclass(frozen=True, slots=True)
class _Score:
    number: float
    may_be_share: bool = False
    """Nothing beside it says what it is a number of."""


def _read(value: Any) -> _Score | None:
    if isinstance(value, bool):
        return _Score(100.0 if value else 0.0)
    if isinstance(value, int | float):
        return _Score(float(value), may_be_share=True) if math.isfinite(value) else None
    if not isinstance(value, str):
        return None
    text = unicodedata.normalize("NFKC", value).casefold().strip()[:80]
    if text in _WORDS:
        return _Score(float(_WORDS[text]))
    if found := _OF.search(text):
        part, whole = float(found.group(1)), float(found.group(2))
        return _Score(part / whole * 100) if whole else None
    if found := _PERCENT_ZH.search(text):
        text = f"{found.group(1)}%"
    says_of_what = "%" in text or "分" in text or "percent" in text
    if written := re.search(r"-?\d+(?:\.\d+)?", text):
        return _Score(float(written.group()), may_be_share=not says_of_what)
    named = next((each.value for each in numbers(text)), None)
    if named is not None:
        return _Score(float(named), may_be_share=False)
    return next((_Score(float(score)) for word, score in _WORDS.items() if word in text), None)


def is_true(value: Any) -> bool | None:
    """None for what says neither."""
    if isinstance(value, bool):
        return value
    text = unicodedata.normalize("NFKC", str(value)).casefold().strip()
    if text in {"true", "yes", "y", "1", "1.0", "是", "对", "已解决", "resolved", "充分", "足够", "done", "enough"}:
        return True
    if text in {
        "false",
        "no",
        "n",
        "0",
        "0.0",
        "否",
        "不",
        "未解决",
        "unresolved",
        "不足",
        "不够",
        "partial",
        "partially",
        "部分",
    }:
        return False
    return None
