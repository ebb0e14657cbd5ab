"""The state of a run, change by change, into the plan card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.core.run.events import LoopStart, Notice
from app.core.run.plan import Plan
from app.core.run.view import CallItem, EndItem, Item, ItemChange, NoteItem, PhaseItem, PlanItem, RunView
from app.ui.plan.card import PlanCard


class PlanFeed(QObject):
    run_began = Signal(object)
    """The `LoopStart` of the run whose plan may come."""
    plan_came = Signal()
    """There is a plan: the card wants its place."""
    waiting = Signal()
    ended = Signal()

    def __init__(self, card: PlanCard) -> None:
        super().__init__(card)
        self._card = card
        self._shown: Plan | None = None
        self._seconds: dict[str, tuple[int, float]] = {}

    def clear(self) -> None:
        self._shown = None
        self._seconds.clear()
        self._card.clear()

    def show_all(self, view: RunView, *, live: bool) -> None:
        """A run as it stands, on a card that was cleared."""
        self.show_changes(view, [ItemChange("added", item) for item in view.items], live=live)

    def show_changes(self, view: RunView, changes: Sequence[ItemChange], *, live: bool = True) -> None:
        if len(changes) == 1 and changes[0].what == "grew":
            return  # a token
        for _what, item, _text in changes:
            self._show(view, item, live)

    def show_stored(self, plan: Plan) -> None:
        """Of an answer that is over."""
        self._shown = plan
        self._card.show_plan(plan)
        self._card.set_over()

    def _show(self, view: RunView, item: Item, live: bool) -> None:
        match item:
            case NoteItem(event=LoopStart() as start) if item.event is view.start:
                self.run_began.emit(start)
            case NoteItem(event=Notice("plan_faults", _text, params)):
                self._card.refuse([str(fault) for fault in params.get("faults", ())])
            case PlanItem(plan=plan):
                self._show_plan(item, plan)
            case CallItem() if item.result is not None and item.plan_step:
                self._took(item)
            case PhaseItem(phase=phase):
                is_waiting = live and phase == "approval" and not view.is_over and not _is_past(view, item)
                self._card.set_waiting(is_waiting)
                if self._card.is_waiting:
                    self.waiting.emit()
                self._card.set_running(live and not view.is_over and self._is_at_work(phase))
            case EndItem():
                self._card.set_waiting(False)
                self._card.set_over()
                if live:
                    self.ended.emit()
            case _:
                pass

    def _is_at_work(self, phase: str) -> bool:
        """A step that is worked off by thought answers for itself: the plan continues behind it."""
        if self._shown is None or phase in ("understanding", "decomposing", "approval"):
            return False
        return phase != "answering" or any(one.status in ("pending", "running") for one in self._shown.steps)

    def _show_plan(self, item: PlanItem, plan: Plan) -> None:
        """A new version as a whole; of the same one what the status of its steps has become."""
        before, self._shown = self._shown, plan
        if before is None or not _is_same(before, plan):
            self._card.show_plan(plan, before or _version_before(item))
            if before is None:
                self.plan_came.emit()
            return
        for old, step in zip(before.steps, plan.steps, strict=True):
            if (old.status, old.error) != (step.status, step.error):
                self._card.set_waiting(False)
                self._card.set_status(step.step, step.status, step.error)

    def _took(self, item: CallItem) -> None:
        assert item.result is not None
        self._seconds[item.call.id] = (item.plan_step, item.result.ms / 1_000)
        mine = [seconds for step, seconds in self._seconds.values() if step == item.plan_step]
        self._card.set_took(item.plan_step, sum(mine))


def _is_past(view: RunView, phase: PhaseItem) -> bool:
    """Something came after it: whoever looks late is told of all in one go."""
    later = view.items[view.items.index(phase) + 1 :]
    return any(isinstance(one, PhaseItem) for one in later)


def _version_before(item: PlanItem) -> Plan | None:
    """For whoever comes late: with what has become of its steps, as far as the newer one tells."""
    if len(item.versions) < 2:
        return None
    before = item.versions[-2]
    now = {step.step: step for step in item.plan.steps if step.status in ("done", "failed")}
    return replace(before, steps=tuple(now.get(step.step, step) for step in before.steps))


def _is_same(plan: Plan, other: Plan) -> bool:
    """But for the status of the steps."""
    if len(plan.steps) != len(other.steps):
        return False
    pairs = zip(plan.steps, other.steps, strict=True)
    same_steps = all(replace(a, status=b.status, error=b.error) == b for a, b in pairs)
    return same_steps and (plan.goal, plan.version) == (other.goal, other.version)
