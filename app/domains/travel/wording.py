"""Small things every travel tool says in the language of its call.

A tool speaks the language of the conversation (`ToolContext.language`), which need not be the window's: so the two
wordings stand side by side here instead of in the window's catalogue.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from app.core.tools.tool import ToolContext

WEEKDAY_NAMES = {
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
}
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
TIER_NAMES = {"economy": ("经济", "economy"), "comfort": ("舒适", "comfort"), "luxury": ("豪华", "luxury")}
MODE_NAMES = {
    "walk": ("步行", "walk"),
    "transit": ("公交", "transit"),
    "taxi": ("打车", "taxi"),
    "drive": ("驾车", "drive"),
}


def in_chinese(language: str) -> bool:
    return language.startswith("zh")


def said(language: str, zh: str, en: str) -> str:
    return zh if in_chinese(language) else en


def listed(language: str, items: list[str]) -> str:
    return said(language, "、", ", ").join(items)


def reference_note(ctx: ToolContext, as_of: str) -> str:
    return said(ctx.language, f"参考 · {as_of} · 请以官方为准", f"Reference · {as_of} · check the official source")


def weekday_name(language: str, weekday: int) -> str:
    return WEEKDAY_NAMES["zh" if in_chinese(language) else "en"][weekday]


def tier_name(language: str, tier: str) -> str:
    return said(language, *TIER_NAMES[tier])


def mode_name(language: str, mode: str) -> str:
    return said(language, *MODE_NAMES[mode])


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
