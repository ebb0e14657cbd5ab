"""Where the person writes: grows with the text, sends with Enter, never while an input method composes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _, ngettext
from app.ui.chat.composer_field import ComposerField
from app.ui.chat.run_controls import RunControls
from app.ui.theme import Theme
from app.ui.widgets.fields.mode_selector import ModeSelector
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.viewport import viewport_of
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

if TYPE_CHECKING:
    from app.ui.chat.composer_top import ComposerFile, ComposerTop
    from app.ui.render.parts.pictures import PictureLoader

_DRAFT_DELAY_MS = 200
"""After the first key that is not saved; with the write it stays under the half second a crash may cost."""
_TIGHT = 70
"""Steps below which the modes are no row of positions any more."""
_SHARE = 0.4
"""Of the window's height, at most."""


def estimated_tokens(text: str) -> int:
    """A rough count: four characters of Latin text, or one and a half Chinese ones, make a token."""
    wide = sum(1 for char in text if char >= "\u2e80")
    return round(wide / 1.5 + (len(text) - wide) / 4) if text else 0


class Composer(QFrame):
    submitted = Signal(str)
    stop_asked = Signal()
    attach_asked = Signal()
    templates_asked = Signal()
    edit_cancelled = Signal()
    file_removed = Signal(int)
    file_opened = Signal(int)
    draft_changed = Signal(str)
    """What stands unsent; soon after the typing pauses, and at least every second."""

    def __init__(self, theme: Theme, modes: ModeSelector, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composerFrame")
        self._theme = theme
        self._window_height = 0
        self._files: tuple[ComposerFile, ...] = ()
        self._expected = ("", "")
        self._top: ComposerTop | None = None
        self._quiet = False
        self.modes = modes
        self.field = ComposerField(self)
        self._build()
        self._connect()
        self.set_theme(theme)
        self._resize()
        self._tell_state()

    # ------------------------------------------------------------ what it holds

    def text(self) -> str:
        return self.field.toPlainText()

    def set_text(self, text: str) -> None:
        """Another draft, e.g. of the session just opened; nothing is reported as changed."""
        self._quiet = True
        self.field.setPlainText(text)
        self.field.moveCursor(QTextCursor.MoveOperation.End)
        self._quiet = False
        self._drafts.stop()

    def fill(self, text: str) -> None:
        """Put a text in as if it had been typed."""
        self.field.put(text)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear_sent(self, text: str) -> None:
        """The text was taken over: remember it, empty the field."""
        self.field.remember(text)
        self.set_text("")

    def flush_draft(self) -> None:
        """Report what stands unsent now, before something else takes its place."""
        if self._drafts.isActive():
            self._report_draft()

    def set_files(self, files: Sequence[ComposerFile], pictures: PictureLoader | None = None) -> None:
        """What goes along with the message; `pictures` decodes those that are some."""
        self._files = tuple(files)
        if files or self._top is not None:
            self._above().set_files(files, pictures)
        self._tell_state()

    def set_editing(self, is_editing: bool) -> None:
        """Whether what stands here takes the place of an earlier question."""
        if is_editing or self._top is not None:
            words = _("You are changing an earlier question; what followed it is kept as a variant.")
            self._above().set_remark(words if is_editing else "")

    def offer_files(self) -> None:
        """From now on files can be given."""
        self.field.takes_files = True
        self.attach_button.show()

    def put_above_field(self, widget: QWidget) -> None:
        """Stays there; shows itself when there is something to choose."""
        self._layout.insertWidget(self._layout.indexOf(self.field), widget)

    def submit(self) -> None:
        text = self.text().strip()
        if (text or self._files) and not self.field.is_composing():
            self.submitted.emit(text)

    def set_window_height(self, height: int) -> None:
        self._window_height = height
        self._resize()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.attach_button.set_icon(theme, "paperclip")
        self.templates_button.set_icon(theme, "book")
        if self._top is not None:
            self._top.set_theme(theme)
        self.run.set_theme(theme)
        edge = QSize(theme.space(2.25), theme.space(2.25))
        self.field.setFont(theme.font("body"))
        viewport_of(self.field).setFont(theme.font("body"))  # the hint is painted in this one
        self.send_button.setIcon(theme.icon("send", "on_accent", 18))
        self.send_button.setIconSize(edge)
        for button in (self.send_button, self.stop_button):
            button.setFixedSize(theme.space(4), theme.space(4))
        self._resize()

    def focus(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # ------------------------------------------------------------ slots

    def _changed(self) -> None:
        self._tell_state()
        if self._quiet:
            return
        if not self._drafts.isActive():
            self._drafts.start()

    def _running_changed(self) -> None:
        if self.send_button.hasFocus() or self.stop_button.hasFocus():  # one of them goes
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._tell_state()

    def _focus_changed(self) -> None:
        self.update()

    def _report_draft(self) -> None:
        self._drafts.stop()
        self.draft_changed.emit(self.text())

    def _tell_state(self) -> None:
        text = self.text()
        has_text = bool(text.strip())
        self.send_button.setEnabled(has_text or bool(self._files))
        self.send_button.setVisible(has_text or not self.run.is_running)
        words = _("Send after this answer") if self.run.is_running else _("Send")
        self.send_button.setAccessibleName(words)
        set_safe_tooltip(self.send_button, words)
        count = estimated_tokens(text) + sum(file.tokens for file in self._files)
        mine = ngettext("≈ {n:,} token", "≈ {n:,} tokens", count).format(n=count) if count else ""
        figures, basis = self._expected
        self._estimate.setText(figures or mine if count else "")
        self._estimate.setAccessibleName(
            _("What it is likely to take") if figures else _("Length of the message, estimated")
        )
        tip = _("{basis} This message: {mine}").format(basis=basis, mine=mine) if figures else ""
        set_safe_tooltip(self._estimate, tip if count else "")

    def show_expected(self, figures: str, basis: str) -> None:
        """What a question is likely to take, and what that rests on; "" = nobody knows yet."""
        if (figures, basis) != self._expected:
            self._expected = figures, basis
            self._tell_state()

    def _resize(self) -> None:
        line = self.field.fontMetrics().lineSpacing()
        margin = 2 * round(self.field.document().documentMargin()) + 2
        most = max(4 * line, round(self._window_height * _SHARE) - self._theme.space(7))
        wanted = max(2 * line, self._text_height(most)) + margin
        self.field.setFixedHeight(min(wanted, most))
        fits = wanted <= most
        bars = Qt.ScrollBarPolicy
        self.field.setVerticalScrollBarPolicy(bars.ScrollBarAlwaysOff if fits else bars.ScrollBarAsNeeded)
        if fits:
            # The cursor was kept in sight while the field was still too low.
            self.field.verticalScrollBar().setValue(0)

    def _text_height(self, enough: int) -> int:
        """In pixels, as painted: lines of Han characters are higher than the font says. Stops counting at `enough`."""
        layout = self.field.document().documentLayout()
        height, block = 0.0, self.field.document().begin()
        while block.isValid() and height <= enough:
            height += layout.blockBoundingRect(block).height()
            block = block.next()
        return math.ceil(height)

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        space = self._theme.space
        self.send_button = self._round_button("sendButton", _("Send"))
        self.stop_button = self._round_button("stopButton", _("Stop"))
        self._estimate = SafeLabel(role="meta", elide=True, parent=self)
        self._estimate.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._estimate.setAccessibleName(_("Length of the message, estimated"))
        self._drafts = QTimer(self)
        self._drafts.setSingleShot(True)
        self._drafts.setInterval(_DRAFT_DELAY_MS)
        self._drafts.timeout.connect(self._report_draft)
        row = self._row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1))
        self.attach_button = IconButton(self._theme, "paperclip", _("Attach files"), self, size=18)
        self.attach_button.setObjectName("attachButton")
        self.attach_button.hide()
        self.templates_button = IconButton(self._theme, "book", _("Message templates ( / )"), self, size=18)
        self.templates_button.setObjectName("templatesButton")
        self.templates_button.hide()
        row.addWidget(self.modes)
        row.addWidget(self.attach_button)
        row.addWidget(self.templates_button)
        row.addWidget(self._estimate, 1)
        row.addWidget(self.send_button)
        row.addWidget(self.stop_button)
        self.run = RunControls(self.stop_button, row, self._theme, self)
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(space(1.5), space(1.25), space(1), space(1))
        layout.setSpacing(space(0.75))
        layout.addWidget(self.field)
        layout.addLayout(row)
        QWidget.setTabOrder(self.field, self.modes)
        QWidget.setTabOrder(self.modes, self.send_button)
        self.setFocusProxy(self.field)

    def _above(self) -> ComposerTop:
        """Made when it is needed first: every widget is felt before the first paint."""
        if self._top is None:
            from app.ui.chat.composer_top import ComposerTop

            self._top = ComposerTop(self._theme, self)
            self._top.remark_closed.connect(self.edit_cancelled)
            self._top.file_removed.connect(self.file_removed)
            self._top.file_opened.connect(self.file_opened)
            self._layout.insertWidget(0, self._top)
        return self._top

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.modes.set_short(self.width() < self._theme.space(_TIGHT))
        self.run.fit(self.width())

    def _round_button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(self)
        button.setObjectName(name)
        button.setProperty("kind", "primary")
        button.setAutoDefault(False)
        button.setAccessibleName(text)
        set_safe_tooltip(button, text)
        return button

    def _connect(self) -> None:
        self.field.textChanged.connect(self._changed)
        self.field.document().documentLayout().documentSizeChanged.connect(self._resize)
        self.field.sent.connect(self.submit)
        # The frame has the field's focus, so the sheet's `:focus` means it; Qt only repaints the field by itself.
        self.setFocusProxy(self.field)
        self.field.focus_changed.connect(self._focus_changed)
        self.send_button.clicked.connect(self.submit)
        self.attach_button.clicked.connect(self.attach_asked)
        self.templates_button.clicked.connect(self.templates_asked)
        self.stop_button.clicked.connect(self.stop_asked)
        self.run.running_changed.connect(self._running_changed)
