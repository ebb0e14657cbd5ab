"""A report: its text with numbers that open the passage they stand for, its sources, how sure each claim is.

The passage is that of the source as it was fetched, with the day and the hash; nothing is loaded for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.core.text.addresses import domain_of
from app.core.text.i18n import _, ngettext
from app.core.tools.card_markdown import as_text, mappings
from app.ui.cards.document import Written
from app.ui.cards.lists import checklist
from app.ui.cards.report.rows import ClaimRow, SourceRow, number_chip
from app.ui.render.parts.pictures import PictureLoader
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

ANCHOR = "](#source-"
"""How a reference in the text points at its source."""
_INSIDE = "https://source.invalid/"
"""The same as an address that can be pressed; this top-level domain is nobody's, and it is never opened."""
_MOST_SOURCES = 200
_SEEN_AT_ONCE = 3
"""Sources that are there before the person asks for all."""
_CHIPS_OF_A_CLAIM = 6
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
        for claim in mappings(payload, "claims"):
            column.addWidget(self._claim(claim, theme))
        self.chips: list[QToolButton] = []
        self.rows: list[SourceRow] = []
        self.passage = _Passage(theme)
        self.more = QPushButton()
        if self._sources:
            column.addWidget(SafeLabel(f"{_('Sources')} {len(self._sources)}", role="strong"))
            for number, row in [*self._sources.items()][:_MOST_SOURCES]:
                column.addWidget(self._source(number, row, theme))
        column.addWidget(self.passage)
        hidden = len(self.rows) - _SEEN_AT_ONCE
        if hidden > 0:
            self.more.setText(ngettext("{n} more source", "{n} more sources", hidden).format(n=hidden) + " ›")
            self.more.setProperty("kind", "link")
            self.more.clicked.connect(self._show_all)
            column.addWidget(self.more)
            for one in self.rows[_SEEN_AT_ONCE:]:
                one.hide()
        questions = payload.get("open_questions")
        if isinstance(questions, list) and questions:
            items = [{"text": as_text(question), "state": "todo"} for question in questions]
            column.addWidget(SafeLabel(_("Open questions"), role="meta"))
            column.addWidget(checklist({"items": items}, theme))

    def _claim(self, claim: Mapping[str, Any], theme: Theme) -> QWidget:
        listed = [n for key in ("supports", "contradicts") for n in _numbers(claim.get(key))]
        chips = [
            number_chip(n, self._name_of(n), self._pressed) for n in listed[:_CHIPS_OF_A_CLAIM] if n in self._sources
        ]
        level, is_conflict = as_text(claim.get("confidence")), claim.get("conflict") is True
        row = ClaimRow(theme, as_text(claim.get("text")), chips, level, self._word(level), is_conflict=is_conflict)
        set_safe_tooltip(row, self._claim_words(claim))
        return row

    def _source(self, number: str, row: Mapping[str, Any], theme: Theme) -> SourceRow:
        moved = self._word(row.get("state")) if row.get("state") in _MOVED else ""
        name, mark = f"{self._name_of(number)} {moved}".strip(), "!" if moved else ""
        chip = number_chip(number, name, self._pressed, mark=mark, stays=True)
        whose = " · ".join(filter(None, (domain_of(as_text(row.get("url"))), as_text(row.get("accessed"))[:10])))
        texts = (as_text(row.get("title"))[:300], whose, self._word(row.get("quality")), moved)
        self.chips.append(chip)
        self.rows.append(SourceRow(theme, number, chip, texts, self._pressed))
        return self.rows[-1]

    def _name_of(self, number: str) -> str:
        title = as_text(self._sources.get(number, {}).get("title"))[:80]
        return _("Source {n}: {title}").format(n=number, title=title)

    def _show_all(self) -> None:
        self.more.hide()
        for row in self.rows:
            row.show()
        self.updateGeometry()

    def _claim_words(self, claim: Mapping[str, Any]) -> str:
        def numbers(key: str) -> str:
            return "".join(f"[{n}]" for n in _numbers(claim.get(key)))

        words = f"{self._word(claim.get('confidence'))} {numbers('supports')}".strip()
        if claim.get("conflict"):
            words += " · " + _("contradicted by {sources}").format(sources=numbers("contradicts"))
        return words

    def _word(self, code: object) -> str:
        return as_text(self._words.get(as_text(code), code)) if code else ""

    def _pressed(self, number: str) -> None:
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
        self._place_passage(number)
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

    def _place_passage(self, number: str) -> None:
        """Below the row of its source."""
        column, place = self.layout(), [*self._sources].index(number)
        if isinstance(column, QVBoxLayout) and place < len(self.rows):
            if self.rows[place].isHidden():
                self._show_all()
            column.removeWidget(self.passage)
            column.insertWidget(column.indexOf(self.rows[place]) + 1, self.passage)


def _numbers(listed: object) -> list[str]:
    return [as_text(n) for n in listed] if isinstance(listed, list) else []


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
