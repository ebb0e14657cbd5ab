"""Every command of the window: id, text, shortcut, slot.

To add one: a line in COMMANDS and a method of that name on the window. Menu, shortcut and the
palette follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.core.text.i18n import N_, _


@dataclass(frozen=True, slots=True)
class Command:
    id: str
    text: str
    keys: tuple[str, ...]
    slot: str
    icon: str = ""
    menu: str = ""
    """"settings": a page of the settings."""
    argument: int = 0
    """What the slot gets, unless 0."""


COMMANDS: tuple[Command, ...] = (
    Command("new", N_("New session"), ("Ctrl+N",), "new_session", "plus"),
    Command("temporary", N_("New temporary session"), ("Ctrl+Shift+N",), "new_temporary_session", "eye-off"),
    Command("rename", N_("Rename session"), ("F2",), "rename_session", "pencil"),
    Command("delete", N_("Move session to bin"), (), "delete_session", "trash"),
    Command("archive", N_("Archive session, or take it out"), (), "archive_session", "archive"),
    Command("export", N_("Export session…"), ("Ctrl+Shift+E",), "export_session", "download"),
    Command("import", N_("Import sessions…"), (), "import_sessions", "upload"),
    Command("bin", N_("Bin"), (), "open_bin", "trash"),
    Command("undo", N_("Undo the last deletion or move"), ("Ctrl+Z",), "undo_last", "undo"),
    Command("next", N_("Next session"), ("Ctrl+Tab",), "next_session"),
    Command("previous", N_("Previous session"), ("Ctrl+Shift+Tab",), "previous_session"),
    Command("search_all", N_("Search all sessions"), ("Ctrl+Shift+F",), "search_sessions", "search"),
    Command("find", N_("Find in this session"), ("Ctrl+F",), "find_in_chat", "search"),
    Command("palette", N_("Command palette"), ("Ctrl+K",), "open_palette", "list"),
    Command("left", N_("Show or hide sessions"), ("Ctrl+B",), "toggle_left", "panel-left"),
    Command("right", N_("Show or hide reasoning"), ("Ctrl+J",), "toggle_right", "panel-right"),
    Command("zoom_in", N_("Larger text"), ("Ctrl+=", "Ctrl++"), "zoom_in", ""),
    Command("zoom_out", N_("Smaller text"), ("Ctrl+-",), "zoom_out", ""),
    Command("zoom_reset", N_("Usual text size"), ("Ctrl+0",), "zoom_reset", ""),
    Command("mode", N_("Next mode"), ("Ctrl+M",), "cycle_mode"),
    Command("compose", N_("Go to the composer"), ("Ctrl+L",), "focus_composer"),
    Command("pane", N_("Next pane"), ("F6",), "next_pane"),
    Command("card", N_("Go to what waits for an answer"), ("Ctrl+.",), "focus_card", "shield"),
    Command("stop", N_("Stop the run"), ("Esc",), "escape"),
    Command("answer_now", N_("Answer now"), (), "answer_now", "send"),
    Command("one_more_round", N_("One more reflection round"), (), "one_more_round", "refresh"),
    Command("forget_ratings", N_("Forget my ratings of modes"), (), "forget_ratings", "undo"),
    Command("agents", N_("Agents"), (), "open_agents", "user", "settings"),
    Command("permissions", N_("Permissions"), (), "open_permissions", "shield", "settings"),
    Command("providers", N_("Providers and keys"), (), "open_providers", "key", "settings"),
    Command("mcp", N_("MCP servers"), (), "open_mcp", "wrench", "settings"),
    Command("settings", N_("Settings"), ("Ctrl+,",), "open_settings", "settings", "settings"),
    Command("keys", N_("Keyboard shortcuts"), ("F1",), "show_keys", "keyboard", "settings"),
    Command("templates", N_("Message templates"), (), "open_templates", "tag", "settings"),
    Command("welcome", N_("First steps"), (), "show_welcome", "sparkles", "settings"),
    Command("data", N_("Data and backups"), (), "open_data", "layers", "settings"),
    Command("compare_modes", N_("Compare modes"), (), "compare_modes", "layers"),
    Command("replay", N_("Replay a run"), (), "replay", "play"),
    Command("compare_runs", N_("Compare two runs"), (), "compare_runs", "layers"),
    Command("usage", N_("Usage"), (), "open_usage", "coins", "settings"),
    Command("quit", N_("Quit"), ("Ctrl+Q",), "close_window", "x"),
    *(
        Command(f"session{n}", N_("Go to session {n}"), (f"Ctrl+{n}",), "go_to_session", argument=n)
        for n in range(1, 10)
    ),
)  # fmt: skip


MENU: tuple[tuple[str, ...], ...] = (
    ("temporary", "import", "bin"),
    ("palette", "templates"),
    ("settings", "keys", "quit"),
)
"""What stands in the window's menu: at most ten. What concerns the open session is in the menu of its title."""

SHOWN = ("find", "compare_modes", "replay")
"""Commands about the conversation on the screen, in the menu of its title."""


def command_text(command: Command) -> str:
    return _(command.text).format(n=command.argument)


def menu_sections(actions: Mapping[str, QAction]) -> list[list[QAction]]:
    """The window's menu, section by section."""
    return [[actions[id] for id in section if id in actions] for section in MENU]


def default_keys(command: Command) -> list[QKeySequence]:
    return [QKeySequence(key) for key in command.keys]


def apply_shortcuts(actions: Mapping[str, QAction], changed: Mapping[str, str]) -> None:
    """The keys as the person wants them: those named in `changed`, and the usual ones for the rest."""
    for command in COMMANDS:
        if command.id in actions:
            own = changed.get(command.id)
            keys = default_keys(command) if own is None else [QKeySequence(own)] if own else []
            actions[command.id].setShortcuts(keys)


def make_actions(window: QWidget, target: object) -> Mapping[str, QAction]:
    """The commands `target` has a method for, with their shortcuts alive in `window`."""
    actions: dict[str, QAction] = {}
    for command in COMMANDS:
        slot = getattr(target, command.slot, None)
        if slot is None:
            continue
        action = QAction(command_text(command), window)
        action.setObjectName(f"action_{command.id}")
        action.setShortcuts(default_keys(command))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        call = partial(slot, command.argument) if command.argument else slot
        action.triggered.connect(lambda _checked=False, call=call: call())
        window.addAction(action)
        actions[command.id] = action
    return actions
