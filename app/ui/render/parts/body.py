"""The body of one message: a stack of segments, of which only the last changes while it streams.

Long because making, laying out and dropping segments share one queue of work, done a few at a time.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar, assert_never

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.core.text.i18n import _
from app.ui.render.markdown import blocks
from app.ui.render.markdown.blocks import Block, TextLine
from app.ui.render.markdown.changes import (
    Change,
    Closed,
    CodeGrew,
    CodeOpened,
    Settled,
    TableGrew,
    TableOpened,
    Tail,
    in_steps,
)
from app.ui.render.markdown.markdown import load_parser, references
from app.ui.render.markdown.page import PageBlocks, blocks_at_once, parsed_text
from app.ui.render.markdown.splitter import Splitter
from app.ui.render.parts.code import CodeCard
from app.ui.render.parts.column import BlockColumn
from app.ui.render.parts.folds import FoldBar, FoldEndMark, open_unended
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.formula_card import FormulaCard
from app.ui.render.parts.highlight import Highlighter
from app.ui.render.parts.picture_card import PictureCard
from app.ui.render.parts.plain import Rest
from app.ui.render.parts.prose import Prose
from app.ui.render.parts.table import TableCard
from app.ui.render.parts.text_view import TextView
from app.ui.widgets.disposal import Disposal

Segment = Prose | CodeCard | TableCard | FormulaCard | PictureCard | FoldBar | FoldEndMark | Rest
_S = TypeVar("_S", bound=Prose | CodeCard | TableCard | FormulaCard | PictureCard | FoldBar | FoldEndMark | Rest)

MAX_RENDERED = 200_000
"""Characters of one message that are laid out; the rest is offered as plain text."""

_CARDS_AT_ONCE = 20
_PIECE = 400
_SLICE_SECONDS = 0.008
"""Of the processor, for the text that waits; what came into the message is measured and placed besides."""

MAX_SEGMENTS = 300
"""A message of thousands of fences ends here as Markdown; each card costs some milliseconds."""


class MessageBody(QWidget):
    """Shows Markdown. `load` for a stored message; `begin`, `feed`, `finish` for one that streams."""

    link_activated = Signal(str)
    height_changed = Signal()
    segment_added = Signal(QWidget)

    def __init__(self, parent: QWidget, formats: Formats, highlighter: Highlighter) -> None:
        super().__init__(parent)
        self._formats = formats
        self._highlighter = highlighter
        self._segments: list[Segment] = []
        self._column = BlockColumn(self._segments)
        self._mark = 0
        """Index of the segment in which the tail begins."""
        self._source: list[str] = []
        self._fed = 0
        self._limit = MAX_RENDERED
        """So many characters of the source are laid out as Markdown."""
        self._splitter: Splitter | None = None
        self._open: CodeCard | TableCard | None = None
        self._rest: Rest | None = None
        self._queue = ""
        self._changes: deque[Change] = deque()
        self._is_streaming = False
        self._is_ending = False
        """No more text will come; the end is settled when all of it is laid out."""
        self._slices = QTimer(self)
        # A zero shot would be served before input and paint; a timer takes its turn.
        self._slices.setInterval(1)
        self._slices.timeout.connect(self._work)
        self._page = PageBlocks()
        self._disposal = Disposal(self)
        self._height = 0
        self._width = 0

    # -- what others call

    def source(self) -> str:
        return "".join(self._source)

    def load(self, text: str) -> None:
        """Show a whole text. A long one is laid out in slices, so that the window stays awake."""
        self._load(text, parsed_text(text))

    def _load(self, text: str, found: Sequence[Block] | None) -> None:
        self._clear()
        self._source = [text]
        self._fed = len(text)
        rendered = text[:MAX_RENDERED]
        if found is not None and sum(not isinstance(block, TextLine) for block in found) <= _CARDS_AT_ONCE:
            self._put(found, settled=True)
            open_unended(self._segments)
            self._place()
        else:
            self._splitter = Splitter(references(rendered))
            self._queue = rendered
            self._is_ending = True
            self._work()

    def begin(self) -> None:
        self._clear()
        self._splitter = Splitter()
        self._is_streaming = True

    def feed(self, text: str) -> None:
        """The message continues with this text. Much of it at once is laid out in slices."""
        if self._splitter is None:
            self._splitter = Splitter()
            self._is_streaming = True
        self._source.append(text)
        room = max(0, self._limit - self._fed)
        self._fed += len(text)
        self._queue += text[:room]
        self._work()

    def finish(self) -> None:
        """The message is complete: settle the end, and parse all once more where that can differ."""
        if self._splitter is not None and self._is_streaming:
            self._is_ending = True
            self._work()

    def text_views(self) -> list[TextView]:
        """The views one can select in, from top to bottom."""
        views: list[TextView] = []
        for number, segment in enumerate(self._segments):
            if self._column.is_folded(number):
                continue
            if isinstance(segment, Prose | FormulaCard):
                views.append(segment)
            elif isinstance(segment, TableCard):
                views += segment.text_views()
        return views

    def segments(self) -> Sequence[Segment]:
        return tuple(self._segments)

    def wanted(self, width: int) -> int:
        """The height at that width; lays out what is not yet."""
        if width != self._width:
            self._width = width
            self._column.touch(0)
            self._place()
        return self._height

    # -- slices of a long text

    def _work(self) -> None:
        """Lay out what waits, as much as a slice may take; the timer comes for the rest."""
        splitter = self._splitter
        if splitter is None:
            self._slices.stop()
            return
        load_parser()
        until = time.thread_time() + _SLICE_SECONDS
        while time.thread_time() < until:
            if self._changes:
                self._take(self._changes.popleft())
            elif self._queue:
                piece, self._queue = self._queue[:_PIECE], self._queue[_PIECE:]
                self._changes.extend(small for change in splitter.feed(piece) for small in in_steps(change))
            elif self._is_ending:
                self._end(splitter)
                return
            else:
                break
            if len(self._segments) > MAX_SEGMENTS and self._limit > self._fed_so_far():
                self._limit = self._fed_so_far()
                self._queue = ""
        if self._changes or self._queue or self._is_ending:
            self._slices.start()
        else:
            self._slices.stop()
        if self._fed > self._limit and not self._queue and not self._changes:
            self._end_at_limit(splitter)
        self._place()

    def _end_at_limit(self, splitter: Splitter) -> None:
        """What the splitter still holds belongs before the rest, and is not said again when the message ends."""
        if self._rest is None:
            for change in splitter.finish():
                self._take(change)
        self._offer_rest()

    def _fed_so_far(self) -> int:
        """Characters the splitter has seen."""
        return min(self._fed, self._limit) - len(self._queue)

    def _end(self, splitter: Splitter) -> None:
        self._slices.stop()
        for change in splitter.finish():
            self._take(change)
        self._splitter = None
        self._is_ending = False
        was_streaming, self._is_streaming = self._is_streaming, False
        page, self._page = self._page, PageBlocks()
        if self._fed > self._limit:
            self._offer_rest()
        elif was_streaming:
            text = self.source()
            # What is longer was parsed with the same rules piece by piece; only link definitions reach back.
            changes = blocks_at_once(text)
            if references(text) or (changes is not None and page.blocks() != changes):
                self._load(text, changes)
                return
        open_unended(self._segments)
        self._place()

    # -- changes of the page

    def _take(self, change: Change) -> None:
        if self._is_streaming:
            self._page.apply(change)
        self._apply(change)

    def _apply(self, change: Change) -> None:
        match change:
            case Settled(found):
                self._put(found, settled=True)
            case Tail(found):
                self._put(found, settled=False)
            case CodeOpened(language):
                self._open = self._add(CodeCard(self, self._formats, self._highlighter, language))
                self._mark = len(self._segments) - 1
            case CodeGrew(text):
                if isinstance(self._open, CodeCard):
                    self._open.append(text)
                    self._touch(len(self._segments) - 1)
            case TableOpened(table):
                self._open = self._add(TableCard(self, self._formats, table))
                self._mark = len(self._segments) - 1
            case TableGrew(rows):
                if isinstance(self._open, TableCard):
                    self._open.add(rows)
                    self._touch(len(self._segments) - 1)
            case Closed():
                if isinstance(self._open, CodeCard):
                    self._open.settle()
                self._open = None
                self._mark = len(self._segments)
            case _:
                assert_never(change)

    def _put(self, found: Sequence[Block], *, settled: bool) -> None:
        """Make the segments from the mark on these blocks."""
        at = self._mark
        groups = [(is_prose, list(group)) for is_prose, group in groupby(found, key=lambda b: isinstance(b, TextLine))]
        if at < len(self._segments) and not (groups and groups[0][0]):
            at += self._end_prose(at)
        for is_prose, group in groups:
            if is_prose:
                at = self._put_prose(at, [block for block in group if isinstance(block, TextLine)], settled=settled)
            else:
                for block in group:
                    self._put_card(at, block, settled=settled)
                    at += 1
        self._trim(at)
        if settled:
            continues = self._segments and isinstance(self._segments[-1], Prose) and not self._segments[-1].is_full
            self._mark = len(self._segments) - 1 if continues else len(self._segments)

    def _end_prose(self, at: int) -> int:
        """No prose follows in the segment at the mark; 1 if settled text keeps it alive."""
        segment = self._segments[at]
        if not isinstance(segment, Prose) or not segment.has_settled:
            return 0
        segment.put([], settled=False)
        self._touch(at)
        return 1

    def _put_prose(self, at: int, lines: Sequence[TextLine], *, settled: bool) -> int:
        if not (at < len(self._segments) and isinstance(self._segments[at], Prose)):
            self._trim(at)
            prose = Prose(self, self._formats)
            prose.setAccessibleName(_("Text"))
            if self._width:
                prose.text_height(self._width)
            self._add(prose)
        segment = self._segments[at]
        assert isinstance(segment, Prose)
        segment.put(lines, settled=settled)
        self._touch(at)
        return at + 1

    def _put_card(self, at: int, block: Block, *, settled: bool) -> None:
        existing = self._segments[at] if at < len(self._segments) else None
        if isinstance(block, blocks.CodeBlock):
            if not (isinstance(existing, CodeCard) and existing.language == block.language):
                self._trim(at)
                existing = self._add(CodeCard(self, self._formats, self._highlighter, block.language))
            existing.nesting = block.depth
            existing.set_text(block.text)
            if settled:
                existing.settle()
        elif isinstance(block, blocks.Formula):
            if not (isinstance(existing, FormulaCard) and existing.block == block):
                self._trim(at)
                self._add(FormulaCard(self, self._formats, block))
        elif isinstance(block, blocks.PictureBlock):
            if not (isinstance(existing, PictureCard) and existing.address == block.address):
                self._trim(at)
                formats = self._formats
                existing = self._add(PictureCard(self, formats.theme, formats.pictures, block.address, block.name))
                existing.nesting = block.depth
        elif isinstance(block, blocks.TableBlock):
            self._trim(at)
            self._add(TableCard(self, self._formats, block))
        elif isinstance(block, blocks.FoldStart):
            if not (isinstance(existing, FoldBar) and existing.block == block):
                self._trim(at)
                self._add(FoldBar(self, self._formats.theme, block))
        elif isinstance(block, blocks.FoldEnd) and not isinstance(existing, FoldEndMark):
            self._trim(at)
            self._add(FoldEndMark(self))
        self._touch(at)

    def _add(self, segment: _S) -> _S:
        if isinstance(segment, Prose | TableCard):
            segment.link_activated.connect(self.link_activated)
        segment.grew.connect(self._segment_grew)
        self._segments.append(segment)
        self._touch(len(self._segments) - 1)
        self.segment_added.emit(segment)
        return segment

    def _trim(self, count: int) -> None:
        if len(self._segments) > count:
            self._disposal.take(self._segments[count:])
            del self._segments[count:]
            self._touch(count)

    def _clear(self) -> None:
        self._queue = ""
        self._changes.clear()
        self._is_streaming = self._is_ending = False
        self._splitter = None
        self._open = None
        self._rest = None
        self._trim(0)
        self._page = PageBlocks()
        self._mark = self._fed = 0
        self._limit = MAX_RENDERED
        self._slices.stop()
        self._source = []

    def _offer_rest(self) -> None:
        left, limit = self._fed - self._limit, self._limit
        label = _("Show the rest as plain text ({count} more characters)").format(count=f"{left:,}")
        if self._rest is None:
            self._rest = self._add(Rest(self, self._formats, label, lambda: self.source()[limit:]))
            self._mark = len(self._segments)
        else:
            self._rest.relabel(label)

    # -- places

    def _touch(self, index: int) -> None:
        self._column.touch(index)

    def _segment_grew(self) -> None:
        self._column.touch(0)
        self._place()

    def _place(self) -> None:
        width = self._width
        if not width:
            # Nobody has asked for a height yet; the owner will, now that there is one.
            self.height_changed.emit()
            return
        theme = self._formats.theme
        height = self._column.place(width, theme.space(1.5), self._formats.marker_width())
        grown = height != self._height
        self._height = height
        self.resize(width, height)
        if grown:
            self.height_changed.emit()
