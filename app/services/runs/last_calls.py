"""What a tool was last asked and what it said: the sample rules are tried on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.core.tools.tool import canonical_args
from app.storage.stores.last_calls import CallStore

from .runs import RunService

LONGEST = 400_000
"""Characters of a result that are shown and tried; above it the sample is cut."""


@dataclass(frozen=True, slots=True)
class CallSample:
    """`args` as JSON, `text` as the model would read it before any rule; `when` in seconds since 1970."""

    tool: str
    args: str
    text: str
    when: float


class CallService:
    def __init__(self, store: CallStore, runs: RunService) -> None:
        self._store, self._runs = store, runs

    async def last(self, pattern: str) -> CallSample | None:
        """Of the newest call of a tool whose name the glob fits; None if no stored run has one."""
        row = await self._store.last(pattern)
        if row is None:
            return None
        whole = await self._runs.full_result(row.run, str(row.result.get("id", "")))
        text = whole.for_model() if whole is not None else str(row.result.get("text", ""))
        given: Any = row.call.get("args")
        args = canonical_args(given) if isinstance(given, dict) else "{}"
        return CallSample(str(row.result.get("name", "")), args, text[:LONGEST], row.started)
