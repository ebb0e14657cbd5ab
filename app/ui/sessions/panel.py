"""The left pane: new, search, the list, settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.session.summary import SessionRow
from app.core.text.i18n import _
from app.ui.sessions.arrange import ARCHIVE
from app.ui.sessions.delegate import SessionDelegate
from app.ui.sessions.marked_bar import MarkedBar
from app.ui.sessions.menus import folder_menu, folders_menu, sessions_menu
from app.ui.sessions.view import SessionView
from app.ui.sessions.wishes import SessionWishes
from app.ui.theme import Theme
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.fields.search_field import dress_clear_button
from app.ui.widgets.safe_text import SafeLabel, visible

_SEARCH_DELAY_MS = 200


class SessionsPanel(SessionWishes):
    session_chosen = Signal(str)
    new_asked = Signal()
    search_changed = Signal(str)
    """What to look for in titles and messages; "" = show all. Some time after the last key."""
    everything_asked = Signal(str)
    """Not in titles: look for it in all that was said."""
    folded = Signal(list)
    """The folders that are closed now."""
    settings_asked = Signal()

    def __init__(
        self,
        theme: Theme,
        rows: Iterable[SessionRow] = (),
        parent: QWidget | None = None,
        *,
        closed: Iterable[str] | None = None,
        agents: Mapping[str, str] | None = None,
    ) -> None:
        """`closed` are the folders that are so, None = as at the very first start; `agents` their names."""
        super().__init__(theme, parent)
        self.setProperty("pane", "side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._current = ""
        self._marked: list[str] = []
        """What was marked before the rows were arranged again."""
        self._bar: MarkedBar | None = None
        if closed is not None:
            self.model.set_closed(closed)
        self.model.set_agent_names(agents or {})
        self.model.set_rows(rows)
        self.edit_asked.connect(self.rename)
        self.folder_edit_asked.connect(self.edit_folder)
        self.model.rename_asked.connect(self.rename_asked)
        self.model.folder_rename_asked.connect(self.folder_rename_asked)
        self.model.folded.connect(self._tell_folds)
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
        """Mark a session as the open one; "" marks none. What else is marked with it stays so."""
        self._current = id
        if id not in self.list.marked():
            self._reselect()

    def current(self) -> str:
        return self._current

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self._delegate.set_theme(theme)
        self._dress()
        if self._bar is not None:
            self._bar.set_theme(theme)
        self.list.doItemsLayout()

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def take_escape(self) -> bool:
        """Whether there was a search to give up."""
        had_text = self.search.hasFocus() and bool(self.search.text())
        if had_text:
            self.search.clear()
        return had_text

    def rename_current(self) -> None:
        self.rename(self._current)

    def rename(self, id: str) -> None:
        """Lets the title be edited in place; a folder it is hidden in is opened."""
        self._reveal(id)
        self._edit(self.model.lines.place_of(id))

    def edit_folder(self, name: str) -> None:
        self._edit(self.model.lines.place_of_head(name))

    def _edit(self, place: int) -> None:
        if place >= 0:
            self.list.scrollTo(self.model.index(place))
            self.list.edit(self.model.index(place))

    def _reveal(self, id: str) -> None:
        row = self.model.rows.get(id)
        if row is not None and self.model.lines.place_of(id) < 0:
            self.model.toggle(ARCHIVE if row.archived else row.folder, True)

    def neighbour(self, step: int) -> str:
        """The session `step` rows below the open one, around the ends; "" if there is none."""
        ids = [row.id for row in self.model.lines.shown_rows()]
        if not ids:
            return ""
        return ids[(ids.index(self._current) + step) % len(ids)] if self._current in ids else ids[0]

    def nth(self, number: int) -> str:
        rows = self.model.lines.shown_rows()
        return rows[number].id if 0 <= number < len(rows) else ""

    def offer_settings(self, action: QAction) -> None:
        """The button at the foot stands for this command, with the key that calls it now."""
        self.settings_asked.connect(action.trigger)
        action.changed.connect(partial(self._show_key, action))
        self._show_key(action)
        self.settings_button.show()

    def _show_key(self, action: QAction) -> None:
        from PySide6.QtGui import QKeySequence  # with its hundred names: not before the first paint

        self._settings_key.setText(action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))

    # ------------------------------------------------------------ slots

    def _reached(self, id: str) -> None:
        """Arrow keys open a session as a click does."""
        if id != self._current:
            self.session_chosen.emit(id)

    def _deleted(self) -> None:
        if ids := self.list.marked():
            self.delete_asked.emit(ids)

    def _selected(self, _now: QItemSelection, _before: QItemSelection) -> None:
        ids = self.list.marked()
        if len(ids) < 2 and self._bar is None:
            return
        bar = self._bar or self._make_bar()
        rows = [row for id in ids if (row := self.model.rows.get(id)) is not None]
        bar.tell(len(rows), may_move=not any(row.is_temporary for row in rows))

    def _bar_asked(self, what: str) -> None:
        ids = self.list.marked()
        rows = [row for id in ids if (row := self.model.rows.get(id)) is not None]
        match what:
            case "folder" if self._bar is not None:
                button = self._bar.button("folder")
                folders_menu(self, rows).popup(button.mapToGlobal(button.rect().topLeft()))
            case "archive":
                self.archive_asked.emit(ids, not all(row.archived for row in rows))
            case "export":
                self.export_asked.emit(ids)
            case "delete":
                self.delete_asked.emit(ids)
            case _:
                self._reselect()

    def _dropped(self, ids: list[str], folder: str) -> None:
        rows = [row for id in ids if (row := self.model.rows.get(id)) is not None and not row.is_temporary]
        if folder == ARCHIVE:
            if moved := [row.id for row in rows if not row.archived]:
                self.archive_asked.emit(moved, True)
        elif moved := [row.id for row in rows if row.archived or row.folder != folder]:
            self.folder_asked.emit(moved, folder)

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
        head, row = self.model.lines.head_at(index.row()), self.model.lines.row_at(index.row())
        if head is not None:
            menu = folder_menu(self, head) if head.kind == "folder" else None
        else:
            ids = self.list.marked()
            some = [self.model.rows.get(id) for id in ids] if row is not None and row.id in ids else [row]
            menu = sessions_menu(self, [one for one in some if one is not None])
        if menu is not None:
            menu.popup(self.list.viewport().mapToGlobal(at))

    def _reselect(self) -> None:
        place = self.model.lines.place_of(self._current)
        selection = self.list.selectionModel()
        if place < 0:
            selection.clear()
            return
        index = self.model.index(place)
        selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.list.scrollTo(index)

    def _keep_marked(self) -> None:
        self._marked = self.list.marked()

    def _mark_again(self) -> None:
        """The rows were rebuilt: the open one is marked, and what was marked with it."""
        marked, self._marked = self._marked, []
        self._reselect()
        if len(marked) < 2:
            return
        for place in (self.model.lines.place_of(id) for id in marked):
            if place >= 0:
                self.list.selectionModel().select(self.model.index(place), QItemSelectionModel.SelectionFlag.Select)

    def _mark_if_new(self) -> None:
        """More rows are below: the open one may be among them. Where it was there already, nothing moves."""
        self.set_current(self._current)

    def _tell_folds(self) -> None:
        self.folded.emit(sorted(self.model.closed))

    def _tell_search(self) -> None:
        self.search_changed.emit(self.search.text().strip())

    def _tell_empty(self) -> None:
        empty = self.model.rowCount() == 0
        if needle := visible(self.search.text().strip()):
            self._nothing.say(_("“{text}” is not found.").format(text=needle[:60]), _("Search all sessions"))
        else:
            self._nothing.say(_("No sessions yet. Ask something to begin."))
        self._nothing.setVisible(empty)
        self.list.setVisible(not empty)

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        theme = self.theme
        self.new_button = QPushButton(_("New session"), self)
        self.new_button.setObjectName("newSessionButton")
        self.new_button.setProperty("kind", "soft")
        self.new_button.setAccessibleName(_("New session"))
        self.new_button.clicked.connect(self.new_asked)
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
        self._delay.timeout.connect(self._tell_search)
        self.search.textChanged.connect(self._typed)
        self._build_list()
        self._nothing = EmptyState(theme, "message", parent=self, kind="")
        self._nothing.button.clicked.connect(lambda _checked=False: self.everything_asked.emit(self.search.text()))
        self.settings_button = QPushButton(_("Settings"), self)
        self.settings_button.setProperty("kind", "quiet")
        self.settings_button.setAccessibleName(_("Settings"))
        self._settings_key = SafeLabel(role="meta")
        self._settings_key.setObjectName("settingsKey")
        self.settings_button.clicked.connect(self.settings_asked)
        self.settings_button.hide()
        policy = self.settings_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the list keeps its height when the button comes
        self.settings_button.setSizePolicy(policy)
        self._lay_out()
        self._dress()
        self._tell_empty()

    def _build_list(self) -> None:
        self.list = SessionView(self.model, self)
        self.list.setObjectName("sessionList")
        self.list.setAccessibleName(_("Sessions"))
        self._delegate = SessionDelegate(self.theme, self.model, self.list)
        self.list.setItemDelegate(self._delegate)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.chosen.connect(self.session_chosen)
        self.list.reached.connect(self._reached)
        self.list.deleted.connect(self._deleted)
        self.list.dropped.connect(self._dropped)
        self.model.modelAboutToBeReset.connect(self._keep_marked)
        # Last: with a model in it every setting above would lay out all rows again.
        self.list.setModel(self.model)
        # After setModel: the view forgets its selection first, then it is set again.
        self.model.modelReset.connect(self._mark_again)
        self.model.rowsInserted.connect(self._mark_if_new)
        self.list.selectionModel().selectionChanged.connect(self._selected)

    def _make_bar(self) -> MarkedBar:
        """With the first marking: most days have none."""
        self._bar = MarkedBar(self.theme, self)
        self._bar.asked.connect(self._bar_asked)
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(layout.count() - 1, self._bar)
        return self._bar

    def _lay_out(self) -> None:
        space = self.theme.space
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
        foot.setContentsMargins(space(1), 0, space(1.75), 0)
        foot.addWidget(self.settings_button)
        foot.addStretch(1)
        foot.addWidget(self._settings_key)
        layout.addLayout(foot)

    def _dress(self) -> None:
        theme = self.theme
        edge = QSize(theme.space(2), theme.space(2))
        self.new_button.setIcon(theme.icon("plus", "text"))
        self.new_button.setIconSize(edge)
        self.settings_button.setIcon(theme.icon("settings"))
        self.settings_button.setIconSize(edge)
        self._search_mark.setIcon(theme.icon("search"))
        self._nothing.set_theme(theme)
        dress_clear_button(self.search, theme)
