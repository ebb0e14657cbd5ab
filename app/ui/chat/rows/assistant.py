"""An answer: who, when and how in a line above; the work in one line that unfolds; the answer; the outcome below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from app.core.text.i18n import _
from app.ui.chat.rows.answer_header import AnswerFoot, AnswerHeader, head_of
from app.ui.chat.rows.base import HoverBar, RowTools, RowView, adopt
from app.ui.chat.rows.items import (
    PLAN_PART,
    AssistantRow,
    CardPart,
    NotePart,
    Part,
    PlanCardPart,
    RoundPart,
    TextPart,
    ToolPart,
    answer_of,
)
from app.ui.chat.rows.layout import AnswerLayout, layout_of
from app.ui.chat.rows.more_line import MoreLine
from app.ui.chat.rows.notices import note_card
from app.ui.chat.rows.plan import PlanPartView
from app.ui.chat.rows.result_card import card_widget
from app.ui.chat.rows.rounds.card import Rounds, before_rounds, in_sight, open_round_of
from app.ui.chat.rows.rounds.row import RoundRow
from app.ui.chat.rows.row_actions import Reveal
from app.ui.chat.rows.summaries import Summaries
from app.ui.chat.rows.tool import ToolCard
from app.ui.chat.rows.understood_chips import SkillChips, UnderstoodChips
from app.ui.chat.rows.work_line import WorkLine
from app.ui.render.parts.body import MessageBody
from app.ui.render.parts.text_view import TextView

FOLD_AFTER = 400
"""Milliseconds between the end of a run and the folding of its work, unless somebody has touched it."""


class AssistantRowView(RowView):
    def __init__(self, parent: QWidget, tools: RowTools, item: AssistantRow) -> None:
        super().__init__(parent, tools, _("Answer of {agent}").format(agent=item.agent))
        self._item = item
        self._parts: dict[str, tuple[Part, QWidget]] = {}
        """Only those in sight: what is folded has no widgets."""
        self._layout = AnswerLayout()
        self._unseen: dict[str, list[str]] = {}
        """What has streamed into folded texts since the row was last told whole."""
        self._is_open: bool | None = None
        """The work is unfolded; None: nobody has said, so it is while the run goes on."""
        self._is_touched = False
        self._fold_timer = QTimer(self)  # a child: it ends with the row, whatever becomes of the row's parts
        self._fold_timer.setSingleShot(True)
        self._fold_timer.setInterval(FOLD_AFTER)
        self._fold_timer.timeout.connect(self._fold_untouched)
        self._is_more = False
        """The text beside an answer card is unfolded."""
        self._work_line: WorkLine | None = None
        self._chips = UnderstoodChips(self, tools)
        self._skills = SkillChips(self, tools)
        self._skills.asked.connect(self.open_work)
        self._rounds = Rounds(self)
        self._more_line: MoreLine | None = None
        self._summaries = Summaries(self, tools.formats)
        self._header = self._make_header(item)
        self._foot = AnswerFoot(self, tools)
        self._lent: tuple[QWidget, QWidget] | None = None
        """The card that shows the plan, and its home."""
        self._hover: HoverBar = self.show_bar(item.actions)
        self.below = 0
        self.show_item(item)

    def show_item(self, item: AssistantRow) -> None:
        """The answer went on: new parts, changed parts, another state. What is equal stays."""
        if head_of(item) != head_of(self._item):
            self._header.hide()
            self._header.deleteLater()
            self._header = self._make_header(item)
            self._header.show()
            if self._header.again is not None:
                self._header.again.setVisible(self.is_used())
        if item.actions != self._item.actions:
            self._hover.deleteLater()
            self._hover = self.show_bar(item.actions)
            self._hover.setVisible(self._hover.stays or self.underMouse())
        was_busy, self._item = self._item.busy, item
        self._unseen.clear()
        if was_busy and not item.busy and self._is_open is None:
            self._is_open = True
            self._fold_timer.start()
            self._is_touched = False
        self._show_parts()
        self._foot.show_item(item)
        if not item.busy:
            self.read_out(answer_of(item))

    def _show_parts(self) -> None:
        item = self._item
        layout = self._layout = layout_of(item)
        in_sight = self._in_sight()
        ids = {part.id for part in in_sight}
        for gone in [name for name in self._parts if name not in ids]:
            self._drop(gone)
        for part in in_sight:
            self._show_part(part, live=item.busy and part is item.parts[-1])
        for id, card in layout.cards.items():
            if id in self._parts and isinstance(call := self._parts[id][1], ToolCard):
                call.set_card(card)
        self._show_lines(layout)
        self._arrange()

    def _in_sight(self) -> list[Part]:
        layout = self._layout
        is_live = self._item.busy or self._fold_timer.isActive()
        parts = in_sight(layout.work, self._parts, is_live=is_live) if self.is_work_open else []
        return [*parts, *layout.shown, *(layout.more if self._is_more else ())]

    @property
    def is_work_open(self) -> bool:
        return self._item.busy if self._is_open is None else self._is_open

    def open_work(self, *, is_open: bool = True) -> None:
        self._is_open, self._is_touched = is_open, True
        self._refold()

    def open_more(self, *, is_open: bool = True) -> None:
        self._is_more = is_open
        self._refold()

    def reveal(self, part_id: str) -> QWidget | None:
        """The widget of a part, unfolded where it was folded; a supporting card is in the row of its call."""
        holder = next((id for id, card in self._layout.cards.items() if card.id == part_id), "")
        if holder:
            call = self.reveal(holder)
            if isinstance(call, ToolCard) and not call.is_unfolded():
                call.toggle()
            return self.part_widget(part_id)
        if any(part.id == part_id for part in self._layout.work):
            if not self.is_work_open:
                self.open_work()
            open_round_of(part_id, self._layout.work, self._parts)
        elif any(part.id == part_id for part in self._layout.more) and not self._is_more:
            self.open_more()
        return self.part_widget(part_id)

    def _refold(self) -> None:
        for name, pieces in self._unseen.items():
            parts = tuple(
                replace(part, text=part.text + "".join(pieces))
                if isinstance(part, TextPart) and part.id == name
                else part
                for part in self._item.parts
            )
            self._item = replace(self._item, parts=parts)
        self._unseen.clear()
        self._show_parts()
        self.height_changed.emit()

    def lend_plan(self, card: QWidget, home: QWidget) -> None:
        """`card` shows the plan of this answer, whenever its work is unfolded."""
        self._lent = (card, home)
        if (view := self._plan_view()) is not None:
            view.take(card, home)

    def keep_plan(self) -> None:
        """The row shows the plan itself."""
        self._lent = None
        if (view := self._plan_view()) is not None:
            view.show_itself()

    def release(self) -> None:
        """What outlives the row goes home."""
        if (view := self._plan_view()) is not None:
            view.release()

    def show_plan(self) -> None:
        self.reveal(PLAN_PART)

    def _plan_view(self) -> PlanPartView | None:
        view = self.part_widget(PLAN_PART)
        return view if isinstance(view, PlanPartView) else None

    def _fold_untouched(self) -> None:
        plan, focus = self._plan_view(), QApplication.focusWidget()
        is_steered = plan is not None and focus is not None and plan.isAncestorOf(focus)
        if not (self._is_touched or is_steered or self._item.busy):
            self._is_open = False
            self._refold()

    def _show_lines(self, layout: AnswerLayout) -> None:
        if layout.work or self._item.busy:
            if self._work_line is None:
                self._work_line = WorkLine(self, self.tools)
                self._work_line.clicked.connect(self._toggle_work)
                self._work_line.show()
            self._work_line.show_work(self._item, layout, is_open=self.is_work_open)
        elif self._work_line is not None:
            self._work_line.hide()
            self._work_line.deleteLater()
            self._work_line = None
        if layout.more and self._more_line is None:
            self._more_line = MoreLine(self, self.tools.theme)
            self._more_line.clicked.connect(self._toggle_more)
        if self._more_line is not None:
            self._more_line.setVisible(bool(layout.more))
            self._more_line.show_open(is_open=self._is_more)

    def _toggle_more(self) -> None:
        self.open_more(is_open=not self._is_more)

    def _toggle_work(self) -> None:
        self.open_work(is_open=not self.is_work_open)

    def floating(self) -> list[QWidget]:
        again = self._header.again
        return [*super().floating(), *([again] if again is not None else [])]

    def stream(self, part_id: str, text: str) -> None:
        """More text for one part; the last one, which was begun as live."""
        if part_id not in self._parts:
            if self._streams_folded(part_id):
                self._unseen.setdefault(part_id, []).append(text)
                return
            self._show_part(TextPart(part_id, ""), live=True)
            self._arrange()
        view = self._parts[part_id][1]
        if isinstance(view, MessageBody):
            view.feed(text)

    def _streams_folded(self, part_id: str) -> bool:
        """A text that is known and not in sight, or a new one behind an answer card."""
        if any(part.id == part_id for part in self._item.parts):
            return True
        if self._layout.card is not None and not self._is_more:
            self._item = replace(self._item, parts=(*self._item.parts, TextPart(part_id, "")))
            self._layout = layout_of(self._item)
            self._show_lines(self._layout)
            self._arrange()
            return True
        return False

    def text_views(self) -> list[TextView]:
        bodies = [widget for _part, widget in self._parts.values() if isinstance(widget, MessageBody)]
        return [view for body in bodies for view in body.text_views()]

    def part_ids(self) -> list[str]:
        """Of what is in sight, supporting cards included."""
        cards = {card.id: call for call, card in self._layout.cards.items()}
        return [part.id for part in self._item.parts if cards.get(part.id, part.id) in self._parts]

    def part_widget(self, part_id: str) -> QWidget | None:
        widget = self._parts.get(part_id)
        if widget is None and (holder := self._holder(part_id)) is not None:
            return holder.card_widget or holder
        return widget[1] if widget else None

    def _holder(self, card_id: str) -> ToolCard | None:
        """The row of the call whose supporting card this is, if it is in sight."""
        call = next((id for id, card in self._layout.cards.items() if card.id == card_id), "")
        widget = self._parts.get(call)
        return widget[1] if widget is not None and isinstance(widget[1], ToolCard) else None

    def wanted(self, width: int) -> int:
        y = super().wanted(width)
        return y + self._foot.place(y, width, self._hover, self._hover.width_wanted()) + self.tools.theme.space(1)

    def _make_header(self, item: AssistantRow) -> AnswerHeader:
        header = AnswerHeader(self, self.tools, item)
        header.action.connect(self.action)
        return header

    def _arrange(self) -> None:
        theme = self.tools.theme
        layout = self._layout
        self.stack = [(self._header, 0)]
        placed: set[str] = set()
        if self._work_line is not None:
            self.stack.append((self._work_line, theme.space(0.5)))
        card = self._parts.get(layout.card.id) if layout.card is not None else None
        chips = self._chips.place(self._item.understood, card[1] if card else None, can_edit=not self._item.busy)
        rows = (chips, self._skills.of(self._item.skills))
        self.stack += [(row, theme.space(0.5)) for row in rows if row is not None]
        work = layout.work if self.is_work_open else ()
        self._stack(before_rounds(work), placed, 0.75)
        rounds, inside = self._rounds.of(work, self._parts, self._item.actions)
        if rounds is not None:
            self.stack.append((rounds, theme.space(0.75)))
            placed |= inside
        for part in layout.shown:
            if isinstance(part, CardPart) and (summary := self._summaries.of(part)) is not None:
                self.stack.append((summary, theme.space(1)))
            self._stack((part,), placed, 1.25)
        if self._more_line is not None and layout.more:
            self.stack.append((self._more_line, theme.space(0.75)))
        self._stack(layout.more, placed, 0.75)
        for name, (_part, widget) in self._parts.items():
            if name not in placed:  # a text that has just begun to stream
                self.stack.append((widget, theme.space(1.25)))

    def _stack(self, parts: Sequence[Part], placed: set[str], above: float) -> None:
        for part in parts:
            if part.id in self._parts:
                placed.add(part.id)
                adopt(self, widget := self._parts[part.id][1])  # it may have stood in a round
                self.stack.append((widget, self.tools.theme.space(above)))

    def _show_part(self, part: Part, *, live: bool) -> None:
        widget = self._parts.get(part.id)
        if widget is not None and type(widget[0]) is not type(part):
            self._drop(part.id)
            widget = None
        if isinstance(part, TextPart):
            self._show_text(part, widget[1] if widget else None, live=live)
        elif widget is None:
            self._keep(part, self._make(part))
        elif widget[0] != part:
            match part, widget[1]:
                case ToolPart(), ToolCard() as call:
                    call.show_part(part)
                case PlanCardPart(), PlanPartView() as plan:
                    plan.show_part(part)
                case RoundPart(), RoundRow() as line:
                    line.show_report(part.report)
                case _:
                    self._drop(part.id)
                    self._keep(part, self._make(part))
                    return
            self._parts[part.id] = (part, widget[1])

    def _show_text(self, part: TextPart, known: QWidget | None, *, live: bool) -> None:
        body = known if isinstance(known, MessageBody) else self._make_body()
        if known is None:
            self._keep(part, body)
            if live:
                body.begin()
                body.feed(part.text)
            else:
                body.load(part.text)
        elif body.source() != part.text:
            body.load(part.text)
        elif not live:
            body.finish()

    def _make(self, part: Part) -> QWidget:
        match part:
            case ToolPart():
                card = ToolCard(self, self.tools, part)
                card.set_card(self._layout.cards.get(part.id))
                card.grew.connect(self.height_changed)
                card.action.connect(self.action)
                card.link_activated.connect(self.link_activated)
                card.picked.connect(partial(self.action.emit, Reveal(part.id)))
                return card
            case RoundPart():
                row = RoundRow(self, self.tools, part.report)
                row.grew.connect(self.height_changed)
                row.action.connect(self.action)
                row.turned.connect(self._refold)
                row.turned.connect(partial(self.action.emit, Reveal(part.id)))
                return row
            case PlanCardPart():
                plan = PlanPartView(self, self.tools, part)
                plan.grew.connect(self.height_changed)
                if self._lent is not None:
                    plan.take(*self._lent)
                return plan
            case NotePart():
                note = note_card(self, self.tools, part)
                note.action.connect(self.action)
                return note
            case CardPart():
                return card_widget(self, part)
            case TextPart():
                return self._make_body()

    def _make_body(self) -> MessageBody:
        body = MessageBody(self, self.tools.formats, self.tools.highlighter)
        body.link_activated.connect(self.link_activated)
        body.height_changed.connect(self.height_changed)
        body.segment_added.connect(self.segment_added)
        return body

    def _keep(self, part: Part, widget: QWidget) -> None:
        self._parts[part.id] = (part, widget)
        widget.show()

    def _drop(self, name: str) -> None:
        _part, widget = self._parts.pop(name)
        self._chips.leave(widget)
        if isinstance(widget, PlanPartView):
            widget.release()
        widget.hide()
        widget.deleteLater()
