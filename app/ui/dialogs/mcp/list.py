"""The MCP servers on the left: how each is doing, the way to add one, and delete."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.core.text.i18n import _, ngettext
from app.ui.dialogs.mcp.labels import state_token, state_word
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.side_list import SideList, SideRow

if TYPE_CHECKING:
    from app.services.mcp.views import McpServerEntry

NEW = ""
"""The id of the server that is not saved yet."""


class McpList(SideList):
    add_wanted = Signal(str)
    """`form` or `paste`."""
    delete_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self.add_button = QPushButton(theme.icon("plus"), _("Add a server"))
        self.add_button.setProperty("kind", "soft")
        self.add_button.setAutoDefault(False)
        self.delete_button = IconButton(theme, "trash", _("Delete this server"))
        super().__init__(theme, _("MCP servers"), "mcpList", (self.delete_button,), parent, head=self.add_button)
        self.add_button.clicked.connect(partial(self.add_wanted.emit, "paste"))
        self.delete_button.clicked.connect(self.delete_wanted)

    def show_servers(self, entries: Sequence[McpServerEntry], *, with_new: bool) -> None:
        rows = [_row(entry) for entry in entries]
        if with_new:
            rows.append(SideRow(NEW, _("New server"), "plus"))
        self.show_rows(rows)


def _row(entry: McpServerEntry) -> SideRow:
    count = entry.tool_count
    tools = ngettext("{n} tool", "{n} tools", count).format(n=count) if count else ""
    detail = " · ".join(filter(None, (tools, state_word(entry))))
    icon = "terminal" if entry.transport == "stdio" else "globe"
    return SideRow(entry.id, entry.name, icon, "text" if entry.enabled else "muted", detail, state_token(entry))
