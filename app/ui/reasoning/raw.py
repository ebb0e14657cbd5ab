"""What went over the wire: request and answer of every call of a model, secrets masked by those who sent them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget
from shiboken6 import isValid

from app.core.text.i18n import _
from app.core.wording.figures import took_text
from app.ui.reasoning.entry import OutlineEntry
from app.ui.reasoning.raw_find import RawFind, RawHit, show_in
from app.ui.texts import purpose_title
from app.ui.theme import Theme
from app.ui.widgets.clipboard import copy_current, copy_text
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.core.run.model_call import ModelCall

_LINES = 24
_SETTLES_MS = 1_000
"""After a hit; later the place belongs to whoever scrolls."""


class RawView(QWidget):
    wanted = Signal()
    """It is looked at: whoever has the calls may hand them in by `show_calls`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Requests and answers as they were sent"))
        self._theme = theme
        self._calls: tuple[ModelCall, ...] = ()
        self._entries: list[OutlineEntry] = []
        self._hint = SafeLabel(role="meta")
        self._hint.setWordWrap(True)
        self._hint.setContentsMargins(theme.space(1.5), theme.space(1), theme.space(1), 0)
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(theme.space(0.5), theme.space(0.5), theme.space(0.5), theme.space(1))
        self._column.setSpacing(0)
        self._column.addStretch(1)
        area = self._area = QScrollArea()
        area.setAccessibleName(_("Raw"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        inner.setAutoFillBackground(False)
        area.viewport().setAutoFillBackground(False)
        self._found: PlainView | None = None
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_SETTLES_MS)
        area.verticalScrollBar().rangeChanged.connect(self._bring_into_sight)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.finder = RawFind(theme)
        self.finder.shown.connect(self._show_hit)
        layout.addWidget(self.finder)
        layout.addWidget(self._hint)
        layout.addWidget(area, 1)
        self._tell()

    def clear(self) -> None:
        self._calls = ()
        for entry in self._entries:
            entry.hide()
            entry.deleteLater()
        self._entries.clear()
        self.finder.set_texts(())
        self._tell()

    def entries(self) -> list[OutlineEntry]:
        return list(self._entries)

    def show_calls(self, calls: Sequence[ModelCall]) -> None:
        """All calls so far; what is unfolded stays so."""
        shown_count = len(self._entries)
        for number, call in enumerate(calls):
            if number >= shown_count:
                self._add(call)
            elif call != self._calls[number]:
                self._fill(self._entries[number], call)
        self._calls = tuple(calls)
        self.finder.set_texts([(request_text(call), answer_text(call)) for call in calls])
        self._tell()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.finder.set_theme(theme)
        for entry in self._entries:
            entry.set_theme(theme)

    def focus_search(self) -> None:
        self.finder.field.setFocus()
        self.finder.field.selectAll()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.wanted.emit()

    def _add(self, call: ModelCall) -> None:
        entry = OutlineEntry(self._theme)
        entry.line.walked.connect(self._walk)
        self._entries.append(entry)
        self._column.insertWidget(self._column.count() - 1, entry)
        self._fill(entry, call)

    def _fill(self, entry: OutlineEntry, call: ModelCall) -> None:
        icon, token = ("alert", "error") if call.error else ("external", "muted")
        state = str(call.status) if call.status else ""
        took = took_text(call.ms) if call.ms else ""
        aside = " · ".join(part for part in (state, took) if part)
        title = _("Request {n}").format(n=call.number)
        entry.describe(
            icon, token, title, note=purpose_title(call.purpose), detail=call.error or call.model, aside=aside
        )
        entry.set_plain(partial(as_text, call))
        entry.set_body(partial(RawCallBody, self._theme, call))

    def _show_hit(self, hit: RawHit | None) -> None:
        """The call unfolds; the words are marked in its text and in sight."""
        for entry in self._entries:
            if isinstance(entry.body, RawCallBody):
                entry.body.clear_marks()
        if hit is None or hit.call >= len(self._entries):
            return
        entry = self._entries[hit.call]
        entry.set_open(True)
        if isinstance(body := entry.body, RawCallBody):
            view = body.sides[hit.side]
            show_in(view, self.finder.words(), hit.number, self._theme)
            # The height of a text follows its width: each round of the layout moves the place, until it is settled.
            self._found = view
            self._settling.start()
            QTimer.singleShot(0, view, self._bring_into_sight)

    def _bring_into_sight(self) -> None:
        """The place that was found, as long as the layout around it moves."""
        content, view = self._area.widget(), self._found
        if content is None or view is None or not self._settling.isActive() or not isValid(view):
            return
        view.ensureCursorVisible()
        place = view.mapTo(content, view.cursorRect().center())
        self._area.ensureVisible(0, place.y(), 0, self._theme.space(6))

    def _walk(self, by: int) -> None:
        places = [place for place, entry in enumerate(self._entries) if entry.line.hasFocus()]
        target = (places[0] if places else -1) + by
        if 0 <= target < len(self._entries):
            self._entries[target].line.setFocus(Qt.FocusReason.TabFocusReason)
            self._area.ensureWidgetVisible(self._entries[target])

    def _tell(self) -> None:
        text = _("Keys and tokens are masked.")
        self.finder.setVisible(bool(self._entries))
        self._hint.setText(text if self._entries else _("No request is recorded of this run."))


class RawCallBody(QWidget):
    """One call: the request, the answer, and copies of them."""

    def __init__(self, theme: Theme, call: ModelCall) -> None:
        super().__init__()
        self._theme = theme
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.space(0.5))
        if call.cut:
            self._note(_("Long bodies are kept in part."))
        self.sides = (
            self._section(_("Request"), request_text(call)),
            self._section(_("Response"), answer_text(call)),
        )
        row = QHBoxLayout()
        row.setSpacing(theme.space(2))
        if curl := call.as_curl():  # a model that is no server has no address
            row.addWidget(_copying("copyCurlButton", _("Copy as curl"), curl))
        row.addWidget(_copying("copyCallButton", _("Copy both"), as_text(call)))
        row.addStretch(1)
        self._layout.addLayout(row)

    def _note(self, text: str) -> None:
        label = SafeLabel(text, role="meta")
        label.setWordWrap(True)
        self._layout.addWidget(label)

    def clear_marks(self) -> None:
        for view in self.sides:
            view.setExtraSelections([])

    def _section(self, title: str, text: str) -> PlainView:
        view = PlainView(self._theme, text, code=True, lines=_LINES)
        view.setAccessibleName(title)
        copy = IconButton(self._theme, "copy", _("Copy"), size=14)
        copy.clicked.connect(partial(copy_current, view.text))
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(SafeLabel(title, role="meta"), 1)
        head.addWidget(copy)
        self._layout.addLayout(head)
        self._layout.addWidget(view)
        return view


def _copying(name: str, title: str, text: str) -> QPushButton:
    button = QPushButton(title)
    button.setObjectName(name)
    button.setProperty("kind", "link")
    button.setAutoDefault(False)
    button.clicked.connect(partial(copy_text, text))
    return button


def request_text(call: ModelCall) -> str:
    first = f"{call.method} {call.url}".strip()
    return "\n\n".join(part for part in (_lines(first, call.headers), _indented(call.body)) if part)


def answer_text(call: ModelCall) -> str:
    first = f"HTTP {call.status}" if call.status else ""
    parts = (_lines(first, call.response_headers), _indented(call.response), call.error)
    return "\n\n".join(part for part in parts if part)


def as_text(call: ModelCall) -> str:
    return f"{request_text(call)}\n\n{answer_text(call)}"


def _lines(first: str, headers: Mapping[str, str]) -> str:
    return "\n".join([*([first] if first else []), *(f"{name}: {value}" for name, value in headers.items())])


def _indented(text: str) -> str:
    """JSON on several lines; everything else as it came."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return text
