"""A dialog that opens inside its window instead of on top of it.

A window or page that calls `take_sheets` shows the sheets of its parts itself: centred, over a dimmed ground, with
the focus kept inside. Elsewhere a sheet is an ordinary dialog.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from app.ui.widgets.guarded import guarded
from app.ui.widgets.tab_order import first_stop

GROUND = "sheetGround"
_TAKES = "takesSheets"
_DIM = QColor(0, 0, 0, 82)
"""32 % of black over the window."""
_EDGE = 24


def take_sheets(window: QWidget) -> None:
    window.setProperty(_TAKES, True)


def has_sheet(window: QWidget) -> bool:
    return any(one.isVisible() for one in window.findChildren(QWidget, GROUND))


class Sheet(QDialog):
    def open(self) -> None:
        parent = self.parentWidget()
        host = parent.window() if parent is not None else None
        if host is None or not host.property(_TAKES):
            super().open()
            return
        self.setProperty("sheet", True)
        _Ground(host, self).begin()


class _Ground(QWidget):
    """What lies between the window and the sheet; it goes with the sheet."""

    def __init__(self, host: QWidget, sheet: Sheet) -> None:
        wanted = sheet.size() if sheet.testAttribute(Qt.WidgetAttribute.WA_Resized) else None
        super().__init__(host)
        self.setObjectName(GROUND)
        self._host, self._sheet, self._wanted = host, sheet, wanted
        self._before = QApplication.focusWidget()
        # A sub-window has a Tab order of its own: the focus does not leave it.
        sheet.setParent(self, Qt.WindowType.SubWindow)
        sheet.setAutoFillBackground(True)
        sheet.destroyed.connect(self.deleteLater)
        sheet.finished.connect(self._end)
        host.installEventFilter(self)

    def begin(self) -> None:
        self.show()
        self._place()
        self._sheet.show()
        self._place()
        self.raise_()
        inside: QWidget | None = self._sheet.focusWidget()
        default = next((one for one in self._sheet.findChildren(QPushButton) if one.isDefault()), None)
        stop = inside if inside is not None else default or first_stop(self._sheet)
        (stop or self._sheet).setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._host and event.type() is QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), _DIM)

    def _place(self) -> None:
        self.setGeometry(self._host.rect())
        room = self.rect().adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        sheet = self._sheet
        size = self._wanted or sheet.sizeHint()
        width = min(max(size.width(), sheet.minimumSizeHint().width()), room.width())
        height, layout = size.height(), sheet.layout()
        if self._wanted is None and layout is not None and layout.hasHeightForWidth():
            height = layout.totalHeightForWidth(width)
        place = QRect(0, 0, width, min(height, room.height()))
        place.moveCenter(room.center())
        sheet.setGeometry(place)

    def _end(self, _result: int) -> None:
        self._host.removeEventFilter(self)
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self.deleteLater()
