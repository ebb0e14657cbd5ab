"""A run inside a run, as the row of the call shows it: its steps and what it cost."""

from __future__ import annotations

from dataclasses import replace

from app.core.run.view import RunView
from app.ui.chat.rows.items import HelperRun, HelperStep, ToolState
from app.ui.run_presenter.answer import tool_state


def read_helper(helper: HelperRun, agent: str, view: RunView) -> HelperRun:
    """`agent`: its name in words."""
    steps = []
    for call in view.calls.values():
        result = call.result
        state: ToolState = "running" if call.is_started else "waiting"
        if result is not None:
            state = tool_state(result)
        summary = result.summary.partition("\n")[0] if result is not None else ""
        steps.append(HelperStep(call.call.name, state, summary, result.ms if result is not None else None))
    return replace(helper, agent=agent, is_read=True, steps=tuple(steps), tokens=view.usage.total, seconds=view.seconds)
