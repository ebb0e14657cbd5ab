"""List and page of the settings side by side; in a narrow window they take turns, with a button back to the list."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.core.text.i18n import _
from app.ui.dialogs.settings.navigation import SIDE, Navigation
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.theme import Theme
from app.ui.widgets.fields.form import Form
from app.ui.widgets.layout.page_area import PageArea

_OWN_MARGINS = "ownMargins"
_NARROW = SIDE + 56
"""Below so many steps of the grid there is no room for both."""


class ListAndPage(QWidget):
    def __init__(self, theme: Theme, navigation: Navigation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._navigation = theme, navigation
        self._areas: dict[QWidget, PageArea] = {}
        self._is_narrow = False
        self._shows_list = False
        self.back_button = QPushButton(_("Pages of the settings"))
        self.back_button.setObjectName("backToPages")
        self.back_button.setIcon(theme.icon("chevron-left", "accent"))
        self.back_button.setProperty("kind", "link")
        self.back_button.setAutoDefault(False)
        self.back_button.clicked.connect(self.show_list)
        self.back_button.hide()
        self._stack = QStackedWidget()
        self._right = QWidget()
        column = QVBoxLayout(self._right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(theme.space(2), 0, theme.space(2), 0)
        head.addWidget(self.back_button)
        head.addStretch(1)
        column.addLayout(head)
        column.addWidget(self._stack, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(navigation)
        layout.addWidget(self._right, 1)

    @property
    def area(self) -> PageArea:
        """Of the page in sight."""
        area = self._stack.currentWidget()
        assert isinstance(area, PageArea), "a page is shown from the start"
        return area

    def add(self, page: SettingsPage) -> None:
        """In an area of its own: what is wider than a small screen is scrolled to, not cut."""
        area = self._areas[page] = PageArea(page)
        self._stack.addWidget(area)

    def show_page(self, page: SettingsPage) -> None:
        self._stack.setCurrentWidget(self._areas[page])
        self._shows_list = False
        self._arrange()

    def show_list(self, *_args: object) -> None:
        self._shows_list = True
        self._arrange()
        self._navigation.pages.setFocus(Qt.FocusReason.OtherFocusReason)

    def go_back(self) -> bool:
        """From the page to the list, where they take turns."""
        if not self._is_narrow or self._shows_list:
            return False
        self.show_list()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        is_narrow = self.width() < self._theme.space(_NARROW)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._navigation.take_turns(on=is_narrow)
        self._navigation.setVisible(not is_narrow or self._shows_list)
        self._right.setVisible(not is_narrow or not self._shows_list)
        self.back_button.setVisible(is_narrow)
        if (area := self._stack.currentWidget()) is not None:
            _wrap_rows(area, on=is_narrow)
            _narrow_margins(self.area, self._theme.space(1) if is_narrow else None)


def _narrow_margins(area: PageArea, beside: int | None) -> None:
    """So many pixels left and right of the page and what scrolls in it; None = as many as they have by themselves."""
    for holder in (area.widget(), *(inner.widget() for inner in area.findChildren(QScrollArea))):
        if holder is not None and (layout := holder.layout()) is not None:
            _narrow(layout, beside)


def _narrow(layout: QLayout, beside: int | None) -> None:
    own = layout.property(_OWN_MARGINS)
    if own is None:
        own = layout.contentsMargins()
        layout.setProperty(_OWN_MARGINS, own)
    if beside is None:
        layout.setContentsMargins(own)
    else:
        left, right = min(own.left(), beside), min(own.right(), beside)
        layout.setContentsMargins(left, own.top(), right, own.bottom())


def _wrap_rows(page: QWidget, *, on: bool) -> None:
    """The title of a field above it, where there is no room beside it."""
    for fields in page.findChildren(Form):
        fields.stack_titles(on=on)
    for area in page.findChildren(PageArea):
        area.let_narrow(on=on)
    policy = QFormLayout.RowWrapPolicy
    for form in page.findChildren(QFormLayout):
        if on and form.rowWrapPolicy() is not policy.WrapAllRows:
            form.setProperty("wideRows", form.rowWrapPolicy())
            form.setRowWrapPolicy(policy.WrapAllRows)
        elif not on and (wide := form.property("wideRows")) is not None:
            form.setRowWrapPolicy(wide)
