"""Servers from the text of a documentation, in whatever form: pasted, shown, added – and none of them started."""

from __future__ import annotations

import re
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from app.core import detached
from app.core.errors import BadInput
from app.core.text.i18n import _
from app.services.mcp.paste.found import PasteReading
from app.ui.texts import fault_text, hint_text
from app.ui.theme import Theme
from app.ui.widgets.layout.flow import FlowLayout
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel

if TYPE_CHECKING:
    from app.services.mcp.paste.found import Blank, Pasted
    from app.services.mcp.pasting import ServerPasting

SHORT: Final = 4_000
"""Characters that are read between two frames."""


_ADDED: Final = re.compile(r"^\s*\$?\s*\S+\s+mcp\s+add\b|--add-mcp\b", re.MULTILINE)
_ADDRESS: Final = re.compile(r"^\s*https?://", re.IGNORECASE)
_FILE: Final = re.compile(r"^\s*[\[{]|^\s*[\w.\"-]+\s*[:=]", re.MULTILINE)


def kind_of(text: str) -> str:
    """What a text that was read looks like: config, address, add or command."""
    if _ADDED.search(text):
        return "add"
    if _ADDRESS.match(text):
        return "address"
    return "config" if _FILE.match(text) else "command"


class KindsLine(QWidget):
    """The forms that can be pasted; the one that was recognised lights up."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = {
            "config": _("JSON, TOML, YAML"),
            "address": _("https:// address"),
            "command": "npx … / uvx … / docker …",
            "add": "claude mcp add …",
        }
        self.labels = {kind: SafeLabel(words, role="value") for kind, words in self._words.items()}
        line = FlowLayout(theme.space(1), self)
        line.addWidget(SafeLabel(_("Recognised:"), role="meta"))
        for label in self.labels.values():
            label.setFixedHeight(theme.space(2.5))
            line.addWidget(label)

    def light(self, kind: str) -> None:
        """ "" = nothing was recognised so far."""
        for one, label in self.labels.items():
            is_lit = one == kind
            label.setText(f"✓ {self._words[one]}" if is_lit else self._words[one])
            label.setProperty("lit", is_lit)
            label.style().unpolish(label)
            label.style().polish(label)


class PasteBox(QWidget):
    """Reads what is pasted into it, whatever its form."""

    was_read = Signal(int, object)
    found_changed = Signal(list)
    """The servers that were read, as `Pasted`."""

    def __init__(self, pasting: ServerPasting, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pasting = pasting
        self._found: list[Pasted] = []
        self._asked = 0
        self.was_read.connect(self._show)
        self.field = QPlainTextEdit()
        self.field.setObjectName("mcpPasteField")
        self.field.setAccessibleName(_("Text"))
        self.field.setFont(theme.font("code"))
        self.field.setTabChangesFocus(True)
        self.field.setPlaceholderText('{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}')
        self.field.textChanged.connect(self._read)
        self.outcome = SafeLabel(role="meta")
        self.outcome.setWordWrap(True)
        self.found = PlainView(theme, code=True, lines=8)
        self.found.setAccessibleName(_("Servers found"))
        label = SafeLabel(
            _("Paste what the server's documentation gives: JSON, TOML, YAML, an address or a command. "
              "Nothing starts by this."),
            role="meta",
        )  # fmt: skip
        label.setWordWrap(True)
        self.field.setFixedHeight(theme.space(11))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        self.kinds = KindsLine(theme)
        layout.addWidget(self.field)
        layout.addWidget(self.kinds)
        layout.addWidget(label)
        layout.addWidget(self.outcome)
        layout.addWidget(self.found)
        self._read()

    def clear(self) -> None:
        self.field.clear()

    def _read(self) -> None:
        """A long text is read on a thread of its own: the window goes on meanwhile."""
        text = self.field.toPlainText()
        self._asked += 1
        if len(text) <= SHORT:
            self._show(self._asked, self._outcome(text))
            return
        self._show(self._asked, PasteReading())
        number = self._asked
        future = detached.start(self._outcome, text)
        future.add_done_callback(partial(self._emit, number))

    def _outcome(self, text: str) -> PasteReading | BadInput:
        try:
            return self._pasting.read_paste(text) if text.strip() else PasteReading()
        except BadInput as error:
            return error

    def _emit(self, asked: int, done: Future[PasteReading | BadInput]) -> None:
        """On the thread that has read."""
        if done.exception() is None:
            with suppress(RuntimeError):  # the sheet has gone meanwhile
                self.was_read.emit(asked, done.result())

    def _show(self, asked: int, outcome: PasteReading | BadInput) -> None:
        if asked != self._asked:
            return  # of a text that is no longer there
        self._found, lines, error = [], [], ""
        if isinstance(outcome, BadInput):
            error = "\n".join(part for part in (fault_text(outcome), hint_text(outcome.hint)) if part)
        else:
            self._found = list(outcome.servers)
            lines = [f"{one.config.title}: {one.line}" for one in outcome.servers]
            lines += [f"✗ {one.name}: {fault_text(one.error)}" for one in outcome.broken]
        self._tell(error)
        self.kinds.light(kind_of(self.field.toPlainText()) if self._found else "")
        self.found.set_text("\n".join(lines))
        self.found.setVisible(bool(lines))
        self.found_changed.emit(self._found)

    def _tell(self, error: str) -> None:
        open_ = sorted({_blank_line(one, blank) for one in self._found for blank in one.blanks})
        text = error or (_("Values to be typed afterwards: {names}").format(names=", ".join(open_)) if open_ else "")
        self.outcome.setProperty("role", "error" if error else "meta")
        self.outcome.style().unpolish(self.outcome)
        self.outcome.style().polish(self.outcome)
        self.outcome.setText(text)
        self.outcome.setVisible(bool(text))


def _blank_line(pasted: Pasted, blank: Blank) -> str:
    """Its name; with the words around it where it is a part of a variable or header."""
    text = next((pasted.open_texts[place] for place in blank.places if place in pasted.open_texts), "")
    return f"{blank.name} ({text})" if text and text != blank.sign else blank.name
