"""What the rounds of one agent cost so far, from the logs of its newest runs."""

from __future__ import annotations

from app.core.errors import TriptychError
from app.core.run.analysis.round_costs import RoundCosts, RunRounds, round_costs, rounds_of
from app.core.run.view import view_of

from .runs import RunService

LOOKED_AT = 300
"""Runs of all agents among which its own are looked for."""
MOST = 30
"""Logs that are read."""


async def measured_rounds(runs: RunService, agent: str) -> RoundCosts | None:
    """None while there are too few runs with rounds."""
    rows = [row for row in await runs.rows(limit=LOOKED_AT) if row.agent == agent and row.state == "complete"]
    found: list[RunRounds] = []
    for row in rows[:MOST]:
        try:
            run = rounds_of(view_of(await runs.events(row.id)))
        except TriptychError:
            continue  # deleted meanwhile
        if run is not None:
            found.append(run)
    return round_costs(found)
