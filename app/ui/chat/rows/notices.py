"""Short rows: notices, errors, and the lines that separate rounds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.chat.rows.base import RowTools, RowView, icon_label, wrapped
from app.ui.chat.rows.items import Action, ErrorRow, Level, NotePart, NoticeRow, SeparatorRow
from app.ui.chat.rows.row_actions import Plain
from app.ui.widgets.guarded import guarded
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spoken_role import Role, speak_as

_LOOKS: dict[Level, tuple[str, str, str]] = {
    "info": ("plain", "info", "muted"),
    "warn": ("warn", "alert", "warn"),
    "error": ("error", "alert", "error"),
}


class NoticeCard(QFrame):
    """Icon, text, a hint below, buttons. Only the window draws these; a model cannot."""

    action = Signal(object)
    """A RowAction."""

    def __init__(
        self,
        parent: QWidget,
        tools: RowTools,
        text: str,
        *,
        level: Level,
        hint: str = "",
        actions: Sequence[Action] = (),
        is_fault: bool = False,
    ) -> None:
        """`is_fault`: of an answer that failed; a bar at the left instead of the icon, and its details at the right."""
        super().__init__(parent)
        theme = tools.theme
        card, icon, token = _LOOKS[level]
        self._theme, self._bar = theme, token if is_fault else ""
        self.setProperty("card", "" if is_fault else card)
        box = QHBoxLayout(self)
        left = theme.space(3 if is_fault else 1.5)
        box.setContentsMargins(left, theme.space(1.25), theme.space(1.5), theme.space(1.25))
        box.setSpacing(theme.space(1.25))
        if not is_fault:
            box.addWidget(icon_label(self, theme, icon, token), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(theme.space(0.5))
        words.addWidget(wrapped(self, text, role="strong" if is_fault else ""))
        if hint:
            words.addWidget(wrapped(self, hint, role="meta"))
        below = [item for item in actions if not item.is_link]
        if below:
            words.addSpacing(theme.space(0.25))
            words.addWidget(self._buttons(tools, below))
        box.addLayout(words, 1)
        for item in actions:
            if item.is_link:
                link = QPushButton(item.label, self)
                link.setProperty("kind", "link")
                link.clicked.connect(partial(self.action.emit, item.what))
                box.addWidget(link, 0, Qt.AlignmentFlag.AlignTop)
        if is_fault:
            details = QPushButton(_("Details ›"), self)
            details.setProperty("kind", "link")
            details.setAccessibleName(_("Details of this answer"))
            details.clicked.connect(partial(self.action.emit, Plain.DETAILS))
            box.addWidget(details, 0, Qt.AlignmentFlag.AlignTop)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._bar:
            super().paintEvent(event)
            return
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card, radius = QPainterPath(), theme.space(1.5)
        card.addRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.fillPath(card, theme.color("surface"))
        bar = QPainterPath()
        bar.addRect(QRectF(0, 0, theme.space(1), self.height()))
        painter.fillPath(card.intersected(bar), theme.color(self._bar))
        painter.strokePath(card, QPen(theme.color("border"), 1))

    def _buttons(self, tools: RowTools, actions: Sequence[Action]) -> FlowRow:
        line = FlowRow(tools.theme.space(1))
        for number, item in enumerate(actions):
            button = QPushButton(item.label, self)
            button.setAutoDefault(False)
            button.setProperty("kind", {0: "primary", 1: ""}.get(number, "quiet"))
            button.clicked.connect(partial(self.action.emit, item.what))
            line.add(button)
        return line


class RoundLine(QWidget):
    """A hairline with words in it; one that stands for a round can be picked."""

    picked = Signal()

    def __init__(self, parent: QWidget, tools: RowTools, title: str, note: str = "", *, can_pick: bool = False) -> None:
        super().__init__(parent)
        speak_as(self, Role.Button)
        theme = self._theme = tools.theme
        self._can_pick = can_pick
        if can_pick:
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setAccessibleName(" · ".join(filter(None, (title, note))))
        box = QHBoxLayout(self)
        box.setContentsMargins(0, theme.space(0.5), 0, theme.space(0.5))
        box.setSpacing(theme.space(1.5))
        box.addWidget(self._line(), 1)
        box.addWidget(icon_label(self, theme, "refresh", "muted", 13))
        box.addWidget(SafeLabel(" · ".join(filter(None, (title, note))), self, role="meta", elide=True))
        box.addWidget(self._line(), 1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._can_pick and event.button() is Qt.MouseButton.LeftButton:
            self.picked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._can_pick and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.picked.emit()
        else:
            super().keyPressEvent(event)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self._theme.color("accent"))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 6, 6)

    def _line(self) -> QFrame:
        line = QFrame(self)
        line.setProperty("line", True)
        line.setFixedHeight(1)
        line.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        line.setMinimumWidth(16)
        return line


def note_card(parent: QWidget, tools: RowTools, part: NotePart) -> NoticeCard:
    return NoticeCard(
        parent, tools, part.text, level=part.level, hint=part.hint, actions=part.actions, is_fault=part.is_fault
    )


class NoticeRowView(RowView):
    def __init__(self, parent: QWidget, tools: RowTools, item: NoticeRow) -> None:
        super().__init__(parent, tools, _("Notice: {text}").format(text=item.text))
        card = NoticeCard(self, tools, item.text, level=item.level, actions=item.actions)
        card.action.connect(self.action)
        self.stack = [(card, 0)]


class ErrorRowView(RowView):
    def __init__(self, parent: QWidget, tools: RowTools, item: ErrorRow) -> None:
        super().__init__(parent, tools, _("Error: {text}").format(text=item.text))
        card = NoticeCard(self, tools, item.text, level="error", hint=item.hint, actions=item.actions)
        card.action.connect(self.action)
        self.stack = [(card, 0)]


class SeparatorRowView(RowView):
    def __init__(self, parent: QWidget, tools: RowTools, item: SeparatorRow) -> None:
        super().__init__(parent, tools, item.text)
        self.stack = [(RoundLine(self, tools, item.text), 0)]
