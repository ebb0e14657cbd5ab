"""Stored runs: their events, their whole results, two of them side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.run.event_line import Stamped
from app.core.tools.tool import ToolResult
from app.storage.stores.run_rows import RunRow, UsageRow
from app.storage.stores.runs import RunStore

if TYPE_CHECKING:
    from app.core.run.analysis.comparison import Comparison
    from app.core.run.analysis.tool_records import ToolRecord
    from app.core.run.model_call import ModelCall

_RECORDED = 20
"""Answers that are looked at for the records of tools."""


class RunService:
    def __init__(self, store: RunStore) -> None:
        self._store = store

    async def rows(self, session: str | None = None, limit: int = 50) -> list[RunRow]:
        """Newest first."""
        return await self._store.rows(session, limit)

    async def events(self, run_id: str) -> list[Stamped]:
        """Raises UnknownName."""
        return await self._store.events(run_id)

    async def usage(
        self, session: str | None = None, since: float = 0.0, until: float = 1e12, *, by_session: bool = False
    ) -> list[UsageRow]:
        """What was spent, by day, agent and model, newest day first; of one session, of all, or of each."""
        return await self._store.usage(session, since, until, by_session=by_session)

    async def compare(self, left: str, right: str) -> Comparison:
        """Two stored runs, move by move. Raises UnknownName."""
        from app.core.run.analysis.comparison import compare
        from app.core.run.view import view_of

        one, other = await self._store.events(left), await self._store.events(right)
        return compare(view_of(one), view_of(other))

    async def requests(self, run_id: str) -> list[ModelCall]:
        """What went to the model and came back, as it was sent, keys masked. Raises UnknownName."""
        return await self._store.model_calls(run_id)

    async def tool_records(self, agent: str) -> dict[str, ToolRecord]:
        """Of the tools in this agent's last plans: how long they took, and what their newest results hold."""
        from app.core.run.analysis.tool_records import result_fields, tool_seconds
        from app.core.run.messages import Call

        answers = await self._store.past_answers(agent, _RECORDED)
        records = tool_seconds(answer.message for answer in answers)
        for answer in answers:
            for part in answer.message.parts:
                name = part.call.name if isinstance(part, Call) and part.result is not None and part.result.ok else ""
                if isinstance(part, Call) and name in records and not records[name].fields:
                    result = await self.full_result(answer.run, part.call.id)
                    if result is not None:
                        records[name] = replace(records[name], fields=result_fields(result.data))
        return records

    async def full_result(self, run_id: str, call_id: str) -> ToolResult | None:
        body = await self._store.result(run_id, call_id)
        return None if body is None else ToolResult.from_json(body)


__all__ = ["RunRow", "RunService", "UsageRow"]
