"""A stored run as figures: what sums, charts and estimates are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.run.analysis.run_stats import RunFigures
from app.core.run.chat_model import Usage

if TYPE_CHECKING:
    from app.services.runs.runs import RunRow


def figures_of(row: RunRow) -> RunFigures:
    usage = row.usage
    worked = usage.get("seconds")
    return RunFigures(
        session=row.session,
        agent=row.agent,
        mode=row.mode,
        requests=row.steps,
        usage=Usage(
            input=int(usage.get("input") or 0),
            output=int(usage.get("output") or 0),
            reasoning=int(usage.get("reasoning") or 0),
            cached=int(usage.get("cached") or 0),
            exact=usage.get("exact") is not False,
        ),
        seconds=max(0.0, worked if isinstance(worked, int | float) else (row.ended or row.started) - row.started),
        is_whole=row.state == "complete",
        model=row.model,
        chosen=row.chosen,
    )
