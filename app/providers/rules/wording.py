"""The filters of the templates: how a value is written in Chinese and in English."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from .template import Filter, plain

MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def filters(language: str, words: Mapping[str, str]) -> Mapping[str, Filter]:
    """By name. `words` is the book's own list for `word`: codes and what they are called."""
    chinese = language == "zh"
    return {
        "join": partial(_join, gap="、" if chinese else ", ", words=words),
        "word": partial(_word, words=words),
        "money": _money,
        "months": partial(_months, chinese=chinese),
        "minutes": partial(_minutes, chinese=chinese),
        "cell": _cell,
        "count": lambda value: str(len(value)) if isinstance(value, Sequence) and not isinstance(value, str) else "",
        "capital": lambda value: plain(value)[:1].upper() + plain(value)[1:],
        "dash": lambda value: plain(value) or "—",
    }


def _items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [] if value is None else [value]


def _word(value: Any, *, words: Mapping[str, str]) -> str:
    text = plain(value)
    return words.get(text, text)


def _join(value: Any, *, gap: str, words: Mapping[str, str]) -> str:
    return gap.join(text for item in _items(value) if (text := _word(item, words=words)))


def _money(value: Any) -> str:
    """1,234 or 1,234.50; amounts may come as text, since the tools count in decimals."""
    try:
        amount = float(value)
    except (TypeError, ValueError):
        return plain(value)
    return f"{amount:,.0f}" if amount.is_integer() else f"{amount:,.2f}"


def _months(value: Any, *, chinese: bool) -> str:
    """[3, 4, 5, 9] → "3–5、9月" or "Mar–May, Sep"."""
    spans: list[tuple[int, int]] = []
    for month in _items(value):
        if not isinstance(month, int) or not 1 <= month <= 12:
            continue
        if spans and month == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], month)
        else:
            spans.append((month, month))
    name: Callable[[int], str] = str if chinese else lambda month: MONTHS[month - 1]
    labels = [name(a) if a == b else f"{name(a)}–{name(b)}" for a, b in spans]
    return f"{'、'.join(labels)}月" if chinese and labels else ", ".join(labels)


def _minutes(value: Any, *, chinese: bool) -> str:
    try:
        total = round(float(value))
    except (TypeError, ValueError):
        return plain(value)
    hours, minutes = divmod(total, 60)
    parts = [(hours, "小时" if chinese else "h"), (minutes, "分钟" if chinese else "min")]
    return " ".join(f"{n} {unit}" for n, unit in parts if n) or ("0 分钟" if chinese else "0 min")


def _cell(value: Any) -> str:
    """Safe inside a table row."""
    return " ".join(plain(value).replace("|", "/").split())
