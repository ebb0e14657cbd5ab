"""The shell: what is painted first. Panes, header, composer; no services, nothing heavy.

Keeps one thing in mind until there are services: a message sent too early, and asks for it to be
sent when there are.
"""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QEvent, QObject, QRect, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.core.ids import is_temporary
from app.core.run.mode import MODE_IDS
from app.core.text.i18n import _
from app.services.data.first_look import FirstLook
from app.ui.chat.composer_field import files_in
from app.ui.main_window.composer_column import ComposerColumn
from app.ui.main_window.header import WindowHeader
from app.ui.main_window.layout.beside_chat import BesideChat
from app.ui.main_window.layout.panes import Panes
from app.ui.main_window.status import RunStatus
from app.ui.sessions.panel import SessionsPanel
from app.ui.texts import mode_tip, mode_title, state_title
from app.ui.theme import Theme
from app.ui.widgets.dialog_parent import DialogParent
from app.ui.widgets.fields.mode_selector import ModeChoice, ModeSelector
from app.ui.widgets.fit import bring_into, open_at
from app.ui.widgets.spoken_role import install_roles

COLUMN = 740
"""The reading column and the composer, in pixels before zoom."""
_SIZE = QSize(1280, 820)
_SMALLEST = QSize(420, 420)
CLOSED_FOLDERS, AGENT_NAMES = "sessions/closed", "sessions/agents"
"""What the list of sessions is drawn with, kept for the first paint of the next start."""


class MainWindow(DialogParent):
    painted = Signal()
    """Once: the window has been on the screen."""
    session_opened = Signal(str)
    """Its id; "" = one that is not stored yet."""
    files_dropped = Signal(list, int)
    """Paths, and how many other things fell with them."""
    close_asked = Signal()
    restart_asked = Signal()
    """The program shall end and start again."""

    def __init__(self, first: FirstLook, theme: Theme, settings: QSettings) -> None:
        super().__init__()
        install_roles()
        self.setObjectName("mainWindow")
        self.setWindowTitle("Triptych")
        self.setMinimumSize(_SMALLEST)
        self.theme = theme
        self.settings = settings
        self._was_painted = False
        self._may_close = False
        self.closes_at_once = False
        """Something from outside ends the program: nobody is asked."""
        self._early = ""
        self.is_ready = False
        self._build(first)
        self._restore()

    # ------------------------------------------------------------ what others fill

    def set_panes(self, chat: QWidget, reasoning: QWidget) -> None:
        self._chat_place.addWidget(chat)
        self._blank.hide()
        self._right_place.addWidget(reasoning)

    def put_above_chat(self, bar: QWidget) -> None:
        """Stays there; shows itself when it is asked for."""
        self._chat_place.insertWidget(0, bar)

    def take_early_message(self) -> str:
        """What was sent before anybody could take it; from now on somebody does."""
        self.composer.submitted.disconnect(self._keep_early)
        text, self._early = self._early, ""
        return text

    def set_ready(self) -> None:
        """Questions are answered from now on."""
        self.is_ready = True

    def set_open(self, id: str, title: str) -> None:
        self.header.set_title(title, temporary=is_temporary(id), is_session=bool(id))
        self.sessions.set_current(id)
        self.notice.open_session(id)
        self.session_opened.emit(id)
        self.setWindowTitle(f"{title} – Triptych" if title else "Triptych")

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        for part in (self.sessions, self.header, self.column):
            part.set_theme(theme)
        self.panes.set_zoom(theme.zoom)
        self.beside.set_zoom(theme.zoom)
        self._fit_column()

    def allow_close(self) -> None:
        """From now on the window may really go."""
        self._may_close = True

    def save_state(self) -> None:
        self.panes.save()
        self.settings.setValue("window/geometry", self.saveGeometry())
        self.settings.sync()

    def come_forward(self) -> None:
        """Before the person's eyes, as far as the desktop lets a program do that; else its task is marked."""
        # As large as it was: `showNormal` would forget that it filled the screen.
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()
        QApplication.alert(self)

    # ------------------------------------------------------------ slots

    def _keep_early(self, text: str) -> None:
        """Enter before the services are there: kept in the field, sent as soon as possible."""
        self._early = text
        self.composer.send_button.setEnabled(False)
        self.status.set_state(state_title("opening"))

    def _folded(self) -> None:
        self.header.right_toggle.setChecked(self.panes.is_open("right"))

    # ------------------------------------------------------------ Qt

    def focusNextPrevChild(self, forward: bool) -> bool:
        """As one reads; rows and cards are made long after what stands below them."""
        from app.ui.widgets.tab_order import step  # not before a key is pressed: a start is quicker

        return step(self, forward=forward) or super().focusNextPrevChild(forward)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The splitter covers the window: when it has painted, the person sees something.
        if not self._was_painted and event.type() is QEvent.Type.Paint:
            self._was_painted = True
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self, self.painted.emit)
        return super().eventFilter(watched, event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files_in(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Beside the message field, which takes its own: chats of other programs are imported, the rest goes along."""
        if files := files_in(event.mimeData()):
            event.acceptProposedAction()
            self.files_dropped.emit(files, len(event.mimeData().urls()) - len(files))

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._may_close:
            super().closeEvent(event)
            return
        event.ignore()
        from PySide6.QtWidgets import QDialog  # not before the first paint

        settings = self.findChild(QDialog, "settingsDialog")
        if settings is not None and settings.isVisible() and not self.closes_at_once and not settings.close():
            return  # it asks about what is not saved
        self.hide()
        self.close_asked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.composer.set_window_height(self.height())
        self._folded()
        self._fit_cards()

    # ------------------------------------------------------------ building

    def _build(self, first: FirstLook) -> None:
        theme = self.theme
        names = dict(one.split("\t", 1) for one in self._kept(AGENT_NAMES) or () if "\t" in one)
        self.sessions = SessionsPanel(theme, first.sessions, closed=self._kept(CLOSED_FOLDERS), agents=names)
        self.header = WindowHeader(theme)
        self.modes = ModeSelector([ModeChoice(id, mode_title(id), mode_tip(id)) for id in MODE_IDS])
        self.column = ComposerColumn(theme, self.modes)
        self.composer, self.notice = self.column.composer, self.column.notice
        self.column.room_asked.connect(self._fit_cards)
        self.status = RunStatus(self)
        self.status.changed.connect(self.header.set_state)
        right = QWidget()
        right.setProperty("pane", "side")
        right.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._right_place = QVBoxLayout(right)
        self._right_place.setContentsMargins(0, 0, 0, 0)
        self.panes = Panes(self.sessions, self._build_centre(), right, self.settings)
        self.panes.set_zoom(theme.zoom)
        self.panes.folded.connect(self._folded)
        self.sessions.session_chosen.connect(self.panes.put_away)
        self.sessions.new_asked.connect(self.panes.put_away)
        self.panes.installEventFilter(self)
        self.header.left_asked.connect(self.panes.toggle_left)
        self.header.right_asked.connect(self.panes.toggle_right)
        self.composer.submitted.connect(self._keep_early)
        self.setCentralWidget(self.panes)
        self.status.set_state(state_title("opening"))
        self.composer.focus()

    def _build_centre(self) -> QWidget:
        centre = QWidget()
        centre.setProperty("pane", "centre")
        centre.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        line = QFrame()
        line.setProperty("line", True)
        line.setFixedHeight(1)
        self._blank = QWidget()
        self._blank.setAccessibleName(_("Conversation"))
        place = QWidget()
        self._chat_place = QVBoxLayout(place)
        self._chat_place.setContentsMargins(0, 0, 0, 0)
        self._chat_place.addWidget(self._blank)
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(line)
        conversation = QWidget()
        column = QVBoxLayout(conversation)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(place, 1)
        column.addLayout(self._build_column())
        self.beside = BesideChat(conversation)
        layout.addWidget(self.beside, 1)
        return centre

    def _build_column(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(self.theme.space(2), self.theme.space(1), self.theme.space(2), self.theme.space(2))
        row.addStretch(1)
        row.addWidget(self.column, 1000)
        row.addStretch(1)
        self._fit_column()
        return row

    def _fit_cards(self) -> None:
        self.column.set_height(self.height() - self.header.height())

    def _fit_column(self) -> None:
        self.column.setMaximumWidth(round(COLUMN * self.theme.zoom))

    def _kept(self, key: str) -> list[str] | None:
        """Several words; None where none were kept."""
        value = self.settings.value(key)
        return [value] if isinstance(value, str) else [str(one) for one in value] if isinstance(value, list) else None

    def _restore(self) -> None:
        geometry = self.settings.value("window/geometry")
        if not (isinstance(geometry, QByteArray) and self.restoreGeometry(geometry)):
            open_at(self, _SIZE.width(), _SIZE.height())
            return
        if not self._is_on_a_screen():
            # Qt moves a window back, but not from where its sums overflow.
            self.setGeometry(QRect(QGuiApplication.primaryScreen().availableGeometry().topLeft(), _SIZE))
        if not self.windowState() & (Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen):
            bring_into(self.screen().availableGeometry(), self)

    def _is_on_a_screen(self) -> bool:
        width, height, corner = self.width(), self.height(), self.pos()
        places = [one.availableGeometry() for one in QGuiApplication.screens()]
        return any(place.adjusted(-width, -height, 0, 0).contains(corner) for place in places)
