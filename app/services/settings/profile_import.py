"""Imports an agent from a file: which settings are taken, and which are left out and named.

Nothing that grants permissions or acts on its own is taken: tools, permissions, servers, hooks, other agents. Hidden
characters are removed; a prompt that spells hidden sentences is refused (security-reliability.md c.5).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from app.core.errors import BadInput
from app.core.profile import AgentProfile
from app.core.text.hidden import has_tags, without_hidden
from app.core.text.i18n import _

NEVER_IMPORTED = frozenset(
    {"tools", "permissions", "mcp_servers", "hooks", "memory", "knowledge", "subagents", "then", "flagship", "acp"}
)
"""Fields that grant something, or act by themselves."""
LONGEST_NAME = 80
LONGEST_DESCRIPTION = 500
_TEXTS = ("name", "description", "examples", "system_prompt", "icon")


@dataclass(frozen=True, slots=True)
class ImportedProfile:
    fields: dict[str, Any]
    """Of `AgentProfile`, without `id`."""
    left_out: list[str]
    """Names of fields that were not taken, and what else was changed."""


def taken_of(values: Mapping[str, Any], titles: Collection[str]) -> ImportedProfile:
    """`titles` are names agents have already. Raises BadInput for a text that hides sentences."""
    left_out = sorted(values.keys() & NEVER_IMPORTED)
    left_out += sorted(values.keys() - AgentProfile.model_fields.keys() - {"version"})
    fields = {name: values[name] for name in values.keys() & AgentProfile.model_fields.keys() - NEVER_IMPORTED - {"id"}}
    for name in fields.keys() & set(_TEXTS):
        fields[name], removed = _clean(fields[name], name)
        if removed:
            left_out.append(_("{field}: {n} hidden characters").format(field=name, n=removed))
    if "name" in fields:
        fields["name"] = _shortened(fields["name"], LONGEST_NAME)
        fields["name"] = {language: _free(title, titles) for language, title in fields["name"].items()}
    if "description" in fields:
        fields["description"] = _shortened(fields["description"], LONGEST_DESCRIPTION)
    return ImportedProfile(fields, left_out)


def _clean(value: Any, field: str) -> tuple[Any, int]:
    """The value with the hidden characters of its texts taken out, and how many they were."""
    if isinstance(value, str):
        if has_tags(value):
            message = f"{field} holds hidden text (tag characters); the file is not taken"
            raise BadInput(message, reason="HIDDEN_TEXT", place=field)
        return without_hidden(value)
    if isinstance(value, Mapping):
        cleaned = {key: _clean(item, field) for key, item in value.items()}
        return {key: item for key, (item, _n) in cleaned.items()}, sum(n for _item, n in cleaned.values())
    if isinstance(value, list):
        items = [_clean(item, field) for item in value]
        return [item for item, _n in items], sum(n for _item, n in items)
    return value, 0


def _shortened(value: Any, longest: int) -> dict[str, str]:
    texts = value if isinstance(value, Mapping) else {"zh": value, "en": value}
    return {str(language): " ".join(str(text).split())[:longest] for language, text in texts.items()}


def _free(title: str, taken: Collection[str]) -> str:
    """A name nobody else has: who reads it must not take it for the one they know."""
    if title not in taken:
        return title
    return next(name for n in range(2, 10_000) if (name := f"{title} {n}") not in taken)
