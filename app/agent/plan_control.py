"""What the person does to a plan while it runs: pause, run the next step, skip, retry, put in a result.

Orders are taken up between two batches of steps; a step that is running is not disturbed.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Literal

PlanOrderName = Literal["pause", "resume", "next", "skip", "retry", "result"]


@dataclass(frozen=True, slots=True)
class PlanOrder:
    """`value`: the new arguments of a retry, or the result that is put in by hand."""

    name: Literal["skip", "retry", "result"]
    step: int
    value: Any = None


class PlanControl:
    """Given by the person at any time, read by the work on the plan."""

    def __init__(self) -> None:
        self.paused = False
        self._allowance = 0
        """Steps that may still run although the plan is paused."""
        self._orders: list[PlanOrder] = []
        self._changed = asyncio.Event()

    def give(self, name: PlanOrderName, step: int = 0, value: Any = None) -> None:
        if name == "pause":
            self.paused, self._allowance = True, 0
        elif name == "resume":
            self.paused = False
        elif name == "next":
            self.paused, self._allowance = True, self._allowance + 1
        else:
            self._orders.append(PlanOrder(name, step, value))
        self._changed.set()

    def take_orders(self) -> list[PlanOrder]:
        orders, self._orders = self._orders, []
        return orders

    @property
    def may_go_on(self) -> bool:
        return not self.paused or self._allowance > 0

    @property
    def one_at_a_time(self) -> bool:
        return self.paused

    def step_begins(self) -> None:
        self._allowance = max(self._allowance - 1, 0)

    async def wait_for_change(self) -> None:
        self._changed.clear()
        await self._changed.wait()
