"""What can be done with sessions and folders from their context menus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.core.i18n import _, ngettext
from app.core.session import SessionRow
from app.ui.sessions.arrange import Head
from app.ui.widgets.safe_text import visible

if TYPE_CHECKING:
    from app.ui.sessions.panel import SessionsPanel

_LONGEST = 40


def sessions_menu(panel: SessionsPanel, rows: Sequence[SessionRow]) -> QMenu:
    """For one session or several; what a temporary one cannot do is left out."""
    menu = _menu(panel)
    ids = [row.id for row in rows]
    if len(rows) > 1:
        count = ngettext("{n} session", "{n} sessions", len(rows)).format(n=len(rows))
        menu.addAction(count).setEnabled(False)
    else:
        _entry(panel, menu, "pencil", _("Rename"), lambda: panel.rename(ids[0]))
    if all(row.is_temporary for row in rows):
        _entry(panel, menu, "archive", _("Keep after all"), lambda: panel.keep_asked.emit(ids))
    if not any(row.is_temporary for row in rows):
        pinned, archived = all(row.pinned for row in rows), all(row.archived for row in rows)
        pin = _("Unpin") if pinned else _("Pin")
        _entry(panel, menu, "pin", pin, lambda: panel.pin_asked.emit(ids, not pinned))
        menu.addMenu(folders_menu(panel, rows))
        put_away = _("Take out of the archive") if archived else _("Archive")
        _entry(panel, menu, "archive", put_away, lambda: panel.archive_asked.emit(ids, not archived))
    _entry(panel, menu, "download", _("Export…"), lambda: panel.export_asked.emit(ids))
    menu.addSeparator()
    _entry(panel, menu, "trash", _("Move to bin"), lambda: panel.delete_asked.emit(ids))
    return menu


def folders_menu(panel: SessionsPanel, rows: Sequence[SessionRow]) -> QMenu:
    ids = [row.id for row in rows]
    menu = _menu(panel)
    menu.setTitle(_("Move to folder"))
    menu.setIcon(panel.theme.icon("folder"))
    here = {row.folder for row in rows}
    for name in panel.model.folders():
        text = visible(name[:_LONGEST]).replace("&", "&&")
        action = _entry(panel, menu, "folder", text, partial(panel.folder_asked.emit, ids, name))
        action.setEnabled(here != {name})
    if menu.actions():
        menu.addSeparator()
    _entry(panel, menu, "plus", _("New folder"), lambda: panel.new_folder_asked.emit(ids))
    if here != {""}:
        _entry(panel, menu, "x", _("Out of the folder"), lambda: panel.folder_asked.emit(ids, ""))
    return menu


def folder_menu(panel: SessionsPanel, head: Head) -> QMenu:
    """For the line of a folder itself."""
    menu = _menu(panel)
    _entry(panel, menu, "pencil", _("Rename folder"), lambda: panel.edit_folder(head.key))
    _entry(panel, menu, "x", _("Dissolve folder"), lambda: panel.folder_dissolve_asked.emit(head.key))
    return menu


def _menu(panel: SessionsPanel) -> QMenu:
    menu = QMenu(panel)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def _entry(panel: SessionsPanel, menu: QMenu, icon: str, text: str, slot: Callable[[], object]) -> QAction:
    action = QAction(panel.theme.icon(icon), text, menu)
    action.triggered.connect(lambda _checked=False: slot())
    menu.addAction(action)
    return action
