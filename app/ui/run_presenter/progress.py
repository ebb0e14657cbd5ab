"""What a run is doing, in the few words of the agent's chip."""

from __future__ import annotations

from app.core.run.view import Activity, RunView
from app.ui import texts


class RunProgress:
    def __init__(self) -> None:
        self.words = texts.state_title("starting")
        self.round = 0
        self.is_over = False
        self._activity: Activity | None = None
        self._is_held = False
        self._view: RunView | None = None

    def hold(self, *, is_held: bool) -> None:
        """The person holds the plan after the step at work, or lets it continue."""
        self._is_held = is_held
        if self._view is not None and is_held:
            self._say(self._view)

    def show(self, view: RunView) -> bool:
        """True if the words have changed."""
        if view.activity is self._activity and not self._is_held:
            return False
        self._view, self._activity = view, view.activity
        self.round, self.is_over = view.round, view.is_over
        before = self.words
        self._say(view)
        return self.words != before

    def _say(self, view: RunView) -> None:
        self.words = texts.state_title("held") if self._is_held and _stands_still(view) else words_of(view.activity)


def _stands_still(view: RunView) -> bool:
    """Steps of the plan are left, and none is at work."""
    steps = view.plan.plan.steps if view.plan is not None else ()
    return not (view.is_over or view.running_plan_steps) and any(step.status == "pending" for step in steps)


def words_of(activity: Activity) -> str:
    match activity.kind:
        case "phase":
            return texts.phase_title(activity.name)
        case "reflecting":
            return texts.reflecting(activity.number, activity.limit)
        case "plan":
            return texts.plan_progress(activity.number, activity.limit)
        case "tool":
            return texts.using_tool(activity.name)
        case "budget":
            return texts.budget_state(activity.name)
        case "approval":
            return texts.state_title("waiting")
        case "question":
            return texts.state_title("asking")
        case kind:
            return texts.state_title(kind)
