"""Above the chat: what is open, who answers with what, and the way to the rest."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

if TYPE_CHECKING:
    from app.ui.widgets.selector import Selector

_LIMITS = ((260, 260), (180, 130))
"""Greatest widths of agent and model in pixels before zoom: with room for both, and beside a title in a narrow one."""
_ROOMY = 88


class ContextMeter(QWidget):
    """How much of the context limit the conversation fills, as a short bar; a press tells what."""

    clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("contextMeter")
        self.setAccessibleName(_("Context"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._used, self._limit = 0, 0
        self._has_room = True
        self.set_theme(theme)
        self.hide()

    def set_figures(self, used: int, limit: int) -> None:
        """Characters of the conversation, and the limit above which it is shortened; 0 hides the meter."""
        self._used, self._limit = used, limit
        text = _("Context: {used:,} of {limit:,} characters").format(used=used, limit=limit)
        self.setAccessibleDescription(text)
        set_safe_tooltip(self, text)
        self.setVisible(self.is_told and self._has_room)
        self.update()

    @property
    def is_told(self) -> bool:
        """There is something to show, room or not."""
        return self._limit > 0 and self._used > 0

    def give_room(self, *, has_room: bool) -> None:
        if has_room != self._has_room:
            self._has_room = has_room
            self.setVisible(self.is_told and has_room)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFixedSize(theme.space(5), theme.space(2))
        self.update()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._limit <= 0:
            return
        share = min(1.0, self._used / self._limit)
        height = self._theme.space(0.5)
        top = (self.height() - height) / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("pressed"))
        painter.drawRoundedRect(0, round(top), self.width(), height, height / 2, height / 2)
        painter.setBrush(self._theme.color("warn" if share >= 0.8 else "muted"))
        painter.drawRoundedRect(0, round(top), max(height, round(self.width() * share)), height, height / 2, height / 2)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self._theme.color("accent"))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 4, 4)
        painter.end()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class Header(QWidget):
    agent_chosen = Signal(str)
    model_chosen = Signal(str)
    left_asked = Signal()
    right_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.left_toggle = IconButton(theme, "panel-left", _("Show or hide sessions") + "  Ctrl+B", self, size=18)
        self.left_toggle.setObjectName("sessionsToggle")
        self.title = SafeLabel(_("New session"), role="title", elide=True, parent=self)
        self.temporary = SafeLabel(_("Never stored"), role="chip", parent=self)
        self.temporary.setObjectName("temporaryMark")
        self.temporary.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        set_safe_tooltip(
            self.temporary,
            _("Nothing of this session is written to the disk. It is gone when Triptych is closed."),
        )
        self.temporary.hide()
        self._selectors: list[Selector] = []
        """Agent and model as far as they were asked for: there is nothing to choose before the first paint."""
        self.meter = ContextMeter(theme, self)
        self.right_toggle = IconButton(theme, "panel-right", _("Show or hide reasoning") + "  Ctrl+J", self, size=18)
        self.right_toggle.setObjectName("reasoningToggle")
        self.right_toggle.setCheckable(True)
        self.menu_button = IconButton(theme, "dots", _("Menu"), self, size=18)
        self.menu_button.setObjectName("menuButton")
        self.menu = QMenu(self)
        self.menu_button.setMenu(self.menu)
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(theme.space(0.5))
        self._row.addWidget(self.left_toggle)
        self._row.addWidget(self.title, 1)
        self._row.addWidget(self.temporary)
        for widget in (self.meter, self.right_toggle, self.menu_button):
            self._row.addWidget(widget)
        self.left_toggle.clicked.connect(lambda _checked=False: self.left_asked.emit())
        self.right_toggle.clicked.connect(lambda _checked=False: self.right_asked.emit())
        self.set_theme(theme)

    @cached_property
    def agent(self) -> Selector:
        selector = self._selector(_("Agent"), _LIMITS[self._is_narrow()][0])
        selector.setObjectName("agentSelector")
        selector.chosen.connect(self.agent_chosen)
        return selector

    @cached_property
    def model(self) -> Selector:
        _agent = self.agent  # stands before it, for the eye and for Tab
        selector = self._selector(_("Model"), _LIMITS[self._is_narrow()][1], mark="layers")
        selector.setObjectName("modelSelector")
        selector.chosen.connect(self.model_chosen)
        return selector

    def set_title(self, title: str, *, temporary: bool = False) -> None:
        """`temporary`: said beside it for as long as the session is open."""
        self.title.setText(title or (_("Temporary session") if temporary else _("New session")))
        self.temporary.setVisible(temporary)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        for selector, limit in zip(self._selectors, _LIMITS[self._is_narrow()], strict=False):
            selector.set_limit(limit)

    def fill_menu(self, sections: list[list[QAction]]) -> None:
        self.menu.clear()
        for number, section in enumerate(sections):
            if number:
                self.menu.addSeparator()
            self.menu.addActions(section)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._row.setContentsMargins(theme.space(1.5), 0, theme.space(1.5), 0)
        self.setFixedHeight(theme.space(6))
        self.left_toggle.set_icon(theme, "panel-left")
        self.right_toggle.set_icon(theme, "panel-right")
        self.menu_button.set_icon(theme, "dots")
        self.meter.set_theme(theme)
        for selector in self._selectors:
            selector.set_theme(theme)

    def _is_narrow(self) -> bool:
        return self.width() < self._theme.space(_ROOMY)

    def _fit(self) -> None:
        """Where even shortened words are too wide: the model's go first, then the meter, the agent's last."""
        visible_selectors = [one for one in self._selectors if not one.isHidden()]
        parts: list[QWidget] = [self.left_toggle, self.title, self.right_toggle, self.menu_button]
        if not self.temporary.isHidden():
            parts.append(self.temporary)
        margins, gap = self._row.contentsMargins(), self._row.spacing()
        room = self.width() - margins.left() - margins.right() + gap
        room -= sum(part.minimumSizeHint().width() + gap for part in parts)
        room -= sum(one.least_width(is_short=False) + gap for one in visible_selectors)
        meter = self.meter.width() + gap if self.meter.is_told else 0
        for number, selector in reversed(list(enumerate(self._selectors))):
            if number == 0 and room < meter:
                meter = 0  # gone before the agent's words
            is_short = room < meter and selector in visible_selectors
            selector.set_short(is_short=is_short)
            if is_short:
                room += selector.least_width(is_short=False) - selector.least_width(is_short=True)
        self.meter.give_room(has_room=meter > 0 or not self.meter.is_told)

    def _selector(self, name: str, limit: int, *, mark: str = "") -> Selector:
        """Stands before the meter; hidden until there is something to choose."""
        from app.ui.widgets.selector import Selector

        selector = Selector(self._theme, name, limit=limit, mark=mark, parent=self)
        selector.hide()
        self._row.insertWidget(self._row.indexOf(self.meter), selector)
        QWidget.setTabOrder(self._selectors[-1] if self._selectors else self.left_toggle, selector)
        self._selectors.append(selector)
        return selector
