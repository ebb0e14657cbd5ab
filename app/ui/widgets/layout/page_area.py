"""A page that scrolls: no frame, no ground of its own, no stop of the Tab key; sideways on tiny screens alone."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.ui.widgets.layout.viewport import viewport_of

READING_STEPS = 104
"""So many steps of the grid is a page of fields wide at most: a line across a wide screen is not read."""
_OF_SCREEN = 0.6
"""A dialog with a list beside the page still fits."""


class PageArea(QScrollArea):
    """Tab goes through what is inside; the page follows the focus by itself."""

    def __init__(self, page: QWidget, parent: QWidget | None = None, *, keeps_width: bool = False) -> None:
        """`keeps_width`: the dialog around it cannot be made so narrow that fields of the page are cut."""
        super().__init__(parent)
        self._keeps_width, self._is_let = keeps_width, False
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.show_page(page)

    def minimumSizeHint(self) -> QSize:
        least, page = super().minimumSizeHint(), self.widget()
        if page is None or not self._keeps_width or self._is_let:
            return least
        wide = page.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return least.expandedTo(QSize(min(wide, round(self.screen().size().width() * _OF_SCREEN)), 0))

    def let_narrow(self, *, on: bool) -> None:
        """The window is narrow on purpose: the page scrolls here, and not as a whole."""
        if on is not self._is_let:
            self._is_let = on
            self.updateGeometry()

    def show_page(self, page: QWidget) -> None:
        """This one, instead of the one before."""
        self.setWidget(page)
        page.setAutoFillBackground(False)
        viewport_of(self).setAutoFillBackground(False)
