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
    """The section of the window's menu it stands in; "" = by key and palette only."""
    argument: int = 0
    """What the slot gets, unless 0."""


COMMANDS: tuple[Command, ...] = (
    Command("new", N_("New session"), ("Ctrl+N",), "new_session", "plus", "session"),
    Command("temporary", N_("New temporary session"), ("Ctrl+Shift+N",), "new_temporary_session", "eye-off", "session"),
    Command("rename", N_("Rename session"), ("F2",), "rename_session", "pencil", "session"),
    Command("delete", N_("Move session to bin"), (), "delete_session", "trash", "session"),
    Command("archive", N_("Archive session, or take it out"), (), "archive_session", "archive"),
    Command("export", N_("Export session…"), ("Ctrl+Shift+E",), "export_session", "download", "session"),
    Command("import", N_("Import sessions…"), (), "import_sessions", "upload", "session"),
    Command("bin", N_("Bin"), (), "open_bin", "trash", "session"),
    Command("next", N_("Next session"), ("Ctrl+Tab",), "next_session"),
    Command("previous", N_("Previous session"), ("Ctrl+Shift+Tab",), "previous_session"),
    Command("search_all", N_("Search all sessions"), ("Ctrl+Shift+F",), "search_sessions", "search"),
    Command("find", N_("Find in this session"), ("Ctrl+F",), "find_in_chat", "search", "session"),
    Command("palette", N_("Command palette"), ("Ctrl+K",), "open_palette", "list", "view"),
    Command("left", N_("Show or hide sessions"), ("Ctrl+B",), "toggle_left", "panel-left", "view"),
    Command("right", N_("Show or hide reasoning"), ("Ctrl+J",), "toggle_right", "panel-right", "view"),
    Command("zoom_in", N_("Larger text"), ("Ctrl+=", "Ctrl++"), "zoom_in", "", "view"),
    Command("zoom_out", N_("Smaller text"), ("Ctrl+-",), "zoom_out", "", "view"),
    Command("zoom_reset", N_("Usual text size"), ("Ctrl+0",), "zoom_reset", "", "view"),
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
    Command("templates", N_("Message templates"), (), "open_templates", "book", "settings"),
    Command("welcome", N_("First steps"), (), "show_welcome", "sparkles", "settings"),
    Command("data", N_("Data and copies"), (), "open_data", "layers", "settings"),
    Command("compare_modes", N_("Compare modes"), (), "compare_modes", "layers", "session"),
    Command("replay", N_("Replay a run"), (), "replay", "play", "session"),
    Command("compare_runs", N_("Compare two runs"), (), "compare_runs", "layers"),
    Command("usage", N_("Usage"), (), "open_usage", "coins", "settings"),
    Command("quit", N_("Quit"), ("Ctrl+Q",), "close_window", "", "settings"),
    *(
        Command(f"session{n}", N_("Go to session {n}"), (f"Ctrl+{n}",), "go_to_session", argument=n)
        for n in range(1, 10)
    ),
)  # fmt: skip


def command_text(command: Command) -> str:
    return _(command.text).format(n=command.argument)


def menu_sections(actions: Mapping[str, QAction]) -> list[list[QAction]]:
    """The window's menu: those of the commands that stand in it, section by section."""
    sections: dict[str, list[QAction]] = {}
    for command in COMMANDS:
        if command.menu and command.id in actions:
            sections.setdefault(command.menu, []).append(actions[command.id])
    return list(sections.values())


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
