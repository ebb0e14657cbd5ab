"""Rough exchange rates, so that costs in other currencies can be held against each other. Never for a price.

The rates are data with a date (resources/travel/data/rates.json), good to about a tenth: what was reckoned with them
is marked as an estimate and names the date. A currency that is not in the file cannot be compared, and that is said.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from ..wording import money, say_in
from .vocabulary import data_dir

BASE = "CNY"
FILE = "rates"


@dataclass(frozen=True)
class Rates:
    as_of: str
    yuan: dict[str, Decimal]
    """Yuan for one unit of a currency."""

    def converted(self, amount: Decimal, currency: str, to: str = BASE) -> Decimal | None:
        """To two digits that count for something, no more; None where one of the currencies is not known."""
        if currency == to:
            return amount
        origin, goal = self.yuan.get(currency), self.yuan.get(to)
        return None if origin is None or goal is None else _rough(amount * origin / goal)

    def words(self, amount: Decimal, currency: str, to: str = BASE) -> str:
        """As "JPY 18,600 ≈¥874"; who shows it says once of when the rate is (`told`)."""
        converted_amount = None if currency == to else self.converted(amount, currency, to)
        return money(amount, currency) + (f" ≈{money(converted_amount, to)}" if converted_amount is not None else "")

    def told(self, language: str) -> str:
        return say_in(language, "≈ at rough rates of {as_of}", as_of=self.as_of)


def _rough(amount: Decimal) -> Decimal:
    """Three digits that count, whole units at least."""
    if not amount:
        return Decimal(0)
    step = max(0, amount.adjusted() - 2) if abs(amount) >= 1 else amount.adjusted() - 2
    return amount.quantize(Decimal((0, (1,), step)))


@cache
def rates() -> Rates:
    raw = json.loads((data_dir() / f"{FILE}.json").read_text(encoding="utf-8"))
    yuan = {code: Decimal(rate) for code, rate in raw["yuan_per_unit"].items()}
    return Rates(str(raw["as_of"]), {BASE: Decimal(1), **yuan})
