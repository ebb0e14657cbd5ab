"""What the form of an agent offers and what it is tried on, asked of the services."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from app.core.text.i18n import _

if TYPE_CHECKING:
    from app.core.run.analysis.round_costs import RoundCosts
    from app.services.knowledge.service import KnowledgeService
    from app.services.mcp.service import McpService
    from app.services.providers.models import ModelService
    from app.services.runs.last_calls import CallSample, CallService
    from app.services.runs.runs import RunService
    from app.services.skills.service import SkillService
    from app.services.tools.service import PastCall, ToolService


class AgentFormChoices:
    def __init__(
        self,
        models: ModelService,
        mcp: McpService,
        knowledge: KnowledgeService,
        runs: RunService,
        calls: CallService,
        tools: ToolService,
        skills: SkillService,
    ) -> None:
        self._skills = skills
        self._models, self._mcp, self._knowledge = models, mcp, knowledge
        self._runs, self._calls, self._tools = runs, calls, tools

    def models(self) -> list[str]:
        return [choice.ref for choice in self._models.choices()]

    def servers(self) -> list[tuple[str, str]]:
        servers, off = self._mcp.servers(), _("{name} (off)")
        return [(one.id, one.name if one.enabled else off.format(name=one.name)) for one in servers]

    def bases(self) -> list[tuple[str, str]]:
        return [(base.id, base.name) for base in self._knowledge.listed]

    def skills(self) -> list[tuple[str, str]]:
        whole = [
            ("*", _("All of them, also those to come")),
            ("folder:*", _("Those of a picked folder; they ask first")),
        ]
        return [*whole, *((one.name, one.title) for one in self._skills.listed)]

    async def measured(self, agent: str) -> RoundCosts | None:
        from app.services.runs.round_costs import measured_rounds

        return await measured_rounds(self._runs, agent)

    async def last_call(self, tool: str) -> CallSample | None:
        return await self._calls.last(tool)

    async def past_call(self, tool: str) -> PastCall | None:
        call = await self._calls.last(tool)
        if call is None:
            return None
        return await asyncio.to_thread(self._tools.past_call, call.tool, json.loads(call.args))
