"""Asks many questions side by side, each in a temporary session of its own, and tells each answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from app.core.errors import BadInput, TriptychError
from app.core.run.events import LoopError, Terminal, Token, ToolText
from app.core.run.outcome import outcome_of
from app.core.run.run_handle import RunHandle
from app.core.run.view import CallItem, RunView, view_of
from app.core.text.i18n import _
from app.storage.stores.batch_answers import BatchAnswerTable

from ..data.sessions import SessionService
from ..knowledge.server import SharedServer
from ..runs.chat import ChatService
from ..runs.run_options import RunOptions
from ..settings.settings import SettingsService
from ..workspace.service import WorkspaceService
from .answers import AnswerFile, AnswerStore, BatchAnswer
from .budget import BatchBudget, BatchOptions, BatchSpending, BudgetPart
from .folders import FolderCopy
from .questions import BatchQuestion, EarlierMessage
from .server_answers import ServerAnswers, is_server

MOST_AT_ONCE: Final = 64
_PAUSES: Final = (2.0, 8.0, 30.0)
"""Seconds before a question is asked again."""


class BatchService:
    def __init__(
        self,
        chat: ChatService,
        sessions: SessionService,
        settings: SettingsService,
        servers: SharedServer,
        workspace: WorkspaceService,
    ) -> None:
        self._chat, self._sessions, self._settings, self._servers = chat, sessions, settings, servers
        self._workspace = workspace

    def store_of(self, out: str, batch: str) -> AnswerStore:
        """`out` is a file, or the address of a PostgreSQL server, in whose table `batch` names what belongs together.

        Raises BadInput.
        """
        if is_server(out):
            return ServerAnswers(BatchAnswerTable(self._servers.at(out)), batch)
        return AnswerFile(Path(out))

    async def check(self, questions: Iterable[BatchQuestion], options: BatchOptions) -> None:
        """Whether all could be asked; raises before the first is. Each combination is looked at once."""
        if not 1 <= options.concurrency <= MOST_AT_ONCE:
            words = _("the number of questions at the same time is between 1 and {most}")
            raise BadInput(words.format(most=MOST_AT_ONCE))
        seen = set()
        for one in questions:
            key = (one.agent, one.mode, one.model, repr(sorted(one.settings.items())))
            if key not in seen:
                seen.add(key)
                agent, run_options = self._asked(one, options)
                await self._chat.check(agent, run_options)

    async def run(
        self,
        questions: Sequence[BatchQuestion],
        options: BatchOptions,
        budget: BatchBudget | None = None,
        *,
        began: Callable[[BatchQuestion], None] = lambda _question: None,
    ) -> AsyncGenerator[BatchAnswer, None]:
        """The answers as they come. Ends early when too little of the budget is left for another question; what has
        been counted in `budget` before belongs to it.

        When the caller stops, runs in progress are stopped and give no answer.
        """
        budget = budget or BatchBudget(options)
        loop, waiting = asyncio.get_running_loop(), list(reversed(questions))
        start = loop.time()
        running: dict[asyncio.Task[BatchAnswer], BatchQuestion] = {}
        try:
            while waiting or running:
                while waiting and (free := min(options.concurrency - len(running), len(waiting))) > 0:
                    is_late = options.seconds > 0 and loop.time() - start >= options.seconds
                    part = None if is_late else budget.reserve(waiting[-1], free_places=free)
                    if part is None:
                        break
                    question = waiting.pop()
                    began(question)
                    task = asyncio.create_task(self._answer(question, options, part), name=f"batch {question.id}")
                    running[task] = question
                if not running:
                    return
                done, _others = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    question, answer = running.pop(task), task.result()
                    budget.count(question, answer)
                    yield answer
        finally:
            for task in running:
                task.cancel()
            if running:
                await asyncio.wait(running)

    def _asked(self, question: BatchQuestion, options: BatchOptions) -> tuple[str, RunOptions]:
        profile = self._settings.profile(question.agent or options.agent or self._settings.preferences.default_agent)
        run_options = RunOptions(
            mode=question.mode or options.mode,
            model=question.model or options.model,
            overrides={**options.settings, **question.settings},
            approve=options.approve,
            interactive=False,
        )
        return profile.id, run_options

    async def _answer(self, question: BatchQuestion, options: BatchOptions, part: BudgetPart) -> BatchAnswer:
        """Asks again what failed and may succeed, within `part`; the answer says what the attempts before it used."""
        attempt, last, left = 1, None, part
        while True:
            answer = (await self._attempt(question, options, attempt, left)).after(last)
            may_again = answer.error is not None and answer.error.get("retryable")
            if answer.ok or not may_again or attempt > options.retries:
                return answer
            used = BatchSpending()
            used.add(answer)
            if (rest := part.left_after(used)) is None:
                return answer
            await asyncio.sleep(_PAUSES[min(attempt, len(_PAUSES)) - 1])
            attempt, last, left = attempt + 1, answer, rest

    async def _attempt(
        self, question: BatchQuestion, options: BatchOptions, attempt: int, part: BudgetPart
    ) -> BatchAnswer:
        agent, run_options = self._asked(question, options)
        own = self._settings.changed_profile(self._settings.profile(agent), run_options.overrides).budget
        if (limits := part.budget_of_run(own)) is not None:
            run_options = replace(run_options, overrides={**run_options.overrides, "budget": limits})
        session = (await self._sessions.create(agent, temporary=True)).id
        run: RunHandle | None = None
        copy: FolderCopy | None = None
        try:
            if question.folder:
                copy = await FolderCopy.of(question.folder)
                await self._workspace.pick(session, copy.root)
            ends: list[Terminal] = []
            last = EarlierMessage(question.query, run_options.mode, stop_at=question.stop_at)
            for said in (*question.before, last):
                changed = replace(run_options, mode=said.mode, model=said.model or run_options.model)
                run = await self._chat.send(session, said.query, options=changed)
                ends.append(await _end_of(run, said.stop_at))
                if isinstance(ends[-1], LoopError) and not _is_wanted_stop(ends[-1], said.stop_at):
                    break
            assert run is not None, "the question itself is one of them"
            answer = _of_ends(question, ends, view_of([line async for line in run.events()]), attempt)
            return answer if copy is None else replace(answer, files=await copy.changes())
        except (TriptychError, OSError) as error:
            code, message = (error.code, error.message) if isinstance(error, TriptychError) else ("OS", str(error))
            failure = {"code": code, "message": message, "retryable": False}
            return BatchAnswer(
                question.id, question.mark, question.query, agent, run_options.mode, run_options.model, ok=False,
                error=failure, attempts=attempt,
            )  # fmt: skip
        finally:
            if run is not None:
                run.cancel()
            with suppress(TriptychError):
                await asyncio.shield(self._chat.discard(session))
            if copy is not None:
                self._workspace.forget(session)
                await asyncio.shield(copy.remove())


async def _end_of(run: RunHandle, stop_at: str) -> Terminal:
    """Stops it when it has written `stop_at`."""
    seen = ""
    if stop_at:
        async for line in run.events():
            if isinstance(line.event, Token | ToolText):
                seen += line.event.text
                if stop_at in seen:
                    run.cancel()
                    break
                seen = seen[-len(stop_at) :]
    return await run.result()


def _is_wanted_stop(end: Terminal, stop_at: str) -> bool:
    return bool(stop_at) and isinstance(end, LoopError) and end.reason == "cancelled"


def _of_ends(question: BatchQuestion, ends: Sequence[Terminal], run: RunView, attempt: int) -> BatchAnswer:
    """The figures are those of all runs in its session, the rest is of the last."""
    start, end = run.start, ends[-1]
    assert start is not None, "it is the first event of every run"
    usage = {name: sum(getattr(one.usage, name) for one in ends) for name in ("input", "output", "reasoning", "cached")}
    money: dict[str, float] = {}
    for currency, amount in (pair for one in ends for pair in (one.money or {}).items()):
        money[currency] = money.get(currency, 0.0) + amount
    figures: dict[str, Any] = {
        "usage": usage, "money": money, "seconds": round(sum(one.seconds for one in ends), 3),
        "steps": sum(one.steps for one in ends), "tools": end.tools,
        "calls": tuple(_call(item) for item in run.items if isinstance(item, CallItem)), "attempts": attempt,
    }  # fmt: skip
    head = (question.id, question.mark, question.query, start.agent, run.mode, start.model)
    if _is_wanted_stop(end, question.stop_at):
        partial = end.partial if isinstance(end, LoopError) else ""
        return BatchAnswer(*head, ok=True, answer=partial, stop_reason="cancelled", **figures)
    if isinstance(end, LoopError):
        error = {"code": end.error.code, "message": end.error.message, "retryable": end.error.retryable}
        return BatchAnswer(*head, ok=False, answer=end.partial, stop_reason=end.reason, error=error, **figures)
    is_whole = outcome_of(end).exit_code == 0
    return BatchAnswer(
        *head, ok=is_whole, answer=end.answer, stop_reason=end.stop_reason, structured=end.structured, **figures
    )


def _call(item: CallItem) -> dict[str, Any]:
    result = item.result
    code = "" if result is None else "ok" if result.ok else str((result.error or {}).get("code", result.status))
    return {
        "name": item.call.name, "args": dict(item.call.args), "result": code,
        "text": "" if result is None else result.text,
    }  # fmt: skip
