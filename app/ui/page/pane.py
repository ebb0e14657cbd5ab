"""The page beside the chat: texts of a folder at the left, the open one in the middle, boards in further tabs.

It draws what it is shown and says what the person wants; reading, writing and asking are its controller's.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from app.core.page import DRAFT, TEXT, PageContents, PageText
from app.core.text.i18n import _
from app.core.tools.card import Card, CardAction
from app.ui.cards.factory import CardFactory
from app.ui.cards.frame import CardFrame
from app.ui.page.editor import MOST_EDITED, PageEditor
from app.ui.page.foot import PageFoot
from app.ui.page.passage_bar import PassageBar
from app.ui.page.texts import TextList
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel

_WIDE = 520
"""Pixels before zoom from which the list of texts has room beside the open one."""
_LIST, _ANY = 184, 16_777_215


class PagePane(QWidget):
    close_asked = Signal()
    focus_asked = Signal(bool)
    """Nothing but the text, or all again."""
    text_chosen = Signal(str)
    board_chosen = Signal(str)
    """Its id; TEXT is the open text itself."""
    acted = Signal(object)
    """The CardAction of a button that was pressed on a board."""
    stop_asked = Signal()

    def __init__(self, theme: Theme, cards: CardFactory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pagePane")
        self.setProperty("pane", "centre")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._cards = theme, cards
        self._ids: list[str] = []
        self._wants_list, self._lists_instead = True, False
        """Beside the text; and, where there is no room, in its place."""
        self.editor = PageEditor(theme)
        self.foot = PageFoot(theme)
        self.passages = PassageBar(theme)
        self.texts = TextList()
        self.remark = SafeLabel(role="meta")
        self.remark.setObjectName("pageRemark")
        self.remark.setWordWrap(True)
        self.remark.hide()
        self._build(theme)
        self.texts.chosen.connect(self._text_chosen)
        self.editor.passage_changed.connect(self._passage_changed)
        self.editor.left.connect(self._left)

    # ------------------------------------------------------------ what is shown

    def show_contents(self, contents: PageContents, current: str) -> None:
        self.title.setText(contents.title)
        self.texts.show_entries(contents.entries, current)
        self.editor.marks.set_terms(contents.terms)
        self.passages.show_actions(contents.actions)
        self._show_tabs([(TEXT, _("Text")), *((one.id, one.label) for one in contents.boards)])

    def show_text(self, text: PageText, *, is_same: bool = False) -> None:
        """`is_same`: it is the text that is shown, read again."""
        show = self.editor.show_again if is_same else self.editor.show_text
        show(text.text, is_indented=text.is_indented)
        self.show_draft(text.draft)
        if len(text.text) > MOST_EDITED:
            self.tell(
                _("This text is too long to be edited here: only its beginning is shown. Divide it into chapters.")
            )

    def show_draft(self, label: str) -> None:
        """A tab for what waits to be accepted; "" = nothing does."""
        has_tab = DRAFT in self._ids
        if label and not has_tab:
            self._ids.insert(1, DRAFT)
            self.tabs.insertTab(1, label)
        elif label:
            self.tabs.setTabText(self._ids.index(DRAFT), label)
        elif has_tab:
            place = self._ids.index(DRAFT)
            if self.tabs.currentIndex() == place:
                self.choose(TEXT)
            del self._ids[place]
            self.tabs.removeTab(place)

    def show_card(self, card: Card) -> None:
        """In the place of the text."""
        frame = self._cards.make(card.to_json(), self._theme, self._board)
        if isinstance(frame, CardFrame):
            actions = {one.id: one for one in card.actions}
            frame.pressed.connect(partial(self._pressed, actions))
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(*[self._theme.space(2)] * 4)
        if frame is not None:
            column.addWidget(frame)
        column.addStretch(1)
        self._board.setWidget(holder)
        self._stack.setCurrentWidget(self._board)

    def choose(self, id: str) -> None:
        """The tab of a board, as if it had been pressed; TEXT is the text."""
        if id in self._ids:
            self.tabs.setCurrentIndex(self._ids.index(id))
        if id == TEXT:
            self._stack.setCurrentWidget(self._writing)

    @property
    def board(self) -> str:
        return self._ids[self.tabs.currentIndex()] if 0 <= self.tabs.currentIndex() < len(self._ids) else TEXT

    def tell(self, text: str) -> None:
        """A sentence above the text; "" takes it away."""
        self.remark.setText(text)
        self.remark.setVisible(bool(text))

    def set_live(self, is_live: bool) -> None:
        """Something is being written into the text that is shown."""
        self.stop.setVisible(is_live)
        self.texts.setEnabled(not is_live)
        self.tabs.setEnabled(not is_live)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for part in (self.editor, self.foot):
            part.set_theme(theme)
        self.list_button.set_icon(theme, "list")
        self.focus_button.set_icon(theme, "eye")
        self.close_button.set_icon(theme, "x")
        self._arrange()

    # ------------------------------------------------------------ what the person does

    def _text_chosen(self, id: str) -> None:
        self._lists_instead = False
        self._arrange()
        self.text_chosen.emit(id)

    def _tab_chosen(self, place: int) -> None:
        if 0 <= place < len(self._ids):
            if self._ids[place] == TEXT:
                self._stack.setCurrentWidget(self._writing)
            self.board_chosen.emit(self._ids[place])

    def _passage_changed(self) -> None:
        self.passages.set_selected(self.editor.textCursor().hasSelection() and not self.editor.isReadOnly())

    def _pressed(self, actions: Mapping[str, CardAction], id: str, _values: Mapping[str, Any]) -> None:
        if (action := actions.get(id)) is not None:
            self.acted.emit(action)

    def _left(self) -> None:
        if self.focus_button.isChecked():
            self.focus_button.setChecked(False)
        else:
            self.close_button.setFocus()

    def _list_toggled(self) -> None:
        if self._is_wide():
            self._wants_list = not self._wants_list
        else:
            self._lists_instead = not self._lists_instead
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    # ------------------------------------------------------------ building

    def _build(self, theme: Theme) -> None:
        self.title = SafeLabel(role="title", elide=True)
        self.list_button = IconButton(theme, "list", _("Show or hide the list of texts"))
        self.list_button.clicked.connect(self._list_toggled)
        self.focus_button = IconButton(theme, "eye", _("Only the text (Esc ends it)"))
        self.focus_button.setCheckable(True)
        self.focus_button.toggled.connect(self.focus_asked)
        self.focus_button.toggled.connect(self._arrange)
        self.close_button = IconButton(theme, "x", _("Close the page"))
        self.close_button.clicked.connect(self.close_asked)
        self.stop = QPushButton(_("Stop here"))
        self.stop.setObjectName("pageStop")
        self.stop.setAutoDefault(False)
        self.stop.clicked.connect(self.stop_asked)
        self.stop.hide()
        head = QHBoxLayout()
        head.setContentsMargins(theme.space(1), theme.space(0.5), theme.space(1), 0)
        head.addWidget(self.list_button)
        head.addWidget(self.title, 1)
        for button in (self.stop, self.focus_button, self.close_button):
            head.addWidget(button)
        self.tabs = QTabBar()
        self.tabs.setObjectName("pageTabs")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setProperty("tight", True)
        self.tabs.setAccessibleName(_("Views of the texts"))
        self.tabs.currentChanged.connect(self._tab_chosen)
        self._writing = self._column((self.remark, self.passages, self.editor, self.foot))
        self._board = QScrollArea()
        self._board.setWidgetResizable(True)
        self._board.setFrameShape(QScrollArea.Shape.NoFrame)
        self._board.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._writing)
        self._stack.addWidget(self._board)
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.texts, 2)
        body.addWidget(self._stack, 5)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.5))
        layout.addLayout(head)
        layout.addWidget(self.tabs)
        layout.addLayout(body, 1)

    def _column(self, parts: tuple[QWidget, ...]) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in parts:
            column.addWidget(part, 1 if part is self.editor else 0)
        self.remark.setContentsMargins(self._theme.space(2), 0, self._theme.space(2), 0)
        return holder

    def _show_tabs(self, tabs: list[tuple[str, str]]) -> None:
        ids = [id for id, _label in tabs]
        if ids == [id for id in self._ids if id != DRAFT]:
            return
        was_blocked = self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        self._ids = ids
        for _id, label in tabs:
            self.tabs.addTab(label)
        self.tabs.blockSignals(was_blocked)

    def _is_wide(self) -> bool:
        return self.width() >= _WIDE * self._theme.zoom

    def _arrange(self) -> None:
        """In a narrow page the list takes the place of the text; alone with the text there is nothing else."""
        is_alone = self.focus_button.isChecked()
        is_wide = self._is_wide()
        shows_list = not is_alone and (self._wants_list if is_wide else self._lists_instead)
        self.texts.setVisible(shows_list)
        self.texts.setMaximumWidth(round(_LIST * self._theme.zoom) if is_wide else _ANY)
        self._stack.setVisible(is_wide or not shows_list)
        self.tabs.setVisible(not is_alone)
        self.list_button.setVisible(not is_alone)
