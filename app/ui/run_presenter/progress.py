"""What a run is doing, in the few words of the status line."""

from __future__ import annotations

from typing import assert_never

from app.core.run.events import (
    Answer,
    Approval,
    ApprovalAnswer,
    BudgetLevel,
    Compacted,
    Discard,
    LoopEnd,
    LoopError,
    LoopStart,
    ModeSelected,
    Notice,
    PhaseStart,
    PlanMade,
    PlanStepChanged,
    Question,
    Reclassify,
    Retry,
    RoundStart,
    RoundVerdict,
    RunEvent,
    Steered,
    StepEnd,
    StepStart,
    SubRun,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
    ToolStarted,
)
from app.ui import texts


class RunProgress:
    def __init__(self) -> None:
        self.words = texts.state_title("starting")
        self.round = 0
        self.results = 0
        """Tool results that came in; kept when the run is stopped."""
        self.is_over = False
        self._limit = 0
        self._plan: list[int] = []
        self._tools: dict[str, str] = {}
        self._place = ""
        """How far the plan is, in words: said again when the tool of a step is back."""
        self._at_work: set[int] = set()
        self._is_held = False

    def hold(self, *, is_held: bool) -> None:
        """The person holds the plan after the step at work, or lets it go on."""
        self._is_held = is_held
        if is_held and self._plan and not self._at_work and not self.is_over:
            self.words = texts.state_title("held")

    def apply(self, event: RunEvent) -> bool:
        """True if the words have changed."""
        before = self.words
        self._take(event)
        if self._is_held and isinstance(event, PlanStepChanged | ToolReturned):
            self.hold(is_held=True)
        return self.words != before

    def _take(self, event: RunEvent) -> None:
        match event:
            case Token():
                self.words = self._round_or(texts.state_title("answering"))
            case Thinking():
                self.words = self._round_or(texts.state_title("thinking"))
            case PhaseStart(phase):
                self.words = texts.phase_title(phase)
            case StepStart():
                self.words = self._round_or(texts.state_title("thinking"))
            case RoundStart(number, limit):
                self.round, self._limit = number, limit
                self.words = texts.reflecting(number, limit)
            case PlanMade(steps=steps):
                self._plan = [step.step for step in steps]
            case PlanStepChanged(step, status):
                (self._at_work.add if status == "running" else self._at_work.discard)(step)
                if status == "running" and step in self._plan:
                    self.words = self._place = texts.plan_progress(self._plan.index(step) + 1, len(self._plan))
            case ToolStarted(id=id, name=name):
                self._tools[id] = name
                self.words = self._tool_words()
            case ToolReturned(id=id):
                self.results += 1
                self._tools.pop(id, None)
                self.words = self._tool_words() if self._tools else self._place or self.words
            case Approval():
                self.words = texts.state_title("waiting")
            case Question():
                self.words = texts.state_title("asking")
            case ApprovalAnswer() | Answer():
                self.words = self._tool_words() if self._tools else self._round_or(texts.state_title("thinking"))
            case BudgetLevel(level="pause", scope=scope):
                self.words = texts.budget_state(scope)
            case Retry():
                self.words = texts.state_title("retrying")
            case LoopEnd() | LoopError():
                self.is_over = True
                self.words = texts.state_title("idle")
            case (
                LoopStart()
                | ModeSelected()
                | RoundVerdict()
                | Discard()
                | Reclassify()
                | ToolCalled()
                | StepEnd()
                | Compacted()
                | BudgetLevel()
                | Notice()
                | Steered()
                | SubRun()
            ):
                pass
            case _:
                assert_never(event)

    def _round_or(self, words: str) -> str:
        return texts.reflecting(self.round, self._limit) if self.round else words

    def _tool_words(self) -> str:
        return texts.using_tool(next(iter(self._tools.values()))) if self._tools else self.words
