"""A plan of a chapter as the plan card shows it: a step of writing for each of its steps.

They name no steps they need: each is written behind what stands, so they may change places and be left out.
"""

from __future__ import annotations

from app.core.run.plan import Plan, PlanStep
from app.core.tools.tool import ToolContext

from .plan import ChapterPlan

WRITE_STEP = "write_step"
"""The tool of each step."""


def handed_plan(ctx: ToolContext, plan: ChapterPlan, id: str) -> Plan:
    return Plan(plan.goal, tuple(_step(ctx, plan, id, number) for number in range(1, len(plan.steps) + 1)))


def _step(ctx: ToolContext, plan: ChapterPlan, id: str, number: int) -> PlanStep:
    step = plan.steps[number - 1]
    params = {"plan_id": id, "title": step.title, "content": step.content, "goal_words": step.goal_words}
    more = {"characters": step.characters, "place": step.place, "purpose": step.purpose, "hook": step.hook}
    params |= {name: value for name, value in more.items() if value}
    words = ctx.say("{n} words", n=step.goal_words)
    return PlanStep(number, WRITE_STEP, params, f"{step.title} · {words} · {step.content}")
