"""A step of the plan card: its line, and what it unfolds."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.core.run.plan import NO_TOOL, PlanStep
from app.core.text.i18n import _
from app.core.wording.tools import tool_icon
from app.ui import texts
from app.ui.plan.steering import StepSteering
from app.ui.plan.step_form import StepForm
from app.ui.plan.step_line import LineFacts, StepLine
from app.ui.plan.words import STEP_ICONS, step_detail, step_title
from app.ui.theme import Theme

Body = StepForm | StepSteering


class StepRow(QWidget):
    unfolded = Signal(bool)
    """A person wants it unfolded, or folded."""
    moved = Signal(int)
    removed = Signal()

    def __init__(self, theme: Theme, step: PlanStep) -> None:
        super().__init__()
        self._theme = theme
        self.step = step
        self.body: Body | None = None
        self.line = StepLine(theme, facts_of(step, 0))
        self.line.clicked.connect(self._unfold)
        self.line.moved.connect(self.moved)
        self.line.removed.connect(self.removed)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addWidget(self.line)

    def show_step(self, step: PlanStep, place: int, *, has_grip: bool, fault: str = "", aside: str = "") -> None:
        self.step = step
        self.line.show_facts(facts_of(step, place, fault=fault, aside=aside))
        self.line.show_place(has_grip=has_grip, is_open=self.body is not None)
        if isinstance(self.body, StepSteering):
            self.body.show_step(step)

    def _unfold(self) -> None:
        self.unfolded.emit(self.body is None)

    def unfold(self, body: Body) -> None:
        self.fold()
        self.body = body
        self._layout.addWidget(body)
        body.show()
        self.line.show_place(has_grip=self.line.has_grip, is_open=True)

    def fold(self) -> None:
        body, self.body = self.body, None
        if body is not None:
            focus = QApplication.focusWidget()
            if focus is not None and body.isAncestorOf(focus):
                self.line.setFocus()
            self._layout.removeWidget(body)
            body.hide()
            body.deleteLater()
            self.line.show_place(has_grip=self.line.has_grip, is_open=False)


def facts_of(step: PlanStep, place: int, *, fault: str = "", aside: str = "") -> LineFacts:
    icon, token = STEP_ICONS[step.status]
    if step.status == "pending":
        icon, token = ("brain" if step.action == NO_TOOL else tool_icon(step.action)), "muted"
    if fault:
        icon, token = "alert", "error"
    state = "" if step.status == "pending" else texts.status_title(step.status)
    return LineFacts(
        place,
        icon,
        token,
        step_title(step) or _("What to do"),
        fault or step.error or step_detail(step),
        " · ".join(filter(None, (state if step.status in ("running", "failed", "skipped") else "", aside))),
        chip=_("asks first") if step.ask and step.status == "pending" else "",
        state=state if step.status == "done" else "",
        tint="selected" if step.status == "running" else "",
        is_muted=step.status == "skipped",
        tip=step.action if step.action != NO_TOOL else "",
    )
