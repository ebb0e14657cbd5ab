"""The list itself: one click opens, Ctrl and Shift mark several, folders open and close, rows can be dragged."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from app.ui.sessions.model import HEAD, ID, MIME, SessionListModel

_BATCH = 200
"""Rows that are laid out between two looks at what else the window has to do; more than a screen shows."""
_MARKING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class SessionView(QListView):
    chosen = Signal(str)
    """A session is to be opened."""
    reached = Signal(str)
    """A key went to another session. Focus alone reaches none: Qt makes the first row the current one with it."""
    deleted = Signal()
    dropped = Signal(list, str)
    """Sessions, and the folder they go to: "" = out of theirs, `arrange.ARCHIVE` = into the archive."""

    def __init__(self, model: SessionListModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Thousands of sessions are not laid out at once: that would hold the window up.
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDropIndicatorShown(False)
        self.clicked.connect(self._clicked)

    def is_marking(self) -> bool:
        """Ctrl or Shift is held: what is clicked or reached is marked, not opened."""
        return bool(QGuiApplication.keyboardModifiers() & _MARKING)

    def marked(self) -> list[str]:
        """The marked sessions, from top to bottom."""
        indexes = sorted(self.selectionModel().selectedIndexes(), key=lambda index: index.row())
        return [str(index.data(ID)) for index in indexes if index.data(ID)]

    # ------------------------------------------------------------ slots

    def _clicked(self, index: QModelIndex) -> None:
        if (head := index.data(HEAD)) is not None:
            self._model.toggle(head.key)
        elif not self.is_marking():
            self.chosen.emit(str(index.data(ID)))

    def _entered(self) -> None:
        if (index := self.currentIndex()).isValid():
            self._clicked(index)

    # ------------------------------------------------------------ Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The right button asks for a menu; what is open and what is marked stay as they are."""
        if event.button() is not Qt.MouseButton.RightButton:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        from PySide6.QtGui import QKeySequence  # with its hundred names: not before the first key

        head = self.currentIndex().data(HEAD) if self.currentIndex().isValid() else None
        if event.matches(QKeySequence.StandardKey.Delete):
            self.deleted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._entered()
        elif head is not None and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Space):
            is_open = None if event.key() == Qt.Key.Key_Space else event.key() == Qt.Key.Key_Right
            self._model.toggle(head.key, is_open)
        else:
            before = self.currentIndex()
            super().keyPressEvent(event)
            if (now := self.currentIndex()) != before and (id := now.data(ID)) and not self.is_marking():
                self.reached.emit(str(id))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(MIME) and event.source() is self:
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # scrolls at the edges
        if self._target(event) is None:
            event.ignore()
        else:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        # The model is not asked: what is dropped comes back from the store.
        folder = self._target(event)
        if folder is not None and event.source() is self:
            ids = bytes(event.mimeData().data(MIME).data()).decode().split("\n")
            event.acceptProposedAction()
            self.dropped.emit(ids, folder)
        self.setState(QAbstractItemView.State.NoState)

    def _target(self, event: QDropEvent) -> str | None:
        index = self.indexAt(event.position().toPoint())
        return self._model.lines.folder_at(index.row() if index.isValid() else -1)
