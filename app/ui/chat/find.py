"""Finding in the open session: counted in the source of all rows, highlighted in those that are in sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QSizePolicy, QTextEdit, QWidget

from app.core.text.i18n import _
from app.ui.chat.places import labels_in, pieces_of, unfold, views_in, widget_of
from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.view import ChatView
from app.ui.render.parts.plain import PlainBlock
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel

MOST = 9_999
"""Hits that are counted."""
_IN_ONE_VIEW = 500
_DELAY_MS = 120
Source = Callable[[], Iterator[tuple[str, str]]]
"""Row id and text of every row, in order."""


class FindBar(QFrame):
    closed = Signal()

    def __init__(self, theme: Theme, chat: ChatView, source: Source, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.setAccessibleName(_("Find in this session"))
        self._theme, self._chat, self._source = theme, chat, source
        self._hits: list[tuple[str, int]] = []
        """Row, and which of the hits in it."""
        self._place = -1
        self.field = QLineEdit(self)
        self.field.setObjectName("findField")
        self.field.setAccessibleName(_("Find in this session"))
        self.field.setPlaceholderText(_("Find in this session"))
        self.field.setMaxLength(200)
        self.field.setMinimumWidth(theme.space(12))
        self.field.setMaximumWidth(theme.space(40))
        self.count = SafeLabel(role="meta", parent=self)
        self.count.setObjectName("findCount")
        self._buttons = [
            IconButton(theme, icon, text, self)
            for icon, text in (("chevron-up", _("Previous")), ("chevron-down", _("Next")), ("x", _("Close")))
        ]
        for button, name in zip(self._buttons, ("findPrevious", "findNext", "findClose"), strict=True):
            button.setObjectName(name)
        self._delay, self._soon = QTimer(self), QTimer(self)
        for timer, wait, slot in ((self._delay, _DELAY_MS, self.search), (self._soon, 0, self._highlight)):
            timer.setSingleShot(True)
            timer.setInterval(wait)
            timer.timeout.connect(slot)
        self.field.textChanged.connect(self._delay.start)
        self._buttons[0].clicked.connect(partial(self.step, -1))
        self._buttons[1].clicked.connect(partial(self.step, 1))
        self._buttons[2].clicked.connect(self.close_bar)
        chat.list.verticalScrollBar().valueChanged.connect(lambda _value: self._soon.start())
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.space(2), theme.space(0.75), theme.space(2), theme.space(0.75))
        row.setSpacing(theme.space(0.75))
        row.addStretch(1)
        row.addWidget(self.field, 2)
        row.addWidget(self.count)
        for button in self._buttons:
            row.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    # ------------------------------------------------------------ what others call

    def open_bar(self) -> None:
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self.search()

    def open_at(self, words: str, row_id: str) -> None:
        """With these words, at their first place in that row."""
        self.field.setText(words)
        self.open_bar()
        place = next((n for n, (row, _number) in enumerate(self._hits) if row == row_id), -1)
        if place >= 0:
            self._place = place
            self._show_place()
        else:
            self._chat.scroll_to_row(row_id)

    def close_bar(self) -> None:
        self.hide()
        self._hits, self._place = [], -1
        self._paint("")
        self.closed.emit()

    def forget(self) -> None:
        """Another session is shown."""
        if self.isVisible():
            self.close_bar()

    def hits(self) -> int:
        return len(self._hits)

    def search(self) -> None:
        """Anew, from the latest hit on: that is what is in sight."""
        self._delay.stop()
        words = self.field.text().casefold()
        self._hits = list(_hits_in(self._source(), words)) if words.strip() else []
        self._place = len(self._hits) - 1
        self._show_place()

    def step(self, by: int) -> None:
        if self._delay.isActive():
            self.search()
        elif self._hits:
            self._place = (self._place + by) % len(self._hits)
            self._show_place()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for button, icon in zip(self._buttons, ("chevron-up", "chevron-down", "x"), strict=True):
            button.set_icon(theme, icon)
        self._soon.start()

    # ------------------------------------------------------------ inner work

    def _show_place(self) -> None:
        words = self.field.text().strip()
        if not words:
            self.count.setText("")
        elif not self._hits:
            self.count.setText(_("Nothing found"))
        else:
            self.count.setText(f"{self._place + 1}/{len(self._hits)}")
        if self._hits:
            row_id = self._hits[self._place][0]
            self._chat.scroll_to_row(row_id)
            part, _number = self._target()
            row = self._chat.list.realised().get(row_id)
            if row is not None and part:
                unfold(row, part)
        self._highlight()
        self._bring_into_sight()

    def _target(self) -> tuple[str, int]:
        """The part with the current hit, and which hit of that part it is."""
        row_id, number = self._hits[self._place]
        words = self.field.text().casefold()
        for piece in pieces_of(self._chat.row(row_id)):
            count = piece.text.casefold().count(words)
            if number < count:
                return piece.part, number
            number -= count
        return "", number

    def _highlight(self) -> None:
        if self.isVisible():
            self._paint(self.field.text() if self._hits else "")

    def _paint(self, words: str) -> None:
        current = (self._hits[self._place][0], *self._target()) if self._hits else ("", "", -1)
        for row_id, row in self._chat.list.realised().items():
            for part in _parts_of(row):
                number = 0
                widget = widget_of(row, part)
                for view in views_in(widget):
                    marks: list[QTextEdit.ExtraSelection] = []
                    for cursor in _found(view.document(), words):
                        marks.append(self._mark(cursor, is_current=(row_id, part, number) == current))
                        number += 1
                    if marks or view.extraSelections():
                        view.setExtraSelections(marks)
                if widget is not row:
                    self._mark_labels(widget, words)

    def _mark_labels(self, widget: QWidget, words: str) -> None:
        """Cards are made of labels, which are marked as a whole."""
        folded = words.casefold()
        for label in labels_in(widget):
            is_hit = bool(words.strip()) and folded in label.full_text().casefold()
            if is_hit != bool(label.property("found")):
                label.setProperty("found", is_hit)
                # A dynamic property needs a new polish to reach the style sheet.
                label.style().unpolish(label)
                label.style().polish(label)

    def _mark(self, cursor: QTextCursor, *, is_current: bool) -> QTextEdit.ExtraSelection:
        form = QTextCharFormat()
        color = QColor(self._theme.color("warn" if is_current else "accent"))
        color.setAlpha(150 if is_current else 60)
        form.setBackground(color)
        mark = QTextEdit.ExtraSelection()
        mark.cursor = cursor
        mark.format = form
        return mark

    def _bring_into_sight(self) -> None:
        """The line itself, where its message is higher than the window."""
        if not self._hits:
            return
        part, wanted = self._target()
        row = self._chat.list.realised().get(self._hits[self._place][0])
        if row is None:
            return
        widget, words, number = widget_of(row, part), self.field.text(), 0
        for view in views_in(widget):
            for cursor in _found(view.document(), words):
                if number == wanted:
                    if isinstance(view, PlainBlock):
                        view.setTextCursor(QTextCursor(view.document().findBlock(cursor.selectionStart())))
                        view.ensureCursorVisible()
                    self._scroll_to(view.viewport(), view.cursorRect(cursor).center())
                    return
                number += 1
        if widget is not row:
            marked = next((label for label in labels_in(widget) if label.property("found")), widget)
            self._scroll_to(marked, marked.rect().center())

    def _scroll_to(self, widget: QWidget, place: QPoint) -> None:
        area = self._chat.list.viewport()
        y = widget.mapTo(area, place).y()
        if not 0 <= y <= area.height():
            bar = self._chat.list.verticalScrollBar()
            bar.setValue(bar.value() + y - area.height() // 2)

    def take_escape(self) -> bool:
        self.close_bar()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)


def _hits_in(source: Iterator[tuple[str, str]], words: str) -> Iterator[tuple[str, int]]:
    count = 0
    for row_id, text in source:
        folded, place, number = text.casefold(), 0, 0
        while (place := folded.find(words, place)) >= 0:
            yield row_id, number
            place += len(words)
            number += 1
            count += 1
            if count >= MOST:
                return


def _parts_of(row: QWidget) -> Sequence[str]:
    return row.part_ids() if isinstance(row, AssistantRowView) else ("",)


def _found(document: QTextDocument, words: str) -> Iterator[QTextCursor]:
    if not words.strip():
        return
    cursor = document.find(words)
    for _number in range(_IN_ONE_VIEW):
        if cursor.isNull():
            return
        yield cursor
        cursor = document.find(words, cursor)
