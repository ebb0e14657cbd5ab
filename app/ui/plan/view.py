"""The plan card: the one place where a plan is read, changed, accepted and steered (design.md 03).

waits   goal, one line a step, what it takes; Cancel · Change · Run
edited  the same lines with grips; one step at a time unfolds into a form; every change is kept and can be undone
differs a new plan for the rest: what goes, what is new, what changes; Keep · Change · Accept
runs    the state of each step; what unfolds steers it
over    one line, unless somebody unfolds it
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from app.core.run.plan_template import PlanTemplate
from app.ui.plan.card import PlanCard
from app.ui.plan.draft import PlanDraft
from app.ui.plan.steering import StepSteering
from app.ui.plan.step_line import StepLine
from app.ui.theme import Theme

_DEAF_MS = 500
"""A key meant for something else must not answer a card that has just appeared."""


class PlanView(PlanCard):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("planView")
        self._since = QElapsedTimer()
        self._since.start()
        self.steps.unfold_asked.connect(self._unfold)
        self.steps.changed.connect(self._changed)
        self.head.goal_edited.connect(partial(self._type, PlanDraft.set_goal))
        self.head.field.installEventFilter(self)
        self.templates.saved.connect(self._save_template)
        self.templates.used.connect(self._use_template)
        for button, slot in (
            (self.tools.add, partial(self._add, PlanDraft.add)),
            (self.tools.undo, self._undo),
            (self.footer.run, self._submit),
            (self.footer.next, self._submit_paused),
            (self.footer.change, self.edit),
            (self.footer.done, self.end_edit),
            (self.footer.restore, self._restore),
            (self.footer.cancel, self.cancelled.emit),
            (self.footer.keep, self._keep),
        ):
            button.clicked.connect(partial(_press, slot))

    def set_waiting(self, is_waiting: bool) -> None:
        if is_waiting and not self.is_waiting:
            self._since.restart()
        super().set_waiting(is_waiting)

    def _unfold(self, number: int, is_open: bool) -> None:
        """One at a time. A plan that waits is changed where it is unfolded."""
        if self._state == "waits":
            self.edit()
        self.steps.fold()
        row = self.steps.rows.get(number)
        if row is None or not is_open:
            return
        if self._state != "edited":
            self.steps.open_steering(number)
        elif row.line.has_grip:
            form = self.steps.open_form(number)
            for kind in (QLineEdit, QPlainTextEdit):
                for field in form.findChildren(kind):
                    field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl+Z continues with the changes of the plan where a field has nothing of its own to take back."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            has_own = (isinstance(watched, QLineEdit) and watched.isUndoAvailable()) or (
                isinstance(watched, QPlainTextEdit) and watched.document().isUndoAvailable()
            )
            if event.matches(QKeySequence.StandardKey.Undo) and not has_own and self._undo():
                return True
        return super().eventFilter(watched, event)

    def change_step(self, number: int) -> None:
        """Other arguments for a step while the plan is worked off."""
        self.set_folded(False)
        self._unfold(number, True)
        row = self.steps.rows.get(number)
        if row is not None and isinstance(row.body, StepSteering):
            row.body.begin_change()

    # ------------------------------------------------------------ changing

    def edit(self) -> None:
        """The lines become changeable where they stand."""
        if self._draft is not None and self._state != "edited":
            self._state = "edited"
            self._arrange()

    def end_edit(self) -> None:
        """The changes are kept as they are."""
        if self._state == "edited":
            self._state = "waits"
            self.steps.fold()
            self._arrange()
            self.footer.run.setFocus()

    def _change(self, change: Callable[..., object], *values: object) -> None:
        if self._draft is not None:
            change(self._draft, *values)
            self._has_changed()

    def _has_changed(self) -> None:
        self._refused = ()
        self._arrange()

    def _undo(self) -> bool:
        """Take back the last change; False if there is none."""
        draft = self._draft
        if draft is None or self._state != "edited" or not draft.changes:
            return False
        opened = self.steps.opened
        self.steps.fold()
        self._change(PlanDraft.undo)
        if opened:
            self._unfold(opened, True)
        return True

    def _type(self, change: Callable[..., object], *values: object) -> None:
        """A change by typing: the field stays as it is."""
        if self._draft is not None:
            change(self._draft, *values)
            self._show_rows()
            self._judge()

    def _changed(self, number: int, what: str, value: Any) -> None:
        match what:
            case "name":
                self._type(PlanDraft.rename, number, value)
            case "params":
                params, is_whole = value
                self._type(partial(PlanDraft.set_params, is_whole=is_whole), number, params)
            case "ask":
                self._type(PlanDraft.set_ask, number, value)
            case "tool":
                takes = self.steps.catalogue.takes(value)
                self._change_row(number, PlanDraft.set_action, value, takes)
            case "move":
                self._change_row(number, PlanDraft.move, value)
            case "insert":
                self._add(PlanDraft.add, number)
            case "duplicate":
                self._add(PlanDraft.duplicate, number)
            case "remove":
                self._change(PlanDraft.remove, number)
                self.tools.undo.setFocus()
            case _:
                raise ValueError(what)

    def _change_row(self, number: int, change: Callable[..., object], *values: object) -> None:
        """What is unfolded is made again: its fields, or the places that references name, are others now."""
        was_open = self.steps.opened == number
        self.steps.fold()
        self._change(change, number, *values)
        if was_open:
            self._unfold(number, True)
        else:
            self.steps.rows[number].line.setFocus()

    def _add(self, add: Callable[..., int], *values: object) -> None:
        if self._draft is not None and not self._draft.is_full:
            number = add(self._draft, *values)
            self.steps.fold()
            self._has_changed()
            self._unfold(number, True)

    def _restore(self) -> None:
        self.steps.fold()
        self._change(PlanDraft.restore)

    def _use_template(self, template: PlanTemplate) -> None:
        self.steps.fold()
        self._change(PlanDraft.use, template.goal, template.steps)

    def _save_template(self, name: str) -> None:
        if self._draft is not None:
            self.template_saved.emit(name, self._draft.goal, self._draft.handed_in())

    # ------------------------------------------------------------ answering

    def focus_answer(self) -> bool:
        """For a person who comes by keyboard. False if nothing is asked."""
        if self.is_waiting:
            (self.run_button if self.run_button.isEnabled() else self.footer.change).setFocus(
                Qt.FocusReason.TabFocusReason
            )
        return self.is_waiting

    def take_escape(self) -> bool:
        """The focus goes back; changes stay, the run continues waiting (ruling 51)."""
        self.left.emit()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Those of the card count while one of its lines or Run has the focus, not in a field or on another button."""
        focus = QApplication.focusWidget()
        is_mine = focus in (self, self.run_button) or (isinstance(focus, StepLine) and self._state != "edited")
        is_awake = self._since.elapsed() >= _DEAF_MS
        if event.matches(QKeySequence.StandardKey.Undo):
            if not self._undo():
                super().keyPressEvent(event)
        elif is_mine and is_awake and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._submit()
        elif is_mine and event.key() == Qt.Key.Key_E and self._state in ("waits", "differs"):
            self.edit()
        else:
            super().keyPressEvent(event)

    def _submit_paused(self) -> None:
        """Run the first step, then wait."""
        if self._draft is not None and self.next_button.isEnabled():
            self.run_bar.set_paused(True)
            self.ordered.emit("next", 0, None)
            self._submit()

    def _submit(self) -> None:
        if self._draft is None or not self.run_button.isEnabled():
            return
        draft, self._refused = self._draft, ()
        goal, steps = draft.goal, draft.handed_in()
        self._end_wait(draft)
        self.submitted.emit(goal, steps)

    def _keep(self) -> None:
        if self._draft is not None:
            self._end_wait(None)
            self.kept.emit()

    def _end_wait(self, handed_in: PlanDraft | None) -> None:
        self.forget_draft()
        self._draft, self._handed_in, self._state = None, handed_in, "read"
        self.steps.fold()
        self._arrange()


def _press(slot: Callable[[], object], _checked: bool = False) -> None:
    slot()
