"""Sending a question: store it, gather what the run needs, start it, write it down.

A run belongs to this service, not to a window: it goes on, and is recorded, when nobody looks.
One run per session at a time.

Long because it is the one place where everything a run needs comes together.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from app.agent.context import RunContext
from app.agent.modes import MODES, Mode
from app.agent.modes.action import action_mode
from app.agent.modes.adopted import adopted_mode
from app.agent.modes.pipeline import NextAgent
from app.agent.modes.tried import tried_mode
from app.agent.policy.hooks import Hooks
from app.agent.request import prompts
from app.agent.run import Run
from app.agent.subagent import task_tool
from app.core.errors import BadInput, NotConfigured, UnknownName
from app.core.ids import new_id
from app.core.profile import AgentProfile, in_language
from app.core.run.chat_model import ChatModel, SystemTurn, ToolSpec, UserTurn
from app.core.run.messages import Attachment, Message, user_message
from app.core.run.transcript import Fold
from app.core.tools.tool import TASK
from app.services.tools.domains import settings_seam
from app.storage.stores.runs import RunStore

from ..changes import Changes
from ..data.sessions import SessionService
from ..knowledge.service import KnowledgeService
from ..memory.service import MemoryService
from ..providers.models import ModelService
from ..settings.settings import SettingsService
from ..tools.grants import RunGrant
from ..tools.service import Standing, ToolService, no_standing
from ..workspace.service import WorkspaceService
from . import past_runs
from .actions import read_button
from .budgets import Budgets, spent_by
from .past_runs import Beginning, PastRun, further_round, read_past_run
from .recorder import Recorder
from .run_builder import Prepared, RunBuilder, no_images, system_of, today
from .run_options import RunOptions

log = logging.getLogger(__name__)

MOST_HELPERS = 3
"""Sub-agents that work at the same time."""
STOP_WAIT = 4.0
"""Seconds a goodbye waits for runs to end and be written."""


class AlreadyRunning(BadInput):
    """The session is still busy with the last question."""

    code = "ALREADY_RUNNING"


class ChatService:
    def __init__(
        self,
        sessions: SessionService,
        runs: RunStore,
        settings: SettingsService,
        models: ModelService,
        tools: ToolService,
        *,
        tool_seams: Mapping[str, Any] | None = None,
        temporary_seams: Mapping[str, Any] | None = None,
        hooks: Hooks | None = None,
        modes: Iterable[Mode] = (),
        standing: Callable[[str], Standing | None] = no_standing,
        images: Callable[[Sequence[Message]], Awaitable[Mapping[str, str]]] = no_images,
        memory: MemoryService | None = None,
        knowledge: KnowledgeService | None = None,
        workspace: WorkspaceService | None = None,
    ) -> None:
        self._sessions, self._runs, self._settings = sessions, runs, settings
        self._models, self._tools, self._knowledge = models, tools, knowledge
        self._budgets = Budgets(runs, settings, models.price)
        self._builder = RunBuilder(
            settings,
            tools,
            sessions,
            runs,
            self._budgets,
            tool_seams=tool_seams or {},
            temporary_seams=temporary_seams or {},
            hooks=hooks or Hooks(),
            standing=standing,
            images=images,
            memory=memory,
            workspace=workspace,
        )
        self._modes = {mode.id: mode for mode in (*MODES, *modes)}
        self._running: dict[str, Run] = {}
        self._inner: dict[str, Run] = {}
        """Runs inside those, by their own id."""
        self._starting: dict[str, asyncio.Event] = {}
        """Sessions whose run is being prepared; set when it is there, or will never be."""
        self._recording: dict[str, asyncio.Task[None]] = {}
        """By session; a run that has ended stays here until it is on disk."""
        self._saving: Changes[bool] = Changes()

    # ------------------------------------------------------------ asking

    async def send(
        self,
        session_id: str,
        text: str,
        mode: str = "",
        *,
        attachments: tuple[Attachment, ...] = (),
        options: RunOptions | None = None,
    ) -> Run:
        """The question is on disk before the model hears of it.

        Raises UnknownName (session, agent, mode, model), NotConfigured (no model) and AlreadyRunning,
        all before anything is stored.
        """
        if not text.strip() and not attachments:
            raise BadInput("there is nothing to send", reason="NOTHING_TO_SEND")
        options = replace(options or RunOptions(), mode=mode or (options.mode if options else ""))
        with self._alone(session_id):
            prepared = await self._prepare(session_id, options)
            history = await self._sessions.messages(session_id)
            question = user_message(new_id(session_id), text, created=time.time(), attachments=attachments)
            if history and history[-1].role == "assistant":
                question = replace(question, parent=history[-1].id)
            await self._sessions.add(session_id, question)
            return await self._start(prepared, [*history, question], question, options)

    async def rerun(
        self, session_id: str, mode: str = "", *, message: str = "", options: RunOptions | None = None
    ) -> Run:
        """A question once more: the last one, or the one that `message` is or answers.

        The answer it had stays as a variant. Raises as `send`.
        """
        options = replace(options or RunOptions(), mode=mode or (options.mode if options else ""))
        with self._alone(session_id):
            prepared = await self._prepare(session_id, options)
            history = await self._sessions.messages(session_id)
            place = question_at(history, message)
            question = history[place]
            await self._sessions.edits.choose_newest(session_id, question.id)
            return await self._start(prepared, history[: place + 1], question, options, fresh=True)

    async def edit(
        self, session_id: str, message: str, text: str, mode: str = "", *, options: RunOptions | None = None
    ) -> Run:
        """An earlier question in other words; the old one stays as a variant, with all that followed it."""
        if not text.strip():
            raise BadInput("there is nothing to send", reason="NOTHING_TO_SEND")
        options = replace(options or RunOptions(), mode=mode or (options.mode if options else ""))
        with self._alone(session_id):
            prepared = await self._prepare(session_id, options)
            line = await self._sessions.line(session_id)
            place = question_at(line.messages, message)
            old = line.messages[place]
            files = tuple(part for part in old.parts if isinstance(part, Attachment))
            asked = user_message(new_id(session_id), text, created=time.time(), attachments=files)
            question = replace(asked, parent=old.id)
            await self._sessions.edits.choose_newest(session_id, line.follows[old.id])
            await self._sessions.add(session_id, question)
            return await self._start(prepared, [*line.messages[:place], question], question, options)

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
        tried = tried_mode(self._mode_named(options.mode), call.name, args) if args is not None else None
        return await self._go_on_from(past, beginning, options, mode=tried)

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

    async def go_on(self, session_id: str, message: str = "", *, options: RunOptions | None = None) -> Run:
        """An answer that broke off (the last, or `message`) goes on where it stopped, as a variant with the whole text.

        What its tools returned is kept. Raises as `send`, and BadInput where there is no such answer.
        """
        past = await read_past_run(self._runs, await self._run_of(session_id, message))
        options = replace(options or RunOptions(), mode=past.mode)
        return await self._go_on_from(past, past_runs.after_the_break(past), options)

    def frame(self, profile: AgentProfile, mode: str) -> tuple[str, tuple[ToolSpec, ...]]:
        """What goes with every request of such a run, whatever is said: system prompt and tools."""
        tools = {} if mode == "direct" else self._tools.for_agent(profile)
        specs = tuple(ToolSpec(tool.name, tool.description, tool.parameters) for tool in tools.values())
        return prompts.system_prompt(profile, today=today(), ask_for_think=False, has_tools=bool(tools)), specs

    async def press(
        self, session_id: str, message: str, call: str, action: str, *, values: Mapping[str, Any] | None = None
    ) -> Run:
        """A button of the card that `call` of `message` shows: a run without a model, behind the last message.

        `values` are what the person typed into the card, where it is a form. Raises AlreadyRunning, and BadInput where
        the card has no such button or its agent no such tool (any more).
        """
        with self._alone(session_id):
            row = await self._sessions.row(session_id)
            if (writing := self._recording.get(session_id)) is not None:
                await asyncio.wait([writing])
            history = await self._sessions.messages(session_id)
            pressed = read_button(history, message, call, action, values or {})
            profile = self._settings.profile(pressed.agent)
            tools = self._tools.for_agent(profile)
            if pressed.button.tool not in tools:
                raise BadInput(f"{profile.id} has no tool {pressed.button.tool}", reason="NO_ACTION")
            ctx, is_imported = await self._builder.for_button(row, profile, tools, pressed, history)
            # The arguments of an imported card are somebody else's words: there a click answers no question.
            return await self._launch(ctx, action_mode(pressed.button, approves=not is_imported), history[-1].id)

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
        with self._alone(past.session):
            prepared = await self._prepare(past.session, options)
            if mode is not None:
                prepared = replace(prepared, mode=mode)
            history = await self._sessions.messages(past.session)
            answer = next((one.id for one in history if one.run == past.id), None)
            if answer is None:
                message = "the answer of this run is not in what is read of the session"
                raise BadInput(message, reason="ANSWER_UNREAD")
            place = question_at(history, answer)
            question = history[place]
            await self._sessions.edits.choose_newest(past.session, question.id)
            return await self._start(prepared, history[: place + 1], question, options, begin=beginning, fresh=True)

    # ------------------------------------------------------------ what goes on

    def running(self, session_id: str) -> Run | None:
        run = self._running.get(session_id)
        return run if run is not None and run.is_running else None

    def inner_run(self, run_id: str) -> Run | None:
        """A run inside one that goes on (`SubRun`); afterwards its events are read like any other's."""
        return self._inner.get(run_id)

    def running_sessions(self) -> set[str]:
        return {id for id, run in self._running.items() if run.is_running}

    def run_grants(self) -> list[RunGrant]:
        """What the person has allowed for the runs that go on."""
        return [
            RunGrant(run.agent, rule.tool, rule.subject, partial(run.revoke, rule))
            for run in self._running.values()
            if run.is_running
            for rule in run.granted
        ]

    def listen_saving(self, listener: Callable[[bool], None]) -> Callable[[], None]:
        """Told whether the last write of a run reached the disk."""
        return self._saving.listen(listener)

    async def recorded(self) -> None:
        """Returns when every run that has ended is on disk."""
        while self._recording:
            await asyncio.wait(tuple(self._recording.values()))

    async def stop_all(self) -> None:
        """Stop what runs, or is about to, and write it down; gives up after a few seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_WAIT):
                for starting in tuple(self._starting.values()):
                    await starting.wait()
        for run in tuple(self._running.values()):
            run.cancel()
        if self._recording:
            await asyncio.wait(tuple(self._recording.values()), timeout=STOP_WAIT)

    # ------------------------------------------------------------ gathering

    async def check(self, agent: str, options: RunOptions) -> None:
        """Whether a question to a new session of `agent` could be sent; raises as `send`."""
        profile = self._settings.changed_profile(self._settings.profile(agent), options.overrides)
        self._knows_others(profile)
        self._mode_named(options.mode or profile.default_mode)
        await self._models.choose(profile, wanted=options.model)

    @contextmanager
    def _alone(self, session_id: str) -> Iterator[None]:
        """Two questions sent at the same moment are still one run: the second is refused at once."""
        if session_id in self._starting or self.running(session_id) is not None:
            raise AlreadyRunning("the last question is still being answered")
        over = self._starting[session_id] = asyncio.Event()
        try:
            yield
        finally:
            del self._starting[session_id]
            over.set()

    def _knows_others(self, profile: AgentProfile) -> None:
        """An agent it needs and that is gone is told before the first request, not behind the answer."""
        for other in (*profile.subagents, *([profile.then] if profile.then else [])):
            self._settings.profile(other)

    def _mode_named(self, id: str) -> Mode:
        mode = self._modes.get(id)
        if mode is None:
            raise UnknownName("mode", id, self._modes)
        return mode

    async def _prepare(self, session_id: str, options: RunOptions) -> Prepared:
        row = await self._sessions.row(session_id)
        if (writing := self._recording.get(session_id)) is not None:
            await asyncio.wait([writing])
        profile = self._settings.profile(options.agent or row.agent)
        if options.overrides:
            profile = self._settings.changed_profile(profile, options.overrides)
        if row.is_temporary:
            profile = profile.model_copy(update={"memory": False})
        self._knows_others(profile)
        mode = self._mode_named(options.mode or row.mode or profile.default_mode)
        model = await self._models.choose(profile, session=row.model, wanted=options.model)
        return Prepared(row, profile, mode, model, self._tools.for_agent(profile))

    async def _start(
        self,
        prepared: Prepared,
        history: list[Message],
        question: Message,
        options: RunOptions,
        *,
        begin: Callable[[RunContext], None] | None = None,
        fresh: bool = False,
    ) -> Run:
        prepared = await self._limited(prepared, question.text)
        ctx = await self._builder.for_question(
            prepared, history, question, options, fresh=fresh, get_next=self._next_agent
        )
        if prepared.profile.subagents:
            self._add_subagents(ctx)
        if begin is not None:
            begin(ctx)
        return await self._launch(ctx, prepared.mode, question.id)

    async def _limited(self, prepared: Prepared, question: str) -> Prepared:
        """To the knowledge bases that the question names, whether the agent has them otherwise or not."""
        bases = await self._knowledge.named_in(question) if self._knowledge is not None else []
        if not bases:
            return prepared
        profile = prepared.profile.model_copy(update={"knowledge": tuple(base.id for base in bases)})
        # Auto goes by words alone and might take Direct, which has no tools.
        mode = self._mode_named("react") if prepared.mode.id == "auto" else prepared.mode
        names = tuple(base.name for base in bases)
        return replace(prepared, profile=profile, mode=mode, tools=self._tools.for_agent(profile), bases=names)

    async def _launch(self, ctx: RunContext, mode: Mode, parent: str) -> Run:
        """`parent` is the message that this run answers, or follows."""
        session = ctx.request.session_id
        fold = Fold(new_id(session), created=time.time(), run=ctx.request.run_id, parent=parent)
        await self._runs.start(
            ctx.request.run_id, session, fold.message(), ctx.request.profile.id, mode.id, ctx.services.model.ref
        )
        run = Run(ctx, mode)
        self._running[session] = run
        run.start()
        self._budgets.follow(run.id, ctx.services.spending)
        self._record(run, ctx, fold)
        self._sessions.changed(session)
        return run

    # ------------------------------------------------------------ agents that call agents

    def _add_subagents(self, ctx: RunContext) -> None:
        about = {id: in_language(self._settings.profile(id).description) for id in ctx.request.profile.subagents}

        async def start(agent: str, prompt: str) -> Run:
            return await self._start_child(ctx, agent, prompt)

        ctx.services.tools = {**ctx.services.tools, TASK: task_tool(about, start, asyncio.Semaphore(MOST_HELPERS))}

    async def _start_child(self, parent: RunContext, agent: str, prompt: str) -> Run:
        """A run inside a run: it spends from its parent's budget and may do no more than its parent."""
        following = await self._next_agent(agent, otherwise=parent.services.model)
        ctx = parent.child(
            profile=following.profile,
            model=following.model,
            tools={name: tool for name, tool in following.tools.items() if name in parent.services.tools},
            query=prompt,
            turns=[SystemTurn(following.system), UserTurn(prompt)],
            permissions=replace(
                following.permissions.under(parent.services.permissions.preset), ceiling=parent.services.permissions
            ),
        )
        ctx.services.hooks = following.hooks
        ctx.services.tool_seams = {**ctx.services.tool_seams, **settings_seam(self._settings, following.profile)}
        news = [notice for notice in following.notices if notice not in parent.request.notices]
        ctx.request = replace(ctx.request, notices=news)
        run = Run(ctx, self._modes["react"], parent=parent.request.run_id)
        self._inner[run.id] = run
        fold = Fold(ctx.services.new_id(), created=time.time(), run=ctx.request.run_id)
        await self._runs.start(
            ctx.request.run_id,
            ctx.request.session_id,
            None,
            agent,
            "react",
            ctx.services.model.ref,
            parent=parent.request.run_id,
        )
        run.start()
        self._record(run, ctx, fold, key=run.id)
        return run

    async def _next_agent(self, agent: str, *, otherwise: ChatModel | None = None) -> NextAgent:
        """`otherwise` answers where nothing is set up for this agent."""
        profile = self._settings.profile(agent)
        try:
            model = await self._models.choose(profile)
        except NotConfigured:
            if otherwise is None:
                raise
            model = otherwise
        tools = self._tools.for_agent(profile)
        system = system_of(profile, model, has_tools=bool(tools))
        permissions = self._builder.permissions(profile, may_last=False)
        hooks = self._builder.hooks_for(profile)
        return NextAgent(profile, model, tools, system, permissions, hooks, self._tools.missing(profile))

    def _record(self, run: Run, ctx: RunContext, fold: Fold, *, key: str = "") -> None:
        """`key` is the session, unless the run is inside another one."""
        key = key or run.session
        spent = partial(spent_by, ctx)
        ctx.services.journal = recorder = Recorder(run, self._runs, fold, saved=self._saving.tell, spent=spent)
        task = asyncio.create_task(recorder.follow(), name=f"record {run.id}")
        self._recording[key] = task

        def ended(task: asyncio.Task[None]) -> None:
            if self._recording.get(key) is task:
                del self._recording[key]
            if self._running.get(run.session) is run:
                del self._running[run.session]
            self._budgets.forget(run.id)
            self._inner = {id: inner for id, inner in self._inner.items() if inner.parent != run.id}
            if not task.cancelled() and (error := task.exception()):
                log.error("run %s was not recorded to its end", run.id, exc_info=error)
            self._sessions.changed(run.session)

        task.add_done_callback(ended)


def question_at(history: Sequence[Message], message: str = "") -> int:
    """The place of the question that `message` is or answers; of the last one, if none is named."""
    end = next(
        (place for place, one in enumerate(history) if one.id == message), len(history) - 1 if not message else -1
    )
    place = next((place for place in range(end, -1, -1) if history[place].role == "user"), -1)
    if place < 0:
        if message:
            raise UnknownName("message", message)
        raise BadInput("the session has no question yet", reason="NO_QUESTION")
    return place
