"""The composed program with a real server in the model's place, and a child with a profile."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from app.agent.run_parts import ApproveRule
from app.compose import build
from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, ToolReturned
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks

Turns = Sequence[Mapping[str, Any]] | Callable[[Any], Mapping[str, Any]]
CHILD: Mapping[str, Any] = {
    "nickname": "乐乐", "birth_month": "2024-05", "guardian": "妈妈", "consents": True, "schools": ["阳光幼儿园"],
    "diagnosis": "自闭症谱系", "likes": ["积木"],
}  # fmt: skip
PLAN: Mapping[str, Any] = {
    "title": "滚球对话", "summary": "大软球来回滚。", "goal": "连续三个来回", "target_capacities": [3],
    "target_dimensions": ["motor"], "strategy": "leverage", "age_range_months": [24, 60], "duration_min": 15,
    "environment": "indoor", "materials": [{"name": "比头大的软球"}],
    "steps": [
        {"title": "坐下", "instruction": "面对面坐在地垫上。", "say_examples": ["来啦"]},
        {"title": "滚", "instruction": "把球慢慢滚过去，双手张开等着。", "easier": "只滚一半", "harder": "换一只手"},
        {"title": "学", "instruction": "孩子换一种送法时，学着做。"},
        {"title": "再见", "instruction": "把球滚到沙发后面，挥挥手。"},
    ],
    "calm_down_plan": "放慢，靠近坐着，一起呼吸。", "safety_notes": ["清空周围一臂的地面"], "stop_signs": ["转开头"],
    "ending_ritual": "和球说再见", "evidence": [{"id": "a04", "why": "来回"}],
    "review_questions": ["什么让你们笑了？", "来回了几次？", "下次换什么？"],
}  # fmt: skip


FINE: Mapping[str, Any] = {"content": '{"unsafe": []}'}
"""What the model says when it is asked about the conduct in a game."""


def final(plan: Mapping[str, Any]) -> str:
    """As a model ends: thoughts, a fence, the JSON."""
    return f"<think>够了</think>好的。\n```json\n{json.dumps(plan, ensure_ascii=False)}\n```"


class Home:
    def __init__(self, services: Services, server: FaultServer) -> None:
        self.services, self.server = services, server

    async def call(self, name: str, **args: Any) -> Any:
        """A tool by the person's own hand."""
        return await self.services.tools.call(name, args, "play")

    async def say(
        self,
        text: str,
        *,
        session: str = "",
        agent: str = "",
        mode: str = "react",
        asks: bool = False,
        model: str = "",
    ) -> list[Stamped]:
        """`asks`: as in the window, where a person is asked before something is written; nobody answers here."""
        id = session or (await self.services.sessions.create("play")).id
        approve: ApproveRule = "ask" if asks else "all"
        options = RunOptions(agent=agent, model=model, interactive=asks, approve=approve, overrides={"max_retries": 0})
        run = await self.services.chat.send(id, text, mode, options=options)
        lines = [line async for line in run.events()]
        await self.services.chat.recorded()
        return lines

    @property
    def sent(self) -> str:
        """All bodies that have left so far, JSON escapes resolved."""
        return "\n".join(json.dumps(one, ensure_ascii=False) for one in self.server.chats)


@asynccontextmanager
async def home(folder: Path, turns: Turns, child: Mapping[str, Any] | None = CHILD) -> AsyncIterator[Home]:
    async with FaultServer(speaks(turns)) as server:
        environ = {"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": server.base_url, "OPENAI_MODEL": "test-model"}
        services = build(folder / "data", environ)
        await services.open()
        made = Home(services, server)
        try:
            if child is not None:
                assert (await made.call("save_child_profile", **child)).ok
            yield made
        finally:
            await services.close()


def answer_of(lines: Sequence[Stamped]) -> str:
    end = lines[-1].event
    assert isinstance(end, LoopEnd), end
    return end.answer


def results(lines: Sequence[Stamped]) -> list[tuple[str, bool]]:
    return [(line.event.name, line.event.ok) for line in lines if isinstance(line.event, ToolReturned)]
