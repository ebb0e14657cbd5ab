"""A report: its text with numbers that open the passage they stand for, its sources, how sure each claim is.

The passage is that of the source as it was fetched, with the day and the hash; nothing is loaded for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.tools.card_markdown import as_text, mappings
from app.ui.cards.document import Written
from app.ui.cards.flow import Flow
from app.ui.cards.lists import checklist
from app.ui.render.parts.pictures import PictureLoader
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible

ANCHOR = "](#source-"
"""How a reference in the text points at its source."""
_INSIDE = "https://source.invalid/"
"""The same as an address that can be pressed; this top-level domain is nobody's, and it is never opened."""
_STATES = {"high": "ok", "medium": "warn", "low": "error"}
_CHIPS = 60
_PASSAGE = 2_000
_MOVED = frozenset({"changed", "quote_lost", "gone"})


def report(payload: Mapping[str, Any], theme: Theme, pictures: PictureLoader | None = None) -> QWidget:
    return Report(payload, theme, pictures)


class Report(QWidget):
    link_activated = Signal(str)

    def __init__(self, payload: Mapping[str, Any], theme: Theme, pictures: PictureLoader | None) -> None:
        super().__init__()
        words = payload.get("words")
        self._words: Mapping[str, Any] = words if isinstance(words, Mapping) else {}
        self._sources = {as_text(row.get("n")): row for row in mappings(payload, "sources")}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(1))
        words_of_text = as_text(payload.get("linked") or payload.get("markdown")) or " "
        self.text = Written(words_of_text.replace(ANCHOR, f"]({_INSIDE}"), theme, pictures)
        self.text.link_activated.connect(self._followed)
        column.addWidget(self.text)
        self.chips = [self._chip(n, row) for n, row in [*self._sources.items()][:_CHIPS]]
        if self.chips:
            column.addWidget(SafeLabel(_("Sources"), role="meta"))
            column.addWidget(Flow(self.chips, theme))
        self.passage = _Passage(theme)
        column.addWidget(self.passage)
        for title, widget in self._further(payload, theme):
            column.addWidget(SafeLabel(title, role="meta"))
            column.addWidget(widget)

    def _chip(self, number: str, row: Mapping[str, Any]) -> QToolButton:
        mark = "!" if row.get("state") in _MOVED else ""
        chip = QToolButton()
        chip.setProperty("kind", "chip")
        chip.setCheckable(True)
        chip.setText(visible(number[:6] + mark))
        state = self._word(row.get("state")) if mark else ""
        name = _("Source {n}: {title}").format(n=number, title=as_text(row.get("title"))[:80])
        chip.setAccessibleName(visible(f"{name} {state}".strip()))
        chip.clicked.connect(partial(self._pressed, number))
        return chip

    def _further(self, payload: Mapping[str, Any], theme: Theme) -> list[tuple[str, QWidget]]:
        parts: list[tuple[str, QWidget]] = []
        if claims := mappings(payload, "claims"):
            items = [
                {
                    "text": claim.get("text"),
                    "state": "error"
                    if claim.get("conflict")
                    else _STATES.get(as_text(claim.get("confidence")), "todo"),
                    "hint": self._claim_words(claim),
                }
                for claim in claims
            ]
            parts.append((_("How sure it is"), checklist({"items": items}, theme)))
        questions = payload.get("open_questions")
        if isinstance(questions, list) and questions:
            items = [{"text": as_text(question), "state": "todo"} for question in questions]
            parts.append((_("Open questions"), checklist({"items": items}, theme)))
        return parts

    def _claim_words(self, claim: Mapping[str, Any]) -> str:
        def numbers(key: str) -> str:
            listed = claim.get(key)
            return "".join(f"[{as_text(n)}]" for n in listed) if isinstance(listed, list) else ""

        words = f"{self._word(claim.get('confidence'))} {numbers('supports')}".strip()
        if claim.get("conflict"):
            words += " · " + _("contradicted by {sources}").format(sources=numbers("contradicts"))
        return words

    def _word(self, code: object) -> str:
        return as_text(self._words.get(as_text(code), code)) if code else ""

    def _pressed(self, number: str, _checked: bool = False) -> None:
        self._show("" if self.passage.number == number else number)

    def _followed(self, address: str) -> None:
        if not address.startswith(_INSIDE):
            self.link_activated.emit(address)
        elif (number := address.removeprefix(_INSIDE)) in self._sources:
            self._show(number)

    def _show(self, number: str) -> None:
        for chip, known in zip(self.chips, self._sources, strict=False):
            chip.setChecked(known == number)
        row = self._sources.get(number)
        if row is None:
            self.passage.clear()
            return
        facts = [self._word(row.get("quality"))]
        if accessed := as_text(row.get("accessed")):
            facts.append(_("read on {date}").format(date=accessed[:16].replace("T", " ")))
        if digest := as_text(row.get("sha256")):
            facts.append(f"sha256 {digest[:12]}")
        facts.append(self._word(row.get("state")))
        passage = as_text(row.get("passage"))[:_PASSAGE] or _("Nothing of this source is kept.")
        heading = f"[{number}] {as_text(row.get('title'))[:300]}"
        self.passage.show_source(
            number, heading, passage, as_text(row.get("url"))[:500], " · ".join(filter(None, facts))
        )


class _Passage(QFrame):
    """One source: what of it is quoted, where and when it was read."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.number = ""
        self.setProperty("role", "inset")
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.space(1.5), theme.space(1), theme.space(1.5), theme.space(1))
        column.setSpacing(theme.space(0.5))
        self.title, self.words, self.address, self.facts = (
            SafeLabel("", role=role) for role in ("", "", "meta", "meta")
        )
        for label in (self.title, self.words, self.address, self.facts):
            label.setWordWrap(True)
            column.addWidget(label)
        self.hide()

    def show_source(self, number: str, title: str, words: str, address: str, facts: str) -> None:
        self.number = number
        for label, text in ((self.title, title), (self.words, words), (self.address, address), (self.facts, facts)):
            label.setText(text)
            label.setVisible(bool(text))
        self.show()
        self.updateGeometry()

    def clear(self) -> None:
        self.number = ""
        self.hide()
