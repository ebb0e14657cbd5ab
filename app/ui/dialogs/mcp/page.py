"""Everything about one MCP server on one page: how it is, its form, its tools, its log. Decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from app.core.text.i18n import _, ngettext
from app.ui.dialogs.mcp.agents import ServerAgents
from app.ui.dialogs.mcp.form import McpForm
from app.ui.dialogs.mcp.labels import failure_words, state_word
from app.ui.dialogs.mcp.tools import McpTools, scrolled
from app.ui.dialogs.settings.undo_line import UndoLine
from app.ui.theme import Theme
from app.ui.widgets.clipboard import copy_current
from app.ui.widgets.fields.switch import Switch
from app.ui.widgets.layout.page_area import PageArea
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel

if TYPE_CHECKING:
    from app.services.mcp.views import McpServerEntry, ToolsReview

Part = Literal["server", "tools", "log"]
_PARTS: tuple[Part, ...] = ("server", "tools", "log")
LOG_MS = 1_000


class McpPage(QWidget):
    wanted = Signal(str)
    """review, start, restart, stop, add, enable, disable, sign_in, cancel_sign_in, sign_out or log."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._wants_look = False
        """Its tools wait to be accepted."""
        self.told, self.why = SafeLabel(), SafeLabel(role="error")
        for label in (self.told, self.why):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.tabs = QTabBar()
        self.tabs.setObjectName("mcpTabs")
        self.tabs.setAccessibleName(_("Parts of this server"))
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for title in (_("Server"), _("Tools"), _("Log")):
            self.tabs.addTab(title)
        self.tabs.currentChanged.connect(self._turn)
        self.form = McpForm(theme)
        self.saved = UndoLine(theme, self)
        self.tools = McpTools(theme)
        self.agents = ServerAgents(theme)
        self.log = PlainView(theme, code=True, lines=10_000)
        self.log.setObjectName("mcpLog")
        self.log.setAccessibleName(_("What the server said"))
        self._log_area = scrolled(self.log, theme)
        self._timer = QTimer(self)
        self._timer.setInterval(LOG_MS)
        self._timer.timeout.connect(partial(self.wanted.emit, "log"))
        self._parts = QStackedWidget()
        for part in (self._build_form(), self._build_tools(), self._build_log()):
            self._parts.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(1))
        column.addLayout(self._build_head())
        state = QHBoxLayout()
        state.setSpacing(theme.space(1))
        state.addWidget(self.state, 0, Qt.AlignmentFlag.AlignTop)
        self.badge = SafeLabel(_("not encrypted"), role="chip")
        state.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignTop)
        state.addWidget(self.why, 1)
        column.addLayout(state)
        column.addWidget(self.told)
        column.addWidget(self.tabs)
        column.addWidget(self._parts, 1)

    def _build_head(self) -> QHBoxLayout:
        theme = self._theme
        self.title = SafeLabel(role="title", elide=True)
        self.state = SafeLabel(role="chip")
        self.review_button = self._button(_("Look at it…"), "review", "primary")
        self.start_button = self._button(_("Start"), "start")
        self.restart_button = self._button(_("Restart"), "restart")
        self.stop_button = self._button(_("Stop"), "stop")
        self.sign_in_button = self._button(_("Sign in…"), "sign_in", "primary")
        self.cancel_sign_in_button = self._button(_("Cancel the sign-in"), "cancel_sign_in")
        self.sign_out_button = self._button(_("Sign out"), "sign_out")
        self._is_signing_in = self._is_signed_in = False
        self.enabled = Switch(theme, _("Use this server"))
        self.enabled.clicked.connect(self._switch)
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(self.title, 1)
        self.tools_button = QPushButton(_("Look at its tools"))
        self.tools_button.setAutoDefault(False)
        self.tools_button.setProperty("kind", "primary")
        self.tools_button.clicked.connect(partial(self.turn_to, "tools"))
        for button in (
            self.review_button, self.tools_button, self.sign_in_button, self.cancel_sign_in_button,
            self.start_button, self.restart_button, self.stop_button, self.sign_out_button
        ):  # fmt: skip
            head.addWidget(button)
        head.addWidget(self.enabled)
        return head

    def _build_form(self) -> QWidget:
        theme = self._theme
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, theme.space(1), 0, 0)
        column.addWidget(self.form)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inner)
        area.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)
        self.add_button = self._button(_("Add"), "add", "primary")
        foot = QHBoxLayout()
        foot.setSpacing(theme.space(1))
        foot.addWidget(self.saved, 1)
        foot.addWidget(self.add_button)
        page = QWidget()
        outer = QVBoxLayout(page)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area, 1)
        note = SafeLabel(_("Values are kept where keys are kept, and never shown again."), role="meta", elide=True)
        outer.addWidget(note)
        outer.addLayout(foot)
        return page

    def _build_tools(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.space(1))
        column.addWidget(self.tools, 1)
        column.addWidget(SafeLabel(_("Which agents may use it?"), role="strong"))
        column.addWidget(self.agents)
        return PageArea(page)

    def _build_log(self) -> QWidget:
        copy = QPushButton(_("Copy"))
        copy.setProperty("kind", "quiet")
        copy.setAutoDefault(False)
        copy.clicked.connect(partial(copy_current, self.log.text))
        foot = QHBoxLayout()
        foot.addWidget(SafeLabel(_("The last 500 lines, kept until Triptych ends."), role="meta", elide=True), 1)
        foot.addWidget(copy)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, self._theme.space(1), 0, 0)
        column.addWidget(self._log_area, 1)
        column.addLayout(foot)
        return page

    def _button(self, text: str, wish: str, kind: str = "") -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        if kind:
            button.setProperty("kind", kind)
        button.clicked.connect(partial(self.wanted.emit, wish))
        return button

    # ------------------------------------------------------------ what is shown

    def reveal(self, inside: QWidget) -> None:
        """The tab it is in."""
        for number in range(self._parts.count()):
            part = self._parts.widget(number)
            if part is not None and part.isAncestorOf(inside) and self.tabs.isTabEnabled(number):
                self.tabs.setCurrentIndex(number)

    def turn_to(self, part: Part) -> None:
        self.tabs.setCurrentIndex(_PARTS.index(part))

    def tell(self, text: str, *, is_error: bool = False) -> None:
        self.told.setProperty("role", "error" if is_error else "meta")
        self.told.style().unpolish(self.told)
        self.told.style().polish(self.told)
        self.told.setText(text)
        self.told.setVisible(bool(text))

    def show_entry(self, entry: McpServerEntry | None) -> None:
        """None: a server that is not saved yet."""
        state = entry.state if entry is not None else "off"
        self.title.setText(entry.name if entry is not None else _("New server"))
        self.state.setText(state_word(entry) if entry is not None else _("not added yet"))
        self.badge.setVisible(entry is not None and entry.is_plain_http)
        self.why.setText(failure_words(entry) if entry is not None else "")
        self.enabled.setChecked(entry is not None and entry.enabled)
        self.enabled.setEnabled(entry is not None)
        is_unseen = entry is not None and not entry.enabled and not entry.is_reviewed
        self.review_button.setVisible(state == "review" or is_unseen)
        runs = entry is not None and entry.enabled and entry.is_running
        self._wants_look = state == "tools" and entry is not None and entry.tool_count > 0
        self._arrange_tools_button()
        self.start_button.setVisible(state in ("stopped", "failed", "tools") and not runs)
        self.restart_button.setVisible(runs and state != "starting")
        self.stop_button.setVisible(runs)
        wants = entry is not None and entry.code == "sign_in"
        self.sign_in_button.setVisible(wants and not self._is_signing_in)
        self.cancel_sign_in_button.setVisible(self._is_signing_in)
        self.sign_out_button.setVisible(self._is_signed_in and not self._is_signing_in)
        self.add_button.setVisible(entry is None)
        for number in (1, 2):
            self.tabs.setTabEnabled(number, entry is not None)

    def show_sign_in(self, *, is_running: bool, is_done: bool) -> None:
        """Taken up with the next `show_entry`."""
        self._is_signing_in, self._is_signed_in = is_running, is_done

    def show_tools(self, review: ToolsReview) -> None:
        self.tools.show_review(review)
        count = len(review.rows)
        self.tabs.setTabText(1, ngettext("{n} tool", "{n} tools", count).format(n=count) if count else _("Tools"))

    def show_log(self, lines: Sequence[str]) -> None:
        """Painted only while it is looked at."""
        if self.tabs.currentIndex() != _PARTS.index("log"):
            return
        text = "\n".join(lines) or _("The server has said nothing yet.")
        if text != self.log.text():
            self.log.set_text(text)
            bar = self._log_area.verticalScrollBar()
            QTimer.singleShot(0, bar, lambda: bar.setValue(bar.maximum()))

    def _switch(self, on: bool) -> None:
        self.wanted.emit("enable" if on else "disable")

    def _arrange_tools_button(self) -> None:
        """The way to the tools, from where they are not seen."""
        self.tools_button.setVisible(self._wants_look and self.tabs.currentIndex() != _PARTS.index("tools"))

    def _turn(self, number: int) -> None:
        self._parts.setCurrentIndex(number)
        self._arrange_tools_button()
        if _PARTS[number] == "log":
            self._timer.start()
            self.wanted.emit("log")
        else:
            self._timer.stop()
