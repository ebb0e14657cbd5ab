"""The left pane: new, search, the list, settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.i18n import _
from app.core.session import SessionRow
from app.ui.sessions.delegate import SessionDelegate
from app.ui.sessions.model import ID, SessionListModel
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

_SEARCH_DELAY_MS = 200


class _List(QListView):
    deleted = Signal()
    chosen = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Delete):
            self.deleted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit()
        else:
            super().keyPressEvent(event)


class SessionsPanel(QWidget):
    session_chosen = Signal(str)
    new_asked = Signal()
    search_changed = Signal(str)
    """What to look for in titles and messages; "" = show all. Some time after the last key."""
    rename_asked = Signal(str, str)
    delete_asked = Signal(str)
    pin_asked = Signal(str, bool)
    settings_asked = Signal()

    def __init__(self, theme: Theme, rows: Iterable[SessionRow] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("pane", "side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._current = ""
        self.model = SessionListModel(self)
        self.model.set_rows(rows)
        self.model.rename_asked.connect(self.rename_asked)
        self._build()

    # ------------------------------------------------------------ what is shown

    def set_rows(self, rows: Iterable[SessionRow]) -> None:
        self.model.set_rows(rows)
        self._tell_empty()

    def put(self, row: SessionRow) -> None:
        """A new row, or a newer version of one; one in the bin goes."""
        self.model.put(row)
        self._tell_empty()

    def set_running(self, ids: Iterable[str]) -> None:
        self.model.set_running(ids)

    def set_agent_names(self, names: Mapping[str, str]) -> None:
        self.model.set_agent_names(names)

    def set_current(self, id: str) -> None:
        """Mark a session as the open one; "" marks none."""
        self._current = id
        self._reselect()

    def current(self) -> str:
        return self._current

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._delegate.set_theme(theme)
        self._dress()
        self.list.doItemsLayout()

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def rename_current(self) -> None:
        if (place := self.model.place_of(self._current)) >= 0:
            self.list.scrollTo(self.model.index(place))
            self.list.edit(self.model.index(place))

    def neighbour(self, step: int) -> str:
        """The session `step` rows below the open one, around the ends; "" if there is none."""
        count = self.model.rowCount()
        if not count:
            return ""
        place = self.model.place_of(self._current)
        row = self.model.row_at((place + step) % count if place >= 0 else 0)
        return row.id if row else ""

    def nth(self, number: int) -> str:
        row = self.model.row_at(number)
        return row.id if row else ""

    # ------------------------------------------------------------ slots

    def _clicked(self, index: QModelIndex) -> None:
        self.session_chosen.emit(str(index.data(ID)))

    def _entered(self) -> None:
        if (index := self.list.currentIndex()).isValid():
            self._clicked(index)

    def _moved(self, current: QModelIndex, _before: QModelIndex) -> None:
        """Arrow keys open a session as a click does; our own marking does not."""
        if current.isValid() and self.list.hasFocus() and current.data(ID) != self._current:
            self.session_chosen.emit(str(current.data(ID)))

    def _deleted(self) -> None:
        if (index := self.list.currentIndex()).isValid():
            self.delete_asked.emit(str(index.data(ID)))

    def _typed(self, text: str) -> None:
        if not text.strip():
            self._delay.stop()
            self.search_changed.emit("")
        else:
            self._delay.start()

    def _show_menu(self, at: QPoint) -> None:
        index = self.list.indexAt(at)
        if not index.isValid():
            return
        row = self.model.row_at(index.row())
        if row is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        pin = _("Unpin") if row.pinned else _("Pin")
        self._entry(menu, "pencil", _("Rename"), lambda: self.list.edit(self.model.index(self.model.place_of(row.id))))
        self._entry(menu, "pin", pin, lambda: self.pin_asked.emit(row.id, not row.pinned))
        menu.addSeparator()
        self._entry(menu, "trash", _("Move to bin"), lambda: self.delete_asked.emit(row.id))
        menu.popup(self.list.viewport().mapToGlobal(at))

    def _entry(self, menu: QMenu, icon: str, text: str, slot: Callable[[], object]) -> None:
        action = QAction(self._theme.icon(icon), text, menu)
        action.triggered.connect(lambda _checked=False: slot())
        menu.addAction(action)

    def _reselect(self) -> None:
        place = self.model.place_of(self._current)
        selection = self.list.selectionModel()
        if place < 0:
            selection.clear()
            return
        index = self.model.index(place)
        selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.list.scrollTo(index)

    def _tell_empty(self) -> None:
        empty = self.model.rowCount() == 0
        self._nothing.setText(_("Nothing found") if self.search.text().strip() else _("No sessions yet"))
        self._nothing.setVisible(empty)
        self.list.setVisible(not empty)

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        theme = self._theme
        self.new_button = QPushButton(_("New session"), self)
        self.new_button.setObjectName("newSessionButton")
        self.new_button.setAccessibleName(_("New session"))
        self.new_button.clicked.connect(lambda _checked=False: self.new_asked.emit())
        self.search = QLineEdit(self)
        self.search.setObjectName("sessionSearch")
        self.search.setPlaceholderText(_("Search sessions"))
        self.search.setAccessibleName(_("Search sessions"))
        self.search.setClearButtonEnabled(True)
        self.search.setMaxLength(200)
        self._search_mark = self.search.addAction(theme.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self._search_mark.setText(_("Search sessions"))
        for clear in self.search.findChildren(QAction, "_q_qlineeditclearaction"):
            clear.setText(_("Clear the search"))
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(_SEARCH_DELAY_MS)
        self._delay.timeout.connect(lambda: self.search_changed.emit(self.search.text().strip()))
        self.search.textChanged.connect(self._typed)
        self._build_list()
        self._nothing = SafeLabel(role="meta", parent=self)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.settings_button = QPushButton(_("Settings"), self)
        self.settings_button.setProperty("kind", "quiet")
        self.settings_button.setAccessibleName(_("Settings"))
        set_safe_tooltip(self.settings_button, _("Settings") + "  Ctrl+,")
        self.settings_button.clicked.connect(lambda _checked=False: self.settings_asked.emit())
        self.settings_button.hide()
        self._lay_out()
        self._dress()
        self._tell_empty()

    def _build_list(self) -> None:
        self.list = _List(self)
        self.list.setObjectName("sessionList")
        self.list.setAccessibleName(_("Sessions"))
        self._delegate = SessionDelegate(self._theme, self.model, self.list)
        self.list.setItemDelegate(self._delegate)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.clicked.connect(self._clicked)
        self.list.chosen.connect(self._entered)
        self.list.deleted.connect(self._deleted)
        # Last: with a model in it every setting above would lay out all rows again.
        self.list.setModel(self.model)
        # After setModel: the view forgets its selection first, then it is set again.
        self.model.modelReset.connect(self._reselect)
        self.list.selectionModel().currentChanged.connect(self._moved)

    def _lay_out(self) -> None:
        space = self._theme.space
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, space(1.25), 0, space(0.5))
        layout.setSpacing(space(1))
        for widget in (self.new_button, self.search):
            row = QHBoxLayout()
            row.setContentsMargins(space(1.25), 0, space(1.25), 0)
            row.addWidget(widget)
            layout.addLayout(row)
        layout.addWidget(self.list, 1)
        layout.addWidget(self._nothing, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(space(1), 0, space(1), 0)
        foot.addWidget(self.settings_button)
        foot.addStretch(1)
        layout.addLayout(foot)

    def _dress(self) -> None:
        theme = self._theme
        edge = QSize(theme.space(2), theme.space(2))
        self.new_button.setIcon(theme.icon("plus", "text"))
        self.new_button.setIconSize(edge)
        self.settings_button.setIcon(theme.icon("settings"))
        self.settings_button.setIconSize(edge)
        self._search_mark.setIcon(theme.icon("search"))
