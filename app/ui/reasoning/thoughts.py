"""Thinking text: streams into an open entry, folds when it is over."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.core.run.view import TextItem
from app.core.text.i18n import _
from app.ui.reasoning.bodies import ThinkingBody
from app.ui.reasoning.entry import OutlineEntry
from app.ui.reasoning.gather import Gather
from app.ui.theme import Theme

_STREAMING_LINES = 8
_OPENED_LINES = 24


class Thoughts(QObject):
    """`new_entry(step)` adds a line to the outline, `remove` takes it out again."""

    def __init__(
        self,
        theme: Theme,
        new_entry: Callable[[int], OutlineEntry],
        remove: Callable[[OutlineEntry], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self._new_entry, self._remove = new_entry, remove
        self._gather = Gather(self._append, self)
        self.clear()

    def clear(self) -> None:
        self._gather.drop()
        self._open: TextItem | None = None
        self._entries: dict[int, OutlineEntry] = {}

    def show_change(self, what: str, item: TextItem, text: str, *, live: bool) -> None:
        match what:
            case "added":
                self._start(item, live)
            case "grew":
                self._gather.add(text)
            case "changed":
                self._close(item)
            case _:
                self._gather.flush()
                if (entry := self._entries.pop(item.key, None)) is not None:
                    self._remove(entry)

    def flush(self) -> None:
        self._gather.flush()

    def _start(self, item: TextItem, live: bool) -> None:
        self._gather.flush()
        entry = self._entries[item.key] = self._new_entry(item.step)
        entry.describe("brain", "accent", _("Thinking"))
        entry.set_plain(lambda: item.text)
        entry.set_body(lambda: self._body(item))
        self._open = item
        if not item.is_open:
            self._close(item)
        elif live:
            entry.set_open(True)

    def _close(self, item: TextItem) -> None:
        """The thought is over; it folds unless the person has opened it."""
        self._gather.flush()
        self._open = None
        if (entry := self._entries.get(item.key)) is not None:
            entry.describe("brain", "muted", _("Thinking"), detail=item.text.lstrip())
            if not entry.is_held:
                entry.set_open(False)

    def _body(self, item: TextItem) -> ThinkingBody:
        if item is self._open:
            self._gather.drop()  # the body is made of all the text there is
        lines = _STREAMING_LINES if item.is_open else _OPENED_LINES
        return ThinkingBody(self.theme, item.text, lines=lines, follow=item.is_open)

    def _append(self, text: str) -> None:
        if self._open is not None and isinstance(body := self._entries[self._open.key].body, ThinkingBody):
            body.append(text)
