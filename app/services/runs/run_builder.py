"""What a run is given: its request, what it may use, and the state it begins with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from app.agent.budget import Spending
from app.agent.context import RunContext
from app.agent.modes import Mode
from app.agent.modes.action import NO_MODEL
from app.agent.policy.hook_rules import hooks_of
from app.agent.policy.hooks import Hooks
from app.agent.policy.permission import Permissions
from app.agent.policy.privacy import Privacy
from app.agent.policy.result_cache import ResultCache
from app.agent.request import prompts
from app.agent.request.history import turns_of, unsure_calls
from app.agent.run_parts import RunRequest, RunServices, RunState
from app.agent.understood import slots_of_history
from app.core.ids import new_id, new_ids
from app.core.profile import AgentProfile
from app.core.run.chat_model import ChatModel, SystemTurn, Turn, UserTurn
from app.core.run.events import Notice
from app.core.run.messages import Message
from app.core.run.past_plan import Lessons
from app.core.skills import SKILL_SEAM
from app.core.text.i18n import language_of
from app.core.tools.tool import Tool
from app.services.tools.domains import (
    hooks_of_domain,
    memory_seam,
    mode_words,
    privacy_of,
    settings_seam,
    slot_arguments,
)
from app.storage.stores.runs import RunStore

from ..data.conversation import Conversation
from ..exchange.attachments import AttachmentService
from ..memory.service import MemoryService, SentFacts
from ..settings.settings import SettingsService
from ..skills.service import Shelf, SkillService
from ..tools.grants import GrantService
from ..tools.service import ToolService
from ..workspace.service import FolderChoice, WorkspaceService
from .actions import Pressed
from .budgets import Budgets
from .lessons import lessons_for
from .run_options import RunOptions

ANOTHER_FOLDER = "another folder"
"""What taints the runs of a session whose folder was exchanged for another one."""
IMPORTED = "the imported conversation"
"""What taints the runs of a session that came from elsewhere."""


@dataclass(frozen=True, slots=True)
class Prepared:
    conversation: Conversation
    profile: AgentProfile
    mode: Mode
    model: ChatModel
    tools: dict[str, Tool]
    bases: tuple[str, ...] = ()
    """Names of the knowledge bases that the question limits itself to."""
    notices: tuple[Notice, ...] = ()
    """What was found out about the question before the run."""


class RunBuilder:
    def __init__(
        self,
        settings: SettingsService,
        tools: ToolService,
        runs: RunStore,
        budgets: Budgets,
        *,
        tool_seams: Mapping[str, Any],
        temporary_seams: Mapping[str, Any],
        hooks: Hooks,
        grants: GrantService,
        attachments: AttachmentService,
        memory: MemoryService | None,
        workspace: WorkspaceService | None,
        skills: SkillService | None,
    ) -> None:
        """`temporary_seams` are in place of those in a temporary session, where nothing may reach the disk."""
        self._settings, self._tools, self._runs = settings, tools, runs
        self._budgets, self._tool_seams, self._temporary_seams = budgets, tool_seams, temporary_seams
        self._hooks, self._grants, self._attachments, self._memory = hooks, grants, attachments, memory
        self._workspace, self._skills = workspace, skills
        self._kept = ResultCache()

    async def for_question(
        self,
        prepared: Prepared,
        history: list[Message],
        question: Message,
        options: RunOptions,
        *,
        fresh: bool,
        get_next: Callable[[str], Awaitable[Any]],
    ) -> RunContext:
        profile, row = prepared.profile, prepared.conversation.row
        turns = await self._turns(prepared, history, question)
        question_text = turns[-1].text if isinstance(turns[-1], UserTurn) else question.text
        remembered = await self._remembered(profile, question, row.id)
        has_tools = prepared.mode.id != "direct"
        _add_to_question(turns, remembered, prepared.bases if has_tools else ())
        choice = await self.folder_of(row.id)
        shelf = await self._shelf(profile, choice, turns) if has_tools else None
        run_id = new_id(row.id)
        notices = [*prepared.notices, *remembered.notices]
        if has_tools:
            notices = [*self._tools.missing(profile), *notices, *await self._tell_folder(profile, choice, turns)]
        elif prepared.bases:
            notices.append(_bases_unread(prepared.bases))
        learns = has_tools and not row.is_temporary
        request = RunRequest(
            run_id=run_id,
            session_id=row.id,
            profile=profile,
            query=question.text or question_text,
            language=language_of(question.text),
            interactive=options.interactive,
            approve=options.approve,
            plan_only=options.plan_only,
            direct_fallback=self._settings.preferences.direct_fallback,
            mode_words=mode_words(self._settings, profile),
            slot_arguments=slot_arguments(self._settings, profile),
            approval_wait=self._settings.preferences.approval_minutes * 60.0,
            today=today(),
            fresh=fresh,
            notices=notices,
            lessons=await self._lessons(profile, question.text) if learns else Lessons(),
        )
        services = RunServices(
            model=prepared.model,
            tools=prepared.tools,
            permissions=self.permissions(profile, may_last=not row.is_temporary, choice=choice),
            hooks=self.hooks_for(profile),
            spending=await self._budgets.spending(row.id, profile.budget),
            tool_seams=self._seams_for(profile, choice, run_id, temporary=row.is_temporary, shelf=shelf),
            get_next=get_next,
            privacy=await self.privacy_for(profile, history),
            ids=new_ids(row.id),
            kept=None if row.is_temporary else self._kept,
        )
        self._add_rules_of_domain(services, profile)
        ctx = _begun(request, services, turns, history, is_imported=prepared.conversation.is_imported)
        if choice.is_another:
            ctx.state.taint.add_source(ANOTHER_FOLDER)
        return ctx

    async def _turns(self, prepared: Prepared, history: Sequence[Message], question: Message) -> list[Turn]:
        """The system prompt and the messages, without those the person excluded."""
        has_tools = bool(prepared.tools) and prepared.mode.id != "direct"
        system = system_of(prepared.profile, prepared.model, has_tools=has_tools)
        left_out = prepared.conversation.left_out
        images = await self._attachments.data_urls(history)
        return [SystemTurn(system), *turns_of(history, images=images, left_out=left_out - {question.id})]

    async def _shelf(self, profile: AgentProfile, choice: FolderChoice, turns: list[Turn]) -> Shelf | None:
        """The skills it may look at; the system prompt names them."""
        if self._skills is None:
            return None
        shelf = await self._skills.shelf(profile, choice.root)
        if isinstance(turns[0], SystemTurn):
            turns[0] = SystemTurn(prompts.with_skills(turns[0].text, shelf.catalogue))
        return shelf

    def _add_rules_of_domain(self, services: RunServices, profile: AgentProfile) -> None:
        if (domain := self._settings.domain_of(profile)) is not None:
            services.hand_in, services.last_request = domain.hand_in, domain.last_request
            services.most_calls = domain.most_calls

    async def _lessons(self, profile: AgentProfile, question: str) -> Lessons:
        return await lessons_for(self._runs, self._settings.preferences, profile.id, question)

    async def for_button(
        self,
        conversation: Conversation,
        profile: AgentProfile,
        tools: dict[str, Tool],
        pressed: Pressed,
        model: ChatModel = NO_MODEL,
    ) -> RunContext:
        """A run that no model leads. `model` is for a tool that writes (`Tool.asks_model`)."""
        row, history = conversation.row, conversation.line.messages
        choice = await self.folder_of(row.id)
        run_id = new_id(row.id)
        request = RunRequest(
            run_id=run_id,
            session_id=row.id,
            profile=profile.model_copy(update={"output_schema": None, "then": None, "budget": None}),
            query=pressed.label,
            language=pressed.language,
            interactive=True,
            approval_wait=self._settings.preferences.approval_minutes * 60.0,
            today=today(),
            fresh=True,
        )
        services = RunServices(
            model=model,
            tools=tools,
            permissions=self.permissions(profile, may_last=not row.is_temporary, choice=choice),
            hooks=self.hooks_for(profile),
            spending=Spending() if model is NO_MODEL else await self._budgets.spending(row.id, profile.budget),
            tool_seams=self._seams_for(profile, choice, run_id, temporary=row.is_temporary),
            privacy=await self.privacy_for(profile, history),
            ids=new_ids(row.id),
        )
        return _begun(request, services, [], history, is_imported=conversation.is_imported)

    async def _remembered(self, profile: AgentProfile, question: Message, session: str) -> SentFacts:
        """What is remembered and fits the question; what the question states is proposed."""
        if self._memory is None or not profile.memory:
            return SentFacts()
        facts = await self._memory.for_question(profile, question.text)
        await self._memory.propose_from(profile, question.text, session)
        return facts

    def hooks_for(self, profile: AgentProfile) -> Hooks:
        """Those of plug-ins, of its domain, and its own rules, in this order."""
        of_domain = hooks_of_domain(self._settings.domain_of(profile))
        return self._hooks.then(of_domain).then(hooks_of(profile.hooks)[0])

    async def privacy_for(self, profile: AgentProfile, history: Sequence[Message] = ()) -> Privacy:
        """What agents of other domains said before in the session, or say as helpers, keeps their names private."""
        others = {message.start.agent for message in history if message.start is not None}
        return await privacy_of(self._settings, self._tool_seams.get("documents"), profile, others)

    async def folder_of(self, session: str) -> FolderChoice:
        return await self._workspace.choice(session) if self._workspace is not None else FolderChoice()

    async def _tell_folder(self, profile: AgentProfile, choice: FolderChoice, turns: list[Turn]) -> list[Notice]:
        """The last question also says which folder is picked, what may be done there, and what it says of itself."""
        if self._workspace is None or profile.acp is not None or not self._workspace.can_have(profile):
            return []
        if not isinstance(turns[-1], UserTurn):
            return []
        preset = self._workspace.preset_of(profile, choice)
        notes = await self._workspace.notes(profile, choice)
        text = prompts.with_folder(
            turns[-1].text, str(choice.root or ""), preset.id if preset else "", notes.text, ", ".join(notes.names)
        )
        turns[-1] = replace(turns[-1], text=text)
        files = ", ".join(notes.names)
        return [Notice("folder_notes", f"read from the folder, as data: {files}", {"files": files})] if files else []

    def _seams_for(
        self, profile: AgentProfile, choice: FolderChoice, run: str, *, temporary: bool, shelf: Shelf | None = None
    ) -> dict[str, Any]:
        seams = {**self._tool_seams, **(self._temporary_seams if temporary else {})}
        if shelf is not None:
            seams["resources"] = {**seams.get("resources", {}), SKILL_SEAM: shelf}
        folder = self._workspace.seams(choice, run, seams.get("resources", {})) if self._workspace is not None else {}
        return {**memory_seam(self._settings, profile, {**seams, **folder}), **settings_seam(self._settings, profile)}

    def permissions(self, profile: AgentProfile, *, may_last: bool, choice: FolderChoice | None = None) -> Permissions:
        """With `choice`, those of the preset that is chosen for the session."""
        permissions = replace(self._tools.permissions(profile, self._grants.standing(profile.id)), may_last=may_last)
        if choice is None or self._workspace is None:
            return permissions
        return permissions.under(self._workspace.preset_of(profile, choice))


def _begun(
    request: RunRequest, services: RunServices, turns: list[Turn], history: Sequence[Message], *, is_imported: bool
) -> RunContext:
    """With what the conversation brings into it."""
    ctx = RunContext(request, services, RunState(turns))
    ctx.state.taint.note_history(history, services.tools)
    ctx.state.slots_before = slots_of_history(history)
    ctx.state.unsure |= unsure_calls(history)
    if is_imported:
        ctx.state.taint.add_source(IMPORTED)
    return ctx


def _bases_unread(names: Sequence[str]) -> Notice:
    mentions = ", ".join(f"@{name}" for name in names)
    return Notice("bases_unread", f"Direct has no tools, so {mentions} was not searched", {"names": mentions})


def _add_to_question(turns: list[Turn], remembered: SentFacts, bases: Sequence[str]) -> None:
    """What the model reads with the last question besides its words."""
    last = turns[-1]
    if not isinstance(last, UserTurn):
        return
    text = prompts.with_facts(last.text, remembered.text) if remembered.facts else last.text
    turns[-1] = replace(last, text=prompts.with_bases(text, bases) if bases else text)


def today() -> date:
    return datetime.now().astimezone().date()


def system_of(profile: AgentProfile, model: ChatModel, *, has_tools: bool) -> str:
    think = model.traits.ask_for_think
    return prompts.system_prompt(profile, today=today(), ask_for_think=think, has_tools=has_tools)
