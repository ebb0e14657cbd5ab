"""What a run has used, and what it, its session and the day may use.

At 80 % of a limit the run warns, at 100 % it gives its last answer without tools, at 110 % it
ends (README ruling 13; a window may ask in between). Money counts where the person typed a price for the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from app.core.profile import Budget
from app.core.run.chat_model import Usage
from app.core.run.event_values import BudgetScope
from app.core.run.events import BudgetLevel
from app.core.run.price import Money, PriceOf, cost_of, no_prices

WARN_AT = 0.8
END_AT = 1.1


@dataclass(frozen=True, slots=True)
class Used:
    tokens: float = 0.0
    seconds: float = 0.0
    """Of work: waiting for the person does not count."""
    tool_calls: float = 0.0
    money: Money = field(default_factory=dict)
    """By currency. A limit holds for each of them: no rate of exchange is known."""

    def __add__(self, other: Used) -> Used:
        money = dict(self.money)
        for currency, amount in other.money.items():
            money[currency] = money.get(currency, 0.0) + amount
        return Used(self.tokens + other.tokens, self.seconds + other.seconds, self.tool_calls + other.tool_calls, money)

    def of(self, kind: str) -> float:
        return max(self.money.values(), default=0.0) if kind == "money" else float(getattr(self, kind))


@dataclass
class Tally:
    """What one run has used itself, runs inside it included: what its terminal event says."""

    usage: Usage = field(default_factory=Usage)
    tool_calls: int = 0
    money: dict[str, float] = field(default_factory=dict)
    outer: Tally | None = None
    """Of the run around it."""

    def add(self, usage: Usage, money: Money) -> None:
        self.usage += usage
        for currency, amount in money.items():
            self.money[currency] = self.money.get(currency, 0.0) + amount
        if self.outer is not None:
            self.outer.add(usage, money)

    def add_call(self) -> None:
        self.tool_calls += 1
        if self.outer is not None:
            self.outer.add_call()


@dataclass
class WiderBudget:
    """What the session or the day may use, and what it had used before this run."""

    scope: BudgetScope
    budget: Budget
    before: Used = field(default_factory=Used)
    raised: dict[str, float] = field(default_factory=dict)
    """By the person, for all runs it holds for: they share this object."""
    beside: list[Spending] = field(default_factory=list)
    """Runs at the same time that use up the same budget."""


@dataclass
class Spending:
    """What a run has used, counted against its limits. Inner runs share it; each has its own `Tally`."""

    budget: Budget | None = None
    usage: Usage = field(default_factory=Usage)
    tool_calls: int = 0
    seconds: float = 0.0
    """Set by the run's clock before it asks."""
    money: dict[str, float] = field(default_factory=dict)
    price_of: PriceOf = no_prices
    raised: dict[str, float] = field(default_factory=dict)
    """Limits the person raised during the run."""
    wider: tuple[WiderBudget, ...] = ()
    day: date | None = None
    """The one it counts for: that on which it began."""
    _told: dict[tuple[BudgetScope, str], tuple[str, float]] = field(default_factory=dict)

    def add(self, model: str, usage: Usage) -> Money:
        """One request to `model`; returns what it cost."""
        self.usage += usage
        cost = cost_of([(model, usage)], self.price_of)[0]
        for currency, amount in cost.items():
            self.money[currency] = self.money.get(currency, 0.0) + amount
        return cost

    @property
    def used(self) -> Used:
        return Used(float(self.usage.total), self.seconds, float(self.tool_calls), self.money)

    def new_levels(self) -> Iterator[BudgetLevel]:
        """The levels reached since the last time it was asked, each once for a limit."""
        for scope, kind, used, limit in self._shares():
            share = used / limit
            level = "pause" if share >= 1 else "warn" if share >= WARN_AT else ""
            if level and self._told.get((scope, kind)) not in ((level, limit), ("pause", limit)):
                self._told[scope, kind] = (level, limit)
                yield BudgetLevel(kind, used, limit, "pause" if level == "pause" else "warn", scope)

    @property
    def is_used_up(self) -> bool:
        return self.reaches(1.0)

    def reaches(self, share: float) -> bool:
        """Whether so much of some limit is used."""
        return any(used >= limit * share for _scope, _kind, used, limit in self._shares())

    @property
    def overdrawn(self) -> BudgetScope | None:
        """Whose budget is so far used up that the run ends."""
        return next((scope for scope, _kind, used, limit in self._shares() if used / limit >= END_AT), None)

    def raise_limit(self, kind: str, limit: float, scope: BudgetScope = "run") -> None:
        """A limit is never lowered here: less than it was asks again."""
        for wider in self.wider:
            if wider.scope == scope:
                wider.raised[kind] = limit
        if scope == "run":
            self.raised[kind] = limit
        self._told.pop((scope, kind), None)

    def limits(self, kind: str) -> bool:
        """Whether any of the budgets has a limit of this kind."""
        budgets = [self.budget, *(wider.budget for wider in self.wider)]
        return any(budget is not None and getattr(budget, kind) is not None for budget in budgets)

    def _shares(self) -> Iterator[tuple[BudgetScope, str, float, float]]:
        """Of each limit: scope, kind, what was used, the limit as it stands now."""
        if self.budget is not None:
            yield from _shares_of("run", self.budget, self.used, self.raised)
        for wider in self.wider:
            used = sum((other.used for other in wider.beside), wider.before + self.used)
            yield from _shares_of(wider.scope, wider.budget, used, wider.raised)


def _shares_of(
    scope: BudgetScope, budget: Budget, used: Used, raised: dict[str, float]
) -> Iterator[tuple[BudgetScope, str, float, float]]:
    for kind, limit in budget.model_dump(exclude_none=True).items():
        yield scope, kind, used.of(kind), max(float(limit), raised.get(kind, 0.0))
