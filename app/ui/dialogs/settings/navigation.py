"""The side of the settings window: the pages, or what a search found on them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStackedWidget, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.dialogs.settings.hit_painter import TITLE, WHERE, HitPainter
from app.ui.theme import Theme
from app.ui.widgets.fields.search_field import SearchField
from app.ui.widgets.safe_text import SafeLabel, safe_tooltip, visible

_DATA = Qt.ItemDataRole.UserRole
_UNLIMITED = 16_777_215
SIDE = 26
"""Steps of the grid: 208 pixels."""


class Navigation(QWidget):
    page_chosen = Signal(str)
    searched = Signal(str)
    """What is looked for; "" shows the pages again."""
    hit_chosen = Signal(int)

    def __init__(self, theme: Theme, pages: Sequence[tuple[str, str, str]], parent: QWidget | None = None) -> None:
        """`pages` are id, title and icon."""
        super().__init__(parent)
        self._theme = theme
        self._takes_turns = False
        self.setProperty("pane", "side")
        self.setProperty("edge", "right")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(theme.space(SIDE))
        self.search = SearchField(theme, _("Search the settings"))
        self.search.setObjectName("settingsSearch")
        self.search.textChanged.connect(self._search)
        self.search.installEventFilter(self)
        self.pages = self._list("settingsPages", _("Pages of the settings"))
        self.pages.setIconSize(QSize(theme.space(2), theme.space(2)))
        for id, title, icon in pages:
            item = QListWidgetItem(theme.icon(icon), title)
            item.setData(_DATA, id)
            item.setSizeHint(QSize(0, theme.space(4)))
            self.pages.addItem(item)
        self.pages.currentItemChanged.connect(self._page_passed)
        self.pages.itemClicked.connect(self._page_chosen)
        self.pages.itemActivated.connect(self._page_chosen)
        self.hits = self._list("settingsHits", _("Settings found"))
        self.hits.setItemDelegate(HitPainter(theme, self.hits))
        self.hits.itemClicked.connect(self._hit_chosen)
        self.hits.itemActivated.connect(self._hit_chosen)
        self._nothing = SafeLabel(_("No setting matches."), role="meta")
        self._nothing.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._nothing.setContentsMargins(theme.space(1), theme.space(1), 0, 0)
        self._shown = QStackedWidget()
        for part in (self.pages, self.hits, self._nothing):
            self._shown.addWidget(part)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(1), theme.space(1.5), theme.space(1), theme.space(1))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(self.search)
        layout.addWidget(self._shown, 1)

    def take_turns(self, *, on: bool) -> None:
        """The pages are shown in its place: the arrow keys only move in the list then, Enter opens."""
        self._takes_turns = on
        if on:
            self.setMinimumWidth(0)
            self.setMaximumWidth(_UNLIMITED)
        else:
            self.setFixedWidth(self._theme.space(SIDE))

    def select(self, page: str) -> None:
        self.pages.blockSignals(True)
        for row in range(self.pages.count()):
            if self.pages.item(row).data(_DATA) == page:
                self.pages.setCurrentRow(row)
        self.pages.blockSignals(False)

    def mark_unsaved(self, unsaved: set[str]) -> None:
        """A dot behind the pages with changes that are not saved yet."""
        for row in range(self.pages.count()):
            item = self.pages.item(row)
            title = item.text().removesuffix(" •")
            is_unsaved = item.data(_DATA) in unsaved
            item.setText(f"{title} •" if is_unsaved else title)
            item.setData(Qt.ItemDataRole.ToolTipRole, _("Changes are not saved yet") if is_unsaved else "")
            words = _("{name}, changes are not saved yet").format(name=title) if is_unsaved else title
            item.setData(Qt.ItemDataRole.AccessibleTextRole, words)

    def show_pages(self) -> None:
        self._shown.setCurrentWidget(self.pages)

    def show_hits(self, hits: Sequence[tuple[str, str]]) -> None:
        """Title of each, and where it is."""
        self.hits.clear()
        for number, (title, place) in enumerate((title, where if where != title else "") for title, where in hits):
            item = QListWidgetItem("\n".join(filter(None, (visible(title), place))))
            item.setData(_DATA, number)
            item.setData(TITLE, visible(title))
            item.setData(WHERE, place)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, (visible(title), place))))
            item.setData(Qt.ItemDataRole.ToolTipRole, safe_tooltip("\n".join(filter(None, (title, place)))))
            item.setSizeHint(QSize(0, self._theme.space(6)))
            self.hits.addItem(item)
        self._shown.setCurrentWidget(self.hits if hits else self._nothing)

    def give_up_search(self) -> bool:
        """Whether there was one."""
        return self.search.take_escape()

    def _list(self, object_name: str, name: str) -> QListWidget:
        entries = QListWidget()
        entries.setObjectName(object_name)
        entries.setAccessibleName(name)
        entries.setSpacing(self._theme.space(0.25))
        entries.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return entries

    def _search(self, text: str) -> None:
        self.searched.emit(text.strip())

    def _page_passed(self, item: QListWidgetItem | None) -> None:
        if not self._takes_turns:
            self._page_chosen(item)

    def _page_chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.page_chosen.emit(str(item.data(_DATA)))

    def _hit_chosen(self, item: QListWidgetItem) -> None:
        self.hit_chosen.emit(int(item.data(_DATA)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # From the search straight into what it found, without the mouse.
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            page_list = self._shown.currentWidget()
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if page_list is self.hits:
                    self.hit_chosen.emit(0)
                return True
            if event.key() == Qt.Key.Key_Down and isinstance(page_list, QListWidget):
                if page_list is self.hits:
                    page_list.setCurrentRow(0)
                page_list.setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return super().eventFilter(watched, event)
