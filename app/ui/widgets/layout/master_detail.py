"""A list and what is chosen in it, side by side; in a narrow place they take turns."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QPushButton, QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.layout.side_list import SideList

MASTER = 34
"""Steps of the grid: 272 pixels."""
_NARROW = 98
"""Below so many steps there is no room for both."""


class MasterDetail(QWidget):
    def __init__(self, theme: Theme, master: SideList, detail: QWidget, back: str) -> None:
        """`back` names the list on the button that leads to it."""
        super().__init__()
        self._theme, self._master = theme, master
        self._is_narrow: bool | None = None
        self._in_detail = True
        self.back_button = QPushButton(back)
        self.back_button.setObjectName("backToList")
        self.back_button.setIcon(theme.icon("chevron-left", "accent"))
        self.back_button.setProperty("kind", "link")
        self.back_button.setAutoDefault(False)
        self.back_button.clicked.connect(self.show_master)
        self._detail = QWidget()
        column = QVBoxLayout(self._detail)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(theme.space(2), theme.space(1), theme.space(2), 0)
        head.addWidget(self.back_button)
        head.addStretch(1)
        column.addLayout(head)
        column.addWidget(detail, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(master)
        layout.addWidget(self._detail, 1)
        rows: QListWidget = master.list
        rows.itemClicked.connect(self.show_detail)
        rows.itemActivated.connect(self.show_detail)
        for changed in (rows.model().rowsInserted, rows.model().rowsRemoved, rows.model().modelReset):
            changed.connect(self._arrange)
        self._arrange()

    def show_detail(self, *_args: object) -> None:
        self._in_detail = True
        self._arrange()

    def show_master(self, *_args: object) -> None:
        self._in_detail = False
        self._arrange()
        if self._master.isVisible():
            self._master.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def go_back(self) -> bool:
        """From the detail to the list, where they take turns."""
        if not (self._is_narrow and self._in_detail and self._master.list.count()):
            return False
        self.show_master()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self, *_args: object) -> None:
        """Where they take turns and the list is empty, what is said of that is all there is."""
        self._is_narrow = self.width() < self._theme.space(_NARROW)
        shows_detail = self._in_detail or not self._master.list.count()
        self._master.setVisible(not self._is_narrow or not shows_detail)
        self._detail.setVisible(not self._is_narrow or shows_detail)
        self.back_button.setVisible(self._is_narrow and bool(self._master.list.count()))
        if self._is_narrow:
            self._master.setMinimumWidth(0)
            self._master.setMaximumWidth(16_777_215)
        else:
            self._master.setFixedWidth(self._theme.space(MASTER))
        layout = self.layout()
        if layout is not None:
            layout.activate()  # its turn of this resize is over already
