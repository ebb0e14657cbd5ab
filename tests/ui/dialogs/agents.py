"""What pages ask about agents, without the services behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.core.run.analysis.round_costs import RoundCosts
from app.services.runs.last_calls import CallSample
from app.services.tools.service import PastCall
from app.ui.dialogs.settings.agent_titles import AgentTitles


class Titles(AgentTitles):
    """The id in title case."""

    def __init__(self) -> None:
        pass

    def title_of(self, agent: str) -> str:
        return agent.title()


@dataclass
class Choices:
    refs: Sequence[str] = ("ollama/qwen3:8b",)
    mcp: Sequence[tuple[str, str]] = ()
    costs: dict[str, RoundCosts] = field(default_factory=dict)
    calls: dict[str, PastCall] = field(default_factory=dict)

    def models(self) -> Sequence[str]:
        return self.refs

    def servers(self) -> Sequence[tuple[str, str]]:
        return self.mcp

    def skills(self) -> Sequence[tuple[str, str]]:
        return []

    def bases(self) -> Sequence[tuple[str, str]]:
        return ()

    async def measured(self, agent: str) -> RoundCosts | None:
        return self.costs.get(agent)

    async def last_call(self, tool: str) -> CallSample | None:
        return None

    async def past_call(self, tool: str) -> PastCall | None:
        return self.calls.get(tool)
