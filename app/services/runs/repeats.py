"""A stored run once more, or on from where it ended: each begins from its log, and its answer is a variant."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.agent.modes import Mode
from app.agent.modes.adopted import adopted_mode
from app.agent.modes.tried import tried_mode
from app.agent.run import Run
from app.core.errors import BadInput
from app.core.run.mode import PLAN
from app.storage.stores.runs import RunStore

from ..data.sessions import SessionService
from . import past_runs
from .active_runs import ActiveRuns
from .past_runs import Beginning, PastRun, further_round, read_past_run
from .questions import question_at
from .run_options import RunOptions
from .starter import RunStarter


class RepeatService:
    def __init__(self, sessions: SessionService, runs: RunStore, starter: RunStarter, active: ActiveRuns) -> None:
        self._sessions, self._runs, self._starter, self._active = sessions, runs, starter, active

    async def run_again(
        self,
        run_id: str,
        *,
        from_step: int = 0,
        from_plan_step: int = 0,
        mode: str = "",
        options: RunOptions | None = None,
    ) -> Run:
        """A stored run once more, from one of its requests or plan steps on; what came before is kept, not run again.

        The new answer is a variant beside the old one. Raises as `send`, and BadInput for a run that has not ended.
        """
        past = await read_past_run(self._runs, run_id)
        options = replace(options or RunOptions(), mode=mode or (options.mode if options else "") or past.mode)
        if from_plan_step:
            return await self._go_on_from(past, past_runs.from_plan_step(past, from_plan_step, options.mode), options)
        return await self._go_on_from(past, past_runs.from_step(past, from_step, options.mode), options)

    async def one_more_round(self, session_id: str, message: str = "", *, options: RunOptions | None = None) -> Run:
        """A finished answer (the last, or `message`) after one further look: what it found is kept, a round follows.

        The new answer is a variant beside the old one. Raises as `send`, and BadInput where there is no such answer.
        """
        past = await read_past_run(self._runs, await self._run_of(session_id, message))
        beginning, overrides = further_round(past)
        options = options or RunOptions()
        options = replace(options, mode="react", overrides={**options.overrides, **overrides})
        return await self._go_on_from(past, beginning, options)

    async def try_from(
        self,
        run_id: str,
        call_id: str,
        *,
        args: Mapping[str, Any] | None = None,
        result: Any = None,
        mode: str = "",
        model: str = "",
        options: RunOptions | None = None,
    ) -> Run:
        """A stored run once more from behind one of its calls on, as a variant: that call with other arguments (it runs
        again) or another result, what follows in another mode or by another model. Raises as `run_again`.
        """
        past = await read_past_run(self._runs, run_id)
        options = replace(options or RunOptions(), mode=mode or past.mode, model=model)
        beginning = past_runs.from_call(past, call_id, result, is_other=args is not None)
        call = past.view.calls[call_id].call
        tried = tried_mode(self._starter.mode_named(options.mode), call.name, args) if args is not None else None
        return await self._go_on_from(past, beginning, options, mode=tried)

    async def try_from_step(
        self,
        run_id: str,
        *,
        step: int = 0,
        plan_step: int = 0,
        result: Any = None,
        mode: str = "",
        model: str = "",
        options: RunOptions | None = None,
    ) -> Run:
        """A stored run once more from a step without a call on, as a variant: a request, or a step of the plan that
        was worked off by reasoning. With a `result` that takes its place, else it is done again; what follows in
        another mode or by another model. Raises as `run_again`.
        """
        past = await read_past_run(self._runs, run_id)
        options = replace(options or RunOptions(), mode=mode or past.mode, model=model)
        if result is None:
            return await self.run_again(run_id, from_step=step, from_plan_step=plan_step, options=options)
        if not plan_step:
            words = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
            return await self._go_on_from(past, past_runs.instead_of_step(past, step, words, options.mode), options)
        if options.mode != PLAN:
            other = past_runs.instead_of_plan_step(past, plan_step, result, options.mode)
            return await self._go_on_from(past, other, options)
        run = await self._go_on_from(past, past_runs.from_plan_step(past, plan_step, options.mode), options)
        run.control_plan("result", plan_step, result)
        return run

    async def use_round(self, run_id: str, number: int) -> Run:
        """The answer as it stood after round `number`, as a variant beside the newest one.

        Where the round had written one no model is asked; else one request without tools writes it from what had been
        found by then. Raises as `send`, and BadInput for a run that has not ended or has no such round.
        """
        past = await read_past_run(self._runs, run_id)
        beginning, answer = past_runs.until_round(past, number)
        options = RunOptions(mode=past.mode)
        if answer:
            return await self._go_on_from(past, beginning, options, mode=adopted_mode(past.mode, answer))
        run = await self._go_on_from(past, beginning, options)
        run.answer_now()
        return run

    async def resume(self, session_id: str, message: str = "", *, options: RunOptions | None = None) -> Run:
        """Continues an answer that was cut off (the last, or `message`), as a variant with the whole text.

        What its tools returned is kept. Raises as `send`, and BadInput where there is no such answer.
        """
        past = await read_past_run(self._runs, await self._run_of(session_id, message))
        options = replace(options or RunOptions(), mode=past.mode)
        return await self._go_on_from(past, past_runs.after_the_break(past), options)

    async def _run_of(self, session_id: str, message: str) -> str:
        history = await self._sessions.messages(session_id)
        run = next((one.run for one in reversed(history) if one.run and message in ("", one.id)), None)
        if run is None:
            raise BadInput("there is no answer to go on with", reason="NO_ANSWER")
        return run

    async def _go_on_from(
        self, past: PastRun, beginning: Beginning, options: RunOptions, *, mode: Mode | None = None
    ) -> Run:
        """`mode`: what is done, where it is not just what the options name."""
        with self._active.alone(past.session):
            prepared = await self._starter.prepare(past.session, options)
            if mode is not None:
                prepared = replace(prepared, mode=mode)
            history = list(prepared.conversation.line.messages)
            answer = next((one.id for one in history if one.run == past.id), None)
            if answer is None:
                message = "the answer of this run is not in what is read of the session"
                raise BadInput(message, reason="ANSWER_UNREAD")
            place = question_at(history, answer)
            question = history[place]
            await self._sessions.edits.choose_newest(past.session, question.id)
            line = history[: place + 1]
            return await self._starter.start(prepared, line, question, options, begin=beginning, fresh=True)
