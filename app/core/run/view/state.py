"""What is known of a run at a moment, and what follows from it."""

from __future__ import annotations

from .. import events as e
from ..chat_model import Usage
from .items import (
    Activity,
    CallItem,
    Item,
    PlanItem,
    PlanStepItem,
    RoundItem,
    StepItem,
    SubRunItem,
    TextItem,
    TextRole,
    WaitItem,
)


class ViewState:
    """Everything a consumer may ask of a run. `RunView` changes it, event by event."""

    def __init__(self) -> None:
        self.run = ""
        self.start: e.LoopStart | None = None
        self.chosen: e.ModeSelected | None = None
        self.understood: e.Understood | None = None
        """What was understood of the question, as of now; None where nothing reads it for slots."""
        self.mode = ""
        """The one it proceeds in; what Auto chose, if that was asked."""
        self.end: e.Terminal | None = None
        self.now = 0.0
        """Seconds since the run began, as of the last event."""
        self.items: list[Item] = []
        self.calls: dict[str, CallItem] = {}
        self.steps: dict[int, StepItem] = {}
        self.step = 0
        self.plan: PlanItem | None = None
        self.plan_steps: dict[int, PlanStepItem] = {}
        self.rounds: list[RoundItem] = []
        self.waits: list[WaitItem] = []
        self.sub_runs: list[SubRunItem] = []
        self.plan_step = 0
        """The step of the plan that began last."""
        self.phase = ""
        self.usage = Usage()
        self.results = 0
        """Results that came in."""
        self.kept_results = 0
        """Those the answer can rest on."""
        self.activity = Activity("starting")
        self._at_work: set[int] = set()
        """Steps of the plan that run."""

    @property
    def is_over(self) -> bool:
        return self.end is not None

    @property
    def failure(self) -> e.LoopError | None:
        return self.end if isinstance(self.end, e.LoopError) else None

    @property
    def stop_reason(self) -> str:
        """Empty for a run that failed, or continues."""
        return self.end.stop_reason if isinstance(self.end, e.LoopEnd) else ""

    @property
    def open_waits(self) -> list[WaitItem]:
        """What waits for the person now, the oldest first."""
        return [wait for wait in self.waits if wait.ended is None]

    @property
    def running_plan_steps(self) -> frozenset[int]:
        return frozenset(self._at_work)

    @property
    def round(self) -> int:
        return self.rounds[-1].number if self.rounds else 0

    @property
    def place(self) -> tuple[int, int]:
        """The current step and how many there are; (0, 0) where no plan says how many."""
        if self.plan is None:
            return 0, 0
        begun = [n for n, step in enumerate(self.plan.plan.steps, 1) if step.status != "pending"]
        return max(begun, default=0), len(self.plan.plan.steps)

    @property
    def waited(self) -> float:
        """Seconds the run stood still for the person; waits that overlap count once."""
        total = until = 0.0
        for wait in sorted(self.waits, key=lambda one: one.t):
            end = self.now if wait.ended is None else wait.ended
            total += max(0.0, end - max(wait.t, until))
            until = max(until, end)
        return total

    @property
    def seconds(self) -> float:
        """How long it worked, without the time it waited for the person."""
        return max(0.0, ((self.end.seconds if self.end else 0.0) or self.now) - self.waited)

    @property
    def answer(self) -> str:
        """The answer alone. While the run continues the text that is no remark, where it failed what had arrived."""
        if self.end is not None:
            return self.end.partial if isinstance(self.end, e.LoopError) else self.end.answer
        texts = (item for item in self.items if isinstance(item, TextItem))
        return "".join(item.text for item in texts if item.role == "visible" and not item.is_remark)

    def text_of(self, step: int | None = None, role: TextRole = "visible") -> str:
        """What one step, or the run, said or thought."""
        texts = (item for item in self.items if isinstance(item, TextItem) and item.role == role)
        return "".join(item.text for item in texts if step in (None, item.step))
