"""What a run has used, and what it may use.

At 80 % of a limit the run warns, at 100 % it gives its last answer without tools, at 110 % it
ends (README ruling 13; a window may ask in between). Money counts where the person typed a price for the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from app.core.chat_model import Usage
from app.core.events import BudgetLevel
from app.core.price import PriceOf, cost_of, no_prices
from app.core.profile import Budget

WARN_AT = 0.8
END_AT = 1.1


@dataclass
class Spending:
    """Counts up during a run; sub-runs share their parent's."""

    budget: Budget | None = None
    usage: Usage = field(default_factory=Usage)
    tool_calls: int = 0
    seconds: float = 0.0
    """Set by the run's clock before it asks."""
    money: dict[str, float] = field(default_factory=dict)
    """By currency. A limit holds for each of them: no rate of exchange is known."""
    price_of: PriceOf = no_prices
    raised: dict[str, float] = field(default_factory=dict)
    """Limits the person raised during the run."""
    _told: dict[str, str] = field(default_factory=dict)

    def add(self, model: str, usage: Usage) -> None:
        """One request to `model`."""
        self.usage += usage
        for currency, amount in cost_of([(model, usage)], self.price_of)[0].items():
            self.money[currency] = self.money.get(currency, 0.0) + amount

    def new_levels(self) -> Iterator[BudgetLevel]:
        """The levels reached since the last time it was asked, each once."""
        for kind, (used, limit) in self._shares().items():
            share = used / limit
            level = "pause" if share >= 1 else "warn" if share >= WARN_AT else ""
            if level and self._told.get(kind) not in (level, "pause"):
                self._told[kind] = level
                yield BudgetLevel(kind, used, limit, "pause" if level == "pause" else "warn")

    @property
    def is_used_up(self) -> bool:
        return any(used >= limit for used, limit in self._shares().values())

    @property
    def is_overdrawn(self) -> bool:
        return any(used / limit >= END_AT for used, limit in self._shares().values())

    def raise_limit(self, kind: str, limit: float) -> None:
        self.raised[kind] = limit
        self._told.pop(kind, None)

    def _shares(self) -> Mapping[str, tuple[float, float]]:
        if self.budget is None:
            return {}
        limits = {**self.budget.model_dump(exclude_none=True), **self.raised}
        used = {
            "tokens": float(self.usage.total),
            "seconds": self.seconds,
            "tool_calls": float(self.tool_calls),
            "money": max(self.money.values(), default=0.0),
        }
        return {kind: (used[kind], float(limit)) for kind, limit in limits.items()}
