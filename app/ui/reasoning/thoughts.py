"""Thinking text: streams into an open entry, folds when it is over."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.core.text.i18n import _
from app.ui.reasoning.bodies import ThinkingBody
from app.ui.reasoning.entry import OutlineEntry
from app.ui.reasoning.gather import Gather
from app.ui.theme import Theme

_STREAMING_LINES = 8
_OPENED_LINES = 24


class _Thought:
    def __init__(self, entry: OutlineEntry, step: int) -> None:
        self.entry, self.step = entry, step
        self.pieces: list[str] = []
        self.is_over = False

    def text(self) -> str:
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""

    def body(self, theme: Theme) -> ThinkingBody:
        lines = _OPENED_LINES if self.is_over else _STREAMING_LINES
        return ThinkingBody(theme, self.text(), lines=lines, follow=not self.is_over)


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
        self._open: _Thought | None = None
        self._thoughts: list[_Thought] = []
        self._said: dict[int, list[str]] = {}

    def think(self, step: int, text: str, *, live: bool) -> None:
        thought = self._open
        if thought is None or thought.step != step:
            self.close()
            thought = self._open = self._start(step)
            if live:
                thought.entry.set_open(True)
        thought.pieces.append(text)
        self._gather.add(text)

    def say(self, step: int, text: str) -> None:
        """Visible text; kept until the step ends, because it may turn out to be thinking."""
        self.close()
        self._said.setdefault(step, []).append(text)

    def forget_said(self, step: int) -> None:
        self._said.pop(step, None)

    def flush(self) -> None:
        self._gather.flush()

    def close(self) -> None:
        """The thought is over; it folds unless the person has opened it."""
        thought = self._open
        if thought is None:
            return
        self._gather.flush()
        self._open = None
        thought.is_over = True
        thought.entry.describe("brain", "muted", _("Thinking"), detail=thought.text().lstrip())
        if not thought.entry.is_held:
            thought.entry.set_open(False)

    def discard(self, step: int) -> None:
        self.close()
        self.forget_said(step)
        for thought in [t for t in self._thoughts if t.step == step]:
            self._thoughts.remove(thought)
            self._remove(thought.entry)

    def reclassify(self, step: int, to: str, *, live: bool) -> None:
        """What the step has said so far is of the other kind."""
        self.close()
        if to == "thinking":
            if said := "".join(self._said.pop(step, ())):
                self.think(step, said, live=live)
                self.close()
            return
        thought = [t.text() for t in self._thoughts if t.step == step]
        self.discard(step)
        self._said[step] = thought

    def _start(self, step: int) -> _Thought:
        thought = _Thought(self._new_entry(step), step)
        self._thoughts.append(thought)
        thought.entry.describe("brain", "accent", _("Thinking"))
        thought.entry.set_plain(thought.text)
        thought.entry.set_body(lambda: thought.body(self.theme))
        return thought

    def _append(self, text: str) -> None:
        # A body opened after the text came has all of it already: it is made from the pieces.
        if self._open and isinstance(body := self._open.entry.body, ThinkingBody):
            body.append(text)
