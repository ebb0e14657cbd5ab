"""The steps of the plan card, one line each; one of them may be unfolded, to be changed or to be steered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.run.plan import PlanStep
from app.core.run.plan_changes import StepChange
from app.core.wording.arguments import reference_words
from app.core.wording.figures import seconds_text
from app.ui.plan import words
from app.ui.plan.catalogue import ToolCatalogue
from app.ui.plan.difference import Difference
from app.ui.plan.steering import StepSteering
from app.ui.plan.step_form import StepForm
from app.ui.plan.step_row import StepRow
from app.ui.theme import Theme

_LEAST_SHOWN = 0.05
"""Seconds below which a duration says nothing."""


class StepList(QWidget):
    unfold_asked = Signal(int, bool)
    """Number of the step, and whether it shall be open."""
    changed = Signal(int, str, object)
    """Number of the step; name, params, tool, ask, move, insert, duplicate or remove; the new value."""
    ordered = Signal(int, str, object)
    """Number of the step; skip, retry, result or again; arguments or result."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.catalogue = ToolCatalogue()
        self.rows: dict[int, StepRow] = {}
        """By the number a step came with."""
        self._steps: list[PlanStep] = []
        self._difference: Difference | None = None
        self._is_running = self._may_run_again = False
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)

    def set_theme(self, theme: Theme) -> None:
        """What is unfolded stays: somebody may be writing there."""
        self._theme = theme
        for row in self.rows.values():
            row.line.set_theme(theme)

    def clear(self) -> None:
        for number in list(self.rows):
            self._drop(number)
        self.show_difference(())

    def show_steps(
        self,
        steps: Sequence[PlanStep],
        *,
        grips_from: int,
        faults: Mapping[int, str],
        took: Mapping[int, float],
    ) -> None:
        """As they stand by place, references too. Lines that are there already stay, and what is unfolded in them."""
        self._steps = list(steps)
        numbers = {step.step for step in steps}
        for gone in [number for number in self.rows if number not in numbers]:
            self._drop(gone)
        for place, step in enumerate(steps, 1):
            row = self.rows.get(step.step)
            if row is None:
                row = self.rows[step.step] = self._make(step)
            if self._layout.indexOf(row) != place - 1:
                self._layout.removeWidget(row)
                self._layout.insertWidget(place - 1, row)
            seconds = took.get(step.step, 0.0)
            is_told = seconds >= _LEAST_SHOWN and step.status in ("done", "failed")
            row.show_step(
                step,
                place,
                has_grip=place >= grips_from,
                fault=faults.get(place, ""),
                aside=seconds_text(seconds) if is_told else "",
            )

    def show_difference(self, changes: Sequence[StepChange]) -> None:
        """In the place of the steps, while a new plan is looked at; without changes the steps are back."""
        if self._difference is not None:
            self._layout.removeWidget(self._difference)
            self._difference.hide()
            self._difference.deleteLater()
            self._difference = None
        if changes:
            self._difference = Difference(self._theme, changes)
            self._layout.addWidget(self._difference)
            self._difference.show()
        for row in self.rows.values():
            row.setVisible(not changes)

    def set_place(self, *, is_running: bool, may_run_again: bool) -> None:
        """Whether the plan is worked off now, or can be run once more."""
        self._is_running, self._may_run_again = is_running, may_run_again
        for row in self.rows.values():
            if isinstance(row.body, StepSteering):
                row.body.set_place(is_running=is_running, is_over=may_run_again)

    # ------------------------------------------------------------ unfolding

    @property
    def opened(self) -> int:
        """The step that is unfolded; 0 = none."""
        return next((number for number, row in self.rows.items() if row.body is not None), 0)

    def fold(self) -> None:
        """But for what somebody is writing for a step."""
        for row in self.rows.values():
            editor = row.body.editor if isinstance(row.body, StepSteering) else None
            if editor is None or not editor.is_changed:
                row.fold()

    def open_form(self, number: int) -> StepForm:
        """To be changed."""
        row = self.rows[number]
        place = next(n for n, step in enumerate(self._steps, 1) if step.step == number)
        form = StepForm(self._theme, row.step, place, self.catalogue, self._references(place))
        for signal, what in (
            (form.renamed, "name"),
            (form.tool_chosen, "tool"),
            (form.ask_changed, "ask"),
            (form.moved, "move"),
        ):
            signal.connect(partial(self.changed.emit, number, what))
        for signal, what in ((form.insert_asked, "insert"), (form.duplicate_asked, "duplicate")):
            signal.connect(partial(self.changed.emit, number, what, None))
        form.removed.connect(partial(self.changed.emit, number, "remove", None))
        form.filled.connect(partial(self._filled, number))
        row.unfold(form)
        form.check()
        form.begin()
        return form

    def _filled(self, number: int, params: dict[str, Any], is_whole: bool) -> None:
        self.changed.emit(number, "params", (params, is_whole))

    def open_steering(self, number: int) -> StepSteering:
        """To be read and steered."""
        row = self.rows[number]
        if isinstance(row.body, StepSteering):
            return row.body
        place = next(n for n, step in enumerate(self._steps, 1) if step.step == number)
        body = StepSteering(self._theme, row.step, self.catalogue, self._references(place))
        body.ordered.connect(partial(self.ordered.emit, number))
        row.unfold(body)
        body.set_place(is_running=self._is_running, is_over=self._may_run_again)
        return body

    def _references(self, place: int) -> list[tuple[str, str]]:
        """What the steps before that place give, and what of it the plan names already."""
        found: dict[str, str] = {}
        for n, step in enumerate(self._steps[: place - 1], 1):
            raw = f"${n}.data"
            found[raw] = f"{reference_words(raw)} ({words.step_title(step)})"
        for step in self._steps:
            for raw in words.references_in(dict(step.params)):
                if int(raw[1:].partition(".")[0]) < place:
                    found.setdefault(raw, reference_words(raw))
        return sorted(found.items())

    # ------------------------------------------------------------ rows

    def _make(self, step: PlanStep) -> StepRow:
        row = StepRow(self._theme, step)
        row.unfolded.connect(partial(self.unfold_asked.emit, step.step))
        row.moved.connect(partial(self.changed.emit, step.step, "move"))
        row.removed.connect(partial(self.changed.emit, step.step, "remove", None))
        return row

    def _drop(self, number: int) -> None:
        row = self.rows.pop(number)
        self._layout.removeWidget(row)
        row.hide()
        row.deleteLater()
