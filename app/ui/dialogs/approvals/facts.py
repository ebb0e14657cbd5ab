"""What an approval card says above the arguments: who asks for what, why it asks, and what to look at twice."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from app.core.run.events import Approval
from app.core.system.clock import CLOCK, Clock
from app.core.text.i18n import _
from app.core.text.lookalikes import mixed_words
from app.core.text.lookalikes import told as told_word
from app.core.wording.tools import tool_title
from app.ui.texts.permissions import rule_text, time_left
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

_TICK_MS = 5_000
_BREAKS = re.compile(r"[_./:-]+(?=\w)|[^\W_]{16}(?=\w)")
"""Behind which a long name may go on in the next line."""
_LEFTWARD = frozenset({"R", "AL", "AN"})
_MASKED = 4
"""Characters at each end of a private piece that are shown."""


class LongName(SafeLabel):
    """Whole, however long it is: what is cut off is what an approval is about."""

    def __init__(self, text: str, *, role: str = "") -> None:
        super().__init__(role=role)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setText(text)

    def _show_text(self) -> None:
        QLabel.setText(self, _BREAKS.sub(lambda found: found.group() + "\u200b", self._full))
        self.setAccessibleName(self._full)


class Title(LongName):
    """Says what would run."""

    def __init__(self, text: str) -> None:
        super().__init__(text, role="title")

    def line_height(self) -> int:
        """Of one line, in pixels."""
        self.ensurePolished()
        return self.fontMetrics().boundingRect("Ag运").height()


class Facts(QWidget):
    """Our own words and facts only; what a model wrote stands in none of them."""

    def __init__(self, theme: Theme, approval: Approval, *, question: str, who: str, effect: str, server: str) -> None:
        super().__init__()
        rows = [
            (_("You asked"), question, True),
            (_("Who"), who, True),
            (_("Tool"), approval.name, False),
            (_("What it does"), effect, True),
            (_("Server"), server, True),
            (_("Why it asks"), rule_text(approval.rule), False),
        ]
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.space(1.5))
        grid.setVerticalSpacing(theme.space(0.5))
        grid.setColumnStretch(1, 1)
        self.values: dict[str, SafeLabel] = {}
        for place, (name, text, one_line) in enumerate(row for row in rows if row[1]):
            label = SafeLabel(name, role="meta")
            label.setContentsMargins(0, 2, 0, 0)  # on one line with the larger letters beside it
            grid.addWidget(label, place, 0, Qt.AlignmentFlag.AlignTop)
            value = self.values[name] = LongName(text) if name == _("Tool") else SafeLabel(text, elide=one_line)
            value.setWordWrap(not one_line)
            grid.addWidget(value, place, 1)


class Warnings(QFrame):
    """The red part: where untrusted content came from, what private text would go out, which words mix alphabets."""

    def __init__(self, theme: Theme, approval: Approval) -> None:
        super().__init__()
        self.setProperty("card", "error")
        self._approval = approval
        self.text = SafeLabel()
        self.text.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(1.5), theme.space(1), theme.space(1.5), theme.space(1))
        layout.addWidget(self.text)
        self.show_for(approval.args)

    def show_for(self, args: Mapping[str, Any]) -> None:
        """The arguments as they would be sent now."""
        lines: list[str] = []
        if self._approval.sources:
            text = _("Others' text has been read: {sources}. It may have made the model ask for this.")
            lines.append(text.format(sources=", ".join(map(_source_text, self._approval.sources))))
        if self._approval.private:
            text = _("Private text would leave this computer: {pieces}")
            lines.append(text.format(pieces=", ".join(map(masked, self._approval.private))))
        if words := mixed_words("\n".join((self._approval.name, *_texts(args)))):
            text = _("These words mix alphabets and may not be what they look like: {words}")
            lines.append(text.format(words=", ".join(map(told_word, words))))
        foreign = (value for value in _texts(args) if not value.isascii())
        if any(unicodedata.bidirectional(char) in _LEFTWARD for value in foreign for char in value):
            lines.append(
                _("Some of it is written from right to left: its parts may be sent in another order than you see them.")
            )
        self.has_words = bool(lines)
        self.text.setText("\n".join(lines))
        self.setVisible(bool(lines))


def _source_text(source: str) -> str:
    """Of a tool the words a person knows, and what it was about."""
    name, _space, about = source.partition(" ")
    title = tool_title(name)
    return f"{title} {about}".strip() if title != name else source


class Countdown(SafeLabel):
    """How long the card still waits; nothing where nobody set a time."""

    def __init__(self, until: float, clock: Clock = CLOCK) -> None:
        super().__init__(role="meta")
        self._until, self._clock = until, clock
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self.tell)
        if until > 0:
            self._tick.start()
        self.tell()

    def tell(self) -> None:
        remaining = self._until - self._clock.now()
        if 0 < remaining < 90:
            self._tick.setInterval(1_000)
        self.setText(time_left(remaining) if self._until > 0 else "")

    def stop(self) -> None:
        self._tick.stop()
        self.hide()


def _texts(value: Any) -> Iterator[str]:
    """Every word of the arguments, names included."""
    match value:
        case str():
            yield value
        case Mapping():
            for key, item in value.items():
                yield str(key)
                yield from _texts(item)
        case list() | tuple():
            for item in value:
                yield from _texts(item)
        case _:
            return


def masked(text: str) -> str:
    """Enough to know it again: a secret on a card is one more place it can be read."""
    return text if len(text) <= 2 * _MASKED + 2 else f"{text[:_MASKED]}…{text[-_MASKED:]}"
