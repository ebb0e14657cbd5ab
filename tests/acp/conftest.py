"""Agents of other programs in the program without a window: real processes that play scripts."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.run.event_line import Stamped
from app.core.run.events import Approval
from app.services.acp.service import AgentForm
from app.services.container import Services
from app.services.runs.run_options import RunOptions

PLAYER = Path(__file__).with_name("agent.py")


@dataclass
class Bench:
    services: Services
    folder: Path
    agent: str = ""

    async def play(
        self, *turns: list[dict[str, Any]], agreed: bool = True, offers: dict[str, Any] | None = None
    ) -> str:
        """An agent that plays these turns; the id of a session with it, in a folder of its own."""
        number = len(list(self.folder.glob("script*.json")))
        script = self.folder / f"script{number}.json"
        script.write_text(json.dumps(turns), "utf-8")
        if offers is not None:
            script.with_suffix(".offers").write_text(json.dumps(offers), "utf-8")
        form = AgentForm(f"played {number}", sys.executable, (str(PLAYER), str(script)), {"PLAYED_KEY": "secret-value"})
        self.agent = await self.services.acp_agents.add(form)
        if agreed:
            view = await self.services.acp_agents.view(self.agent)
            await self.services.acp_agents.agree(self.agent, view.lines)
        return await self.session()

    async def session(self) -> str:
        row = await self.services.sessions.create(self.agent)
        project = self.folder / "project"
        project.mkdir(exist_ok=True)
        await self.services.workspace.pick(row.id, project)
        return row.id

    async def ask(self, session: str, text: str = "go", *, answers: str = "", **options: Any) -> list[Any]:
        """The events of a run; each approval is answered with the next word of `answers`, else denied."""
        run = await self.services.chat.send(session, text, options=RunOptions(**options))
        choices, events = answers.split(), []
        async for stamped in run.events():
            events.append(stamped.event)
            if isinstance(stamped.event, Approval):
                run.approve(stamped.event.id, choices.pop(0) if choices else "deny")
        await self.services.chat.recorded()
        return events

    def heard(self) -> list[dict[str, Any]]:
        """What the newest agent was sent."""
        path = max(self.folder.glob("script*.heard"))
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def kinds(events: list[Any]) -> list[str]:
    return [event.type for event in events]


def of(events: list[Any], kind: str) -> list[Any]:
    return [event for event in events if event.type == kind]


def text(words: str, kind: str = "agent_message_chunk") -> dict[str, Any]:
    return {"update": {"sessionUpdate": kind, "content": {"type": "text", "text": words}}}


END: dict[str, Any] = {"end": "end_turn"}


def option(category: str, *values: str, current: str = "") -> dict[str, Any]:
    listed = [{"value": one, "name": one.title()} for one in values]
    return {"id": f"id of {category}", "name": category, "category": category, "type": "select",
            "currentValue": current or values[0], "options": listed}  # fmt: skip


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    services = build(tmp_path / "data", {})
    services.providers.key_storage.choose("session")
    await services.open()
    yield Bench(services, tmp_path)
    await services.close()


__all__ = ["Stamped"]
