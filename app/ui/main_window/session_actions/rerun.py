"""A question asked once more, as a whole or from a point of an earlier run on; the answer it had stays as a variant."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.core.errors import BadInput, TriptychError
from app.core.run.events import StepStart
from app.services.runs.run_options import RunOptions

if TYPE_CHECKING:
    from app.core.run.run_handle import RunHandle
    from app.services.runs.chat import ChatService
    from app.services.runs.runs import RunService
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.error_notices import ErrorNotices
    from app.ui.main_window.session.session_controller import SessionController

AT_ONCE = 0.3
"""Seconds a button may take before its run is shown."""


class RerunController(QObject):
    compare_asked = Signal(str, str)
    """Two runs shall be seen side by side: the old one and the new one."""

    def __init__(
        self,
        view: SessionController,
        open_session: OpenSession,
        errors: ErrorNotices,
        *,
        chat: ChatService,
        runs: RunService,
    ) -> None:
        super().__init__(view)
        self._view, self._open_session, self._errors = view, open_session, errors
        self._chat, self._runs = chat, runs
        self._pressed: list[object] = []
        """Buttons whose run is not over."""

    async def stored(self, row_id: str) -> str | None:
        """The message a row shows. One that was painted live is known a moment after its run has begun or ended: until
        then the row would be taken for the last one. "" for a row of no message; None after a word to the person.
        """
        messages, session = self._view.messages, self._open_session.id
        if messages.message(row_id) is None and row_id and self._view.run.handle is None:
            await self._chat.active.written(session)
            await messages.refresh()
        message = messages.message(row_id)
        if message is None and row_id.startswith("answer-"):
            self._errors.tell(BadInput("the answer of this run is not in what is read", reason="ANSWER_UNREAD"))
            return None
        return message.id if message is not None else ""

    async def ask(self, mode: str = "", message: str = "", settings: Mapping[str, Any] | None = None) -> None:
        """The last question or that of `message`; in another mode if one is named."""
        options = RunOptions(overrides=settings or {})
        rerun = partial(self._chat.rerun, mode=mode, message=message, options=options)
        await self.begin(message, rerun)

    async def resume(self, message: str) -> None:
        """An answer that was cut short goes on where it stopped; what it has is kept."""
        await self.begin(message, partial(self._chat.repeats.resume, message=message))

    async def one_more_round(self, message: str) -> None:
        """What the answer found is kept, and looked at once more."""
        await self.begin(message, partial(self._chat.repeats.one_more_round, message=message))

    async def answer_now(self, message: str, run: str) -> None:
        """The answer of a run that was stopped, from what it had found by then; no further tools."""

        async def start(_session: str) -> RunHandle:
            events = await self._runs.events(run)
            steps = [line.event.step for line in events if isinstance(line.event, StepStart)]
            handle = await self._chat.repeats.run_again(run, from_step=max(steps, default=0) + 1)
            handle.answer_now()
            return handle

        await self.begin(message, start)

    async def use_round(self, message: str, run: str, number: int) -> None:
        """The answer as it stood after a reflection round; where there was none yet it is written from its results."""

        async def start(_session: str) -> RunHandle:
            return await self._chat.repeats.use_round(run, number)

        await self.begin(message, start)

    async def from_step(self, run: str, step: int, is_plan_step: bool) -> None:
        """The run once more from there on; what came before is not run again."""
        message = self.message_of(run)
        if not message:
            return
        first, planned = (0, step) if is_plan_step else (step, 0)

        async def start(_session: str) -> RunHandle:
            return await self._chat.repeats.run_again(run, from_step=first, from_plan_step=planned)

        await self.begin(message, start)

    def message_of(self, run: str) -> str:
        """The answer of a run; "", with a word to the person, where it is not in what is read of the session."""
        message = next((one.id for one in self._view.messages.line.messages if one.run == run), "")
        if not message:
            self._errors.tell(BadInput("the answer of this run is not in what is read", reason="ANSWER_UNREAD"))
        return message

    async def from_plan_step(self, run: str, step: int) -> None:
        await self.from_step(run, step, is_plan_step=True)

    async def press(self, message: str, call: str, button: str, values: Mapping[str, Any] | None = None) -> None:
        """A button of a card. What is done at once changes the card in its place; what asks or takes long is shown."""
        session = self._open_session.id
        press = partial(self._chat.press, session, message, call, button, values=values)
        await self.run_button((session, message, call, button), press, message)

    async def run_button(self, button: object, start: Callable[[], Awaitable[RunHandle]], message: str = "") -> None:
        """Of a card of `message`, or of the page: returns when its run is over and what came of it is shown.

        Pressed again before that, as by a double click, the same `button` does nothing.
        """
        if button in self._pressed:
            return
        self._pressed.append(button)
        try:
            await self._run_button(start, message)
        finally:
            self._pressed.remove(button)

    async def _run_button(self, start: Callable[[], Awaitable[RunHandle]], message: str) -> None:
        row = self._open_session.row
        if row is None or self._view.run.handle is not None:
            self._errors.tell_code("ALREADY_RUNNING")
            return
        try:
            handle = await start()
        except TriptychError as error:
            self._errors.tell(error)
            return
        done, _waiting = await asyncio.wait([asyncio.ensure_future(handle.result())], timeout=AT_ONCE)
        if not done and self._open_session.id == row.id:
            await self._view.reload(handle=handle)
        await handle.result()
        await self._chat.active.written(row.id)
        if self._open_session.id == row.id:
            await self._view.reload(message, in_place=True)

    async def begin(self, message: str, start: Callable[[str], Awaitable[RunHandle]]) -> None:
        """Start a run that answers the question of `message` again, and show it."""
        row = self._open_session.row
        if row is None or self._view.run.handle is not None:
            self._errors.tell_code("ALREADY_RUNNING")
            return
        await self._chat.active.written(row.id)
        await self._view.messages.refresh()  # or an answer that has just come is not yet the last one
        if self._open_session.id != row.id:
            return
        is_last = not message or message == next((one.id for one in self._view.messages.line.messages[-1:]), "")
        try:
            handle = await start(row.id)
        except TriptychError as error:
            self._errors.tell(error)
            return
        if self._open_session.id != row.id:
            return
        if is_last:
            self._view.run.replace_answer(handle, self._view.choices.faces(), row.agent)
            await self._view.messages.refresh()
        else:
            await self._view.reload(handle=handle)
