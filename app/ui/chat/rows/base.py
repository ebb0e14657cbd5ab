"""What all rows have in common: a stack of parts, a bar of buttons that shows under the pointer, focus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QToolButton, QWidget

from app.core.text.i18n import _
from app.ui.cards.factory import CardFactory
from app.ui.chat.rows.items import Action, Variant
from app.ui.chat.rows.row_actions import AskAgainIn, Plain, RowAction, ShowVariant
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.highlight import Highlighter
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.flow import FlowLayout
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip
from app.ui.widgets.spoken_role import Role, speak_as

_ICONS: Mapping[RowAction, str] = {
    Plain.COPY: "copy",
    Plain.EDIT: "pencil",
    Plain.REGENERATE: "refresh",
    Plain.FORK: "fork",
    Plain.DELETE: "trash",
    Plain.DETAILS: "info",
    Plain.REASONING: "brain",
    Plain.GOOD: "thumb-up",
    Plain.BAD: "thumb-down",
}


@dataclass(frozen=True)
class RowTools:
    """What rows need to paint themselves; one set per theme."""

    formats: Formats
    highlighter: Highlighter
    cards: CardFactory
    bar_widths: dict[int, int] = field(default_factory=dict)
    """Of bars with so many small buttons."""

    @property
    def theme(self) -> Theme:
        return self.formats.theme


class RowView(QWidget):
    """Base of the rows. A subclass fills `stack`; heights follow from it."""

    height_changed = Signal()
    link_activated = Signal(str)
    action = Signal(object)
    """A RowAction."""
    segment_added = Signal(QWidget)
    """Something with text came into the row after it was built."""

    def __init__(self, parent: QWidget, tools: RowTools, name: str) -> None:
        super().__init__(parent)
        speak_as(self, Role.ListItem)
        self.tools = tools
        self.stack: list[tuple[QWidget, int]] = []
        """Parts from top to bottom, each with the space above it."""
        self.below = tools.theme.space(2)
        self.bar: HoverBar | None = None
        self.setAccessibleName(name[:200])
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def read_out(self, text: str) -> None:
        """What a screen reader hears after the row's name; all of it is in the text below."""
        self.setAccessibleDescription(text[:2_000])

    def wanted(self, width: int) -> int:
        y = 0
        for part, above in self.stack:
            y += above if y else 0
            height = height_of(part, width)
            part.setGeometry(0, y, width, height)
            y += height
        return y + self.below

    def show_bar(self, actions: Sequence[Action]) -> HoverBar:
        self.bar = HoverBar(self, self.tools, actions)
        self.bar.action.connect(self.action)
        self.bar.setVisible(self.bar.stays)
        return self.bar

    def floating(self) -> list[QWidget]:
        """What is seen only under the pointer or with the focus."""
        return [] if self.bar is None or self.bar.stays else [self.bar]

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._float(shown=True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._sink_unless_used()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._float(shown=True)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()
        QTimer.singleShot(0, self, self._sink_unless_used)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.tools.theme.color("accent"), 1))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -self.below // 2), 6, 6)

    def is_used(self) -> bool:
        """By the pointer, or by the keyboard in what floats."""
        focus = QApplication.focusWidget()
        held = focus is not None and (focus is self or any(one.isAncestorOf(focus) for one in self.floating()))
        return held or self.underMouse()

    def _float(self, *, shown: bool) -> None:
        for one in self.floating():
            one.setVisible(shown)

    def _sink_unless_used(self) -> None:
        if not self.is_used():
            self._float(shown=False)


class HoverBar(QWidget):
    """Small buttons below a message; seen under the pointer or with the focus.

    They are made when the bar is first shown: of a hundred messages scrolled by, one is pointed at.
    """

    action = Signal(object)
    """A RowAction."""

    def __init__(self, parent: QWidget, tools: RowTools, actions: Sequence[Action]) -> None:
        super().__init__(parent)
        self._tools = tools
        self._waiting = [Action(Plain.COPY, _("Copy as Markdown"))]
        """What there are no buttons for yet."""
        self._waiting += [item for item in actions if not isinstance(item.what, AskAgainIn)]
        self._count = len(self._waiting)
        self.stays = any(item.what not in _ICONS for item in self._waiting)
        """What goes on from this answer is offered without being looked for."""

    def width_wanted(self) -> int:
        """Bars of as many small buttons are as wide; where none of them was made yet, this one is."""
        if self._waiting and (self.stays or self._count not in self._tools.bar_widths):
            self._make_buttons()
        if self._waiting:
            return self._tools.bar_widths[self._count]
        width = self.sizeHint().width()
        if not self.stays:
            self._tools.bar_widths[self._count] = width
        return width

    def place(self, x: int, y: int, width: int, height: int) -> int:
        """Into a line of this height, or into several where the width does not do. The height it takes."""
        if width < self.width_wanted():
            self._make_buttons()
            height = max(height, self.heightForWidth(width))
        self.setGeometry(x, y, width, height)
        return height

    def setVisible(self, visible: bool) -> None:
        if visible:
            self._make_buttons()
        super().setVisible(visible)

    def _make_buttons(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        theme = self._tools.theme
        box = FlowLayout(theme.space(0.25), self, is_centred=True)
        for item in waiting:
            box.addWidget(self._button(theme, item))

    def _button(self, theme: Theme, item: Action) -> QToolButton:
        button = QToolButton(self)
        if item.what in _ICONS:
            button.setIcon(theme.icon(_ICONS[item.what], "accent" if item.checked else "muted", 14))
            button.setIconSize(QSize(theme.space(1.75), theme.space(1.75)))
        else:
            button.setText(item.label)
            button.setProperty("kind", "small")
        set_safe_tooltip(button, item.label)
        button.setAccessibleName(item.label)
        button.clicked.connect(partial(self.action.emit, item.what))
        return button


class VariantBar(QWidget):
    """‹ 2/3 ›: which form of the message this is, and the way to the others."""

    action = Signal(object)
    """A RowAction."""

    def __init__(self, parent: QWidget, theme: Theme, variant: Variant) -> None:
        super().__init__(parent)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        place = _("Variant {number} of {count}").format(number=variant.number, count=variant.count)
        self.setAccessibleName(place)
        earlier = IconButton(theme, "chevron-left", _("Earlier variant"), self, size=13)
        later = IconButton(theme, "chevron-right", _("Later variant"), self, size=13)
        earlier.setObjectName("variantEarlier")
        later.setObjectName("variantLater")
        earlier.setEnabled(variant.number > 1)
        later.setEnabled(variant.number < variant.count)
        earlier.clicked.connect(partial(self.action.emit, ShowVariant(variant.number - 1)))
        later.clicked.connect(partial(self.action.emit, ShowVariant(variant.number + 1)))
        words = SafeLabel(f"{variant.number}/{variant.count}", self, role="meta")
        set_safe_tooltip(words, place)
        for part in (earlier, words, later):
            box.addWidget(part)


def height_of(part: QWidget, width: int) -> int:
    """Height a part wants at a width; ours say it themselves, others by their layout."""
    wanted = getattr(part, "wanted", None)
    if wanted is not None:
        return int(wanted(width))
    part.ensurePolished()
    if part.hasHeightForWidth():
        return part.heightForWidth(width)
    return part.sizeHint().height()


def adopt(home: QWidget, part: QWidget) -> None:
    """It is shown in `home` from now on, wherever it stood before."""
    if part.parentWidget() is not home:
        part.setParent(home)
    part.show()


def icon_label(parent: QWidget, theme: Theme, name: str, token: str, size: int = 16) -> QLabel:
    label = SafeLabel("", parent)
    label.setPixmap(theme.pixmap(name, token, size, ratio=max(1.0, parent.devicePixelRatioF())))
    edge = round(size * theme.zoom)
    label.setFixedSize(edge, edge)
    return label


def wrapped(parent: QWidget, text: str, *, role: str = "") -> SafeLabel:
    label = SafeLabel(text, parent, role=role)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
