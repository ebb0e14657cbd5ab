"""Skills on demand: the catalogue is in the system prompt, the text comes when it is asked for, then its files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.skills import PICKED, SKILL_SEAM, SkillShelf
from app.core.text.i18n import N_
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool

PAGE = 40_000
Name = Annotated[str, Field(min_length=1, max_length=80, description="as the catalogue writes it"), Also("skill")]


def _shelf(ctx: ToolContext) -> SkillShelf:
    shelf: SkillShelf | None = ctx.resources.get(SKILL_SEAM)
    if shelf is None:
        raise ToolError("NOT_FOUND", N_("this agent has no skills"))
    return shelf


def _is_of_folder(args: Mapping[str, Any]) -> bool:
    """Somebody put it into the folder: the person is asked before its text is read."""
    return str(args.get("name", "")).startswith(PICKED)


@tool("app.read", title=N_("Load a skill"), icon="fork", asks=_is_of_folder, example={"name": "meeting-minutes"})
async def load_skill(ctx: ToolContext, name: Name) -> ToolResult:
    """Read the instructions of a skill of the catalogue, before doing what it is for."""
    skill, files = await _shelf(ctx).load(name)
    data = {"name": name, "instructions": skill.body, "files": list(files)}
    meta: dict[str, Any] = {} if _shelf(ctx).is_ours(name) else {"untrusted": True}
    words = ctx.say("The skill {name} is loaded", name=name)
    if skill.allowed_tools is not None:
        meta["narrows"] = list(skill.allowed_tools)
        words += " · " + ctx.say("from here on only these tools: {tools}", tools=", ".join(skill.allowed_tools)[:300])
    items = [{"label": ctx.say("Skill"), "value": name}, {"label": ctx.say("What for"), "value": skill.description}]
    if files:
        items.append({"label": ctx.say("Files"), "value": ", ".join(files)[:2_000]})
    card = Card("key_values", {"title": ctx.say("Brought in by a skill"), "items": items})
    return ToolResult.success(data, words, display=card, **meta)


@tool("app.read", title=N_("Read a file of a skill"), icon="fork", asks=_is_of_folder,
      example={"name": "meeting-minutes", "path": "assets/form.md"})  # fmt: skip
async def read_skill_file(
    ctx: ToolContext,
    name: Name,
    path: Annotated[str, Field(min_length=1, max_length=500, description="as load_skill lists it"), Also("file")],
    offset: Annotated[int, Field(ge=0, description="characters")] = 0,
) -> ToolResult:
    """Read one of the files that belong to a loaded skill, as text."""
    text = await _shelf(ctx).file(name, path)
    meta: dict[str, Any] = {"truncated": offset + PAGE < len(text)}
    if not _shelf(ctx).is_ours(name):
        meta["untrusted"] = True
    data = {"path": path, "characters": len(text), "text": text[offset : offset + PAGE]}
    return ToolResult.success(data, ctx.say("{path} of the skill {name}", path=path, name=name), **meta)
