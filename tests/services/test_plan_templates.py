from __future__ import annotations

import pytest

from app.core.errors import BadInput
from app.core.run.plan import PlanStep
from app.services.container import Services
from app.services.settings.plan_templates import KIND, TemplateService

STEPS = [
    PlanStep(1, "search_cities", {"limit": 3}, "find a city", status="done").to_json(),
    PlanStep(2, "none", {}, "write it down", (1,), ask=True).to_json(),
]


@pytest.fixture
async def templates(services: Services) -> TemplateService:
    return services.templates


async def test_a_template_is_kept_per_agent_and_starts_afresh(templates: TemplateService) -> None:
    saved = await templates.save("travel", "  short   trip ", "a walk", STEPS)
    assert (saved.name, saved.goal) == ("short trip", "a walk")
    assert [step.status for step in saved.steps] == ["pending", "pending"]
    assert saved.steps[1].ask
    assert await templates.list("travel") == [saved]
    assert await templates.list("assistant") == []


async def test_the_same_name_replaces_and_deleting_forgets(templates: TemplateService) -> None:
    await templates.save("travel", "b", "g", STEPS)
    await templates.save("travel", "a", "g", STEPS)
    newer = await templates.save("travel", "b", "h", STEPS[:1])
    assert [(one.name, one.goal) for one in await templates.list("travel")] == [("a", "g"), ("b", "h")]
    assert await templates.delete(newer.id)
    assert [one.name for one in await templates.list("travel")] == ["a"]


@pytest.mark.parametrize(("name", "steps"), [(" ", STEPS), ("a", [])])
async def test_a_template_needs_a_name_and_steps(templates: TemplateService, name: str, steps: list[object]) -> None:
    with pytest.raises(BadInput):
        await templates.save("travel", name, "g", steps)  # type: ignore[arg-type]


async def test_a_document_that_is_no_template_is_passed_over(templates: TemplateService) -> None:
    bodies: tuple[object, ...] = (None, [], {"agent": "travel"}, {"agent": "travel", "name": "x", "steps": [1]})
    for n, body in enumerate(bodies):
        await templates._documents.put(KIND, f"bad{n}", body)
    assert await templates.list("travel") == []
