"""Every command of the window: id, text, shortcut, and whose method carries it out.

To add one: a line in COMMANDS that names its owner and the owner's method. Menu, shortcut and the palette follow; a new
owner is bound where the window is composed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.core.text.i18n import N_, _


@dataclass(frozen=True, slots=True)
class WindowCommand:
    id: str
    text: str
    keys: tuple[str, ...]
    slot: str
    """`owner.method`: the owner by the name it is bound with."""
    icon: str = ""
    menu: str = ""
    """"settings": a page of the settings."""
    argument: int | str = ""
    """What the method gets, unless ""."""

    @property
    def is_numbered(self) -> bool:
        """One of several that differ by a number alone: a list of commands leaves them out."""
        return isinstance(self.argument, int)


COMMANDS: tuple[WindowCommand, ...] = (
    WindowCommand("new", N_("New session"), ("Ctrl+N",), "navigator.new_session", "plus"),
    WindowCommand("temporary", N_("New temporary session"), ("Ctrl+Shift+N",), "navigator.temporary", "eye-off"),
    WindowCommand("rename", N_("Rename session"), ("F2",), "title.edit", "pencil"),
    WindowCommand("delete", N_("Move session to bin"), (), "navigator.delete_session", "trash"),
    WindowCommand("archive", N_("Archive session, or take it out"), (), "navigator.archive_session", "archive"),
    WindowCommand("export", N_("Export session…"), ("Ctrl+Shift+E",), "transfer.export_open", "download"),
    WindowCommand("import", N_("Import sessions…"), (), "transfer.choose_import", "upload"),
    WindowCommand("bin", N_("Bin"), (), "sessions.open_bin", "trash"),
    WindowCommand("ask", N_("Quick ask"), (), "quick.open", "send"),
    WindowCommand("undo", N_("Undo the last deletion or move"), ("Ctrl+Z",), "notice.undo", "undo"),
    WindowCommand("next", N_("Next session"), ("Ctrl+Tab",), "navigator.next_session"),
    WindowCommand("previous", N_("Previous session"), ("Ctrl+Shift+Tab",), "navigator.previous_session"),
    WindowCommand("search_all", N_("Search all sessions"), ("Ctrl+Shift+F",), "search.open", "search"),
    WindowCommand("find", N_("Find in this session"), ("Ctrl+F",), "find.open_bar", "search"),
    WindowCommand("palette", N_("Command palette"), ("Ctrl+K",), "palette.open", "list"),
    WindowCommand("left", N_("Show or hide sessions"), ("Ctrl+B",), "panes.toggle_left", "panel-left"),
    WindowCommand("right", N_("Show or hide reasoning"), ("Ctrl+J",), "panes.toggle_right", "panel-right"),
    WindowCommand("page", N_("Show or hide the page of the folder"), ("Ctrl+Shift+P",), "page.toggle", "feather"),
    WindowCommand("zoom_in", N_("Larger text"), ("Ctrl+=", "Ctrl++"), "zoom.zoom_in", ""),
    WindowCommand("zoom_out", N_("Smaller text"), ("Ctrl+-",), "zoom.zoom_out", ""),
    WindowCommand("zoom_reset", N_("Usual text size"), ("Ctrl+0",), "zoom.zoom_reset", ""),
    WindowCommand("mode", N_("Next mode"), ("Ctrl+M",), "modes.cycle"),
    WindowCommand("compose", N_("Go to the composer"), ("Ctrl+L",), "composer.focus"),
    WindowCommand("pane", N_("Next pane"), ("F6",), "focus.next_pane"),
    WindowCommand("card", N_("Go to what waits for an answer"), ("Ctrl+.",), "notifier.go_to_card", "shield"),
    WindowCommand("stop", N_("Stop the run"), ("Esc",), "focus.escape"),
    WindowCommand("answer_now", N_("Answer now"), (), "run.answer_now", "send"),
    WindowCommand("one_more_round", N_("One more reflection round"), (), "run.one_more_round", "refresh"),
    WindowCommand("forget_ratings", N_("Forget my ratings of modes"), (), "messages.forget_ratings", "undo"),
    WindowCommand("agents", N_("Agents"), (), "ways.show_agent", "sparkles", "settings"),
    WindowCommand("permissions", N_("Permissions"), (), "settings.show", "shield", "settings", "permissions"),
    WindowCommand("providers", N_("Providers and keys"), (), "settings.show", "key", "settings", "providers"),
    WindowCommand("mcp", N_("MCP servers"), (), "settings.show", "plug", "settings", "mcp"),
    WindowCommand("settings", N_("Settings"), ("Ctrl+,",), "settings.show", "settings", "settings"),
    WindowCommand("keys", N_("Keyboard shortcuts"), ("F1",), "settings.show", "keyboard", "settings", "keys"),
    WindowCommand("templates", N_("Message templates"), (), "settings.show", "tag", "settings", "templates"),
    WindowCommand("welcome", N_("First steps"), (), "welcome.show_in_new_session", "sparkles", "settings"),
    WindowCommand("data", N_("Data and backups"), (), "settings.show", "layers", "settings", "data"),
    WindowCommand("make_skill", N_("Make a skill of this conversation…"), (), "drafts.open", "book"),
    WindowCommand("compare_modes", N_("Compare modes"), (), "records.compare_modes", "layers"),
    WindowCommand("try_agent", N_("Try this agent"), (), "records.try_agent", "microscope"),
    WindowCommand("replay", N_("Replay a run"), (), "records.replay", "play"),
    WindowCommand("compare_runs", N_("Compare two runs"), (), "records.compare_runs", "layers"),
    WindowCommand("usage", N_("Usage"), (), "settings.show", "coins", "settings", "usage"),
    WindowCommand("quit", N_("Quit"), ("Ctrl+Q",), "settings.quit", "x"),
    *(
        WindowCommand(f"session{n}", N_("Go to session {n}"), (f"Ctrl+{n}",), "navigator.go_to_session", argument=n)
        for n in range(1, 10)
    ),
)  # fmt: skip


MENU: tuple[tuple[str, ...], ...] = (
    ("temporary", "import", "bin"),
    ("palette", "templates", "try_agent"),
    ("settings", "keys", "quit"),
)
"""What is in the window's menu: at most ten. What concerns the open session is in the menu of its title."""

SHOWN = ("find", "compare_modes", "replay", "make_skill")
"""Commands about the conversation on the screen, in the menu of its title."""


def command_text(command: WindowCommand) -> str:
    return _(command.text).format(n=command.argument)


def menu_sections(actions: Mapping[str, QAction]) -> list[list[QAction]]:
    """The window's menu, section by section."""
    return [[actions[id] for id in section if id in actions] for section in MENU]


def default_keys(command: WindowCommand) -> list[QKeySequence]:
    return [QKeySequence(key) for key in command.keys]


def apply_shortcuts(actions: Mapping[str, QAction], changed: Mapping[str, str]) -> None:
    """The keys as the person wants them: those named in `changed`, and the usual ones for the rest."""
    for command in COMMANDS:
        if command.id in actions:
            own = changed.get(command.id)
            keys = default_keys(command) if own is None else [QKeySequence(own)] if own else []
            actions[command.id].setShortcuts(keys)


class WindowActions(Mapping[str, QAction]):
    """The commands whose owner is there, by their ids, with their shortcuts alive in the window."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._actions: dict[str, QAction] = {}

    def bind(self, **owners: object) -> None:
        """The commands of each owner are carried out by its methods from now on."""
        for command in COMMANDS:
            owner, _dot, method = command.slot.partition(".")
            if owner in owners:
                self._actions[command.id] = self._action(command, getattr(owners[owner], method))

    def _action(self, command: WindowCommand, method: Callable[..., object]) -> QAction:
        action = QAction(command_text(command), self._window)
        action.setObjectName(f"action_{command.id}")
        action.setShortcuts(default_keys(command))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        call = partial(method, command.argument) if command.argument else method

        def run(_checked: bool = False) -> None:
            call()

        action.triggered.connect(run)
        self._window.addAction(action)
        return action

    def __getitem__(self, id: str) -> QAction:
        return self._actions[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._actions)

    def __len__(self) -> int:
        return len(self._actions)
