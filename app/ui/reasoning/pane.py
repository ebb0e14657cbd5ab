"""The pane itself: a header with steps and seconds, and the tabs that have something to show."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from app.core.run.analysis.run_stats import RunFigures
from app.core.run.price import Price, PriceOf, no_prices
from app.core.run.view import CallItem, EndItem, Item, ItemChange, NoteItem, PlanItem, RunView, StepItem
from app.core.text.i18n import _
from app.ui import texts
from app.ui.reasoning import words
from app.ui.reasoning.drawings import Drawings, place_named
from app.ui.reasoning.narrator import Narrator
from app.ui.reasoning.outline import Outline
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn
from app.ui.widgets.spoken_role import Role, speak_as

if TYPE_CHECKING:
    from app.ui.reasoning.cost import CostView
    from app.ui.reasoning.graph import GraphView
    from app.ui.reasoning.raw import RawView
    from app.ui.reasoning.timeline import TimelineView

_OUTLINE, _TIMELINE, _COST, _RAW = range(4)
_LATE = ("timeline", "graph", "cost", "raw")
_FED = ("timeline", "graph", "cost")
"""Those that follow the events."""
_TURN_SECONDS = 0.02
_V = TypeVar("_V", bound=QWidget)


class ReasoningPane(QWidget):
    """Timeline, graph, cost and raw are made late, by `make_views` or when they are first looked at: a window that
    opens has nothing to show in them. Their places are there, and named, from the beginning.
    """

    place_activated = Signal(int, str)
    """A person clicked something of that step, or of that tool call; the chat may show it."""
    run_shown = Signal(object)
    """The `LoopStart` of the run that is shown from now on."""
    run_ended = Signal()
    limit_raised = Signal(int)
    """The model should read so many characters of one result of this agent."""
    again_asked = Signal(int)
    """The run once more from a step on."""
    try_asked = Signal(int)
    """The same with something else."""
    latest_asked = Signal()
    """Back from an earlier answer."""
    calls_wanted = Signal()
    """Requests and answers are looked at: whoever has them may hand them in by `raw.show_calls`."""

    def __init__(self, theme: Theme, *, spawn: Spawn, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        speak_as(self, Role.Grouping)
        self.setObjectName("reasoningPane")
        self.setAccessibleName(_("Reasoning"))
        self.setProperty("pane", "side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._changed_at: float | None = None
        """By `time.monotonic`, None for a stored run."""
        self._price: Price | None = None
        self._sums: tuple[Sequence[tuple[str, Sequence[RunFigures]]], PriceOf] = ((), no_prices)
        self.outline = Outline(theme)
        self.narrator = Narrator(self.outline, theme, spawn)
        self.narrator.limit_raised.connect(self.limit_raised)
        self.narrator.again_asked.connect(self.again_asked)
        self.narrator.try_asked.connect(self.try_asked)
        self._icon = QLabel()
        self._badge = SafeLabel(role="chip")
        self._tabs = QTabBar()
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.setAccessibleName(_("Views of the run"))
        self._tabs.setProperty("tight", True)
        for title in (_("Outline"), _("Timeline"), _("Cost"), _("Raw")):
            self._tabs.addTab(title)
        self._stack = QStackedWidget()
        self.drawings = Drawings(theme)
        self.drawings.switched.connect(self._make_looked_at)
        self._places = {_COST: place_named("cost"), _RAW: place_named("raw")}
        for place in (self.outline, self.drawings, *self._places.values()):
            self._stack.addWidget(place)
        self._head = QWidget()
        head = QHBoxLayout(self._head)
        head.setContentsMargins(theme.space(1.5), 0, theme.space(1), 0)
        head.setSpacing(theme.space(1))
        head.addWidget(self._icon)
        self.title = SafeLabel(_("Reasoning"), role="title")
        head.addWidget(self.title, 1)
        head.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignVCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._head)
        layout.addWidget(self._make_earlier(theme))
        tab_row = QHBoxLayout()
        tab_row.setContentsMargins(theme.space(1), 0, theme.space(0.5), 0)  # below the words of the head
        tab_row.addWidget(self._tabs, 1)
        tab_row.addWidget(self.outline.search_button)
        tab_row.addWidget(self.outline.copy_button)
        self._tools = (self.outline.search_button, self.outline.copy_button)
        layout.addLayout(tab_row)
        layout.addWidget(self._stack, 1)
        self._clock = QElapsedTimer()
        self._tick = QTimer(self)
        self._tick.setInterval(1_000)
        self._tick.timeout.connect(self._tell)
        self._tabs.currentChanged.connect(self._show_view)
        self.outline.place_activated.connect(self.place_activated)
        self.set_theme(theme)
        self.clear()

    def clear(self) -> None:
        self.view = RunView()
        self._changed_at = None
        self._sums = ((), no_prices)
        self._tick.stop()
        self.outline.clear()
        self.narrator.clear()
        for view in self._made():
            view.clear()
        for tab in (_TIMELINE, _COST, _RAW):
            self._show_tab(tab, False)
        self.drawings.offer_graph(is_offered=False)
        self._tabs.setCurrentIndex(_OUTLINE)
        self._tell()

    def show_all(self, view: RunView, *, live: bool) -> None:
        """A run as it stands, in a pane that was cleared."""
        self.show_changes(view, [ItemChange("added", item) for item in view.items], live=live)

    def show_changes(self, view: RunView, changes: Sequence[ItemChange], *, live: bool = True) -> None:
        """What an event changed. `live` = it happens now; a stored run is shown folded, without clocks."""
        self.view = view
        self._clock.start()
        self.narrator.show_changes(changes, live=live)
        if len(changes) == 1 and changes[0].what == "grew":
            return  # a token: they come by the thousand and concern the outline only
        self._changed_at = time.monotonic() if live else None
        for name in _FED:
            if name in self.__dict__:
                self.__dict__[name].show_run(view, self._changed_at)
        for what, item, _text in changes:
            self._show_item(what, item, live)

    def _show_item(self, what: str, item: Item, live: bool) -> None:
        match item:
            case NoteItem() if item.event is self.view.start:
                self.run_shown.emit(item.event)
                if live:
                    self._tick.start()
            case StepItem():
                self._show_tab(_TIMELINE, True)
                self._show_tab(_RAW, True)
                if item.end is not None:
                    self._show_tab(_COST, True)
                    self._want_calls()
                self._tell()
            case CallItem() | PlanItem() if what == "added":
                self._show_tab(_TIMELINE, True)
                self.drawings.offer_graph(is_offered=True)
            case EndItem():
                self._finish()
                self._want_calls()
                if live:
                    self.run_ended.emit()
            case _:
                pass

    def show_earlier(self, *, is_earlier: bool) -> None:
        """Whether what is shown belongs to an answer before the latest."""
        self._earlier.setVisible(is_earlier)

    def reveal(self, step: int = 0, *, call: str = "", round: int = 0) -> bool:
        """Bring a step, a tool call or a round into sight; False if the run has no such."""
        self._tabs.setCurrentIndex(_OUTLINE)
        return self.outline.reveal(step, call=call, round=round)

    def focus_search(self) -> None:
        """In the view that is looked at, where it has a search of its own; else in the outline."""
        if self._tabs.currentIndex() == _RAW and self.raw.entries():
            self.raw.focus_search()
            return
        self._tabs.setCurrentIndex(_OUTLINE)
        self.outline.focus_search()

    def set_theme(self, theme: Theme) -> None:
        """Icons and painted lines follow; colours of the style sheet come by themselves."""
        self._theme = theme
        self._head.setFixedHeight(theme.space(6))  # as the header beside it, so that both titles are on one line
        self._icon.setPixmap(theme.pixmap("brain", "text", 18, ratio=self.devicePixelRatioF()))
        self._tabs.setFont(theme.font("meta"))
        self.narrator.set_theme(theme)
        self.outline.set_theme(theme)
        for view in self._made():
            view.set_theme(theme)

    # ------------------------------------------------------------ views made late

    @cached_property
    def timeline(self) -> TimelineView:
        from app.ui.reasoning.timeline import TimelineView

        view = TimelineView(self._theme)
        view.picked.connect(self.place_activated)
        self._tick.timeout.connect(view.tick)
        view.show_run(self.view, self._changed_at)
        self.drawings.put("timeline", view)
        return view

    @cached_property
    def graph(self) -> GraphView:
        from app.ui.reasoning.graph import GraphView

        view = GraphView(self._theme)
        view.picked.connect(self.place_activated)
        view.show_run(self.view, self._changed_at)
        self.drawings.put("graph", view)
        return view

    @cached_property
    def cost(self) -> CostView:
        from app.ui.reasoning.cost import CostView

        view = CostView(self._theme)
        view.set_price(self._price)
        view.show_sums(*self._sums)
        view.show_run(self.view, self._changed_at)
        return self._put(_COST, view)

    @cached_property
    def raw(self) -> RawView:
        from app.ui.reasoning.raw import RawView

        view = RawView(self._theme)
        view.wanted.connect(self.calls_wanted)
        return self._put(_RAW, view)

    def set_price(self, price: Price | None) -> None:
        """What the model of the shown run costs; None if nobody typed it."""
        self._price = price
        if "cost" in self.__dict__:
            self.cost.set_price(price)

    def show_sums(self, lines: Sequence[tuple[str, Sequence[RunFigures]]], price_of: PriceOf = no_prices) -> None:
        """What the session and the agent have used, this run included once it is stored."""
        self._sums = (lines, price_of)
        if "cost" in self.__dict__:
            self.cost.show_sums(lines, price_of)

    async def make_views(self) -> None:
        """Those that are not there yet, one a turn: each takes some milliseconds."""
        for name in _LATE:
            await asyncio.sleep(_TURN_SECONDS)
            getattr(self, name)

    def _made(self) -> list[TimelineView | GraphView | CostView | RawView]:
        return [self.__dict__[name] for name in _LATE if name in self.__dict__]

    def _put(self, tab: int, view: _V) -> _V:
        """The view in its place."""
        layout = self._places[tab].layout()
        assert layout is not None
        layout.addWidget(view)
        return view

    def _show_view(self, tab: int) -> None:
        self._make_looked_at()
        for button in self._tools:
            button.setVisible(tab == _OUTLINE)
        self._stack.setCurrentIndex(tab)

    def _make_looked_at(self, _drawing: str = "") -> None:
        tab = self._tabs.currentIndex()
        if tab == _TIMELINE:
            getattr(self, self.drawings.shown)
        elif tab != _OUTLINE:
            getattr(self, "cost" if tab == _COST else "raw")

    def _make_earlier(self, theme: Theme) -> QWidget:
        self._earlier = QWidget()
        row = QHBoxLayout(self._earlier)
        row.setContentsMargins(theme.space(1.5), 0, theme.space(1), 0)
        row.addWidget(SafeLabel(_("Of an earlier answer"), role="meta", elide=True), 1)
        back = QPushButton(_("Back to the latest"))
        back.setObjectName("latestReasoningButton")
        back.setProperty("kind", "link")
        back.setAutoDefault(False)
        back.clicked.connect(self.latest_asked)
        row.addWidget(back)
        self._earlier.hide()
        return self._earlier

    def _show_tab(self, tab: int, visible: bool) -> None:
        # WORKAROUND: QTabBar forgets that its layout is due when it is told what it knows already.
        if self._tabs.isTabVisible(tab) != visible:
            self._tabs.setTabVisible(tab, visible)

    def _want_calls(self) -> None:
        if self._tabs.currentIndex() == _RAW and self.raw.isVisible():
            self.calls_wanted.emit()

    def _finish(self) -> None:
        self._tick.stop()
        self._tell()

    def _tell(self) -> None:
        end = self.view.end
        count = max(len(self.view.steps), end.steps if end is not None else 0)
        seconds = (end.seconds if end is not None else 0.0) or self.view.now
        passed = self._clock.elapsed() / 1_000 if self._tick.isActive() else 0.0
        self._badge.setText(f"{words.requests(count)} · {texts.seconds_text(seconds + passed)}")
        self._badge.setVisible(bool(count or seconds))
