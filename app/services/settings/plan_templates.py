"""Plans a person keeps as templates, per agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.core.errors import BadInput
from app.core.ids import new_id
from app.core.run.plan import MAX_STEPS, step_from_json
from app.core.run.plan_template import PlanTemplate
from app.core.stores import Document, DocumentStore

KIND = "plan-template"
LONGEST_NAME = 120


class TemplateService:
    def __init__(self, documents: DocumentStore) -> None:
        self._documents = documents

    async def list(self, agent: str) -> list[PlanTemplate]:
        """The agent's templates by name."""
        templates = [_template(document) for document in await self._documents.list(KIND)]
        mine = [template for template in templates if template is not None and template.agent == agent]
        return sorted(mine, key=lambda template: template.name.casefold())

    async def save(self, agent: str, name: str, goal: str, steps: Sequence[Mapping[str, Any]]) -> PlanTemplate:
        """Under the same name of the same agent the newer one takes the older one's place."""
        name = " ".join(name.split())[:LONGEST_NAME]
        if not name or not steps:
            raise BadInput("a template needs a name and at least one step", reason="PLAN_TEMPLATE_EMPTY")
        same = next((one.id for one in await self.list(agent) if one.name == name), new_id())
        fresh = [{**step, "status": "pending", "error": ""} for step in steps[:MAX_STEPS]]
        body = {"agent": agent, "name": name, "goal": goal, "steps": fresh}
        document = await self._documents.put(KIND, same, body)
        template = _template(document)
        if template is None:
            raise BadInput("these steps are not a plan", reason="NOT_A_PLAN")
        return template

    async def delete(self, id: str) -> bool:
        return await self._documents.delete(KIND, id)


def _template(document: Document) -> PlanTemplate | None:
    """None for a document that is not a template, however it came there."""
    body = document.body
    if not isinstance(body, Mapping):
        return None
    try:
        steps = tuple(step_from_json(step, n) for n, step in enumerate(body["steps"], 1))
        return PlanTemplate(document.id, str(body["agent"]), str(body["name"]), str(body.get("goal") or ""), steps)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
