"""The steps of the plan card, one line each; one of them may be unfolded, to be changed or to be steered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.run.analysis.tool_records import ToolRecord, ValueKind
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
from app.ui.widgets.fields.argument_form import EarlierValue

_LEAST_SHOWN, _SHORTEST = 0.05, 0.1
"""Seconds below which a duration says nothing, and those an estimate says at least."""


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
        self.records: Mapping[str, ToolRecord] = {}
        """What earlier runs tell of a tool, by its name."""
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
            row.show_step(
                step,
                place,
                has_grip=place >= grips_from,
                fault=faults.get(place, ""),
                aside=self._aside(step, took.get(step.step, 0.0)),
            )

    def expected_seconds(self, steps: Iterable[PlanStep]) -> float | None:
        """Of those that have not run yet; None where one of them is unknown."""
        records = [self.records.get(step.action) for step in steps if step.status == "pending"]
        return sum(one.seconds for one in records if one is not None) if records and all(records) else None

    def _aside(self, step: PlanStep, took: float) -> str:
        """How long it took; before it has run, how long it is likely to take."""
        if step.status == "pending" and (record := self.records.get(step.action)) is not None:
            return f"≈ {seconds_text(max(record.seconds, _SHORTEST))}"
        return seconds_text(took) if took >= _LEAST_SHOWN and step.status in ("done", "failed") else ""

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

    def _references(self, place: int) -> list[EarlierValue]:
        """What the steps before that place give by earlier runs of their tools, and what the plan names already."""
        kinds: dict[str, ValueKind] = {}
        titles: dict[str, str] = {}
        for n, step in enumerate(self._steps[: place - 1], 1):
            record = self.records.get(step.action)
            kinds[f"${n}.data"] = ""
            titles[f"${n}.data"] = f" ({words.step_title(step)})"
            for field in record.fields if record is not None else ():
                kinds[f"${n}.{field.path}"] = field.kind
        for step in self._steps:
            for raw in words.references_in(dict(step.params)):
                if int(raw[1:].partition(".")[0]) < place:
                    kinds.setdefault(raw, "text" if raw.endswith(".id") else "")
        return [
            EarlierValue(raw, reference_words(raw) + titles.get(raw, ""), kind) for raw, kind in sorted(kinds.items())
        ]

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
