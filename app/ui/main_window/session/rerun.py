"""A question asked once more, as a whole or from a point of an earlier run on; the answer it had stays as a variant."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from app.core.errors import BadInput, TriptychError
from app.core.run.events import StepStart
from app.services.runs.chat import RunOptions

if TYPE_CHECKING:
    from app.core.run.events import RunHandle
    from app.core.session.summary import SessionRow
    from app.services.container import Services
    from app.ui.main_window.session.choices import Choices
    from app.ui.main_window.session.messages import Messages
    from app.ui.main_window.session.run_session import RunSession

AT_ONCE = 0.3
"""Seconds a button may take before its run is shown."""


class RerunController:
    def __init__(
        self,
        services: Services,
        talk: RunSession,
        choices: Choices,
        messages: Messages,
        *,
        row: Callable[[], SessionRow | None],
        reload: Callable[..., Awaitable[None]],
        on_error: Callable[[str, TriptychError | None], None],
    ) -> None:
        """`reload` shows the session anew with a run that has just been started in it."""
        self._services, self._talk, self._choices, self._messages = services, talk, choices, messages
        self._row, self._reload, self._on_error = row, reload, on_error

    async def ask(self, mode: str = "", message: str = "", settings: Mapping[str, Any] | None = None) -> None:
        """The last question or that of `message`; in another mode if one is named."""
        options = RunOptions(overrides=settings or {})
        await self._begin(
            message, lambda row: self._services.chat.rerun(row.id, mode, message=message, options=options)
        )

    async def go_on(self, message: str) -> None:
        """An answer that was cut short goes on where it stopped; what it has is kept."""
        await self._begin(message, lambda row: self._services.chat.go_on(row.id, message))

    async def one_more_round(self, message: str) -> None:
        """What the answer found is kept, and looked at once more."""
        await self._begin(message, lambda row: self._services.chat.one_more_round(row.id, message))

    async def answer_now(self, message: str, run: str) -> None:
        """The answer of a run that was stopped, from what it had found by then; no further tools."""

        async def start(_row: SessionRow) -> RunHandle:
            events = await self._services.runs.events(run)
            steps = [line.event.step for line in events if isinstance(line.event, StepStart)]
            handle = await self._services.chat.run_again(run, from_step=max(steps, default=0) + 1)
            handle.answer_now()
            return handle

        await self._begin(message, start)

    async def use_round(self, message: str, run: str, number: int) -> None:
        """The answer as it stood after a reflection round; where there was none yet it is written from its results."""
        await self._begin(message, lambda _row: self._services.chat.use_round(run, number))

    async def from_step(self, run: str, step: int, is_plan_step: bool) -> None:
        """The run once more from there on; what came before is not run again."""
        message = next((one.id for one in self._messages.line.messages if one.run == run), "")
        if not message:
            error = BadInput("the answer of this run is not in what is read", reason="ANSWER_UNREAD")
            self._on_error(error.code, error)
            return
        first, planned = (0, step) if is_plan_step else (step, 0)
        chat = self._services.chat
        await self._begin(message, lambda _row: chat.run_again(run, from_step=first, from_plan_step=planned))

    async def press(self, message: str, call: str, button: str) -> None:
        """A button of a card. What is done at once changes the card in its place; what asks or takes long is shown."""
        row, chat = self._row(), self._services.chat
        if row is None or self._talk.handle is not None:
            self._on_error("ALREADY_RUNNING", None)
            return
        try:
            handle = await chat.press(row.id, message, call, button)
        except TriptychError as error:
            self._on_error(error.code, error)
            return
        done, _waiting = await asyncio.wait([asyncio.ensure_future(handle.result())], timeout=AT_ONCE)
        if not done and self._is_open(row):
            await self._reload(handle=handle)
        await handle.result()
        await chat.recorded()
        if self._is_open(row):
            await self._reload()

    def _is_open(self, row: SessionRow) -> bool:
        now = self._row()
        return now is not None and now.id == row.id

    async def _begin(self, message: str, start: Callable[[SessionRow], Awaitable[RunHandle]]) -> None:
        row = self._row()
        if row is None or self._talk.handle is not None:
            self._on_error("ALREADY_RUNNING", None)
            return
        is_last = not message or message == next((one.id for one in self._messages.line.messages[-1:]), "")
        try:
            handle = await start(row)
        except TriptychError as error:
            self._on_error(error.code, error)
            return
        if not self._is_open(row):
            return
        if is_last:
            self._talk.replace_answer(handle, self._choices.faces(), row.agent)
            await self._messages.refresh()
        else:
            await self._reload(handle=handle)
