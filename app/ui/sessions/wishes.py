"""What a person can ask for sessions and folders in their pane: told by signals, carried out above."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.ui.sessions.model import SessionListModel
from app.ui.theme import Theme


class SessionWishes(QWidget):
    edit_asked = Signal(str)
    """The title of a session, in place."""
    folder_edit_asked = Signal(str)
    rename_asked = Signal(str, str)
    folder_rename_asked = Signal(str, str)
    folder_dissolve_asked = Signal(str)
    delete_asked = Signal(list)
    """Sessions, as in all that follow."""
    pin_asked = Signal(list, bool)
    archive_asked = Signal(list, bool)
    folder_asked = Signal(list, str)
    """"" = out of the folder they are in. Archived ones come out of the archive with it."""
    new_folder_asked = Signal(list)
    export_asked = Signal(list)
    keep_asked = Signal(list)
    """Temporary sessions that shall be stored after all."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.model = SessionListModel(self)
