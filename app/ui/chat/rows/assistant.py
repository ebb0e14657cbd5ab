"""An answer: who, when and how in a line above; text, tool calls and cards in order; the outcome below."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.wording.figures import seconds_text
from app.ui.chat.rows.base import HoverBar, RowTools, RowView, VariantBar, height_of, icon_label
from app.ui.chat.rows.items import (
    RERUN,
    REVEAL,
    AssistantRow,
    CardPart,
    NotePart,
    Part,
    RoundPart,
    TextPart,
    ToolPart,
    answer_of,
)
from app.ui.chat.rows.mode_chip import AgainButtons, ModeChip
from app.ui.chat.rows.notices import note_card, round_line
from app.ui.chat.rows.tool import ToolCard
from app.ui.render.parts.body import MessageBody
from app.ui.render.parts.text_view import TextView
from app.ui.widgets.safe_text import SafeLabel

_LONGEST_NAME, _SHORTEST_NAME = 32, 8
"""Grid steps; a longer name would push out how the answer came about, a shorter one says nobody's."""

_READ_OUT = 2_000
"""Characters of the answer that a screen reader hears with its author; the rest is in the text below."""


class AssistantRowView(RowView):
    def __init__(self, parent: QWidget, tools: RowTools, item: AssistantRow) -> None:
        super().__init__(parent, tools, _("Answer of {agent}").format(agent=item.agent))
        self._item = item
        self._parts: dict[str, tuple[Part, QWidget]] = {}
        self._header = self._make_header(item)
        self._variants: VariantBar | None = None
        self._footer = SafeLabel("", self, role="meta", elide=True)
        self._hover: HoverBar = self.show_bar(item.actions)
        self.below = 0
        self.show_item(item)

    def show_item(self, item: AssistantRow) -> None:
        """The answer went on: new parts, changed parts, another state. What is equal stays."""
        if _head_of(item) != _head_of(self._item):
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
        self._show_variant(item)
        self._item = item
        ids = {part.id for part in item.parts}
        for gone in [name for name in self._parts if name not in ids]:
            self._drop(gone)
        for part in item.parts:
            self._show_part(part, live=item.busy and part is item.parts[-1])
        self._arrange()
        self._footer.setText(_outcome(item))
        self.setAccessibleName(_("Answer of {agent}").format(agent=item.agent)[:200])
        if not item.busy:
            self.setAccessibleDescription(answer_of(item)[:_READ_OUT])

    def floating(self) -> list[QWidget]:
        again = self._header.again
        return [*super().floating(), *([again] if again is not None else [])]

    def stream(self, part_id: str, text: str) -> None:
        """More text for one part; the last one, which was begun as live."""
        if part_id not in self._parts:
            self._show_part(TextPart(part_id, ""), live=True)
            self._arrange()
        view = self._parts[part_id][1]
        if isinstance(view, MessageBody):
            view.feed(text)

    def text_views(self) -> list[TextView]:
        return [
            view
            for part, widget in self._parts.values()
            if isinstance(widget, MessageBody)
            for view in widget.text_views()
        ]

    def part_ids(self) -> list[str]:
        return [part.id for part in self._item.parts if part.id in self._parts]

    def part_widget(self, part_id: str) -> QWidget | None:
        widget = self._parts.get(part_id)
        return widget[1] if widget else None

    def wanted(self, width: int) -> int:
        theme = self.tools.theme
        y = super().wanted(width)
        height = theme.space(3.5)
        bar = self._hover.sizeHint().width()
        start = 0
        if self._variants is not None:
            start = self._variants.sizeHint().width()
            self._variants.setGeometry(-theme.space(0.5), y + theme.space(0.25), start, height)
        words = self._footer.sizeHint().width() if self._footer.full_text() else 0
        if words and start + words + theme.space(1) + bar > width:
            # How it ended is never cut for the sake of the buttons: they have a line of their own.
            self._footer.setGeometry(start, y + theme.space(0.25), min(words, width - start), height)
            start, words = 0, 0
            y += height
        else:
            self._footer.setGeometry(start, y + theme.space(0.25), words, height)
        # Without words before it the icon of the first button lines up with the text.
        left = start + words + theme.space(1) if start + words else -theme.space(0.75)
        self._hover.setGeometry(left, y + theme.space(0.25), bar, height)
        return y + height + theme.space(1)

    def _make_header(self, item: AssistantRow) -> _Header:
        header = _Header(self, self.tools, item)
        header.action.connect(self.action)
        return header

    def _show_variant(self, item: AssistantRow) -> None:
        if self._variants is not None and item.variant == self._item.variant:
            return
        if self._variants is not None:
            self._variants.hide()
            self._variants.deleteLater()
            self._variants = None
        if item.variant is not None:
            self._variants = VariantBar(self, self.tools.theme, item.variant)
            self._variants.action.connect(self.action)
            self._variants.show()

    def _arrange(self) -> None:
        theme = self.tools.theme
        self.stack = [(self._header, 0)]
        above = theme.space(0.75)
        for part in self._item.parts:
            if part.id in self._parts:
                self.stack.append((self._parts[part.id][1], above))
                above = theme.space(1.25)
        for name, (_part, widget) in self._parts.items():
            if all(part.id != name for part in self._item.parts):
                self.stack.append((widget, above))

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
            if isinstance(part, ToolPart) and isinstance(widget[1], ToolCard):
                widget[1].show_part(part)
                self._parts[part.id] = (part, widget[1])
            else:
                self._drop(part.id)
                self._keep(part, self._make(part))

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
                card.grew.connect(self.height_changed)
                card.action.connect(self.action)
                card.picked.connect(lambda name=part.id: self.action.emit(REVEAL + name))
                return card
            case RoundPart():
                line = round_line(self, self.tools, part)
                line.picked.connect(lambda name=part.id: self.action.emit(REVEAL + name))
                return line
            case NotePart():
                note = note_card(self, self.tools, part)
                note.action.connect(self.action)
                return note
            case CardPart(payload=payload):
                return self.tools.make_card(payload, self) or QWidget(self)
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
        widget.hide()
        widget.deleteLater()


class _Header(QWidget):
    action = Signal(str)

    def __init__(self, parent: QWidget, tools: RowTools, item: AssistantRow) -> None:
        super().__init__(parent)
        self.again: AgainButtons | None = None
        theme = tools.theme
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(theme.space(1))
        box.addWidget(icon_label(self, theme, item.icon, "accent"))
        name = SafeLabel(item.agent, self, role="strong", elide=True)
        name.setMaximumWidth(theme.space(_LONGEST_NAME))
        name.setMinimumWidth(min(name.sizeHint().width(), theme.space(_SHORTEST_NAME)))
        box.addWidget(name)
        box.addWidget(SafeLabel(item.time, self, role="meta"))
        others = [] if item.busy else [one for one in item.actions if one.id.startswith(RERUN)]
        if item.mode and others:
            chip = ModeChip(self, theme, item.mode, others)
            chip.action.connect(self.action)
            box.addWidget(chip, 0, Qt.AlignmentFlag.AlignVCenter)
            self.again = AgainButtons(self, theme, others)
            self.again.action.connect(self.action)
            self.again.hide()
            box.addWidget(self.again, 0, Qt.AlignmentFlag.AlignVCenter)
        elif item.mode:
            box.addWidget(SafeLabel(item.mode, self, role="chip"), 0, Qt.AlignmentFlag.AlignVCenter)
        if item.busy and item.status:
            box.addWidget(SafeLabel(item.status, self, role="meta", elide=True))
        box.addStretch(1)

    def wanted(self, width: int) -> int:
        del width
        return max(24, height_of_layout(self))


def height_of_layout(widget: QWidget) -> int:
    layout = widget.layout()
    return layout.sizeHint().height() if layout is not None else height_of(widget, widget.width())


def _head_of(item: AssistantRow) -> tuple[object, ...]:
    others = () if item.busy else tuple(one for one in item.actions if one.id.startswith(RERUN))
    return item.agent, item.icon, item.time, item.mode, item.busy and item.status, others


def _outcome(item: AssistantRow) -> str:
    if item.busy:
        return ""
    words = [item.stop_reason]
    if item.seconds is not None:
        words.append(seconds_text(item.seconds))
    if item.tokens is not None:
        words.append(_("{n} tokens").format(n=f"{item.tokens:,}"))
    return " · ".join(word for word in words if word)
