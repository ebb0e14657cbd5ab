"""The list of entries: append only, follows its end, can be searched and copied."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.core.run.view import RoundItem
from app.core.text.i18n import _
from app.ui.reasoning.entry import OutlineEntry
from app.ui.reasoning.round_head import RoundHead
from app.ui.theme import Theme
from app.ui.widgets.clipboard import copy_current
from app.ui.widgets.fields.search_field import SearchField
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.viewport import viewport_of
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spoken_role import Role, speak_as

_SECTION = 40
"""Entries of one layout: a new entry re-arranges its own section, not all."""


class Outline(QWidget):
    place_activated = Signal(int, str)
    """The step and, for a tool call, its id."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        speak_as(self, Role.Grouping)
        self.setObjectName("reasoningOutline")
        self.setAccessibleName(_("Outline"))
        self._theme = theme
        self._entries: list[OutlineEntry] = []
        self._round: RoundHead | None = None
        self._section: QVBoxLayout | None = None
        self._needle = ""
        self.search = SearchField(theme, _("Search the outline"))
        self.found = SafeLabel(role="meta")
        self.search_button = IconButton(theme, "search", _("Search the outline"))
        self.search_button.setObjectName("outlineSearchButton")
        self.search_button.clicked.connect(self._turn_search)
        self.copy_button = IconButton(theme, "copy", _("Copy the outline"))
        self.copy_button.clicked.connect(partial(copy_current, self.text))
        self._bar = QWidget()
        bar = QHBoxLayout(self._bar)
        bar.setContentsMargins(theme.space(1), theme.space(1), theme.space(1), 0)
        bar.setSpacing(theme.space(0.5))
        bar.addWidget(self.search, 1)
        bar.addWidget(self.found)
        self._bar.hide()
        self._area = QScrollArea()
        speak_as(self._area, Role.List)
        self._area.setAccessibleName(_("Outline"))
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        viewport_of(self._area).setAutoFillBackground(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._bar)
        layout.addWidget(self._area, 1)
        self._content = QWidget()
        self._column = QVBoxLayout(self._content)
        self._start_content()
        self._follows = True
        scroll = self._area.verticalScrollBar()
        scroll.rangeChanged.connect(self._keep_end)
        scroll.valueChanged.connect(self._scrolled)
        self.search.textChanged.connect(self._search)
        self.search.editingFinished.connect(self._put_away)
        # Typing searches every entry's text: wait until the person pauses.
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(120)
        self._delay.timeout.connect(self._filter)

    def _start_content(self) -> None:
        self._content = QWidget()
        self._content.setAutoFillBackground(False)
        self._column = QVBoxLayout(self._content)
        self._column.setContentsMargins(self._theme.space(0.5), 0, self._theme.space(0.5), self._theme.space(1))
        self._column.setSpacing(0)
        self._column.addStretch(1)
        self._hint = SafeLabel(_("What the agent thinks and does appears here."), role="meta")
        self._hint.setWordWrap(True)
        self._hint.setContentsMargins(self._theme.space(1), self._theme.space(1), self._theme.space(1), 0)
        self._column.insertWidget(0, self._hint)
        self._area.setWidget(self._content)
        self._content.setAutoFillBackground(False)
        self._section = None

    def clear(self) -> None:
        self._entries.clear()
        self._round = None
        self._follows = True
        self._start_content()
        self._tell_found()

    def entries(self) -> list[OutlineEntry]:
        return list(self._entries)

    def add(self, entry: OutlineEntry) -> None:
        self._entries.append(entry)
        self._hint.hide()
        entry.activated.connect(self.place_activated)
        entry.opened.connect(self._stay)
        entry.line.walked.connect(self._walk)
        self._place(entry)
        if self._round is not None and entry is not self._round:
            self._round.members.append(entry)
        self._show(entry)

    def begin_round(self, item: RoundItem) -> RoundHead:
        """What is added from now on belongs to this reflection round, and folds with it."""
        self.start_section()
        head = self._round = RoundHead(self._theme, item)
        head.folded.connect(partial(self._refold, head))
        self.add(head)
        return head

    def _refold(self, head: RoundHead) -> None:
        for entry in head.members:
            self._show(entry)

    def end_round(self) -> None:
        self._round = None

    def remove(self, entry: OutlineEntry) -> None:
        self._entries.remove(entry)
        for head in self._heads():
            if entry in head.members:
                head.members.remove(entry)
        entry.hide()
        entry.deleteLater()

    def drop_empty_head(self) -> None:
        """The newest heading, if nothing has come under it: what was taken for an answer was none."""
        if self._entries and self._entries[-1].line.is_head:
            self.remove(self._entries[-1])

    def start_section(self) -> None:
        self._section = None

    def reveal(self, step: int = 0, *, call: str = "", round: int = 0) -> bool:
        """Bring the first entry of a step, a tool call or a round into view; the way back from the chat."""
        entry_found = next((entry for entry in self._entries if _is(entry, step, call, round)), None)
        for entry in self._entries:
            entry.line.set_marked(entry is entry_found)
        if entry_found is None:
            return False
        self._follows = False
        if self._needle:
            self.search.clear()
            self._filter()
        for head in self._heads():
            if entry_found in head.members:
                head.set_folded(False)
        self._content.adjustSize()  # what was just shown has its place only then
        self._area.ensureWidgetVisible(entry_found, 0, self._theme.space(4))
        return True

    def text(self) -> str:
        return "\n\n".join(entry.text() for entry in self._entries)

    def focus_search(self) -> None:
        self._bar.show()
        self.search.setFocus()
        self.search.selectAll()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.copy_button.set_icon(theme, "copy")
        self.search_button.set_icon(theme, "search")
        self.search.set_theme(theme)
        for entry in self._entries:
            entry.set_theme(theme)

    def _heads(self) -> list[RoundHead]:
        return [entry for entry in self._entries if isinstance(entry, RoundHead)]

    def _show(self, entry: OutlineEntry) -> None:
        """The search shows what matches, folded or not; without one the rounds decide."""
        if self._needle:
            entry.setVisible(entry.matches(self._needle))
        else:
            entry.setVisible(not any(head.is_folded and entry in head.members for head in self._heads()))

    def _place(self, item: OutlineEntry) -> None:
        if self._section is None or self._section.count() >= _SECTION:
            holder = QWidget()
            self._section = QVBoxLayout(holder)
            self._section.setContentsMargins(0, 0, 0, 0)
            self._section.setSpacing(0)
            self._column.insertWidget(self._column.count() - 1, holder)
        self._section.addWidget(item)

    def _turn_search(self) -> None:
        if self._bar.isHidden():
            self.focus_search()
        else:
            self.search.clear()
            self._put_away()

    def _put_away(self) -> None:
        """Left, or given up, with nothing in it."""
        if not self.search.text():
            self._bar.hide()

    def _search(self, text: str) -> None:
        if text:
            self._bar.show()
        self._delay.start()

    def _filter(self) -> None:
        self._needle = self.search.text().strip().casefold()
        for entry in self._entries:
            self._show(entry)
        self._tell_found()

    def _tell_found(self) -> None:
        visible_count = sum(not entry.isHidden() for entry in self._entries)
        self.found.setText(f"{visible_count}/{len(self._entries)}" if self._needle else "")
        self.found.setVisible(bool(self._needle))

    def _keep_end(self, _low: int, high: int) -> None:
        if self._follows:
            self._area.verticalScrollBar().setValue(high)

    def _stay(self) -> None:
        """What a person opens must not scroll away under them."""
        self._follows = False

    def _scrolled(self, value: int) -> None:
        self._follows = value >= self._area.verticalScrollBar().maximum() - self._theme.space(2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.search.take_escape():
            return
        if event.key() == Qt.Key.Key_Down and self.search.hasFocus():
            self._walk(1)
        else:
            super().keyPressEvent(event)

    def _walk(self, by: int) -> None:
        """To the next entry that is shown, as in a list."""
        visible_entries = [entry for entry in self._entries if not entry.isHidden()]
        places = [place for place, entry in enumerate(visible_entries) if entry.line.hasFocus()]
        target = (places[0] if places else -1 if by > 0 else len(visible_entries)) + by
        if 0 <= target < len(visible_entries):
            self._follows = False
            visible_entries[target].line.setFocus(Qt.FocusReason.TabFocusReason)
            self._area.ensureWidgetVisible(visible_entries[target])


def _is(entry: OutlineEntry, step: int, call: str, round: int) -> bool:
    if call:
        return entry.call == call
    if round:
        return isinstance(entry, RoundHead) and entry.number == round
    return entry.step == step
