"""The tools: which there are, which an agent has, and one called by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from app.agent.context import RunContext
from app.agent.policy.permission import ALWAYS_ASKS, Permissions, fits
from app.agent.policy.subject import Subject
from app.agent.run_parts import RunRequest, RunServices, RunState
from app.agent.tools.executor import Batch
from app.core.errors import Refused, UnknownName
from app.core.ids import new_id
from app.core.knowledge import KNOWLEDGE_TOOLS
from app.core.memory import FETCH_MEMORY, MEMORY_TOOLS
from app.core.profile import AgentProfile, PermissionRule, PermissionWord
from app.core.run.chat_model import CallTurn
from app.core.run.events import Notice
from app.core.skills import SKILL_TOOLS
from app.core.tools.tool import Tool, ToolResult, canonical_args
from app.services.tools.domains import memory_seam, privacy_of, settings_seam

from ..providers.models import NO_MODEL
from ..settings.settings import SettingsService
from .shelf import ToolShelf

StandingGrants = Callable[[Subject], bool]


class ServerTools(Protocol):
    """Tools that are not the program's own: those of MCP servers."""

    def tools_of(self, profile: AgentProfile) -> Mapping[str, Tool]: ...

    def words_of(
        self, profile: AgentProfile, own: Callable[[str], PermissionWord | None]
    ) -> Mapping[str, PermissionWord]: ...

    def tool(self, name: str) -> Tool | None: ...

    def missing_of(self, profile: AgentProfile) -> Sequence[Notice]: ...


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """A tool in a list. `word` is what the agent's profile says of it; "" = the agent has it not."""

    name: str
    description: str
    permission: str
    word: PermissionWord | str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PastCall:
    """`text` is what rules about it are compared with, in its exact form where there is one."""

    text: str
    _subject: Subject

    def fits(self, rule: PermissionRule) -> bool:
        return fits(rule, self._subject)


class ToolService:
    def __init__(
        self,
        tools: ToolShelf,
        settings: SettingsService,
        *,
        language: str,
        tool_seams: Mapping[str, Any] | None = None,
        servers: ServerTools | None = None,
    ) -> None:
        """`tool_seams` are the further fields of ToolContext, as a run hands them to its tools."""
        self._servers = servers
        self._tools = tools
        self._settings, self._language, self._tool_seams = settings, language, tool_seams or {}

    @property
    def resources(self) -> Mapping[str, Any]:
        """Those of every tool, by name (`ToolContext.resources`)."""
        found: Mapping[str, Any] = self._tool_seams.get("resources", {})
        return found

    def all_tools(self) -> list[ToolEntry]:
        """Imports all domains: not for the window's thread before `SettingsService.loaded_domains`."""
        return [_entry(tool, "") for tool in self._tools.values()]

    def tools_of_servers(self, ids: Iterable[str]) -> list[ToolEntry]:
        """What these MCP servers bring, whether an agent has it or not."""
        if self._servers is None:
            return []
        every = AgentProfile(id="every", mcp_servers=tuple(ids))
        return [_entry(tool, "") for tool in self._servers.tools_of(every).values()]

    async def tools(self, agent: str) -> list[ToolEntry]:
        """Those the agent has, with the word of its profile."""
        profile = self._settings.profile(agent)
        tools = await self.for_agent(profile)
        permissions = self.permissions(profile)
        return [_entry(tool, permissions.decide(tool, {}).word) for tool in tools.values()]

    def named(self, name: str) -> Tool | None:
        return self._tools.get(name) or (self._servers.tool(name) if self._servers is not None else None)

    def rule_subject(self, name: str, args: Mapping[str, Any]) -> str | None:
        """What a rule for exactly this call says; None where no rule may make it silent, or none can say it."""
        tool = self.named(name)
        return None if tool is None or tool.permission in ALWAYS_ASKS else Subject.read(tool, args).suggestion

    def targets(self, name: str, args: Mapping[str, Any]) -> tuple[str, ...]:
        """What a permission for the call is bound to: paths, and where their links lead; addresses, and without their
        detours."""
        tool = self.named(name)
        return Subject.read(tool, args).bound if tool is not None else ()

    def past_call(self, name: str, args: Mapping[str, Any]) -> PastCall | None:
        """A call rules can be tried on. Follows its paths: not for the window's thread."""
        if (tool := self.named(name)) is None:
            return None
        subject = Subject.read(tool, args)
        subject.look_up(paths_in_text=True)
        return PastCall(subject.suggestion or subject.text, subject)

    async def for_agent(self, profile: AgentProfile) -> dict[str, Tool]:
        """Its own, and those of the MCP servers it names. Its domain is imported in a thread, if nobody has used it."""
        await self._settings.loaded_domain(profile)
        if profile.acp is not None:
            await asyncio.to_thread(_undo_tool)
        await self._tools.loaded(self.permissions(profile).words)
        return self._of_agent(profile)

    def _of_agent(self, profile: AgentProfile) -> dict[str, Tool]:
        permissions = self.permissions(profile)
        further = self._servers.tools_of(profile) if self._servers is not None else {}
        own = self._tools.some(permissions.words)
        return {name: tool for name, tool in {**further, **own}.items() if permissions.offered(name)}

    def load_for(self, agent: str) -> None:
        """Imports the tools of an agent, "" for the one a new person begins with: not for the window's thread."""
        profiles = self._settings.profiles()
        default = self._settings.preferences.default_agent
        for profile in profiles:
            if profile.id == agent or (not agent and (profile.flagship or profile.id == default)):
                self._of_agent(profile)

    def missing(self, profile: AgentProfile) -> Sequence[Notice]:
        """What the agent was given and cannot have now: a run of it says so, or its answer would be a riddle."""
        return self._servers.missing_of(profile) if self._servers is not None else ()

    def permissions(self, profile: AgentProfile, standing: StandingGrants | None = None) -> Permissions:
        """The rules of a run of this agent; `standing` is what the person has allowed it for good."""
        domain = self._settings.domain_of(profile)
        permissions = permissions_of(profile, standing, recalls=domain is not None and domain.recall is not None)
        if self._servers is None or not profile.mcp_servers:
            return permissions
        return replace(permissions, words={**profile.tools, **self._servers.words_of(profile, permissions.word)})

    async def call(
        self, name: str, args: Mapping[str, Any], agent: str = "", *, folder: Mapping[str, Any] | None = None,
        secrets: bool = False,
    ) -> ToolResult:  # fmt: skip
        """One tool without a model, through the same gate: the person who calls it is the approval.

        `folder`: the fields of `ToolContext` that a picked folder brings. `secrets`: the person says that files of keys
        are meant too; without it a call that names one comes back as DENIED.

        Raises UnknownName. What the tool refuses comes back as its error envelope.
        """
        profile = (
            self._settings.profile(agent) if agent else AgentProfile(id="command", tools={"*": "allow"}, memory=True)
        )
        tools = await self.for_agent(profile)
        if name not in tools and self.named(name) is not None and self.permissions(profile).word(name) == "deny":
            hint = "change that in its settings"
            raise Refused(f"{name} is denied to the agent {agent}", hint=hint, reason="TOOL_DENIED", name=name)
        if name not in tools:
            raise UnknownName("tool", name, tools)
        ctx = RunContext(
            RunRequest(new_id(), "", profile, "", language=self._language, approve="all", approves_secrets=secrets),
            RunServices(
                NO_MODEL,
                tools,
                self.permissions(profile),
                tool_seams={
                    **memory_seam(self._settings, profile, {**self._tool_seams, **(folder or {})}),
                    **settings_seam(self._settings, profile),
                },
                privacy=await privacy_of(self._settings, self._tool_seams.get("documents"), profile),
            ),
            RunState([]),
        )
        call = CallTurn(new_id(), name, canonical_args(args), dict(args))
        batch = Batch(ctx, [call])
        async for _event in batch.events():
            pass
        return batch.result_of(call.id)


def permissions_of(
    profile: AgentProfile, standing: StandingGrants | None = None, *, recalls: bool = False
) -> Permissions:
    """`standing`: what the person has allowed this agent for good; `recalls`: its domain is a memory."""
    words = _words(profile)
    if recalls and not profile.memory:
        words |= {FETCH_MEMORY: profile.tools.get(FETCH_MEMORY, "allow")}
    permissions = Permissions(words, profile.permissions)
    return replace(permissions, standing=standing) if standing is not None else permissions


def _words(profile: AgentProfile) -> dict[str, PermissionWord]:
    """One setting of the profile gives an agent the tools of its memory, one those of its documents."""
    words: dict[str, PermissionWord] = dict(profile.tools)
    if profile.acp is not None:  # for the button of what was written for it
        words = {_undo_tool(): "allow", **words}
    for names, is_on in (
        (MEMORY_TOOLS, profile.memory),
        (KNOWLEDGE_TOOLS, bool(profile.knowledge)),
        (SKILL_TOOLS, bool(profile.skills)),
    ):
        words = {**dict.fromkeys(names, "allow"), **words} if is_on else {**words, **dict.fromkeys(names, "deny")}
    return words


def _undo_tool() -> str:
    """The first time, imports its domain."""
    from app.domains.workspace.model.journal import UNDO_TOOL

    return UNDO_TOOL


def _entry(tool: Tool, word: PermissionWord | str) -> ToolEntry:
    return ToolEntry(tool.name, tool.description, tool.permission, word, tool.parameters)
