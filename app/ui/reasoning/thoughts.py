"""Thinking text: streams into an open entry, folds when it is over."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from app.core.run.view import TextItem
from app.core.text.i18n import _
from app.ui.reasoning.bodies import ThinkingBody
from app.ui.reasoning.entry import OutlineEntry
from app.ui.reasoning.outline import Outline
from app.ui.theme import Theme
from app.ui.widgets.throttle import Throttle

_KEY = ("thinking", "")
_STREAMING_LINES = 8
_OPENED_LINES = 24


class Thoughts(QObject):
    def __init__(self, outline: Outline, theme: Theme) -> None:
        super().__init__(outline)
        self.theme = theme
        self._outline = outline
        self._stream = Throttle(self)
        self._stream.gathered.connect(self._append)
        self.clear()

    def clear(self) -> None:
        self._stream.drop(_KEY)
        self._open: TextItem | None = None
        self._entries: dict[int, OutlineEntry] = {}

    def show_change(self, what: str, item: TextItem, text: str, *, live: bool) -> None:
        match what:
            case "added":
                self._start(item, live)
            case "grew":
                self._stream.add(_KEY, text)
            case "changed":
                self._close(item)
            case _:
                self._stream.flush()
                if (entry := self._entries.pop(item.key, None)) is not None:
                    self._outline.remove(entry)

    def flush(self) -> None:
        self._stream.flush()

    def _start(self, item: TextItem, live: bool) -> None:
        self._stream.flush()
        entry = self._entries[item.key] = OutlineEntry(self.theme, step=item.step)
        self._outline.add(entry)
        entry.describe("brain", "accent", _("Thinking"))
        entry.set_plain(partial(_text_of, item))
        entry.set_body(partial(self._body, item))
        self._open = item
        if not item.is_open:
            self._close(item)
        elif live:
            entry.set_open(True)

    def _close(self, item: TextItem) -> None:
        """The thought is over; it folds unless the person has opened it."""
        self._stream.flush()
        self._open = None
        if (entry := self._entries.get(item.key)) is not None:
            entry.describe("brain", "muted", _("Thinking"), detail=item.text.lstrip())
            if not entry.is_held:
                entry.set_open(False)

    def _body(self, item: TextItem) -> ThinkingBody:
        if item is self._open:
            self._stream.drop(_KEY)  # the body is made of all the text there is
        lines = _STREAMING_LINES if item.is_open else _OPENED_LINES
        return ThinkingBody(self.theme, item.text, lines=lines, follow=item.is_open)

    def _append(self, texts: dict[tuple[str, str], str]) -> None:
        if self._open is not None and isinstance(body := self._entries[self._open.key].body, ThinkingBody):
            body.append(texts[_KEY])


def _text_of(item: TextItem) -> str:
    """All there is so far: it grows."""
    return item.text
