"""What fills the context, item by item, below the meter in the header; results and files can be left out of it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.core.run.analysis.context_use import ContextItem, ContextUse, largest
from app.core.text.i18n import _, ngettext
from app.ui.texts import compacted_text
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel, visible

_SHOWN = 40
_TALLEST = 52
"""Steps of the grid; more than that scrolls."""


class ContextPopup(QFrame):
    left_out_changed = Signal(object)
    """The ids of all that is left out now."""

    def __init__(self, theme: Theme, use: ContextUse, limit: int, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("contextPopup")
        self.setProperty("card", "raised")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(_("What fills the context"))
        self._use, self._limit = use, limit
        self._sum = SafeLabel(role="meta")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(1.5), theme.space(1.5))
        layout.setSpacing(theme.space(1))
        layout.addWidget(SafeLabel(_("What fills the context"), role="title"))
        layout.addWidget(self._sum)
        if use.has_long_system:
            warning = SafeLabel(_("The system prompt is long: every request reads it again."), role="error")
            warning.setWordWrap(True)
            layout.addWidget(warning)
        layout.addWidget(self._list(theme))
        text = _("Above the limit older results are shortened before the next request.")
        if use.compacted:
            text = compacted_text(*use.compacted)
        note = SafeLabel(text, role="meta")
        note.setWordWrap(True)
        layout.addWidget(note)
        self.setFixedWidth(theme.space(48))
        self._tell()

    def show_below(self, widget: QWidget) -> None:
        self.adjustSize()
        corner = widget.mapToGlobal(QPoint(widget.width() - self.width(), widget.height() + 4))
        self.move(max(0, corner.x()), corner.y())
        self.show()

    def _list(self, theme: Theme) -> QScrollArea:
        shown, rest = largest(self._use.items, _SHOWN)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, theme.space(0.5), 0)
        column.setSpacing(0)
        whole = max((item.chars for item in self._use.items), default=1)
        self.rows: list[ContextRow] = []
        for item in shown:
            row = ContextRow(theme, item, whole)
            row.toggled.connect(self._toggle)
            self.rows.append(row)
            column.addWidget(row)
        if rest:
            text = ngettext("{n} smaller item", "{n} smaller items", len(rest)).format(n=len(rest))
            column.addWidget(SafeLabel(f"{text}: {sum(item.chars for item in rest):,}", role="meta"))
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        inner.setAutoFillBackground(False)
        area.viewport().setAutoFillBackground(False)
        area.setFixedHeight(min(inner.sizeHint().height(), theme.space(_TALLEST)))
        return area

    def _toggle(self, id: str, left_out: bool) -> None:
        items = tuple(replace(one, left_out=left_out) if one.id == id else one for one in self._use.items)
        self._use = replace(self._use, items=items)
        self._tell()
        self.left_out_changed.emit({one.id for one in items if one.left_out})

    def _tell(self) -> None:
        text = _("Context: {used:,} of {limit:,} characters").format(used=self._use.chars, limit=self._limit)
        count = sum(1 for one in self._use.items if one.left_out)
        if count:
            text += " · " + ngettext("{n} item left out", "{n} items left out", count).format(n=count)
        if self._use.frame_chars:
            frame = _("Instructions and tools go with every request besides: {n:,}").format(n=self._use.frame_chars)
            text += f"\n{frame}"
        self._sum.setText(text)


class ContextRow(QWidget):
    """Name, characters, share as a bar; a button where the item can be left out of what is sent next."""

    toggled = Signal(str, bool)
    """The item's id, and whether it is left out now."""

    def __init__(self, theme: Theme, item: ContextItem, whole: int) -> None:
        super().__init__()
        self._theme, self._item, self._whole = theme, item, whole
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.button: IconButton | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        if item.id:
            self.button = IconButton(theme, "x", "", self, size=14)
            self.button.clicked.connect(self._press)
            row.addWidget(self.button)
        self._tell()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(30), self._theme.space(4.5))

    def _press(self) -> None:
        self._item = replace(self._item, left_out=not self._item.left_out)
        self._tell()
        self.toggled.emit(self._item.id, self._item.left_out)

    def _tell(self) -> None:
        name, is_out = title_of(self._item), self._item.left_out
        state = ", " + _("left out") if is_out else ""
        self.setAccessibleName(f"{name}: {self._item.chars:,}{state}")
        if self.button is not None:
            self.button.set_icon(self._theme, "undo" if is_out else "x")
            words = _("Send it again: {name}") if is_out else _("Leave it out of what is sent next: {name}")
            self.button.describe(words.format(name=name))
        self.update()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_out = self._item.left_out
        right = self.width() - theme.space(4)
        line, thin = QRectF(0, theme.space(0.5), right, theme.space(2.5)), theme.space(0.5)
        figure = f"{self._item.chars:,}"
        font = theme.font("meta")
        painter.setFont(font)
        wide = painter.fontMetrics().horizontalAdvance(figure)
        painter.setPen(theme.color("muted"))
        painter.drawText(line, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), figure)
        font.setStrikeOut(is_out)
        painter.setFont(font)
        painter.setPen(theme.color("muted" if is_out else "text"))
        room = right - wide - theme.space(1)
        title_text = painter.fontMetrics().elidedText(title_of(self._item), Qt.TextElideMode.ElideRight, room)
        painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter), title_text)
        painter.setPen(Qt.PenStyle.NoPen)
        place = QRectF(0, line.bottom() + theme.space(0.25), right, thin)
        painter.setBrush(theme.color("hover"))
        painter.drawRoundedRect(place, thin / 2, thin / 2)
        painter.setBrush(theme.color("pressed" if is_out else "accent"))
        place.setWidth(max(thin, right * self._item.chars / self._whole))
        painter.drawRoundedRect(place, thin / 2, thin / 2)
        painter.end()


def title_of(item: ContextItem) -> str:
    match item.kind:
        case "system":
            return _("System prompt")
        case "tools":
            return ngettext("Description of {n} tool", "Descriptions of {n} tools", item.count).format(n=item.count)
        case "said":
            return ngettext("What was said, {n} message", "What was said, {n} messages", item.count).format(
                n=item.count
            )
        case "calls":
            return ngettext("Arguments of {n} tool call", "Arguments of {n} tool calls", item.count).format(
                n=item.count
            )
        case "thinking":
            return _("Thoughts of the model")
        case "file":
            return _("File: {name}").format(name=visible(item.name))
        case "result":
            return _("Result of {tool}").format(tool=visible(item.name))
