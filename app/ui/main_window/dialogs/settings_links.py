"""The commands of the settings as rows of the preferences, each with a line about it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QAction

from app.core.text.i18n import N_, _
from app.ui.actions import COMMANDS
from app.ui.dialogs.preferences.preferences_links import SettingsLink

_ELSEWHERE = frozenset({"settings", "quit", "welcome"})
_ABOUT: Mapping[str, tuple[str, str]] = {
    "agents": (N_("Prompt, model, tools, limits and budget of each agent."), N_("prompt tools reflection budget")),
    "providers": (N_("Who answers: addresses, keys, models and their prices."), N_("API key model price local Ollama")),
    "permissions": (N_("What was allowed for good, and how to take it back."), N_("allow deny approval tools grants")),
    "mcp": (N_("Programs and services that bring further tools."), N_("MCP server tools connect")),
    "keys": (N_("Every command with its keys; all can be changed."), N_("keyboard shortcut hotkey")),
    "data": (N_("Where the data is, how large it is, and the copies of it."), N_("backup restore folder disk")),
    "usage": (N_("Tokens, time and money by day, agent and model."), N_("cost statistics")),
    "templates": (N_("Messages with places to fill in."), ""),
}
"""A sentence, and further words it is found by."""


def links_of(actions: Mapping[str, QAction]) -> list[SettingsLink]:
    links = []
    for command in COMMANDS:
        if command.menu == "settings" and command.id in actions and command.id not in _ELSEWHERE:
            about, words = _ABOUT.get(command.id, ("", ""))
            action = actions[command.id]
            # Found by the words of both languages.
            found_by = " ".join((command.text, about, words, _(words) if words else ""))
            links.append(SettingsLink(action.text(), _(about) if about else "", action.trigger, found_by))
    return links
