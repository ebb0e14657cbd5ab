"""What can be done with sessions and folders from their context menus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.core.session.summary import SessionRow
from app.core.text.i18n import _, ngettext
from app.ui.sessions.arrange import GroupHead
from app.ui.sessions.wishes import SessionWishes
from app.ui.widgets.safe_text import visible

_LONGEST = 40


def sessions_menu(pane: SessionWishes, rows: Sequence[SessionRow]) -> QMenu:
    """For one session or several; what a temporary one cannot do is left out."""
    menu = _menu(pane)
    ids = [row.id for row in rows]
    if len(rows) > 1:
        count = ngettext("{n} session", "{n} sessions", len(rows)).format(n=len(rows))
        menu.addAction(count).setEnabled(False)
    else:
        _entry(pane, menu, "pencil", _("Rename"), partial(pane.edit_asked.emit, ids[0]))
    if all(row.is_temporary for row in rows):
        _entry(pane, menu, "archive", _("Keep this session"), partial(pane.keep_asked.emit, ids))
    if not any(row.is_temporary for row in rows):
        pinned, archived = all(row.pinned for row in rows), all(row.archived for row in rows)
        pin = _("Unpin") if pinned else _("Pin")
        _entry(pane, menu, "pin", pin, partial(pane.pin_asked.emit, ids, not pinned))
        menu.addMenu(folders_menu(pane, rows))
        put_away = _("Take out of the archive") if archived else _("Archive")
        _entry(pane, menu, "archive", put_away, partial(pane.archive_asked.emit, ids, not archived))
    _entry(pane, menu, "download", _("Export…"), partial(pane.export_asked.emit, ids))
    menu.addSeparator()
    _entry(pane, menu, "trash", _("Move to bin"), partial(pane.delete_asked.emit, ids))
    return menu


def session_entries(
    pane: SessionWishes,
    row: SessionRow,
    shown: Sequence[QAction],
    keys: Mapping[str, str],
    *,
    rename: Callable[[], object],
) -> QMenu:
    """For the open session, at its title. `shown` act on what is on the screen; `rename` edits the title there."""
    menu, ids = _menu(pane), [row.id]
    _entry(pane, menu, "pencil", _with_keys(_("Rename"), keys["rename"]), rename)
    if row.is_temporary:
        _entry(pane, menu, "archive", _("Keep this session"), partial(pane.keep_asked.emit, ids))
    else:
        pin = _("Unpin") if row.pinned else _("Pin")
        _entry(pane, menu, "pin", pin, partial(pane.pin_asked.emit, ids, not row.pinned))
        menu.addMenu(folders_menu(pane, [row]))
        put_away = _("Take out of the archive") if row.archived else _("Archive")
        _entry(pane, menu, "archive", put_away, partial(pane.archive_asked.emit, ids, not row.archived))
    menu.addSeparator()
    menu.addActions(shown)
    _entry(pane, menu, "download", _with_keys(_("Export…"), keys["export"]), partial(pane.export_asked.emit, ids))
    menu.addSeparator()
    _entry(
        pane, menu, "trash", _with_keys(_("Move to bin"), keys["delete"]), partial(pane.delete_asked.emit, ids), "error"
    )
    return menu


def _with_keys(text: str, keys: str) -> str:
    return f"{text}\t{keys}" if keys else text


def folders_menu(pane: SessionWishes, rows: Sequence[SessionRow]) -> QMenu:
    ids = [row.id for row in rows]
    menu = _menu(pane)
    menu.setTitle(_("Move to folder"))
    menu.setIcon(pane.theme.icon("folder"))
    here = {row.folder for row in rows}
    for name in pane.model.folders():
        text = visible(name[:_LONGEST]).replace("&", "&&")
        action = _entry(pane, menu, "folder", text, partial(pane.folder_asked.emit, ids, name))
        action.setEnabled(here != {name})
    if menu.actions():
        menu.addSeparator()
    _entry(pane, menu, "plus", _("New folder"), partial(pane.new_folder_asked.emit, ids))
    if here != {""}:
        _entry(pane, menu, "x", _("Out of the folder"), partial(pane.folder_asked.emit, ids, ""))
    return menu


def folder_menu(pane: SessionWishes, head: GroupHead) -> QMenu:
    """For the line of a folder itself."""
    menu = _menu(pane)
    _entry(pane, menu, "pencil", _("Rename folder"), partial(pane.folder_edit_asked.emit, head.key))
    _entry(pane, menu, "x", _("Dissolve folder"), partial(pane.folder_dissolve_asked.emit, head.key))
    return menu


def _menu(pane: SessionWishes) -> QMenu:
    menu = QMenu(pane)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def _entry(
    pane: SessionWishes, menu: QMenu, icon: str, text: str, slot: Callable[[], object], token: str = "muted"
) -> QAction:
    action = QAction(pane.theme.icon(icon, token), text, menu)
    action.triggered.connect(slot)
    menu.addAction(action)
    return action
