"""The chat view: rows in a virtual list, a button back to the latest, a place for what an empty chat shows.

    view.set_rows([...]); view.append(row); view.stream_text(row_id, delta); view.put_part(row_id, part)
    view.update_row(row_id, status="…"); view.finish(row_id, stop_reason="…", seconds=…)

Deltas may come at any rate: they are gathered and shown about thirty times a second.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.core.text.i18n import _
from app.ui.cards.factory import CardFactory
from app.ui.chat.row_model import RowModel
from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.base import RowTools, RowView
from app.ui.chat.rows.factory import make_row
from app.ui.chat.rows.items import AssistantRow, LaterRow, Part, Row, TextPart, answer_of, markdown_of, text_length
from app.ui.chat.rows.layout import layout_of
from app.ui.chat.rows.row_actions import Plain, RowAction
from app.ui.chat.selection import Selection
from app.ui.chat.virtual_list import VirtualList
from app.ui.render.markdown.page import parse_ahead
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.formulas import Formulas
from app.ui.render.parts.highlight import Highlighter
from app.ui.render.parts.pictures import PictureLoader
from app.ui.theme import Theme
from app.ui.widgets.spoken_role import Role, speak_as
from app.ui.widgets.throttle import Throttle

COLUMN = 740
_CHARS_PER_LINE = 88
_LINE_HEIGHT = 23


def _column(theme: Theme) -> int:
    """Width of the reading column: it grows with the letters, so that a line holds as many."""
    return round(COLUMN * theme.zoom)


class ChatView(QWidget):
    link_activated = Signal(str)
    """The address of a link; whether it is opened is for others to ask."""
    row_action = Signal(str, object)
    """The row, and the RowAction a person asks for there."""
    """Row id and action id; copying is done here already."""
    scrolled_away = Signal(bool)

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        cards: CardFactory | None = None,
        pictures: PictureLoader | None = None,
    ) -> None:
        super().__init__(parent)
        speak_as(self, Role.Grouping)
        self.setObjectName("chatView")
        self.setAccessibleName(_("Conversation"))
        self.setProperty("pane", "centre")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._cards = cards or CardFactory(parent=self, has_buttons=False)
        self._highlighter = Highlighter(theme, self)
        self._formulas = Formulas(self)
        self.pictures = pictures
        self._tools = RowTools(Formats(theme, self._formulas, pictures), self._highlighter, self._cards)
        self._model = RowModel()
        self._throttle = Throttle(self)
        self._throttle.gathered.connect(self._flush)
        self._unread = False
        self._lent: tuple[str, QWidget] | None = None
        """The answer whose plan is shown by a card of somebody else."""
        self._home = QWidget(self)
        self._home.hide()
        self._empty: QWidget | None = None
        self._cover: QWidget | None = None
        self.list = VirtualList(self, self, column=_column(theme))
        self.list.setAccessibleName(_("Messages"))
        self.list.at_bottom_changed.connect(self._bottom_changed)
        self.list.row_dropped.connect(_release)
        self.setFocusProxy(self.list)
        self._selection = Selection(self.list, self._selectable, self._model.ids, self._source)
        self._jump = QPushButton(self)
        self._jump.setObjectName("jumpToLatestButton")
        self._jump.setCursor(Qt.CursorShape.PointingHandCursor)
        self._jump.clicked.connect(self.jump_to_latest)
        self._jump.hide()
        self._paint_jump()

    # -- rows

    def set_rows(self, rows: Iterable[Row | LaterRow]) -> None:
        """Show another session, at its end."""
        self._throttle.flush()
        self._selection.clear()
        self._lent = None
        self._model.set(rows)
        self._set_unread(unread=False)
        self.list.reset()
        self._show_empty()

    def append(self, row: Row) -> None:
        self._model.append(row)
        self.list.appended(row.id)
        self._news()
        self._show_empty()

    def remove(self, row_id: str) -> None:
        self._throttle.flush()
        self._model.remove(row_id)
        self.list.changed()
        self._show_empty()

    def rows(self) -> list[Row]:
        """All rows with all text that has arrived."""
        self._throttle.flush()
        return [self._model.row(row_id) for row_id in self._model.ids()]

    def row(self, row_id: str) -> Row:
        self._throttle.flush()
        return self._model.row(row_id)

    def peek(self, row_id: str) -> Row | LaterRow:
        """The row as it is known: not made if it was never in sight, without the text that just streams."""
        return self._model.peek(row_id)

    def update_row(self, row_id: str, **fields: Any) -> None:
        """Change fields of a row, e.g. `status` or `actions`."""
        self._throttle.flush()
        self._show_row(replace(self._model.row(row_id), **fields))

    def replace_row(self, row: Row) -> None:
        self._throttle.flush()
        self._show_row(row)

    def lend_plan(self, row_id: str, card: QWidget) -> None:
        """From now on `card` shows the plan of this answer, until the rows are others; it is hidden, not deleted, with
        the row."""
        if self._lent == (row_id, card):
            return
        self.keep_plan(card)
        self._lent = (row_id, card)
        view = self.list.widget(row_id)
        if isinstance(view, AssistantRowView):
            view.lend_plan(card, self._home)
            self.list.height_changed(row_id)

    def keep_plan(self, card: QWidget) -> None:
        """It is lent no more; the row shows the plan itself."""
        if self._lent is not None and self._lent[1] is card:
            row_id, self._lent = self._lent[0], None
            view = self.list.widget(row_id)
            if isinstance(view, AssistantRowView):
                view.keep_plan()
                self.list.height_changed(row_id)
        card.hide()
        card.setParent(self._home)

    def plan_grew(self) -> None:
        """The card that is lent wants another height."""
        if self._lent is not None and self._lent[0] in self._model:
            self.list.height_changed(self._lent[0])

    def show_plan(self) -> None:
        """The card that is lent, in sight and unfolded."""
        row_id = self._lent[0] if self._lent is not None else ""
        if row_id in self._model:
            self.list.scroll_to_row(row_id)
            if isinstance(view := self.list.widget(row_id), AssistantRowView):
                view.show_plan()

    # -- an answer that is being written

    def stream_text(self, row_id: str, delta: str, part_id: str = "") -> None:
        """Further text of an answer. Another `part_id` than before begins a new text below."""
        self._throttle.add((row_id, part_id or self._last_text(row_id)), delta)

    def put_part(self, row_id: str, part: Part, after: str = "") -> None:
        """A tool call, a card, a round, a note: new behind the part `after`, else at the end, or its next state."""
        self._throttle.flush()
        self._show_row(self._model.put_part(row_id, part, after))
        self._news()

    def remove_part(self, row_id: str, part_id: str) -> None:
        """Take back the text of a step."""
        self._throttle.drop((row_id, part_id))
        self._throttle.flush()
        self._show_row(self._model.remove_part(row_id, part_id))

    def mark_remark(self, row_id: str, part_id: str) -> None:
        """A text turns out to belong to its step: it stands with the work."""
        self._throttle.flush()
        self._show_row(self._model.mark_remark(row_id, part_id))

    def finish(self, row_id: str, **fields: Any) -> None:
        """The answer is complete; `stop_reason`, `seconds`, `tokens` go into its footer."""
        self.update_row(row_id, busy=False, status="", **fields)

    # -- looks and places

    def set_theme(self, theme: Theme) -> None:
        self._throttle.flush()
        self._highlighter.close()
        self._highlighter.deleteLater()
        self._highlighter = Highlighter(theme, self)
        self._tools = RowTools(Formats(theme, self._formulas, self.pictures), self._highlighter, self._cards)
        self._selection.clear()
        self.list.column = _column(theme)
        self._paint_jump()
        self.list.rebuild()

    def set_empty_widget(self, widget: QWidget) -> None:
        """What stands here while there are no rows."""
        if self._empty is not None:
            self._empty.hide()
            self._empty.deleteLater()
        self._empty = widget
        widget.setParent(self)
        self._place()
        self._show_empty()

    def cover(self, page: QWidget | None) -> None:
        """Another page in the place of the empty widget, until None takes it away."""
        if self._cover is not None and self._cover is not page:
            self._cover.hide()
            self._cover.deleteLater()
        self._cover = page
        if page is not None:
            page.setParent(self)
        self._place()
        self._show_empty()

    def jump_to_latest(self) -> None:
        self.list.scroll_to_bottom()

    def scroll_to_row(self, row_id: str) -> None:
        self.list.scroll_to_row(row_id)

    def close_down(self) -> None:
        """Before the window goes: nothing may arrive from threads any more."""
        self._throttle.flush()
        self._highlighter.close()
        self._formulas.close()
        if self.pictures is not None:
            self.pictures.close()

    # -- what the list asks

    def keys(self) -> list[str]:
        return self._model.ids()

    def guess(self, key: str, width: int) -> int:
        per_line = max(20, _CHARS_PER_LINE * width // 740)
        return 64 + (text_length(self._model.peek(key)) // per_line + 1) * _LINE_HEIGHT

    def prepare(self, key: str) -> bool:
        row = self._model.row(key)
        parts = layout_of(row).shown if isinstance(row, AssistantRow) else ()
        return any(parse_ahead(part.text) for part in parts if isinstance(part, TextPart))

    def build(self, key: str, parent: QWidget) -> QWidget:
        view = make_row(self._model.row(key), parent, self._tools)
        if self._lent is not None and self._lent[0] == key and isinstance(view, AssistantRowView):
            view.lend_plan(self._lent[1], self._home)
        view.setObjectName(f"row-{key}")
        view.height_changed.connect(partial(self.list.height_changed, key))
        view.link_activated.connect(self.link_activated)
        view.action.connect(partial(self._row_action, key))
        view.segment_added.connect(self._selection.watch)
        self._selection.watch(view)
        return view

    # -- inner work

    def _flush(self, gathered: dict[tuple[str, str], str]) -> None:
        for (row_id, part_id), text in gathered.items():
            if row_id not in self._model:
                continue
            view = self.list.widget(row_id)
            self._model.add_text(row_id, part_id, text)
            if isinstance(view, AssistantRowView):
                view.stream(part_id, text)
        self._news()

    def _last_text(self, row_id: str) -> str:
        row = self._model.peek(row_id) if row_id in self._model else None
        parts = row.parts if isinstance(row, AssistantRow) else ()
        if parts and isinstance(parts[-1], TextPart):
            return parts[-1].id
        return f"text-{len(parts)}"

    def _show_row(self, row: Row) -> None:
        self._model.replace(row)
        view = self.list.widget(row.id)
        if isinstance(view, AssistantRowView) and isinstance(row, AssistantRow):
            view.show_item(row)
            self.list.height_changed(row.id)
        elif view is not None:
            self.list.replaced(row.id)

    def _row_action(self, row_id: str, action: RowAction) -> None:
        if action is Plain.COPY:
            self._throttle.flush()
            QGuiApplication.clipboard().setText(answer_of(self._model.row(row_id)))
        else:
            self.row_action.emit(row_id, action)

    def _selectable(self) -> dict[str, QWidget]:
        return {key: view for key, view in self.list.realised().items() if isinstance(view, RowView)}

    def _source(self, key: str) -> str:
        self._throttle.flush()
        return markdown_of(self._model.row(key))

    def _news(self) -> None:
        if not self.list.is_at_bottom():
            self._set_unread(unread=True)

    def _bottom_changed(self, at_bottom: bool) -> None:
        if at_bottom:
            self._set_unread(unread=False)
        self._jump.setVisible(not at_bottom)
        self._jump.raise_()
        self.scrolled_away.emit(not at_bottom)

    def _set_unread(self, *, unread: bool) -> None:
        if unread != self._unread:
            self._unread = unread
            self._paint_jump()

    def _paint_jump(self) -> None:
        theme = self._tools.theme
        self._jump.setText(_("New messages") if self._unread else _("Jump to latest"))
        self._jump.setAccessibleName(self._jump.text())
        self._jump.setIcon(theme.icon("arrow-down", "accent" if self._unread else "muted", 14))
        self._jump.setIconSize(QSize(theme.space(1.75), theme.space(1.75)))
        self._jump.setProperty("unread", self._unread)
        # A dynamic property needs a new polish to reach the style sheet.
        self._jump.style().unpolish(self._jump)
        self._jump.style().polish(self._jump)
        self._place()

    def _show_empty(self) -> None:
        empty = len(self._model) == 0 and self._empty is not None
        self.list.setVisible(not empty)
        # A hidden proxy would swallow the Tab key: the focus would stay where it is for ever.
        self.setFocusProxy(None if empty else self.list)  # type: ignore[arg-type]
        if self._empty is not None:
            self._empty.setVisible(empty and self._cover is None)
        if self._cover is not None:
            self._cover.setVisible(empty)

    def _place(self) -> None:
        self.list.setGeometry(self.rect())
        for page in (self._empty, self._cover):
            if page is not None:
                page.setGeometry(self.rect())
        theme = self._tools.theme
        # Beside the column of text, not on it; where there is no margin wide enough, in the corner as its arrow alone.
        height, gap = theme.space(4), theme.space(1.5)
        self._jump.setText(self._jump.accessibleName())
        width = self._jump.sizeHint().width()
        if width + 2 * gap > self.list.margin():
            self._jump.setText("")
            width = height
        self._jump.setGeometry(self.width() - width - gap, self.height() - height - gap, width, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self._selection.copy():
            event.accept()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._selection.select_all()
            event.accept()
        else:
            super().keyPressEvent(event)


def _release(row: QWidget) -> None:
    if isinstance(row, AssistantRowView):
        row.release()
