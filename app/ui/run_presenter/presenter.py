"""Follows one run and tells everybody in the window who shows something of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.core.run.events import RunEvent
from app.core.run.run_handle import RunHandle
from app.core.run.view import CallItem, EndItem, Item, ItemChange, NoteItem, RunView, StepItem, WaitItem
from app.ui.run_presenter.answer import AnswerBuilder, AnswerCanvas
from app.ui.run_presenter.progress import RunProgress


class RunWatcher(Protocol):
    """The reasoning pane and the plan card, as far as a run is concerned."""

    def clear(self) -> None: ...
    def show_all(self, view: RunView, *, live: bool) -> None: ...
    def show_changes(self, view: RunView, changes: Sequence[ItemChange], *, live: bool = True) -> None: ...


class RunPresenter(QObject):
    """For as long as the session of the run is open. The run itself needs nobody who looks."""

    progressed = Signal(object)
    """The RunProgress."""
    asked = Signal(object)
    """The WaitItem that wants an answer of the person."""
    answered = Signal(str)
    """What has its answer, by its id; "" = the run is over, nobody asks any more."""
    wrote = Signal(object, str)
    """A CallItem, and what its tool wrote just now; "": its result is there."""
    step_ended = Signal()
    """The tokens of a step are known."""
    proceeds = Signal(str, bool)
    """The mode the run proceeds in, and again with True when it is over."""

    def __init__(
        self, handle: RunHandle, canvas: AnswerCanvas, pane: RunWatcher, plan: RunWatcher, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.handle = handle
        self.view = RunView()
        self.progress = RunProgress()
        self._answer = AnswerBuilder(canvas)
        self._canvas, self._pane, self._plan = canvas, pane, plan
        self._mode = ""
        self._is_away = False
        """The pane shows another run; the chat continues being painted."""

    def look_away(self) -> None:
        """The pane is needed for an earlier run."""
        self._is_away = True

    def look_back(self) -> None:
        """The pane shows this run again, all that has happened meanwhile included."""
        self._is_away = False
        self._pane.clear()
        self._pane.show_all(self.view, live=not self.view.is_over)

    async def follow(self) -> None:
        """From the first event to the terminal one; what happened before is painted in one go."""
        self._pane.clear()
        self._plan.clear()
        stream = self.handle.events()
        try:
            async for stamped in stream:
                self.present(stamped.event, stamped.t)
        finally:
            # A generator is closed here and now, so that the run knows at once that nobody listens.
            if isinstance(stream, AsyncGenerator):
                await stream.aclose()

    def present(self, event: RunEvent, t: float) -> None:
        view = self.view
        changes = view.apply(event, t)
        self._answer.show(view, changes)
        self._plan.show_changes(view, changes, live=True)
        if not self._is_away:
            self._pane.show_changes(view, changes, live=True)
        if self.progress.show(view):
            if not self.progress.is_over:
                self._canvas.set(status=self.progress.words, waits=bool(view.open_waits))
            self.progressed.emit(self.progress)
        for what, item, text in changes:
            self._tell(what, item, text)

    def _tell(self, what: str, item: Item, text: str) -> None:
        match item:
            case CallItem() if item.written and (what == "grew" or item.result is not None):
                self.wrote.emit(item, text)
            case WaitItem():
                if what == "added" and item.event is not None:
                    self.asked.emit(item)
                elif item.ended is not None and item.budget is None:
                    self.answered.emit(item.id)
            case StepItem() if item.end is not None:
                self.step_ended.emit()
            case NoteItem() if self.view.mode != self._mode:
                self._mode = self.view.mode
                self.proceeds.emit(self._mode, False)
            case EndItem():
                self.answered.emit("")
                self.proceeds.emit(self._mode, True)
            case _:
                pass
