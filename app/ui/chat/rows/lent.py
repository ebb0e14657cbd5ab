"""A row that shows a widget which outlives it: the list makes and drops rows, what somebody works in stays."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from .base import RowTools, RowView


class LentRow(RowView):
    def __init__(self, parent: QWidget, tools: RowTools, widget: QWidget, home: QWidget) -> None:
        """`home` is where the widget lives while no row shows it."""
        super().__init__(parent, tools, widget.accessibleName())
        self._widget, self._home = widget, home
        widget.setParent(self)
        widget.show()
        self.stack = [(widget, 0)]

    def release(self) -> None:
        """The row goes."""
        if self._widget.parent() is self:
            self._widget.hide()
            self._widget.setParent(self._home)
        self.stack = []
