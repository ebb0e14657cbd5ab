"""The composed program with a session of the Novel studio in the folder of a `Desk`; a script stands for the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from app.core.run.events import Approval, LoopEnd, PhaseStart, PlanMade, RunEvent, ToolReturned
from app.core.run.run_handle import RunHandle
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from tests.domains.novel.rig import Desk


class Studio:
    def __init__(self, services: Services, desk: Desk, place: Path) -> None:
        self.services, self.desk, self.place = services, desk, place
        self.session, self.approvals, self.runs = "", list[Approval](), 0

    async def begin(self) -> None:
        self.session = (await self.services.sessions.create("novel")).id
        await self.services.workspace.pick(self.session, self.desk.root)

    async def ask(self, text: str) -> list[RunEvent]:
        """By the offline rules."""
        return await self._run(text, RunOptions(model="offline/rules"))

    async def say(
        self, *turns: dict[str, Any], text: str = "please", answers: str = "once", mode: str = "react",
        watch: Callable[[RunEvent, RunHandle], None] | None = None,
        plan: Callable[[PlanMade], list[Mapping[str, Any]]] | None = None,
    ) -> list[RunEvent]:  # fmt: skip
        """Each turn is what the model says next; `answers` is what the person says to every approval, `plan` the steps
        they send back of a plan that waits. Without it they stop the run there: the plan is enough."""
        self.runs += 1
        script = self.place / f"script-{self.runs}.json"
        script.write_text(json.dumps({"turns": list(turns)}, ensure_ascii=False), encoding="utf-8")
        return await self._run(text, RunOptions(model=f"script/{script}"), answers, mode, watch, plan)

    async def _run(
        self, text: str, options: RunOptions, answers: str = "once", mode: str = "react",
        watch: Callable[[RunEvent, RunHandle], None] | None = None,
        plan: Callable[[PlanMade], list[Mapping[str, Any]]] | None = None,
    ) -> list[RunEvent]:  # fmt: skip
        run = await self.services.chat.send(self.session, text, mode, options=options)
        self.approvals, events, shown = [], list[RunEvent](), None
        async for line in run.events():
            events.append(line.event)
            if isinstance(line.event, Approval):
                self.approvals.append(line.event)
                run.approve(line.event.id, answers)
            if isinstance(line.event, PlanMade):
                shown = line.event
            if isinstance(line.event, PhaseStart) and line.event.phase == "approval" and shown is not None:
                if plan is None:
                    run.cancel()
                else:
                    run.submit_plan(shown.goal, plan(shown))
            if watch is not None:
                watch(line.event, run)
        await self.services.chat.recorded()
        return events


def calls(*listed: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "arguments": args} for name, args in listed]}


def outcomes(events: list[RunEvent]) -> list[tuple[str, str]]:
    """Each call that returned, with "ok" or the code of its error."""
    returned = [event for event in events if isinstance(event, ToolReturned)]
    return [(one.name, "ok" if one.ok else str((one.error or {}).get("code"))) for one in returned]


def answer(events: list[RunEvent]) -> str:
    end = events[-1]
    return end.answer if isinstance(end, LoopEnd) else f"failed: {end}"
