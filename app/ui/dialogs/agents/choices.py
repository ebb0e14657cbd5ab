"""What the form of an agent offers and what it is tried on, as it is asked of the services."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from app.ui.dialogs.agents.pick_editors import Option

if TYPE_CHECKING:
    from app.core.run.analysis.round_costs import RoundCosts
    from app.services.runs.last_calls import CallSample
    from app.services.tools.service import PastCall


class AgentChoices(Protocol):
    def models(self) -> Sequence[str]:
        """References one may choose from."""

    def servers(self) -> Sequence[Option]:
        """Of MCP."""

    def bases(self) -> Sequence[Option]:
        """Of knowledge."""

    def skills(self) -> Sequence[Option]:
        """All of them as one entry, those of a picked folder, and each by itself."""

    async def measured(self, agent: str) -> RoundCosts | None:
        """What the rounds of an agent took so far."""

    async def last_call(self, tool: str) -> CallSample | None:
        """The newest stored call, for a hook to be tried on."""

    async def past_call(self, tool: str) -> PastCall | None:
        """The same, as a permission rule sees it."""
