"""Events of small runs, as a mode would yield them."""

from __future__ import annotations

from app.core.run.chat_model import Usage
from app.core.run.events import (
    LoopEnd,
    LoopStart,
    RunEvent,
    StepEnd,
    StepStart,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
)
from app.core.run.plan import PlanStep
from app.ui.reasoning import ReasoningPane

HOSTILE = "<b>X</b><img src='//canary/s'>\u202eevil\x1b[31m"
HOSTILE_SHOWN = "<b>X</b><img src='//canary/s'>⟦U+202E⟧evil⟦U+001B⟧[31m"

STEPS = (
    PlanStep(1, "search_cities", {"limit": 3}, "find a city"),
    PlanStep(2, "generate_route", {"city": "$1.data.id", "days": 3}, "make a route", (1,)),
    PlanStep(3, "none", {}, "write it down", (1, 2)),
)


def feed(pane: ReasoningPane, event: RunEvent, t: float = 0.0, *, live: bool = True) -> None:
    """The next event of the run that the pane shows."""
    pane.show_changes(pane.view, pane.view.apply(event, t), live=live)


def start() -> LoopStart:
    return LoopStart("travel", "react", "script/x.json", "where to?", {"max_steps": 8})


def call(id: str = "c1", step: int = 1, **args: object) -> ToolCalled:
    return ToolCalled(step, id, "search_cities", args or {"limit": 3})


def result(id: str = "c1", step: int = 1, *, text: str = "three cities", kept: int = 0, chars: int = 0) -> ToolReturned:
    chars = chars or len(text)
    kept = kept or chars
    return ToolReturned(step, id, "search_cities", True, "ok", "3 found", text, chars, kept, kept < chars, 12)


def react_run() -> list[RunEvent]:
    return [
        start(),
        StepStart(1, 8, 5),
        Thinking(1, "Which cities "),
        Thinking(1, "fit?"),
        call(),
        result(),
        StepEnd(1, "tool_calls", Usage(100, 20, 5, 0), 1_000, 200),
        StepStart(2, 8, 5),
        Token(2, "Chengdu."),
        StepEnd(2, "stop", Usage(200, 40), 900, 100),
        LoopEnd("Chengdu.", "answered", usage=Usage(300, 60, 5), steps=2, tools=("search_cities",), seconds=2.1),
    ]
