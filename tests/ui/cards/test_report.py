"""The card of a report: a number in the text or below it opens the passage it stands for; an address is only shown."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.ui.cards import CardFrame, make_card
from app.ui.cards.report.card import Report
from app.ui.cards.report.rows import ClaimRow
from app.ui.render.parts.text_view import TextView
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

HOSTILE = "<b>X</b><img src='//canary/s'>"
PAYLOAD: dict[str, Any] = {
    "title": HOSTILE,
    "markdown": "It rains [1] a lot [2].",
    "linked": "[[1]](#source-1) it rains [[2]](#source-2).",
    "sources": [
        {"n": 1, "title": HOSTILE, "url": "https://a.org/x", "passage": f"at least 1,500 mm {HOSTILE}",
         "quality": "primary", "accessed": "2026-11-20T10:00:00+00:00", "sha256": "ab" * 32},
        {"n": 2, "title": "Two", "url": "https://b.org/y", "state": "gone"},
    ],
    "claims": [{"text": "It rains", "confidence": "low", "conflict": True, "supports": [1], "contradicts": [2]}],
    "open_questions": [HOSTILE],
    "words": {"primary": "primary source", "gone": "cannot be reached", "low": "low"},
}  # fmt: skip


def made(qtbot: QtBot, payload: dict[str, Any] = PAYLOAD) -> tuple[CardFrame, Report]:
    frame = make_card({"card": "report", "payload": payload}, Theme())
    assert frame is not None
    qtbot.addWidget(frame)
    frame.resize(700, 700)
    frame.show()
    found = frame.findChild(Report)
    assert found is not None
    return frame, found


def test_a_chip_opens_the_passage_of_its_source_and_closes_it(qtbot: QtBot) -> None:
    _frame, card = made(qtbot)
    first, second = card.chips
    assert (first.text(), second.text()) == ("1", "2!")
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    assert card.passage.isVisible()
    assert card.passage.words.text() == f"at least 1,500 mm {HOSTILE}"
    assert "primary source" in card.passage.facts.text()
    assert "abababab" in card.passage.facts.text()
    QTest.mouseClick(second, Qt.MouseButton.LeftButton)
    assert (first.isChecked(), second.isChecked()) == (False, True)
    assert "cannot be reached" in card.passage.facts.text()
    QTest.mouseClick(second, Qt.MouseButton.LeftButton)
    assert not card.passage.isVisible()


def test_a_number_in_the_text_opens_the_passage_and_leaves_the_program_never(qtbot: QtBot) -> None:
    _frame, card = made(qtbot)
    left: list[str] = []
    card.link_activated.connect(left.append)
    text = card.findChild(TextView)
    assert text is not None
    place = text.viewport().rect().topLeft() + QPoint(8, 8)
    qtbot.waitUntil(lambda: bool(text.anchorAt(place)))
    QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert card.passage.number == "1"
    assert left == []


def test_a_claim_shows_its_sources_and_its_conflict_and_sources_are_rows_that_unfold(qtbot: QtBot) -> None:
    sources = [
        {"n": n, "title": f"Title {n}", "url": f"https://s{n}.org/x", "quality": "primary", "passage": f"words {n}",
         "accessed": "2026-11-20T10:00"}
        for n in range(1, 6)
    ]  # fmt: skip
    frame, card = made(qtbot, {**PAYLOAD, "sources": sources})
    claim = frame.findChild(ClaimRow)
    assert claim is not None
    assert claim.accessibleName() == "Conflict, It rains, low, 1, 2"
    assert [row.isVisible() for row in card.rows] == [True] * 3 + [False] * 2
    assert card.more.text() == "2 more sources ›"
    texts = [label.full_text() for label in card.rows[0].findChildren(SafeLabel)]
    assert texts == ["Title 1", "s1.org · 2026-11-20", "primary source"]
    QTest.mouseClick(card.rows[0], Qt.MouseButton.LeftButton, pos=QPoint(200, 8))
    assert card.passage.words.text() == "words 1"
    second = claim.findChildren(QToolButton)[1]
    QTest.mouseClick(second, Qt.MouseButton.LeftButton)
    assert (card.passage.words.text(), card.chips[1].isChecked()) == ("words 2", True)
    qtbot.waitUntil(lambda: card.rows[1].y() < card.passage.y() < card.rows[2].y())
    QTest.mouseClick(card.more, Qt.MouseButton.LeftButton)
    assert all(row.isVisible() for row in card.rows)
    frame.resize(380, 700)
    qtbot.waitUntil(lambda: not card.rows[0].findChildren(SafeLabel)[1].isVisible())
