"""A server from a README to its first call, on one page: pasted, looked at, tried, given to agents.

Nothing starts before the person has seen what would; the button for it works only after two seconds.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _, ngettext
from app.core.wording.figures import seconds_text
from app.ui.dialogs.mcp import review as mcp_review
from app.ui.dialogs.mcp.agents import ServerAgents
from app.ui.dialogs.mcp.paste import PasteBox
from app.ui.dialogs.mcp.step_card import StepCard
from app.ui.dialogs.mcp.tools import McpTools
from app.ui.theme import Theme
from app.ui.widgets.layout.page_area import PageArea
from app.ui.widgets.safe_text import SafeLabel

if TYPE_CHECKING:
    from app.services.mcp.paste.found import Pasted
    from app.services.mcp.pasting import ServerPasting
    from app.services.mcp.views import StartReview, ToolsReview


class AddServer(QWidget):
    review_wanted = Signal(object)
    """What would start, of this `Pasted`: answered by `show_start`."""
    start_wanted = Signal(object, str)
    """A `Pasted` and the fingerprint of what was shown: answered by `show_tools` or `tell`."""
    add_wanted = Signal(list)
    """`Pasted`s that are added and stay switched off."""
    use_wanted = Signal(str, str, list)
    """Server, digest of the tools that were seen, agents."""
    form_wanted = Signal()
    back_wanted = Signal()

    def __init__(self, pasting: ServerPasting, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mcpAdd")
        self._theme = theme
        self._pasted: list[Pasted] = []
        self._filled: Pasted | None = None
        self._review: StartReview | None = None
        self._tools_review: ToolsReview | None = None
        self._server = ""
        self.box = PasteBox(pasting, theme)
        self.box.found_changed.connect(self._found)
        self.told = SafeLabel(role="error")
        self.told.setWordWrap(True)
        self.told.hide()
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(theme.space(3), theme.space(1), theme.space(3), theme.space(2))
        self._column.setSpacing(theme.space(1.5))
        self._column.addLayout(self._build_head())
        self._column.addWidget(self.box)
        self._start_card = StepCard(theme, 1, _("What will run"))
        self._try_card = StepCard(theme, 2, _("Its tools"))
        self._use_card = StepCard(theme, 3, _("Which agents may use it?"))
        self._use_card.show_state("now", _("Can be changed here and under Agents"))
        for card in (self._start_card, self._try_card, self._use_card):
            self._column.addWidget(card)
        self._facts: QWidget | None = None
        self._build_start()
        self.tools = McpTools(theme)
        self._try_card.column.addWidget(self.tools)
        self.agents = ServerAgents(theme)
        self._use_card.column.addWidget(self.agents)
        self.use_button = QPushButton(_("Use it"))
        self.use_button.setObjectName("mcpUse")
        self.use_button.setProperty("kind", "primary")
        self.use_button.setAutoDefault(False)
        self.use_button.clicked.connect(self._use)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.use_button)
        self._use_card.column.addLayout(row)
        self._column.addWidget(self.told)
        self._column.addStretch(1)
        self._area = PageArea(inner, keeps_width=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._area)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._allow)
        self.begin()

    # ------------------------------------------------------------ building

    def _build_head(self) -> QHBoxLayout:
        theme = self._theme
        back = QPushButton(theme.icon("chevron-left"), "")
        back.setAccessibleName(_("Back to the servers"))
        back.setProperty("kind", "quiet")
        back.setAutoDefault(False)
        back.clicked.connect(self.back_wanted)
        by_form = QPushButton(_("Fill in a form"))
        by_form.setProperty("kind", "link")
        by_form.setAutoDefault(False)
        by_form.clicked.connect(self.form_wanted)
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(back)
        head.addWidget(SafeLabel(_("Add a server"), role="title"), 1)
        head.addWidget(by_form)
        return head

    def _build_start(self) -> None:
        theme = self._theme
        self._about = SafeLabel(role="meta")
        self._about.setWordWrap(True)
        self._blanks = QWidget()
        self._blank_rows = QFormLayout(self._blanks)
        self._blank_rows.setContentsMargins(0, 0, 0, 0)
        self.values: dict[str, QLineEdit] = {}
        """What the text leaves open, by the name it has there."""
        self.start_button = QPushButton()
        self.start_button.setObjectName("mcpStartPasted")
        self.start_button.setProperty("kind", "primary")
        self.start_button.clicked.connect(self._start)
        self.add_button = QPushButton()
        self.add_button.clicked.connect(self._add)
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        row.addStretch(1)
        for button in (self.add_button, self.start_button):
            button.setAutoDefault(False)
            row.addWidget(button)
        self._start_card.column.addWidget(self._about)
        self._start_card.column.addWidget(self._blanks)
        self._start_card.column.addLayout(row)

    # ------------------------------------------------------------ what is shown

    def begin(self) -> None:
        self.box.clear()
        self.box.setEnabled(True)
        self._server = ""
        self._use_card.hide()
        self._try_card.hide()
        self.tell("")

    def focus(self) -> None:
        self.box.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def tell(self, text: str) -> None:
        self.told.setText(text)
        self.told.setVisible(bool(text))
        self.start_button.setEnabled(False)
        self._start_card.show_state("now", _("Nothing has been started yet"))
        if text:
            self._try_card.hide()
            self._allow()

    def wait_again(self) -> None:
        """It was not started after all."""
        self.tell("")
        self._try_card.hide()
        self._allow()

    def show_start(self, review: StartReview) -> None:
        if self._filled is None or review.id != self._filled.config.id:
            return  # of a text that is no longer there
        self._review = review
        if self._facts is not None:
            self._facts.deleteLater()
        self._facts = mcp_review.StartFactsView(review, self._theme)
        self._start_card.column.insertWidget(2, self._facts)
        self._about.setText(mcp_review.about_start(review))
        self.start_button.setText(mcp_review.start_words(review))
        self.start_button.setEnabled(False)
        self._pause.start(mcp_review.WAIT_MS)

    def show_starting(self) -> None:
        self._start_card.show_state("done", "")
        self._try_card.show_state("now", _("Starting…"))
        self.tools.hide()
        self._try_card.show()
        QTimer.singleShot(0, self._area, partial(self._area.ensureWidgetVisible, self._try_card))

    def show_tools(
        self,
        server: str,
        review: ToolsReview,
        agents: Sequence[tuple[str, str]],
        chosen: Collection[str],
        tokens: int,
        seconds: float,
    ) -> None:
        """It runs, since `seconds` after it was started: its tools, and who may use them."""
        self._server, self._tools_review = server, review
        count = len(review.rows)
        words = ngettext("runs · {time} · {n} tool", "runs · {time} · {n} tools", count)
        self._try_card.show_state("done", words.format(time=seconds_text(seconds), n=count))
        self.tools.show()
        self.box.setEnabled(False)
        self.add_button.hide()
        self.start_button.hide()
        self._blanks.hide()
        self.tools.show_review(review)
        self.tools.banner.hide()  # accepted with the last button
        self.agents.show_agents(agents, chosen, tokens=tokens)
        self._try_card.show()
        self._use_card.show()
        self.use_button.setFocus(Qt.FocusReason.OtherFocusReason)
        QTimer.singleShot(0, self._area, partial(self._area.ensureWidgetVisible, self._use_card))

    # ------------------------------------------------------------ slots

    def _found(self, pasted: list[Pasted]) -> None:
        self._pasted, self._filled, self._review = list(pasted), None, None
        self._pause.stop()
        count, is_one = len(pasted), len(pasted) == 1
        self._start_card.setVisible(bool(pasted))
        self.start_button.setVisible(is_one)
        self.start_button.setEnabled(False)
        self.start_button.setText(_("Start it and look at its tools"))
        self.add_button.show()
        self.add_button.setEnabled(bool(pasted))
        many = ngettext("Add {n} server", "Add {n} servers", count or 1).format(n=count or 1)
        self.add_button.setText(_("Add it without starting") if is_one else many)
        if self._facts is not None:
            self._facts.deleteLater()
            self._facts = None
        self._about.setText("" if is_one else _("Each is added switched off, and looked at by itself."))
        self._show_blanks(pasted[0] if is_one else None)
        if is_one:
            self._fill()

    def _show_blanks(self, pasted: Pasted | None) -> None:
        while self._blank_rows.rowCount():
            self._blank_rows.removeRow(0)
        self.values = {}
        for blank in pasted.blanks if pasted is not None else ():
            field = self.values[blank.name] = QLineEdit(blank.default)
            field.setAccessibleName(blank.name)
            field.setPlaceholderText(blank.hint)
            if blank.is_secret:
                field.setEchoMode(QLineEdit.EchoMode.Password)
            field.textChanged.connect(self._fill)
            self._blank_rows.addRow(SafeLabel(blank.name), field)
        self._blanks.setVisible(bool(self.values))

    def _fill(self, *_args: object) -> None:
        """With the values typed so far; what would start is asked for anew."""
        typed = {name: field.text() for name, field in self.values.items() if field.text()}
        self._filled = self._pasted[0].filled(typed) if typed else self._pasted[0]
        self.review_wanted.emit(self._filled)

    def _allow(self) -> None:
        self.start_button.setEnabled(self._review is not None and not (self._filled and self._filled.blanks))

    def _start(self) -> None:
        if self._filled is not None and self._review is not None:
            self.start_button.setEnabled(False)
            self.show_starting()
            self.start_wanted.emit(self._filled, self._review.fingerprint)

    def _add(self) -> None:
        one = [self._filled] if self._filled is not None else self._pasted
        self.add_wanted.emit(list(one))

    def _use(self) -> None:
        if self._tools_review is not None:
            self.use_wanted.emit(self._server, self._tools_review.digest, self.agents.chosen())
