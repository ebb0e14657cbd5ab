"""What fills the context, item by item, below the meter in the header."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from app.core.context_use import ContextItem, ContextUse, largest
from app.core.i18n import _, ngettext
from app.ui.texts import compacted_text
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible

_SHOWN = 10


class ContextPopup(QFrame):
    def __init__(self, theme: Theme, use: ContextUse, limit: int, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("contextPopup")
        self.setProperty("card", "raised")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(_("What fills the context"))
        shown, rest = largest(use.items, _SHOWN)
        lines = [(_title(item), item.chars) for item in shown]
        if rest:
            told = ngettext("{n} smaller item", "{n} smaller items", len(rest)).format(n=len(rest))
            lines.append((told, sum(item.chars for item in rest)))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(2), theme.space(1.5))
        layout.setSpacing(theme.space(1))
        layout.addWidget(SafeLabel(_("What fills the context"), role="title"))
        told = _("Context: {used:,} of {limit:,} characters").format(used=use.chars, limit=limit)
        layout.addWidget(SafeLabel(told, role="meta"))
        if use.has_long_system:
            warning = SafeLabel(_("The system prompt is long: every request reads it again."), role="error")
            warning.setWordWrap(True)
            layout.addWidget(warning)
        layout.addWidget(_Bars(theme, lines, max(use.chars, 1)))
        told = _("Above the limit older results are shortened before the next request.")
        if use.compacted:
            told = compacted_text(*use.compacted)
        note = SafeLabel(told, role="meta")
        note.setWordWrap(True)
        layout.addWidget(note)
        self.setFixedWidth(theme.space(44))

    def show_below(self, widget: QWidget) -> None:
        self.adjustSize()
        corner = widget.mapToGlobal(QPoint(widget.width() - self.width(), widget.height() + 4))
        self.move(max(0, corner.x()), corner.y())
        self.show()


class _Bars(QWidget):
    """Name, share as a bar, characters."""

    def __init__(self, theme: Theme, lines: list[tuple[str, int]], whole: int) -> None:
        super().__init__()
        self._theme, self._lines, self._whole = theme, lines, whole
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("; ".join(f"{name}: {chars:,}" for name, chars in lines))

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(30), self._theme.space(4) * len(self._lines))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high, thin = theme.space(4), theme.space(0.5)
        for number, (name, chars) in enumerate(self._lines):
            top = number * high
            figure = f"{chars:,}"
            painter.setFont(theme.font("meta"))
            wide = painter.fontMetrics().horizontalAdvance(figure)
            line = QRectF(0, top, self.width(), theme.space(2.5))
            painter.setPen(theme.color("muted"))
            painter.drawText(line, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), figure)
            painter.setPen(theme.color("text"))
            room = self.width() - wide - theme.space(1)
            shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, room)
            painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter), shown)
            painter.setPen(Qt.PenStyle.NoPen)
            place = QRectF(0, top + theme.space(2.75), self.width(), thin)
            painter.setBrush(theme.color("hover"))
            painter.drawRoundedRect(place, thin / 2, thin / 2)
            painter.setBrush(theme.color("accent"))
            place.setWidth(max(thin, self.width() * chars / self._whole))
            painter.drawRoundedRect(place, thin / 2, thin / 2)


def _title(item: ContextItem) -> str:
    match item.kind:
        case "system":
            return _("System prompt")
        case "said":
            return ngettext("What was said, {n} message", "What was said, {n} messages", item.count).format(
                n=item.count
            )
        case "calls":
            return ngettext("Arguments of {n} tool call", "Arguments of {n} tool calls", item.count).format(
                n=item.count
            )
        case "file":
            return _("File: {name}").format(name=visible(item.name))
        case "result":
            return _("Result of {tool}").format(tool=visible(item.name))
