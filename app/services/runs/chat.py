"""What a person does in a session: send a question, ask it again, edit it, press a button of a card.

A run belongs to this service, not to a window: it continues and is recorded when no window shows it. One run per
session at a time (`active`). Runs that begin from a stored one are in `repeats`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from app.agent.modes import Mode
from app.agent.modes.action import NO_MODEL, PressedButton, action_mode
from app.agent.policy.hooks import Hooks
from app.agent.request import prompts
from app.agent.run import Run
from app.core.errors import BadInput
from app.core.ids import new_id
from app.core.profile import AgentProfile
from app.core.run.chat_model import ToolSpec
from app.core.run.messages import Attachment, Text, user_message
from app.core.text.i18n import current_language
from app.core.tools.card import CardAction
from app.storage.stores.runs import RunStore

from ..data.conversation import Conversation
from ..data.sessions import SessionService
from ..exchange.attachments import AttachmentService
from ..knowledge.service import KnowledgeService
from ..memory.service import MemoryService
from ..providers.models import ModelService
from ..settings.settings import SettingsService
from ..skills.service import SkillService
from ..tools.grants import GrantService
from ..tools.service import ToolService
from ..workspace.service import WorkspaceService
from .actions import Pressed, read_button
from .active_runs import ActiveRuns
from .budgets import Budgets
from .questions import question_at
from .repeats import RepeatService
from .run_builder import RunBuilder, today
from .run_options import RunOptions
from .starter import RunStarter


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
        grants: GrantService,
        attachments: AttachmentService,
        memory: MemoryService | None = None,
        knowledge: KnowledgeService | None = None,
        workspace: WorkspaceService | None = None,
        skills: SkillService | None = None,
    ) -> None:
        self._sessions, self._settings, self._tools = sessions, settings, tools
        budgets = Budgets(runs, settings, models.price)
        self._builder = RunBuilder(
            settings,
            tools,
            runs,
            budgets,
            tool_seams=tool_seams or {},
            temporary_seams=temporary_seams or {},
            hooks=hooks or Hooks(),
            grants=grants,
            attachments=attachments,
            memory=memory,
            workspace=workspace,
            skills=skills,
        )
        self.active = ActiveRuns(runs, budgets, sessions.changes)
        self._starter = RunStarter(
            sessions, runs, settings, models, tools, self._builder, self.active, modes=modes, knowledge=knowledge
        )
        self.repeats = RepeatService(sessions, runs, self._starter, self.active)

    # ------------------------------------------------------------ asking

    async def send(
        self,
        session_id: str,
        text: str,
        mode: str = "",
        *,
        attachments: tuple[Attachment, ...] = (),
        origin: str = "",
        options: RunOptions | None = None,
    ) -> Run:
        """The question is on disk before the model is notified of it. `origin`: who wrote it, if not the person.

        Raises UnknownName (session, agent, mode, model), NotConfigured (no model) and AlreadyRunning,
        all before anything is stored.
        """
        if not text.strip() and not attachments:
            raise BadInput("there is nothing to send", reason="NOTHING_TO_SEND")
        options = replace(options or RunOptions(), mode=mode or (options.mode if options else ""))
        with self.active.alone(session_id):
            prepared = await self._starter.prepare(session_id, options)
            history = list(prepared.conversation.line.messages)
            question = user_message(
                new_id(session_id), text, created=time.time(), attachments=attachments, origin=origin
            )
            if history and history[-1].role == "assistant":
                question = replace(question, parent=history[-1].id)
            await self._sessions.add(session_id, question)
            return await self._starter.start(prepared, [*history, question], question, options)

    async def rerun(
        self, session_id: str, mode: str = "", *, message: str = "", options: RunOptions | None = None
    ) -> Run:
        """A question once more: the last one, or the one that `message` is or answers.

        The answer it had stays as a variant. Raises as `send`.
        """
        options = replace(options or RunOptions(), mode=mode or (options.mode if options else ""))
        with self.active.alone(session_id):
            prepared = await self._starter.prepare(session_id, options)
            history = list(prepared.conversation.line.messages)
            place = question_at(history, message)
            question = history[place]
            await self._sessions.edits.choose_newest(session_id, question.id)
            return await self._starter.start(prepared, history[: place + 1], question, options, fresh=True)

    async def edit(
        self,
        session_id: str,
        message: str,
        text: str,
        mode: str = "",
        *,
        origin: str = "",
        options: RunOptions | None = None,
    ) -> Run:
        """An earlier question in other words; the old one stays as a variant, with all that followed it."""
        if not text.strip():
            raise BadInput("there is nothing to send", reason="NOTHING_TO_SEND")
        options = replace(options or RunOptions(), mode=mode or (options.mode if options else ""))
        with self.active.alone(session_id):
            prepared = await self._starter.prepare(session_id, options)
            line = prepared.conversation.line
            place = question_at(line.messages, message)
            old = line.messages[place]
            files = tuple(part for part in old.parts if isinstance(part, Attachment))
            origin = origin or next((part.origin for part in old.parts if isinstance(part, Text)), "")
            edited = user_message(new_id(session_id), text, created=time.time(), attachments=files, origin=origin)
            question = replace(edited, parent=old.id)
            await self._sessions.edits.choose_newest(session_id, line.follows[old.id])
            await self._sessions.add(session_id, question)
            return await self._starter.start(prepared, [*line.messages[:place], question], question, options)

    async def frame(self, profile: AgentProfile, mode: str) -> tuple[str, tuple[ToolSpec, ...]]:
        """What goes with every request of such a run, whatever is said: system prompt and tools."""
        tools = {} if mode == "direct" else await self._tools.for_agent(profile)
        specs = tuple(ToolSpec(tool.name, tool.description, tool.parameters) for tool in tools.values())
        return prompts.system_prompt(profile, today=today(), ask_for_think=False, has_tools=bool(tools)), specs

    async def press(
        self, session_id: str, message: str, call: str, action: str, *, values: Mapping[str, Any] | None = None
    ) -> Run:
        """A button of the card that `call` of `message` shows: a run without a model, behind the last message.

        `values` are what the person typed into the card, where it is a form. Raises AlreadyRunning, and BadInput where
        the card has no such button or its agent no such tool (any more).
        """
        with self.active.alone(session_id):
            await self.active.written(session_id)
            conversation = await self._sessions.conversation(session_id)
            pressed = read_button(conversation.line.messages, message, call, action, values or {})
            return await self._run_button(conversation, pressed)

    async def act(self, session_id: str, action: CardAction) -> Run:
        """What a button of the page beside the chat stands for, as the agent of the session. Raises as `press`."""
        with self.active.alone(session_id):
            await self.active.written(session_id)
            conversation = await self._sessions.conversation(session_id)
            button = PressedButton(action.tool, action.args, "", "")
            pressed = Pressed(conversation.row.agent, action.label, current_language(), button)
            return await self._run_button(conversation, pressed)

    async def _run_button(self, conversation: Conversation, pressed: Pressed) -> Run:
        profile = self._settings.profile(pressed.agent)
        tools = await self._tools.for_agent(profile)
        if pressed.button.tool not in tools:
            raise BadInput(f"{profile.id} has no tool {pressed.button.tool}", reason="NO_ACTION")
        asks_model = tools[pressed.button.tool].asks_model
        model = await self._starter.model_for(profile, conversation.row) if asks_model else NO_MODEL
        ctx = await self._builder.for_button(conversation, profile, tools, pressed, model)
        # The arguments of an imported card are somebody else's words: there a click answers no question.
        mode = action_mode(pressed.button, approves=not conversation.is_imported)
        messages = conversation.line.messages
        return await self._starter.launch(ctx, mode, messages[-1].id if messages else None)

    async def check(self, agent: str, options: RunOptions) -> None:
        """Whether a question to a new session of `agent` could be sent; raises as `send`."""
        await self._starter.check(agent, options)

    def running(self, session_id: str) -> Run | None:
        return self.active.running(session_id)

    def running_sessions(self) -> set[str]:
        return self.active.running_sessions()

    async def recorded(self) -> None:
        """Returns when every run that has ended is on disk."""
        await self.active.recorded()

    async def discard(self, session_id: str) -> None:
        """A temporary session is over: what still runs in it is waited for, then nothing of it is left."""
        if (run := self.running(session_id)) is not None:
            await run.result()
        await self.active.written(session_id)
        await self._sessions.bin.purge(session_id)
