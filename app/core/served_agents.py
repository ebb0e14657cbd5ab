"""The agents as another program sees them over MCP: what it may ask, and what it gets back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

Progress = Callable[[str], Awaitable[None]]
"""Told in words what a run does now."""


@dataclass(frozen=True, slots=True)
class ServedAgent:
    id: str
    title: str
    description: str
    modes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServedAnswer:
    """`session` goes on with the conversation when it is named in the next question."""

    text: str
    session: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class ServedSession:
    id: str
    title: str
    agent: str


class ServedAgents(Protocol):
    def agents(self) -> Sequence[ServedAgent]: ...

    async def ask(self, agent: str, question: str, mode: str, session: str, progress: Progress) -> ServedAnswer:
        """Raises TriptychError. Cancelling it stops the run."""

    async def sessions(self) -> Sequence[ServedSession]:
        """Newest first."""

    async def session_text(self, id: str) -> str:
        """As Markdown. Raises UnknownName."""
