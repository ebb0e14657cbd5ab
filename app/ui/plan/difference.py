"""A new plan for the rest of the work, as a difference to accept: − struck out, + new, ~ changed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.run.plan import NO_TOOL, PlanStep
from app.core.run.plan_changes import ChangeKind, StepChange
from app.core.text.i18n import _
from app.core.wording.tools import tool_icon
from app.ui.plan.step_line import LineFacts, StepLine
from app.ui.plan.words import argument_words, step_detail, step_title
from app.ui.theme import Theme

_LOOKS: dict[ChangeKind, tuple[str, str, str]] = {
    "removed": ("−", "error", "error_tint"),
    "added": ("+", "ok", "ok_tint"),
    "changed": ("~", "accent", ""),
}


class Difference(QWidget):
    def __init__(self, theme: Theme, changes: Sequence[StepChange]) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.5))
        self.lines = [StepLine(theme, _facts(change), self) for change in changes if change.kind != "same"]
        for line in self.lines:
            line.show_place(has_grip=False, is_open=False, opens=False)
            line.setAccessibleDescription("")
            layout.addWidget(line)


def _facts(change: StepChange) -> LineFacts:
    mark, token, tint = _LOOKS[change.kind]
    step = change.new or change.old
    assert step is not None
    words = {"removed": _("goes"), "added": _("is new"), "changed": _("changes")}
    return LineFacts(
        0,
        "brain" if step.action == NO_TOOL else tool_icon(step.action),
        token,
        step_title(step),
        _changed(change.old, change.new) if change.old and change.new else step_detail(step),
        aside=step.error if change.kind == "removed" else "",
        state=words.get(change.kind, ""),
        mark=mark,
        tint=tint,
        is_struck=change.kind == "removed",
        tip=step.action,
    )


def _changed(old: PlanStep, new: PlanStep) -> str:
    """Only what differs."""
    before, after = dict(argument_words(old.params)), dict(argument_words(new.params))
    parts = [f"{name}: {before.get(name, '–')} → {after.get(name, '–')}" for name in {**before, **after}]
    parts = [part for part in parts if part.partition(": ")[2].partition(" → ")[0] != part.rpartition(" → ")[2]]
    if old.description != new.description:
        parts.insert(0, f"{old.description} → {new.description}")
    return " · ".join(parts)
