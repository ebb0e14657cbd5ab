"""Starts a run: the agent, mode, model and tools it needs, the row of its answer, its task, its record.

What is asked, and after which messages, is decided by its callers (`chat`, `repeats`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from app.agent.context import RunContext
from app.agent.modes import MODES, Mode
from app.agent.modes.pipeline import NextAgent
from app.agent.run import Run
from app.agent.subagent import task_tool
from app.core.acp_program import own_mode
from app.core.errors import BadInput, NotConfigured, UnknownName
from app.core.ids import new_id
from app.core.profile import AgentProfile, Budget, in_language
from app.core.run.chat_model import ChatModel, SystemTurn, UserTurn
from app.core.run.events import Notice
from app.core.run.messages import Message
from app.core.run.mode import ACP
from app.core.run.transcript import Fold
from app.core.session.summary import SessionRow
from app.core.tools.tool import TASK
from app.services.tools.domains import memory_seam, settings_seam
from app.storage.stores.runs import RunStore
from app.tools.ask_user import ask_user

from ..data.sessions import SessionService
from ..knowledge.service import KnowledgeService
from ..providers.models import ModelService
from ..settings.settings import SettingsService
from ..tools.service import ToolService
from .active_runs import ActiveRuns
from .run_builder import Prepared, RunBuilder, system_of
from .run_options import RunOptions

MOST_HELPERS = 3
"""Sub-agents of one run that work at the same time."""
MOST_NAMED = 5
"""Names in a sentence about them."""


class RunStarter:
    def __init__(
        self,
        sessions: SessionService,
        runs: RunStore,
        settings: SettingsService,
        models: ModelService,
        tools: ToolService,
        builder: RunBuilder,
        active: ActiveRuns,
        *,
        modes: Iterable[Mode] = (),
        knowledge: KnowledgeService | None = None,
    ) -> None:
        """`modes` are those of plug-ins."""
        self._sessions, self._runs, self._settings = sessions, runs, settings
        self._models, self._tools, self._knowledge = models, tools, knowledge
        self._builder, self._active = builder, active
        self._modes: Mapping[str, Mode] = {mode.id: mode for mode in (*MODES, *modes)}

    async def check(self, agent: str, options: RunOptions) -> None:
        """Whether a question to a new session of `agent` could be sent; raises as `send`."""
        profile = self._settings.changed_profile(self._settings.profile(agent), options.overrides)
        self._knows_others(profile)
        self._mode_of(profile, options.mode or profile.default_mode)
        await self._models.choose(profile, wanted=options.model)

    def _knows_others(self, profile: AgentProfile) -> None:
        """An agent it needs and that is gone is told before the first request, not behind the answer."""
        for other in (*profile.subagents, *([profile.then] if profile.then else [])):
            if self._settings.profile(other).acp is not None:
                raise BadInput(f"{other} is another program", reason="ACP_AS_HELPER")

    async def model_for(self, profile: AgentProfile, row: SessionRow) -> ChatModel:
        """As a question to this session would get it. Raises NotConfigured."""
        return await self._models.choose(profile, session=row.model)

    def _mode_of(self, profile: AgentProfile, wanted: str) -> Mode:
        if profile.acp is not None:
            return self.mode_named(ACP)
        return self.mode_named(profile.default_mode if own_mode(wanted) else wanted)

    def mode_named(self, id: str) -> Mode:
        mode = self._modes.get(id)
        if mode is None:
            raise UnknownName("mode", id, self._modes)
        return mode

    async def prepare(self, session_id: str, options: RunOptions) -> Prepared:
        await self._active.written(session_id)
        conversation = await self._sessions.conversation(session_id)
        row = conversation.row
        profile = self._settings.profile(options.agent or row.agent)
        if options.overrides:
            profile = self._settings.changed_profile(profile, options.overrides)
        if row.is_temporary:
            profile = profile.model_copy(update={"memory": False})
        if profile.acp is not None and (own := own_mode(options.mode) or own_mode(row.mode)):
            profile = profile.model_copy(update={"acp": profile.acp.model_copy(update={"mode": own})})
        self._knows_others(profile)
        mode = self._mode_of(profile, options.mode or row.mode or profile.default_mode)
        model = await self._models.choose(profile, session=row.model, wanted=options.model)
        tools = await self._tools.for_agent(profile)
        # Where nobody answers ours, a program that brings its own question has a person to ask.
        replaceable = () if options.interactive else (ask_user.name,)
        if taken := [tool.name for tool in options.tools if tool.name in tools and tool.name not in replaceable]:
            raise BadInput(f"there is a tool {taken[0]} already", reason="TOOL_TAKEN", name=taken[0])
        return Prepared(conversation, profile, mode, model, tools)

    async def start(
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
        if options.tools:
            prepared = replace(prepared, tools={**prepared.tools, **{tool.name: tool for tool in options.tools}})
        ctx = await self._builder.for_question(
            prepared, history, question, options, fresh=fresh, get_next=self._next_agent
        )
        if prepared.profile.subagents:
            self._add_subagents(ctx)
        if begin is not None:
            begin(ctx)
        return await self.launch(ctx, prepared.mode, question.id)

    async def _limited(self, prepared: Prepared, question: str) -> Prepared:
        """To the knowledge bases that the question names, whether the agent has them otherwise or not."""
        if self._knowledge is None:
            return prepared
        bases = await self._knowledge.named_in(question)
        if unknown := await self._knowledge.unknown_in(question):
            existing = [base.name for base in await self._knowledge.bases()]
            prepared = replace(prepared, notices=(*prepared.notices, _no_base(unknown, existing)))
        if not bases:
            return prepared
        profile = prepared.profile.model_copy(update={"knowledge": tuple(base.id for base in bases)})
        # Auto goes by words alone and might take Direct, which has no tools.
        mode = self._mode_of(profile, "react" if prepared.mode.id == "auto" else prepared.mode.id)
        names = tuple(base.name for base in bases)
        return replace(prepared, profile=profile, mode=mode, tools=await self._tools.for_agent(profile), bases=names)

    async def launch(self, ctx: RunContext, mode: Mode, parent: str | None) -> Run:
        """`parent` is the message that this run answers, or follows; None: it is the first of its session."""
        session = ctx.request.session_id
        fold = Fold(new_id(session), created=time.time(), run=ctx.request.run_id, parent=parent)
        await self._runs.start(
            ctx.request.run_id, session, fold.message(), ctx.request.profile.id, mode.id, ctx.services.model.ref
        )
        run = Run(ctx, mode)
        run.start()
        self._active.add(run, ctx, fold)
        self._sessions.changed(session)
        return run

    def _add_subagents(self, ctx: RunContext) -> None:
        about = {id: in_language(self._settings.profile(id).description) for id in ctx.request.profile.subagents}

        async def start(agent: str, prompt: str, budget: Budget | None = None) -> Run:
            return await self._start_child(ctx, agent, prompt, budget)

        ctx.services.tools = {**ctx.services.tools, TASK: task_tool(about, start, asyncio.Semaphore(MOST_HELPERS))}

    async def _start_child(self, parent: RunContext, agent: str, prompt: str, budget: Budget | None) -> Run:
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
            allotment=budget,
        )
        ctx.services.hooks, ctx.services.privacy = following.hooks, parent.services.privacy.then(following.privacy)
        seams = {**ctx.services.tool_seams, **settings_seam(self._settings, following.profile)}
        ctx.services.tool_seams = memory_seam(self._settings, following.profile, seams)
        news = [notice for notice in following.notices if notice not in parent.request.notices]
        ctx.request = replace(ctx.request, notices=news)
        run = Run(ctx, self._modes["react"], parent=parent.request.run_id)
        fold = Fold(next(ctx.services.ids), created=time.time(), run=ctx.request.run_id)
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
        self._active.add(run, ctx, fold)
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
        tools = await self._tools.for_agent(profile)
        system = system_of(profile, model, has_tools=bool(tools))
        permissions = self._builder.permissions(profile, may_last=False)
        hooks, privacy = self._builder.hooks_for(profile), await self._builder.privacy_for(profile)
        return NextAgent(profile, model, tools, system, permissions, hooks, privacy, self._tools.missing(profile))


def _no_base(unknown: Sequence[str], known: Sequence[str]) -> Notice:
    mentions, bases = (", ".join(f"@{name}" for name in names[:MOST_NAMED]) for names in (unknown, known))
    values = {"names": mentions, "known": bases}
    return Notice("base_unknown", f"no knowledge base is called {mentions}; there are {bases}", values)
