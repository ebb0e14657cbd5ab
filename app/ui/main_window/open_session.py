"""Which session the window shows: the one place that knows it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.core.session.summary import SessionRow


class OpenSession(QObject):
    changed = Signal(str)
    """Another session is open, the open one has just been made, or there is none yet (""): its id."""
    titled = Signal(str, str)
    """Its id and its title, as they are shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._row: SessionRow | None = None

    @property
    def row(self) -> SessionRow | None:
        """None while the chat is no session yet."""
        return self._row

    @property
    def id(self) -> str:
        return self._row.id if self._row is not None else ""

    def set(self, row: SessionRow | None) -> None:
        self._row = row
        self.changed.emit(self.id)

    def show_title(self, title: str) -> None:
        self.titled.emit(self.id, title)
