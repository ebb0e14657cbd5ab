"""The filters of the templates: how a value is written in the language of the conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from app.core.text.i18n import N_, say_in

from .template import Filter, plain

_MONTHS = (
    N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun"),
    N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec"),
)  # fmt: skip


def filters(language: str, words: Mapping[str, str]) -> Mapping[str, Filter]:
    """By name. `words` is the book's own list for `word`: codes and what they are called."""
    gap = say_in(language, "{first}, {next}", first="", next="")
    return {
        "join": partial(_join, gap=gap, words=words),
        "word": partial(_word, words=words),
        "money": _money,
        "months": partial(_months, language=language, gap=gap),
        "minutes": partial(_minutes, language=language),
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


def _months(value: Any, *, language: str, gap: str) -> str:
    """[3, 4, 5, 9] → "3–5、9月" or "Mar–May, Sep"."""
    spans: list[tuple[int, int]] = []
    for month in _items(value):
        if not isinstance(month, int) or not 1 <= month <= 12:
            continue
        if spans and month == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], month)
        else:
            spans.append((month, month))
    # A language that counts its months says the word for them once, behind the last.
    tail = say_in(language, "{month_number}", month_number="")
    name: Callable[[int], str] = str if tail else lambda month: say_in(language, _MONTHS[month - 1])
    labels = [name(a) if a == b else f"{name(a)}–{name(b)}" for a, b in spans]
    return gap.join(labels) + tail if labels else ""


def _minutes(value: Any, *, language: str) -> str:
    try:
        total = round(float(value))
    except (TypeError, ValueError):
        return plain(value)
    hours, minutes = divmod(total, 60)
    parts = [say_in(language, "{n} h", n=hours)] if hours else []
    if minutes or not hours:
        parts.append(say_in(language, "{n} min", n=minutes))
    return " ".join(parts)


def _cell(value: Any) -> str:
    """Safe inside a table row."""
    return " ".join(plain(value).replace("|", "/").split())
