"""A small window for one question, from wherever the person is: what is selected or copied can go along.

Opened by `triptych --ask`, which any shortcut of the desktop can call, or by keys of our own if the person chose some
(`app/ui/hotkey`). What is asked begins a new session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QClipboard, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.fit import open_at
from app.ui.widgets.safe_text import SafeLabel, visible

if TYPE_CHECKING:
    from app.ui.hotkey.controller import GlobalHotkey
    from app.ui.main_window.session_actions.questions import QuestionController
    from app.ui.main_window.session_list.navigator import Navigator
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks

LONGEST = 20_000
"""Characters of what goes along; the rest is left out, and that is said."""
_PREVIEW = 160


class QuickAskController(QObject):
    """Shows the small window, and takes its question to a new session of the large one."""

    def __init__(
        self,
        window: MainWindow,
        tasks: Tasks,
        hotkey: GlobalHotkey,
        *,
        navigator: Navigator,
        questions: QuestionController,
    ) -> None:
        super().__init__(window)
        self._hotkey = hotkey
        hotkey.pressed.connect(self.open)
        hotkey.follow()
        self._window, self._tasks = window, tasks
        self._navigator, self._questions = navigator, questions
        self._shown: QuickAsk | None = None

    def open(self) -> None:
        self._dismiss()
        self._shown = QuickAsk(self._window.theme)
        self._shown.asked.connect(self._ask)
        self._shown.open_now()

    def close(self) -> None:
        self._hotkey.close()
        self._dismiss()

    def _dismiss(self) -> None:
        shown, self._shown = self._shown, None
        if shown is not None:
            shown.close()
            shown.deleteLater()

    def _ask(self, question: str) -> None:
        self._window.come_forward()
        self._navigator.new_session()
        self._tasks.spawn(self._questions.send(question, typed=False), "quick ask")


class QuickAsk(QWidget):
    asked = Signal(str)
    """The question, with what goes along below it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(None, Qt.WindowType.Dialog)
        self.setObjectName("quickAsk")
        self.setProperty("pane", "centre")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowTitle(_("Quick ask") + " – Triptych")
        self._theme, self._context = theme, ""
        self.field = QPlainTextEdit(self)
        self.field.setObjectName("quickAskField")
        self.field.setAccessibleName(_("Question"))
        self.field.setPlaceholderText(_("Ask anything (Enter to send, Shift+Enter for a new line)"))
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(theme.space(11))
        self.field.installEventFilter(self)
        self.along = QCheckBox(self)
        self.along.setObjectName("quickAskContext")
        self.preview = SafeLabel("", self, role="meta", elide=True)
        self.send = QPushButton(_("Ask"), self)
        self.send.setProperty("kind", "primary")
        self.send.clicked.connect(self._ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[theme.space(2)] * 4)
        column.setSpacing(theme.space(1))
        column.addWidget(self.field)
        column.addWidget(self.along)
        column.addWidget(self.preview)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.send)
        column.addLayout(row)

    def open_now(self) -> None:
        """With what is selected now, else what was copied; it goes along only when the person says so."""
        clipboard = QGuiApplication.clipboard()
        selected = clipboard.text(QClipboard.Mode.Selection) if clipboard.supportsSelection() else ""
        self._context = (selected.strip() or clipboard.text().strip())[:LONGEST]
        count = len(self._context)
        words = _("Add the clipboard ({n:,} characters)")
        if selected.strip():
            words = _("Add what is selected ({n:,} characters)")
        self.along.setText(words.format(n=count))
        self.along.setChecked(False)
        self.along.setVisible(bool(self._context))
        self.preview.setVisible(bool(self._context))
        self.preview.setText(visible(" ".join(self._context[:_PREVIEW].split())))
        open_at(self, self._theme.space(70), self.sizeHint().height())
        self.show()
        self.raise_()
        self.activateWindow()
        self.field.setFocus(Qt.FocusReason.ActiveWindowFocusReason)

    def _ask(self) -> None:
        question = self.field.toPlainText().strip()
        if not question:
            self.field.setFocus()
            return
        if self.along.isChecked() and self.along.isVisible():
            question += "\n\n" + "\n".join(f"> {line}" for line in self._context.splitlines())
        self.field.clear()
        self.close()
        self.asked.emit(question)

    # ------------------------------------------------------------ Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            event.setAccepted(event.key() == Qt.Key.Key_Escape)  # not the large window's, which stops a run
            return event.isAccepted()
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not shift:
                self._ask()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close()
                return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)
