"""What tokens cost, by prices the person typed; no other prices count (README ruling 22).

Amounts in different currencies are not added: no exchange rate is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from .chat_model import Usage

MILLION = 1_000_000
CURRENCIES = ("CNY", "USD", "EUR", "GBP", "JPY", "HKD")
"""Offered in forms; any three capital letters are one."""
_SIGNS: Mapping[str, str] = {"CNY": "¥", "USD": "$", "EUR": "€", "GBP": "£", "JPY": "JP¥", "HKD": "HK$"}

Money = Mapping[str, float]
"""Currency → amount."""


@dataclass(frozen=True, slots=True)
class Price:
    """Per million tokens. `cached` None: what comes from the provider's cache costs as any other."""

    input: float
    output: float
    cached: float | None = None
    currency: str = "CNY"
    """"" = what costs nothing in any of them."""

    def cost(self, usage: Usage) -> float:
        cached = min(usage.cached, usage.input)
        of_cached = self.input if self.cached is None else self.cached
        spent = (usage.input - cached) * self.input + cached * of_cached + usage.output * self.output
        return spent / MILLION


PriceOf = Callable[[str], Price | None]
"""The price of a model by its reference; None if nobody typed one."""


def no_prices(_model: str) -> Price | None:
    return None


def cost_of(spent: Iterable[tuple[str, Usage]], price_of: PriceOf) -> tuple[dict[str, float], bool]:
    """The money for `(model, usage)` pairs, and whether all of them had a price."""
    money: dict[str, float] = {}
    is_whole = True
    for model, usage in spent:
        price = price_of(model)
        if price is not None and price.currency:
            money[price.currency] = money.get(price.currency, 0.0) + price.cost(usage)
        elif price is None and usage.total:
            is_whole = False
    return money, is_whole


def money_text(money: Money) -> str:
    """ "¥0.0123 + $1.50": small amounts keep two figures that say something."""
    return " + ".join(_amount(amount, currency) for currency, amount in money.items())


def _amount(amount: float, currency: str) -> str:
    places = 2
    while places < 6 and 0 < amount < 10 ** (1 - places):
        places += 1
    sign = _SIGNS.get(currency)
    return f"{sign}{amount:,.{places}f}" if sign else f"{amount:,.{places}f} {currency}"
