"""Above the chat: what is open, who answers with what, and the way to the rest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from app.core.text.i18n import _
from app.ui.main_window.context_meter import ContextMeter
from app.ui.main_window.title import SessionTitle
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

if TYPE_CHECKING:
    from app.ui.widgets.selectors.choice_popup import Option
    from app.ui.widgets.selectors.selector import Selector

_LIMITS = ((260, 260), (180, 130))
"""Greatest widths of agent and model in pixels before zoom: with room for both, and beside a title in a narrow one."""
_EFFORT_LIMIT = 110
_ROOMY = 88
"""Steps of the grid."""
_ICONS_ONLY = 600
"""Pixels of the window below which agent and model are icons, and there are no figures."""


class WindowHeader(QWidget):
    agent_chosen = Signal(str)
    model_chosen = Signal(str)
    effort_chosen = Signal(str)
    """How long the model thinks: auto, off, low, medium or high."""
    left_asked = Signal()
    right_asked = Signal()
    agents_asked = Signal()
    providers_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.left_toggle = IconButton(theme, "panel-left", _("Show or hide sessions") + "  Ctrl+B", self, size=18)
        self.left_toggle.setObjectName("sessionsToggle")
        self.title = SessionTitle(theme, self)
        self.title.set_title(_("New session"), has_menu=False)
        self.temporary = SafeLabel(_("Never stored"), role="chip", parent=self)
        self.temporary.setObjectName("temporaryMark")
        self.temporary.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        set_safe_tooltip(
            self.temporary,
            _("Nothing of this session is written to the disk. It is gone when Triptych is closed."),
        )
        self.temporary.hide()
        self._state = ""
        self._selectors: list[Selector] = []
        """Agent and model as far as they were asked for: there is nothing to choose before the first paint."""
        self.meter = ContextMeter(theme, self)
        self.right_toggle = IconButton(theme, "panel-right", _("Show or hide reasoning") + "  Ctrl+J", self, size=18)
        self.right_toggle.setObjectName("reasoningToggle")
        self.right_toggle.setCheckable(True)
        self.menu_button = IconButton(theme, "dots", _("Menu"), self, size=18)
        self.menu_button.setObjectName("menuButton")
        self.menu = QMenu(self)
        self.menu_button.clicked.connect(self._open_menu)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(theme.space(0.5))
        self._row.addWidget(self.left_toggle)
        self._row.addWidget(self.title, 1)
        self._row.addWidget(self.temporary)
        for widget in (self.meter, self.right_toggle, self.menu_button):
            self._row.addWidget(widget)
        self.left_toggle.clicked.connect(self.left_asked)
        self.right_toggle.clicked.connect(self.right_asked)
        self.set_theme(theme)

    @cached_property
    def agent(self) -> Selector:
        selector = self._selector(_("Agent"), _LIMITS[self._is_narrow()][0], foot=_("Edit agents…"))
        selector.setObjectName("agentSelector")
        selector.foot_pressed.connect(self.agents_asked)
        selector.chosen.connect(self.agent_chosen)
        selector.set_suffix(self._state)
        return selector

    def set_state(self, text: str) -> None:
        """What the run of the open session does, told beside the agent as soon as there is one to choose."""
        self._state = text
        if "agent" in self.__dict__:
            self.agent.set_suffix(text)

    @cached_property
    def model(self) -> Selector:
        _agent = self.agent  # stands before it, for the eye and for Tab
        selector = self._selector(
            _("Model"), _LIMITS[self._is_narrow()][1], mark="layers", foot=_("Manage providers and keys…"), icon="key"
        )
        selector.setObjectName("modelSelector")
        selector.foot_pressed.connect(self.providers_asked)
        selector.chosen.connect(self.model_chosen)
        return selector

    @cached_property
    def effort(self) -> Selector:
        """Only where the model can be told."""
        _model = self.model
        selector = self._selector(_("Thinking"), _EFFORT_LIMIT, mark="brain", foot="")
        selector.setObjectName("effortSelector")
        selector.chosen.connect(self.effort_chosen)
        return selector

    def show_effort(self, options: Sequence[Option], chosen: str) -> None:
        """None: the model cannot be told how long to think."""
        if options or "effort" in self.__dict__:
            self.effort.set_options(options)
            self.effort.set_chosen(chosen)

    def set_title(self, title: str, *, temporary: bool = False, is_session: bool = True) -> None:
        """`temporary`: said beside it for as long as the session is open; `is_session`: there is one by now."""
        words = title or (_("Temporary session") if temporary else _("New session"))
        self.title.set_title(words, has_menu=is_session)
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

    def _open_menu(self) -> None:
        """Its right edge below that of the button. Not as the button's own menu: that runs a loop within the loop."""
        button, menu = self.menu_button, self.menu
        menu.popup(button.mapToGlobal(QPoint(button.width() - menu.sizeHint().width(), button.height() + 4)))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._row.setContentsMargins(theme.space(1.5), 0, theme.space(1.5), 0)
        self.setFixedHeight(theme.space(6))
        self.left_toggle.set_icon(theme, "panel-left")
        self.right_toggle.set_icon(theme, "panel-right")
        self.menu_button.set_icon(theme, "dots")
        self.meter.set_theme(theme)
        self.title.set_theme(theme)
        for selector in self._selectors:
            selector.set_theme(theme)

    def _is_narrow(self) -> bool:
        return self.width() < self._theme.space(_ROOMY)

    def _fit(self) -> None:
        """Where even shortened words are too wide: first the meter goes, then the model's words, then the agent's."""
        visible_selectors = [one for one in self._selectors if not one.isHidden()]
        parts: list[QWidget] = [self.left_toggle, self.title, self.right_toggle, self.menu_button]
        if not self.temporary.isHidden():
            parts.append(self.temporary)
        margins, gap = self._row.contentsMargins(), self._row.spacing()
        room = self.width() - margins.left() - margins.right() + gap
        room -= sum(part.minimumSizeHint().width() + gap for part in parts)
        room -= sum(one.least_width(is_short=False) + gap for one in visible_selectors)
        meter = self.meter.sizeHint().width() + gap if self.meter.is_told else 0
        has_meter = room >= meter and self.window().width() >= _ICONS_ONLY
        room -= meter if has_meter else 0
        for selector in reversed(self._selectors):
            is_short = selector in visible_selectors and (room < 0 or self.window().width() < _ICONS_ONLY)
            selector.set_short(is_short=is_short)
            if is_short:
                room += selector.least_width(is_short=False) - selector.least_width(is_short=True)
        self.meter.give_room(has_room=has_meter)

    def _selector(self, name: str, limit: int, *, foot: str, mark: str = "", icon: str = "pencil") -> Selector:
        """Stands before the meter; hidden until there is something to choose."""
        from app.ui.widgets.selectors.selector import Selector

        selector = Selector(self._theme, name, limit=limit, mark=mark, foot=foot, foot_icon=icon, parent=self)
        selector.hide()
        self._row.insertWidget(self._row.indexOf(self.meter), selector)
        QWidget.setTabOrder(self._selectors[-1] if self._selectors else self.left_toggle, selector)
        self._selectors.append(selector)
        return selector
