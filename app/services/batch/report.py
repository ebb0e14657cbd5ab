"""An evaluation in words and numbers: the rows of its tables, for terminal, window and page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from app.core.profile import AgentProfile
from app.core.run.mode import mode_name
from app.core.run.price import money_text
from app.core.text.i18n import _

from .evaluation import EvalVariant
from .figures import Figures, Gain, Spread

FIRST_NUMBER: Final = 1
"""The first column that holds a number, in both tables."""


def heads() -> tuple[str, ...]:
    return (_("combination"), _("passed"), _("quality"), _("tokens used"), _("time (s)"), _("price"))


def row_of(one: Figures) -> tuple[str, ...]:
    """The mean of each figure, and from where to where it goes."""
    return (
        variant_title(one.variant),
        f"{one.passed}/{one.runs}",
        with_range(one.score, percent),
        with_range(one.tokens, "{:,.0f}".format),
        with_range(one.seconds, "{:.1f}".format),
        ", ".join(with_range(spread, partial(price, currency)) for currency, spread in one.money.items()) or "–",
    )


def gain_heads() -> tuple[str, ...]:
    return (_("change"), _("quality"), _("better / worse / equal"), _("tokens used"), _("time (s)"), _("price"))


def gain_row(gain: Gain) -> tuple[str, ...]:
    """What one change gained, and what it cost."""
    return (
        gain_title(gain),
        points(gain.score),
        f"{gain.better} / {gain.worse} / {gain.equal}",
        f"× {gain.tokens:.1f}",
        signed(gain.seconds, f"{abs(gain.seconds):.1f}"),
        ", ".join(signed(amount, money_text({name: abs(amount)})) for name, amount in gain.money.items()) or "–",
    )


def gain_sentence(gain: Gain) -> str:
    """The same in one line."""
    change, quality, cases, tokens, seconds, price = gain_row(gain)
    words = _("{change}: quality {quality} (better / worse / equal: {cases}), tokens {tokens}, {seconds} s")
    text = words.format(change=change, quality=quality, cases=cases, tokens=tokens, seconds=seconds)
    return text if price == "–" else f"{text}, {price}"


def variant_title(variant: EvalVariant) -> str:
    parts = [factor_value("mode", variant.mode) if variant.mode else "", variant.model]
    parts += [f"{factor_title(name)} {factor_value(name, value)}" for name, value in variant.settings.items()]
    return " · ".join(filter(None, parts)) or _("as the agent")


def gain_title(gain: Gain) -> str:
    values = {"value": factor_value(gain.factor, gain.value), "first": factor_value(gain.factor, gain.first)}
    if gain.factor in ("mode", "model"):
        return _("{value} instead of {first}").format(**values)
    return _("{setting}: {value} instead of {first}").format(setting=factor_title(gain.factor), **values)


def factor_title(name: str) -> str:
    """The title of a setting, as the form of the agent has it."""
    info = AgentProfile.model_fields.get(name)
    extra = info.json_schema_extra if info is not None else None
    form: Any = extra.get("setting") if isinstance(extra, dict) else None
    title = form.get("title") if isinstance(form, dict) else ""
    return _(str(title)) if title else name


def factor_value(name: str, value: Any) -> str:
    if value == "":
        return _("as the agent")
    if name == "mode":
        return _(mode_name(str(value)))
    if isinstance(value, bool):
        return _("on") if value else _("off")
    return str(value)


def percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def points(difference: float) -> str:
    """Of quality, in percentage points."""
    return _("{n} points").format(n=signed(difference, f"{abs(difference) * 100:.0f}"))


def signed(value: float, text: str) -> str:
    """`text` is the amount without its sign."""
    return text if not text.strip("0.,") else f"{'+' if value > 0 else '−'}{text}"


def with_range(spread: Spread, text_of: Callable[[float], str]) -> str:
    low, high = text_of(spread.low), text_of(spread.high)
    return text_of(spread.mean) if low == high else f"{text_of(spread.mean)} ({low}–{high})"


def price(currency: str, amount: float) -> str:
    return money_text({currency: amount})
