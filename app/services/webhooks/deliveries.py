"""What is still to be sent, in the database: a process that is killed loses none of it.

Each is sent by one process at a time (`claim`), and at least once: who receives it knows a second copy by its id.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.core.errors import BadInput
from app.core.stores import Document, DocumentStore
from app.core.system.clock import Clock

KIND: Final = "webhook.delivery"
RUNS: Final = "webhook.run"
MOST: Final = 1_000
"""That wait; beyond, the oldest is given up."""
CLAIMED: Final = 120.0
"""Seconds one process has for sending what it claimed."""
WAITS: Final = (5.0, 30.0, 120.0, 600.0, 3_600.0)
"""Seconds before each further try."""


@dataclass(frozen=True, slots=True)
class Delivery:
    id: str
    hook: str
    message: Mapping[str, Any]
    tries: int
    due: float
    version: int


class Deliveries:
    def __init__(self, documents: DocumentStore, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def add(self, hook: str, id: str, message: Mapping[str, Any]) -> int:
        """How many had to be given up for it."""
        body = {"hook": hook, "message": dict(message), "tries": 0, "due": self._clock.now()}
        await self._documents.put(KIND, id, {**body, "session": message.get("session", "")})
        waiting = await self._documents.list(KIND)
        for old in waiting[MOST:]:
            await self._documents.delete(KIND, old.id)
        return max(0, len(waiting) - MOST)

    async def waiting(self) -> list[Delivery]:
        """The one that is due first comes first."""
        deliveries = [one for document in await self._documents.list(KIND) if (one := _read(document)) is not None]
        return sorted(deliveries, key=lambda one: one.due)

    async def claim(self, delivery: Delivery) -> bool:
        """False: another process has it."""
        return await self._put(delivery, delivery.tries, self._clock.now() + CLAIMED)

    async def done(self, delivery: Delivery) -> None:
        await self._documents.delete(KIND, delivery.id)

    async def later(self, delivery: Delivery, asked: float) -> bool:
        """After a failure; `asked` are seconds the other side wants. False: it was given up."""
        if delivery.tries >= len(WAITS):
            await self.done(delivery)
            return False
        wait = max(WAITS[delivery.tries], min(asked, WAITS[-1]))
        body = _body(delivery, delivery.tries + 1, self._clock.now() + wait)
        await self._documents.put(KIND, delivery.id, body)
        return True

    async def _put(self, delivery: Delivery, tries: int, due: float) -> bool:
        try:
            await self._documents.put(KIND, delivery.id, _body(delivery, tries, due), base=delivery.version)
        except BadInput:
            return False
        return True

    # ------------------------------------------------------------ runs whose end is to be told

    async def expect(self, run: str, session: str, agent: str) -> None:
        await self._documents.put(RUNS, run, {"session": session, "agent": agent})

    async def expected(self) -> dict[str, Mapping[str, Any]]:
        """Runs that were to be told of by a process that may be gone."""
        listed = await self._documents.list(RUNS)
        return {one.id: one.body for one in listed if isinstance(one.body, Mapping)}

    async def told(self, run: str) -> None:
        await self._documents.delete(RUNS, run)


def _body(delivery: Delivery, tries: int, due: float) -> dict[str, Any]:
    session = delivery.message.get("session", "")
    return {"hook": delivery.hook, "message": dict(delivery.message), "tries": tries, "due": due, "session": session}


def _read(document: Document) -> Delivery | None:
    body = document.body
    try:
        return Delivery(
            document.id, str(body["hook"]), body["message"], int(body["tries"]), float(body["due"]), document.version
        )
    except (KeyError, TypeError, ValueError):
        return None
