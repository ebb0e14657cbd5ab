"""What is needed to start an agent's program, and the errors of one that cannot be used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from app.core.acp_program import AgentOffers
from app.core.errors import ForeignAgentFailed
from app.core.profile import AgentProfile


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """Everything that decides what is started. `env` holds secrets."""

    program: str
    args: tuple[str, ...]
    env: Mapping[str, str] = field(repr=False)
    folder: Path
    """Where it works unless the session has a folder."""
    mode: str = field(compare=False)
    """One of its own, "" for the one it begins with. Another one needs no other process."""
    lines: tuple[tuple[str, str], ...]
    """What a person agrees to: label and value."""
    fingerprint: str
    is_agreed: bool
    """The person has agreed to exactly this."""


class Launches(Protocol):
    async def plan(self, profile: AgentProfile) -> LaunchPlan:
        """Raises ForeignAgentFailed for a program that is not there."""

    async def offered(self, agent: str, offers: AgentOffers) -> None:
        """It has said what can be chosen of it."""


def failed(*, reason: str, message: str, **values: Any) -> ForeignAgentFailed:
    return ForeignAgentFailed(message, reason=reason, **values)
