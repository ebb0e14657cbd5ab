"""One line of a timeline: the way there, the time, a badge, the name with its cost, a note; its buttons."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.tools.card_markdown import as_text
from app.ui.cards.action_bar import CardActions, choices_of, ids_of
from app.ui.theme import Theme, icon_names
from app.ui.widgets.guarded import guarded
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spoken_role import Role, speak_as

_ICONS: Mapping[str, str] = {
    "sight": "map-pin",
    "meal": "utensils",
    "hotel": "bed",
    "intercity": "train",
    "transfer": "route",
    "free": "clock",
}
"""Words that payloads use for what an item is; the name of an icon of ours works as well."""
_TIME, _BADGE = 10, 2.5
"""Steps of the grid: the column of times, and the badge."""


class StopRow(QWidget):
    pointed = Signal(int)
    """Its number, when the pointer or the focus comes; 0 when it goes."""
    place_wanted = Signal(float, float, str)
    """Show it in the person's map service: latitude, longitude, name."""

    def __init__(self, item: Mapping[str, Any], theme: Theme, day: str, actions: CardActions | None) -> None:
        super().__init__()
        speak_as(self, Role.ListItem)
        self._theme, self._item = theme, item
        number = item.get("number")
        self.number = number if isinstance(number, int) and not isinstance(number, bool) else 0
        self._is_lit = False
        self._choices: QWidget | None = None
        self._actions = actions
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(theme.space(1), 0, theme.space(1), theme.space(0.25))
        self._column.setSpacing(0)
        if way := as_text(item.get("way")):
            self._column.addWidget(_way_line(way, as_text(item.get("way_icon")), theme))
        self._main = self._main_line(day)
        self._column.addWidget(self._main)
        self.bar = self._make_bar()
        if self.bar is not None:
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(as_text(item.get("title")))

    def set_lit(self, *, is_lit: bool) -> None:
        """As under the pointer; its pin is."""
        if is_lit != self._is_lit:
            self._is_lit = is_lit
            self.update()

    # ------------------------------------------------------------ parts

    def _main_line(self, day: str) -> QWidget:
        theme, item = self._theme, self._item
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, theme.space(0.25), 0, theme.space(0.25))
        grid.setHorizontalSpacing(theme.space(1))
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(2, 1)
        times = [as_text(item[key]) for key in ("time", "end") if item.get(key)]
        time = SafeLabel("–".join(times), role="meta")
        time.setMinimumWidth(theme.space(_TIME))
        time.setMinimumHeight(theme.space(2.5))
        grid.addWidget(time, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(_Badge(item, self.number, day, theme), 0, 1, Qt.AlignmentFlag.AlignTop)
        grid.addLayout(self._name(), 0, 2)
        if text := as_text(item.get("text")):
            note = SafeLabel(text, role="meta")
            note.setWordWrap(True)
            grid.addWidget(note, 1, 2)
        return holder

    def _name(self) -> QHBoxLayout:
        theme, item = self._theme, self._item
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.space(1))
        name = SafeLabel(as_text(item.get("title")), role="strong", elide=True)
        name.setMinimumHeight(theme.space(2.5))
        line.addWidget(name)
        top = Qt.AlignmentFlag.AlignTop
        if item.get("locked"):
            line.addWidget(_sign("lock", "muted", _("Locked: it stays where it is"), theme), 0, top)
        if item.get("warn"):
            line.addWidget(_sign("alert", "warn", _("warning"), theme), 0, top)
        if cost := as_text(item.get("cost")):
            label = SafeLabel(cost, role="meta")
            label.setMinimumHeight(theme.space(2.5))
            line.addWidget(label, 0, top)
        line.addStretch(1)
        return line

    def _make_bar(self) -> QFrame | None:
        buttons: list[QWidget] = []
        lat, lon = self._item.get("lat"), self._item.get("lon")
        if isinstance(lat, int | float) and isinstance(lon, int | float):
            opens = IconButton(self._theme, "external", _("Open in the map service"))
            opens.setObjectName("openPlace")
            name = as_text(self._item.get("title"))
            opens.clicked.connect(partial(self.place_wanted.emit, float(lat), float(lon), name))
            buttons.append(opens)
        if self._actions is not None and choices_of(self._item):
            swap = IconButton(self._theme, "swap", _("Choose a place nearby instead"))
            swap.setObjectName("swapChoices")
            swap.clicked.connect(self._toggle_choices)
            buttons.append(swap)
        if self._actions is not None and (own := self._actions.icons(ids_of(self._item))) is not None:
            buttons.append(own)
        if not buttons:
            return None
        bar = QFrame(self)
        bar.setProperty("card", "raised")
        box = QHBoxLayout(bar)
        box.setContentsMargins(1, 1, 1, 1)
        box.setSpacing(0)
        for button in buttons:
            box.addWidget(button)
        bar.hide()
        return bar

    def _toggle_choices(self) -> None:
        if self._choices is not None:
            self._choices.hide()
            self._choices.deleteLater()
            self._choices = None
        elif self._actions is not None:
            self._choices = self._make_choices(self._actions)
            self._column.addWidget(self._choices)
        self.updateGeometry()

    def _make_choices(self, actions: CardActions) -> QWidget:
        theme = self._theme
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(theme.space(_TIME + _BADGE + 2), theme.space(0.5), 0, theme.space(0.5))
        column.setSpacing(theme.space(0.5))
        column.addWidget(SafeLabel(_("Nearby, instead of it:"), role="meta"))
        widgets = [actions.choice(id, words) for id, words in choices_of(self._item)]
        for button in widgets:
            if isinstance(button, QPushButton):
                column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return holder

    # ------------------------------------------------------------ under the pointer

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_bar()

    def _place_bar(self) -> None:
        if self.bar is not None:
            size = self.bar.sizeHint()
            top = self._main.y() + self._theme.space(0.25)
            self.bar.setGeometry(self.width() - size.width() - 4, top, size.width(), size.height())

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._use(is_used=True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._settle()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._use(is_used=True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        QTimer.singleShot(0, self, self._settle)

    def _settle(self) -> None:
        focus = QApplication.focusWidget()
        self._use(is_used=self.underMouse() or self.hasFocus() or (focus is not None and self.isAncestorOf(focus)))

    def _use(self, *, is_used: bool) -> None:
        if self.bar is not None:
            self._place_bar()
            self.bar.setVisible(is_used)
            self.bar.raise_()
        self.set_lit(is_lit=is_used)
        if self.number:
            self.pointed.emit(self.number if is_used else 0)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_lit:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(self._theme.color("hover"))
        focused = self.hasFocus()
        painter.setPen(QPen(self._theme.color("accent"), 1) if focused else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(QRectF(self._main.geometry()).adjusted(-4, 0, 4, 0), 8, 8)


class _Badge(QWidget):
    """The number in the colour of its day; an icon for a meal, a bed, a way."""

    def __init__(self, item: Mapping[str, Any], number: int, day: str, theme: Theme) -> None:
        super().__init__()
        self._theme, self._number, self._day = theme, number, day
        kind = as_text(item.get("icon"))
        icon = _ICONS.get(kind, kind)
        self._icon = icon if icon in icon_names() else ""
        self.setFixedSize(theme.space(_BADGE), theme.space(_BADGE))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(self.rect())
        if self._number and self._day:
            painter.setBrush(theme.color(self._day))
            painter.drawEllipse(whole)
            font = theme.font("meta", strong=True)
            font.setPixelSize(round(11 * theme.zoom))
            painter.setFont(font)
            painter.setPen(theme.color("surface"))
            painter.drawText(whole, int(Qt.AlignmentFlag.AlignCenter), str(self._number))
            return
        painter.setBrush(theme.color("hover"))
        painter.drawEllipse(whole)
        if self._icon:
            size = round(12 * theme.zoom)
            pixmap = theme.pixmap(self._icon, "muted", 12, ratio=self.devicePixelRatioF())
            painter.drawPixmap(QPointF((self.width() - size) / 2, (self.height() - size) / 2), pixmap)
        else:
            painter.setBrush(theme.color("outline"))
            painter.drawEllipse(whole.center(), theme.space(0.375), theme.space(0.375))


def _way_line(way: str, icon: str, theme: Theme) -> QWidget:
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(theme.space(_TIME + 1), 0, 0, 0)
    line.setSpacing(theme.space(1))
    name = icon if icon in icon_names() else "route"
    mark = _sign(name, "muted", "", theme, 14)
    mark.setFixedWidth(theme.space(_BADGE))
    line.addWidget(mark)
    label = SafeLabel(way, role="meta", elide=True)
    label.setMinimumHeight(theme.space(2.5))
    line.addWidget(label, 1)
    return holder


def _sign(icon: str, token: str, words: str, theme: Theme, size: int = 14) -> QLabel:
    label = SafeLabel()
    label.setPixmap(theme.pixmap(icon, token, size, ratio=max(1.0, label.devicePixelRatioF())))
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setMinimumHeight(theme.space(2.5))
    label.setAccessibleName(words)
    return label
