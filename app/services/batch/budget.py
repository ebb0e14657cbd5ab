"""The budget of a whole batch: a part is reserved for every question before it is begun, and limits its run.

A part is at least what the dearest question like it has cost so far and one request more, and the parts that are given
out never pass what is left. A run that has used up its part but for that request gives its last answer without tools,
as with the budget of an agent; what it leaves goes to the others. Before anything is known of the cost, one question is
asked alone. So the whole is passed by no more than what one request costs beyond all those before it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from app.agent.run_parts import ApproveRule
from app.core.profile import Budget

from .answers import BatchAnswer
from .questions import BatchQuestion

MEASURES: Final = ("tokens", "money")
_SMALLEST: Final = 1e-9


@dataclass(frozen=True, slots=True)
class BatchOptions:
    agent: str = ""
    mode: str = ""
    model: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    concurrency: int = 4
    retries: int = 1
    """Of a question whose run failed and may succeed a moment later, beyond those of its requests."""
    tokens: int = 0
    """What all questions may use together; 0 = no limit."""
    money: float = 0.0
    """The same in money, in each currency by itself."""
    seconds: float = 0.0
    """After which no question is begun."""
    approve: ApproveRule = "none"
    """Nobody is there to ask: "all" allows what is no deny."""


@dataclass(slots=True)
class BatchSpending:
    """What answers have cost, failed attempts before them included."""

    input: int = 0
    output: int = 0
    money: dict[str, float] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        return self.input + self.output

    def add(self, answer: BatchAnswer) -> None:
        for usage in (answer.usage, answer.earlier_usage):
            self.input += usage.get("input", 0)
            self.output += usage.get("output", 0)
        for money in (answer.money, answer.earlier_money):
            for currency, amount in money.items():
                self.money[currency] = self.money.get(currency, 0.0) + amount

    def of(self, measure: str) -> float:
        return float(self.tokens) if measure == "tokens" else max(self.money.values(), default=0.0)


@dataclass(frozen=True, slots=True)
class BudgetPart:
    """What one question may use; None = no limit. `last_tokens` and `last_money` of it are for its last request."""

    tokens: float | None = None
    money: float | None = None
    last_tokens: float = 0.0
    last_money: float = 0.0

    def left_after(self, spent: BatchSpending) -> BudgetPart | None:
        """None: nothing is left of it."""
        left = {name: part - spent.of(name) for name in MEASURES if (part := getattr(self, name)) is not None}
        return replace(self, **left) if all(amount > 0 for amount in left.values()) else None

    def budget_of_run(self, own: Budget | None) -> dict[str, Any] | None:
        """With the agent's `own` budget: the smaller of both holds. None: there is no limit at all."""
        limits = own.model_dump(exclude_none=True) if own is not None else {}
        if self.tokens is not None:
            tokens = max(1, int(self.tokens - self.last_tokens))
            limits["tokens"] = min(tokens, limits.get("tokens", tokens))
        if self.money is not None:
            money = max(_SMALLEST, self.money - self.last_money)
            limits["money"] = min(money, limits.get("money", money))
        return limits or None


class BatchBudget:
    def __init__(self, options: BatchOptions) -> None:
        self.spent = BatchSpending()
        self._options = options
        limits = {"tokens": float(options.tokens), "money": options.money}
        self._limits: Mapping[str, float] = {name: limit for name, limit in limits.items() if limit > 0}
        self._parts: dict[str, BudgetPart] = {}
        self._largest: dict[tuple[str, ...], BatchSpending] = {}
        """By kind of question (`_kind`) the dearest answer there was."""
        self._request = dict.fromkeys(MEASURES, 0.0)
        """What the dearest request of several in a run cost, on the average of that run."""
        self._counted = 0
        self._beside = BatchSpending()
        """The dearest request that was made about one answer, such as a judgement."""

    def count(self, question: BatchQuestion, answer: BatchAnswer) -> None:
        """An answer that is there; its part is free again."""
        self._parts.pop(question.id, None)
        self.spent.add(answer)
        own = BatchSpending()
        own.add(answer)
        largest = self._largest.setdefault(_kind(question), own)
        if own.tokens > largest.tokens:
            self._largest[_kind(question)] = own
        self._counted += 1
        if answer.steps > 1:
            for measure in MEASURES:
                self._request[measure] = max(self._request[measure], own.of(measure) / answer.steps)

    def count_beside(self, answer: BatchAnswer) -> None:
        """What was asked about an answer."""
        self.spent.add(answer)
        own = BatchSpending()
        own.add(answer)
        if own.tokens > self._beside.tokens:
            self._beside = own

    def expected(self, question: BatchQuestion, measure: str) -> float | None:
        """What the question will cost; None where nothing has been answered yet."""
        estimated = self._largest.get(_kind(question))
        if estimated is None and not self._largest:
            return None
        amount = max(one.of(measure) for one in self._largest.values()) if estimated is None else estimated.of(measure)
        return amount + self._beside.of(measure)

    def reserve(self, question: BatchQuestion, *, free_places: int) -> BudgetPart | None:
        """The part of a question that could begin now beside so many others; None: too little is left for it."""
        amounts: dict[str, float] = {}
        for measure, limit in self._limits.items():
            reserved = sum(getattr(part, measure) or 0.0 for part in self._parts.values())
            left = limit - self.spent.of(measure) - reserved
            expected = self.expected(question, measure)
            need = 0.0 if expected is None else expected + self._request[measure]
            if expected is None:
                share = left
            else:
                # The fewer are known, the more room each has: a run that is cut off is paid for and asked again.
                roomy = need * (1 + 2 / math.sqrt(self._counted))
                places = next((n for n in range(free_places, 1, -1) if left / n >= roomy), 1)
                share = left / places
            if share <= 0 or share < need:
                return None
            amounts[measure] = share
        last = {f"last_{measure}": self._request[measure] for measure in MEASURES}
        self._parts[question.id] = part = BudgetPart(**amounts, **last)
        return part


def _kind(question: BatchQuestion) -> tuple[str, ...]:
    return (question.agent, question.mode, question.model, repr(sorted(question.settings.items())))
