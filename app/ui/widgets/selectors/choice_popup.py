"""What a drop-down of the header opens: a search, the choices in groups with a tick at one, an entry below them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.fields.search_field import SearchField
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import safe_tooltip, visible

WIDTH, HIGHEST, GAP = 45, 60, 4
"""Steps of the grid; pixels between it and what opened it."""
_OPTION = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class Option:
    id: str
    title: str
    icon: str = ""
    tip: str = ""
    enabled: bool = True
    group: str = ""
    """The head it is below in the list."""
    detail: str = ""
    """A few muted words at the right of the list."""
    short: str = ""
    """What the closed drop-down says, where that is less than the title."""


class ChoicePopup(QFrame):
    chosen = Signal(str)
    foot_pressed = Signal()

    def __init__(
        self, theme: Theme, name: str, options: Sequence[Option], chosen: str, parent: QWidget, *,
        foot: str = "", foot_icon: str = "pencil",
    ) -> None:  # fmt: skip
        """`foot` is the text of the entry below the choices, e.g. to manage them."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("card", "raised")
        self.setObjectName("choicePopup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # a press on what opened it only closes it
        self.setAccessibleName(name)
        self._theme, self._options, self._chosen = theme, options, chosen
        self.search = SearchField(theme, _("Search"), self)
        self.search.addAction(theme.icon("search", "muted"), SearchField.ActionPosition.LeadingPosition)
        self.search.textChanged.connect(self._fill)
        self.list = QListWidget(self)
        self.list.setAccessibleName(name)
        self.list.setItemDelegate(_Painter(theme, chosen, self.list))
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.itemClicked.connect(self._take)
        column = self._column = QVBoxLayout(self)
        edge = theme.space(0.75)
        column.setContentsMargins(edge, edge, edge, edge)
        column.setSpacing(theme.space(0.5))
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        self.foot = QPushButton(foot, self)
        self.foot.setProperty("kind", "quiet")
        self.foot.setProperty("align", "left")
        self.foot.setIcon(theme.icon(foot_icon, "muted"))
        self.foot.setVisible(bool(foot))
        self._rule = QFrame(self)
        self._rule.setProperty("line", True)
        self._rule.setFixedHeight(1)
        self._rule.setVisible(bool(foot))
        column.addWidget(self._rule)
        self.foot.clicked.connect(self._leave_by_foot)
        column.addWidget(self.foot)
        self._fill("")

    def show_below(self, widget: QWidget) -> None:
        """Under it, within its window, and above it where there is no room below."""
        theme, window, column = self._theme, widget.window(), self._column
        edge = column.contentsMargins().top() + self.frameWidth()
        below = sum(one.sizeHint().height() for one in (self.search, self._rule, self.foot) if not one.isHidden())
        wanted = self._rows_height() + below + 2 * edge + 3 * column.spacing() + theme.space(1)
        self.setFixedSize(theme.space(WIDTH), min(wanted, theme.space(HIGHEST)))
        place = widget.mapToGlobal(QPoint(0, widget.height() + GAP))
        right = window.mapToGlobal(QPoint(window.width() - theme.space(1), 0)).x()
        place.setX(max(window.mapToGlobal(QPoint(0, 0)).x(), min(place.x(), right - self.width())))
        screen = widget.screen().availableGeometry()
        if place.y() + self.height() > screen.bottom():
            place.setY(max(screen.top(), widget.mapToGlobal(QPoint(0, -GAP)).y() - self.height()))
        self.move(place)
        self.show()
        self.search.setFocus(Qt.FocusReason.PopupFocusReason)

    # ------------------------------------------------------------ inner work

    def _fill(self, text: str) -> None:
        words = text.casefold().split()
        self.list.clear()
        group, current = "", None
        for option in self._options:
            found_in = " ".join((option.title, option.id, option.group, option.detail)).casefold()
            if not all(word in found_in for word in words):
                continue
            if option.group and option.group != group:
                head = QListWidgetItem(visible(option.group), self.list)
                head.setFlags(Qt.ItemFlag.NoItemFlags)
            group = option.group
            item = QListWidgetItem(visible(option.title), self.list)
            item.setData(_OPTION, option)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, (option.title, option.detail))))
            if option.tip:
                item.setData(Qt.ItemDataRole.ToolTipRole, safe_tooltip(option.tip))
            if not option.enabled:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            elif current is None or option.id == self._chosen:
                current = item
        if self.list.count() == 0:
            QListWidgetItem(_("Nothing found"), self.list).setFlags(Qt.ItemFlag.NoItemFlags)
        if current is not None:
            self.list.setCurrentItem(current)

    def _rows_height(self) -> int:
        return sum(self.list.sizeHintForRow(row) for row in range(self.list.count()))

    def _take(self, item: QListWidgetItem | None) -> None:
        option = item.data(_OPTION) if item is not None else None
        if isinstance(option, Option) and option.enabled:
            self.close()
            self.chosen.emit(option.id)

    def _leave_by_foot(self) -> None:
        self.close()
        self.foot_pressed.emit()

    def _step(self, by: int) -> None:
        row = self.list.currentRow() + by
        while 0 <= row < self.list.count():
            if self.list.item(row).flags() & Qt.ItemFlag.ItemIsEnabled:
                self.list.setCurrentRow(row)
                return
            row += by

    # ------------------------------------------------------------ Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What the search field does not want for itself comes here."""
        match event.key():
            case Qt.Key.Key_Down:
                self._step(1)
            case Qt.Key.Key_Up:
                self._step(-1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._take(self.list.currentItem())
            case Qt.Key.Key_Escape:
                self.close()
            case _:
                super().keyPressEvent(event)


class _Painter(QStyledItemDelegate):
    def __init__(self, theme: Theme, chosen: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._chosen = theme, chosen
        self._meta, self._ui = theme.font("meta"), theme.font("ui")

    @guarded
    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, self._theme.space(4 if index.data(_OPTION) is not None else 3.5))

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, choice = self._theme, index.data(_OPTION)
        place: QRect = option.rect
        state: QStyle.StateFlag = option.state
        inner = place.adjusted(theme.space(1), 0, -theme.space(1), 0)
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not isinstance(choice, Option):
            painter.setFont(self._meta)
            painter.setPen(theme.color("muted"))
            painter.drawText(inner, middle, str(index.data()))
            painter.restore()
            return
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("hover"))
            painter.drawRoundedRect(place, theme.space(1), theme.space(1))
        ratio, edge = painter.device().devicePixelRatio(), theme.space(2)
        top = place.top() + (place.height() - edge) // 2
        if choice.id == self._chosen:
            painter.drawPixmap(inner.left(), top, theme.pixmap("check", "accent", 16, ratio=ratio))
        inner.setLeft(inner.left() + theme.space(3))
        if choice.icon:
            painter.drawPixmap(inner.left(), top, theme.pixmap(choice.icon, "muted", 16, ratio=ratio))
            inner.setLeft(inner.left() + theme.space(3))
        painter.setFont(self._meta)
        detail = visible(choice.detail)
        wide = painter.fontMetrics().horizontalAdvance(detail)
        painter.setPen(theme.color("muted"))
        painter.drawText(inner, middle | int(Qt.AlignmentFlag.AlignRight), detail)
        painter.setFont(self._ui)
        painter.setPen(theme.color("text" if choice.enabled else "outline"))
        inner.setRight(inner.right() - (wide + theme.space(1.5) if wide else 0))
        title = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, middle, title)
        painter.restore()
