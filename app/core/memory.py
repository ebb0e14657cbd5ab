"""What an agent remembers of its person beyond one session: facts as data, and who keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

FactState = Literal["proposed", "kept", "rejected"]
"""`proposed` waits for the person, `rejected` is kept only so that it is not proposed again."""

FETCH_MEMORY = "fetch_memory"
MEMORY_TOOLS = (FETCH_MEMORY, "remember")
"""Offered to an agent whose profile has `memory`, and to no other."""
OWN_MEMORY = "recall"
"""The seam by which `fetch_memory` reads the documents of the agent's domain (`Domain.recall`)."""
LONGEST_FACT = 500
"""Characters of one fact."""
MOST_FACTS = 5_000
"""Facts of one agent."""


@dataclass(frozen=True, slots=True)
class MemoryFact:
    """One sentence about the person or their work. Times are seconds since 1970."""

    id: str
    agent: str
    text: str
    kind: str = "fact"
    about: str = ""
    """A key such as `home` of which only one value is true at a time; "" = it is beside all others."""
    state: FactState = "kept"
    session: str = ""
    """Where it was said; "" = typed on the memory page or the command line."""
    run: str = ""
    created: float = 0.0
    valid_from: float = 0.0
    valid_to: float | None = None
    """Since then it is not true any more; None = it is."""
    replaces: str = ""
    """The fact that stops being true when this one is kept."""
    used: float | None = None
    """When it last went into a request."""

    @property
    def is_current(self) -> bool:
        return self.state == "kept" and self.valid_to is None


@dataclass(frozen=True, slots=True)
class Recalled:
    """A fact for a question; `score` is 0 to 1, best first."""

    fact: MemoryFact
    score: float


class Memory(Protocol):
    """What tools and runs see of it (`ToolContext.resources["memory"]`)."""

    async def recall(self, agent: str, query: str, limit: int, *, kinds: tuple[str, ...] = ()) -> list[Recalled]: ...

    async def propose(self, fact: MemoryFact) -> MemoryFact | None:
        """None: it is known already, or was rejected before."""
