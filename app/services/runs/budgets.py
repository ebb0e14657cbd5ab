"""What a session and a day may use: the budgets of the preferences, and what stored runs have used of them.

A run counts for the local day on which it began. What a person raises holds for this session, or for today,
until Triptych is closed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time

from app.agent.budget import Spending, Used, WiderBudget
from app.agent.context import RunContext
from app.core.profile import Budget
from app.core.run.chat_model import Usage
from app.core.run.price import PriceOf, cost_of
from app.storage.stores.run_rows import UsedRow
from app.storage.stores.runs import RunStore

from ..settings.settings import SettingsService


class Budgets:
    """Knows the active runs: they spend the same day's budget."""

    def __init__(self, runs: RunStore, settings: SettingsService, price_of: PriceOf) -> None:
        self._runs, self._settings, self._price_of = runs, settings, price_of
        self._going: dict[str, Spending] = {}
        """By run id, until the run is written down."""
        self._raised: dict[str | date, dict[str, float]] = {}
        """By session id or day."""

    async def spending(self, session: str, of_run: Budget | None) -> Spending:
        """For a run of `session` that begins now. Without a wider budget nothing is read."""
        preferences, today = self._settings.preferences, _today()
        wider: list[WiderBudget] = []
        if (budget := preferences.session_budget) is not None:
            before = self._sum(await self._runs.used(session))
            wider.append(WiderBudget("session", budget, before, self._raised.setdefault(session, {})))
        if (budget := preferences.day_budget) is not None:
            beside = {id: other for id, other in self._going.items() if other.day == today}
            rows = await self._runs.used(since=_midnight(today), but=tuple(beside))
            raised = self._raised.setdefault(today, {})
            wider.append(WiderBudget("day", budget, self._sum(rows), raised, list(beside.values())))
        return Spending(of_run, price_of=self._price_of, wider=tuple(wider), day=today)

    def follow(self, run: str, spending: Spending) -> None:
        """The run has begun: from now on it and the others of its day count for each other."""
        for other in self._going.values():
            if other.day == spending.day:
                _stand_beside(spending, other)
                _stand_beside(other, spending)
        self._going[run] = spending

    def forget(self, run: str) -> None:
        """It has been written down. Those beside it continue counting it."""
        self._going.pop(run, None)

    def _sum(self, rows: Sequence[UsedRow]) -> Used:
        money, _is_whole = cost_of([(row.model, Usage(row.input, row.output, cached=row.cached)) for row in rows],
                                   self._price_of)  # fmt: skip
        return Used(
            float(sum(row.input + row.output for row in rows)),
            sum(row.seconds for row in rows),
            float(sum(row.tool_calls for row in rows)),
            money,
        )


def spent_by(ctx: RunContext) -> Mapping[str, float]:
    """What is kept of a run for the budgets of later ones, beside its tokens."""
    return {"seconds": round(ctx.services.clock.working(), 3), "tool_calls": ctx.state.tally.tool_calls}


def _stand_beside(spending: Spending, other: Spending) -> None:
    for wider in spending.wider:
        if wider.scope == "day" and not any(one is other for one in wider.beside):
            wider.beside.append(other)


def _today() -> date:
    return datetime.now().astimezone().date()


def _midnight(day: date) -> float:
    """Local; seconds since 1970."""
    return datetime.combine(day, time()).astimezone().timestamp()
