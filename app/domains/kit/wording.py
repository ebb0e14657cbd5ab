"""Texts, lists, money, dates and numbers in the language of a conversation, which need not be the window's.

A tool says `ctx.say("{n} km away", n=3)`; a rule that has no context but a language, `say_in(language, …)`. Both look
into the catalogues of resources/i18n, where `make texts` puts what they name. What is only chosen is marked `N_("…")`
in its table and said by the same functions.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from app.core.text.i18n import N_, count_in, say_in, speaks_chinese

__all__ = [
    "N_",
    "clauses",
    "count_in",
    "half_up",
    "listed",
    "money",
    "money_range",
    "month_name",
    "plain",
    "say_in",
    "speaks_chinese",
    "weekday_name",
]

_WEEKDAYS = (N_("Mon"), N_("Tue"), N_("Wed"), N_("Thu"), N_("Fri"), N_("Sat"), N_("Sun"))
_MONTHS = (
    N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun"),
    N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec"),
)  # fmt: skip


def listed(language: str, items: Iterable[str]) -> str:
    return say_in(language, "{first}, {next}", first="", next="").join(items)


def clauses(language: str, items: Iterable[str]) -> str:
    return say_in(language, "{first}; {next}", first="", next="").join(items)


def weekday_name(language: str, weekday: int) -> str:
    """0 is Monday."""
    return say_in(language, _WEEKDAYS[weekday])


def month_name(language: str, month: int) -> str:
    """1 is January."""
    return say_in(language, _MONTHS[month - 1])


def half_up(amount: Decimal, step: str = "1") -> Decimal:
    return amount.quantize(Decimal(step), rounding=ROUND_HALF_UP)


def plain(amount: Decimal) -> int | float:
    """A JSON number: whole where it is whole, else two decimals."""
    rounded = half_up(amount, "0.01")
    return int(rounded) if rounded == rounded.to_integral_value() else float(rounded)


def money(amount: Decimal | float, currency: str = "CNY") -> str:
    sign = "¥" if currency == "CNY" else f"{currency} "
    value = plain(Decimal(str(amount)))
    return f"{sign}{value:,}" if isinstance(value, int) else f"{sign}{value:,.2f}"


def money_range(low: float, high: float, currency: str = "CNY") -> str:
    return f"{money(low, currency)}–{plain(Decimal(str(high))):,}"
