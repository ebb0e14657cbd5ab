"""The menu of the open session at its title: what its row in the list offers, and what concerns what is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from app.ui.actions import SHOWN
from app.ui.sessions.menus import session_entries

if TYPE_CHECKING:
    from app.ui.main_window.header import WindowHeader
    from app.ui.sessions.panel import SessionsPanel


class TitleMenu(QObject):
    def __init__(self, header: WindowHeader, panel: SessionsPanel, actions: Mapping[str, QAction]) -> None:
        super().__init__(header)
        self._header, self._panel, self._actions = header, panel, actions
        header.title.menu_asked.connect(self._open)
        header.title.renamed.connect(lambda title: panel.rename_asked.emit(panel.current(), title))

    def _open(self) -> None:
        if (menu := self._made()) is not None:
            title = self._header.title
            menu.popup(title.mapToGlobal(QPoint(0, title.height() + 4)))

    def _made(self) -> QMenu | None:
        row = self._panel.model.rows.get(self._panel.current())
        if row is None:
            return None
        actions = [self._actions[id] for id in SHOWN if id in self._actions]
        keys = {id: _keys(self._actions.get(id)) for id in ("rename", "export", "delete")}
        return session_entries(self._panel, row, actions, keys, rename=self._header.title.edit)


def _keys(action: QAction | None) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) if action is not None else ""
