"""The command palette: every command, session, agent and mode by a few letters of its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QCursor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import visible

_SHOWN = 60
"""Rows at most: what one looks for is among the first, or the letters are too few."""
_ICON = Qt.ItemDataRole.UserRole
_ASIDE = Qt.ItemDataRole.UserRole + 1
_ELIDE = Qt.TextElideMode.ElideRight
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
ROW_HEIGHT = 4.0
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    title: str
    kind: str
    """What it is, in words: command, session, agent, mode."""
    run: Callable[[], object]
    icon: str = "chevron-right"
    note: str = ""
    """Its keys."""


def matches(entries: Sequence[PaletteEntry], text: str) -> list[PaletteEntry]:
    """Those that hold every word of `text`; titles that begin with it first."""
    words = text.casefold().split()
    entries_found = [
        entry for entry in entries if all(word in f"{entry.title} {entry.kind}".casefold() for word in words)
    ]
    start = text.casefold().strip()
    return (
        sorted(entries_found, key=lambda entry: not entry.title.casefold().startswith(start))
        if start
        else entries_found
    )


class EntryList(QListWidget):
    """Painted lines, the first chosen; the keyboard stays in the field they belong to."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.entries: list[PaletteEntry] = []
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setItemDelegate(_Line(theme, self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_entries(self, entries: Sequence[PaletteEntry]) -> None:
        self.entries = list(entries[:_SHOWN])
        self.clear()
        for entry in self.entries:
            item = QListWidgetItem(visible(entry.title))
            item.setData(_ICON, entry.icon)
            item.setData(_ASIDE, entry.note or entry.kind)
            words = ", ".join(part for part in (item.text(), entry.kind, entry.note) if part)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, words)
            self.addItem(item)
        if self.entries:
            self.setCurrentRow(0)

    def entry(self) -> PaletteEntry | None:
        """The chosen one."""
        place = self.currentRow()
        return self.entries[place] if 0 <= place < len(self.entries) else None


class Palette(QDialog):
    def __init__(self, theme: Theme, entries: Sequence[PaletteEntry], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("commandPalette")
        self.setAccessibleName(_("Command palette"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme, self._entries = theme, list(entries)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(_("Command, session, agent or mode"))
        self.field.setAccessibleName(_("What to do"))
        self.field.setMaxLength(200)
        self.list = EntryList(theme, self)
        self.list.setAccessibleName(_("Matches"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(1), theme.space(1), theme.space(1), theme.space(1))
        layout.setSpacing(theme.space(1))
        layout.addWidget(self.field)
        layout.addWidget(self.list, 1)
        self.field.textChanged.connect(self._search)
        self.list.itemClicked.connect(self._run)
        self._search("")
        self._place(parent)

    def titles(self) -> list[str]:
        return [entry.title for entry in self.list.entries]

    def _search(self, text: str) -> None:
        self.list.show_entries(matches(self._entries, text))
        if not self.list.entries:
            nothing = QListWidgetItem(_("Nothing found"), self.list)
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)

    def _run(self) -> None:
        chosen = self.list.entry()
        self.close()
        if chosen is not None:
            chosen.run()

    def _place(self, window: QWidget) -> None:
        width = min(self._theme.space(72), window.width() - self._theme.space(4))
        needed = self._theme.space(8) + len(self._entries) * self._theme.space(ROW_HEIGHT)
        self.resize(width, min(self._theme.space(52), needed, window.height() - self._theme.space(12)))
        corner = window.mapToGlobal(window.rect().topLeft())
        self.move(corner.x() + (window.width() - width) // 2, corner.y() + self._theme.space(8))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run()
        elif event.key() in _MOVES:
            self.list.keyPressEvent(event)
        else:
            super().keyPressEvent(event)


class _Line(QStyledItemDelegate):
    """Icon and title, and at the right its keys, or else what it is."""

    def __init__(self, theme: Theme, parent: QListWidget) -> None:
        super().__init__(parent)
        self._theme, self._view = theme, parent

    @guarded
    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, self._theme.space(ROW_HEIGHT))

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, view = self._theme, self._view
        box: QRect = option.rect
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_hovered = view.underMouse() and view.indexAt(view.viewport().mapFromGlobal(QCursor.pos())) == index
        if index.flags() and (view.currentIndex() == index or is_hovered):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("selected" if view.currentIndex() == index else "hover"))
            painter.drawRoundedRect(box, theme.space(0.75), theme.space(0.75))
        edge, side = theme.space(2), theme.space(1)
        if icon := index.data(_ICON):
            picture = theme.pixmap(icon, "muted", edge, ratio=painter.device().devicePixelRatioF())
            painter.drawPixmap(box.left() + side, box.center().y() - edge // 2 + 1, picture)
        inner = box.adjusted(2 * side + edge, 0, -side, 0)
        painter.setPen(theme.color("muted"))
        painter.setFont(theme.font("meta"))
        aside = painter.fontMetrics().elidedText(index.data(_ASIDE) or "", _ELIDE, inner.width() // 2)
        painter.drawText(inner, _RIGHT, aside)
        inner.setRight(inner.right() - QFontMetrics(theme.font("meta")).horizontalAdvance(aside) - side)
        painter.setPen(theme.color("text" if index.flags() else "muted"))
        painter.setFont(theme.font("ui"))
        title = painter.fontMetrics().elidedText(index.data(), _ELIDE, inner.width())
        painter.drawText(inner, _LEFT, title)
