"""How a skill stands, in words."""

from __future__ import annotations

from collections.abc import Collection

from app.core.skills import Skill
from app.core.text.i18n import N_, _
from app.services.skills.reading import FoundSkill
from app.ui.texts import fault_text

_STATES = {
    "new": N_("needs review"), "changed": N_("changed since it was reviewed"), "broken": N_("cannot be read"),
    "ready": N_("accepted"),
}  # fmt: skip
_ORIGINS = {
    "shipped": N_("ships with the program"), "package": N_("of an installed package"), "own": N_("in the data folder"),
    "folder": N_("picked folder"),
}  # fmt: skip


def state_words(one: FoundSkill) -> str:
    return _(_STATES.get(one.state, one.state))


def origin_words(one: FoundSkill) -> str:
    return _(_ORIGINS.get(one.origin, one.origin))


def fault_words(one: FoundSkill) -> str:
    return fault_text(one.fault) if one.fault is not None else ""


def facts(skill: Skill, files: Collection[str], known_tools: Collection[str]) -> list[str]:
    """Sentences about what it brings along and what it takes away."""
    lines = [_("Files: {files}").format(files=", ".join(files)[:2_000])] if files else []
    if skill.license:
        lines.append(_("Licence: {licence}").format(licence=skill.license))
    if skill.allowed_tools is not None:
        names = ", ".join(skill.allowed_tools)
        lines.append(_("Once it is loaded only these tools are left: {tools}").format(tools=names))
    if strange := unknown(skill, known_tools):
        lines.append(_("Not known here: {tools}").format(tools=", ".join(strange)))
    return lines


def unknown(skill: Skill, known_tools: Collection[str]) -> list[str]:
    return [name for name in skill.allowed_tools or () if not any(_fits(name, tool) for tool in known_tools)]


def _fits(name: str, tool: str) -> bool:
    """As a run reads the list: without regard to case, and the first word of a name stands for the whole."""
    plain = name.lower()
    return "*" in name or tool == plain or tool.startswith(f"{plain}_")
