"""What a tool may touch and why a call asks, in words: the codes of the gate (`agent/policy/permission.py`)."""

from __future__ import annotations

from collections.abc import Mapping

from ..text.i18n import N_, _

_CLASSES: Mapping[str, str] = {
    "pure": N_("computes"),
    "app.read": N_("reads its own data"),
    "app.write": N_("changes its own data"),
    "fs.read": N_("reads files"),
    "fs.write": N_("writes files"),
    "net": N_("goes to the network"),
    "mcp": N_("asks an MCP server"),
    "exec": N_("runs programs"),
    "user": N_("asks you"),
}
_RULES: Mapping[str, str] = {
    "class": N_("A tool that {what} asks unless you allow it."),
    "tools": N_("This tool is set to “Ask” for this agent."),
    "rule": N_("Rule {what} of this agent says: ask."),
    "ceiling": N_("The agent that gave it this work has to ask here as well."),
    "call": N_("The same call for the {what}. time in a row."),
    "after": N_("Text written by others was read before in this session."),
    "private": N_("Something private stands in the arguments and would leave this computer."),
    "step": N_("You wanted to be asked before step {what} of the plan."),
    "again": N_("You allowed this very call once before; it would run once more."),
    "keys": N_("It asks every time: it may hold keys, passwords, or instructions that lie in the folder."),
    "its": N_("It was begun before and nobody knows whether it took effect."),
}
PERMISSIONS = tuple(_CLASSES)
RULES = tuple(_RULES)
"""The first word of what an approval names as its rule."""


def rule_text(rule: str) -> str:
    """The sentence for a rule; what is not known is shown as it came."""
    head, _space, rest = rule.partition(" ")
    if head not in _RULES:
        return rule
    what = rest.partition(" ")[0] if head in ("call", "step") else rest
    return _(_RULES[head]).format(what=_(_CLASSES[what]) if what in _CLASSES else what)


def class_text(permission: str) -> str:
    """What a tool of this class may touch."""
    return _(_CLASSES[permission]) if permission in _CLASSES else permission
