"""Requests and answers as they were sent: shown, copied, searched; what is unfolded stays so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.core.run.model_call import MASK, ModelCall
from app.ui.reasoning.raw import RawView, as_text
from app.ui.theme import Theme
from app.ui.widgets.plain_view import PlainView

CALL = ModelCall(
    number=1,
    step=1,
    purpose="step",
    model="env/gpt-x",
    method="POST",
    url="https://api.example.org/v1/chat/completions",
    headers={"Authorization": f"Bearer {MASK}", "Content-Type": "application/json"},
    body='{"model":"gpt-x","messages":[{"role":"user","content":"你好"}]}',
    status=200,
    response_headers={"x-request-id": "r1"},
    response='data: {"choices":[]}\n\ndata: [DONE]\n\n',
    finish="stop",
    ms=1_234,
)


@pytest.fixture
def raw(qtbot: QtBot) -> RawView:
    view = RawView(Theme())
    qtbot.addWidget(view)
    view.resize(360, 600)
    view.show()
    return view


def button(raw: RawView, name: str) -> QPushButton | None:
    return raw.findChild(QPushButton, name)


def test_R08_a_call_shows_both_sides_with_the_key_masked(raw: RawView) -> None:
    raw.show_calls([CALL])
    entry = raw.entries()[0]
    assert entry.line.title == "Request 1"
    assert entry.line.aside == "200 · 1.2 s"
    QTest.mouseClick(entry.line, Qt.MouseButton.LeftButton)
    request, answer = raw.findChildren(PlainView)
    assert request.text().startswith("POST https://api.example.org/v1/chat/completions\nAuthorization: Bearer $API_KEY")
    assert '      "content": "你好"' in request.text()
    assert answer.text().startswith("HTTP 200\nx-request-id: r1\n\ndata: {")


def test_R08_copies_are_a_command_and_both_sides(raw: RawView) -> None:
    raw.show_calls([CALL])
    QTest.keyClick(raw.entries()[0].line, Qt.Key.Key_Space)
    curl, both = button(raw, "copyCurlButton"), button(raw, "copyCallButton")
    assert curl is not None
    assert both is not None
    QTest.mouseClick(curl, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert copied == CALL.as_curl()
    assert copied.startswith("curl 'https://api.example.org/")
    QTest.mouseClick(both, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == as_text(CALL)


def test_a_model_that_is_no_server_has_no_command(raw: RawView) -> None:
    raw.show_calls([replace(CALL, url="", method="", status=0, headers={})])
    raw.entries()[0].set_open(True)
    assert button(raw, "copyCurlButton") is None
    assert button(raw, "copyCallButton") is not None


def test_new_calls_join_and_what_is_unfolded_stays(raw: RawView) -> None:
    raw.show_calls([CALL])
    first = raw.entries()[0]
    first.set_open(True)
    raw.show_calls([CALL, replace(CALL, number=2, error="HTTP 500", status=500)])
    assert raw.entries()[0] is first
    assert first.is_open()
    assert raw.entries()[1].line.detail == "HTTP 500"
    raw.clear()
    assert raw.entries() == []
    assert "No request is recorded" in raw._hint.full_text()


def looking(raw: RawView, words: str, qtbot: QtBot) -> None:
    QTest.keyClicks(raw.finder.field, words)
    qtbot.waitUntil(lambda: raw.finder.count.full_text() != "")


def marked(raw: RawView) -> list[str]:
    return [
        mark.cursor.block().text()
        for entry in raw.entries()
        if entry.body is not None
        for view in entry.body.findChildren(PlainView)
        for mark in view.extraSelections()
    ]


def test_R08_words_are_found_in_requests_and_answers_one_after_the_other(raw: RawView, qtbot: QtBot) -> None:
    raw.show_calls([CALL, replace(CALL, number=2, response='{"text": "GPT-X says"}')])
    looking(raw, "gpt-x", qtbot)
    assert raw.finder.count.full_text() == "1/3"
    assert raw.entries()[0].is_open()
    assert marked(raw) == ['  "model": "gpt-x",']
    QTest.keyClick(raw.finder.field, Qt.Key.Key_Return)
    assert raw.finder.count.full_text() == "2/3"
    assert raw.entries()[1].is_open()
    QTest.mouseClick(raw.finder.later, Qt.MouseButton.LeftButton)
    assert raw.finder.count.full_text() == "3/3"
    assert marked(raw) == ['  "text": "GPT-X says"']
    QTest.keyClick(raw.finder.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert raw.finder.count.full_text() == "2/3"
    QTest.mouseClick(raw.finder.earlier, Qt.MouseButton.LeftButton)
    assert raw.finder.count.full_text() == "1/3"


def test_what_was_found_is_in_sight(raw: RawView, qtbot: QtBot) -> None:
    raw.show_calls([replace(CALL, number=n, response="x\n" * 60 + f"needle {n}") for n in range(1, 6)])
    looking(raw, "needle 5", qtbot)
    body = raw.entries()[4].body
    assert body is not None
    view = body.findChildren(PlainView)[1]

    def is_in_sight() -> bool:
        port = raw._area.viewport()
        place = view.viewport().mapTo(port, view.cursorRect().center())
        return port.rect().contains(place)

    qtbot.waitUntil(is_in_sight)


def test_words_that_are_nowhere_are_told_and_escape_ends_the_search(raw: RawView, qtbot: QtBot) -> None:
    raw.show_calls([CALL])
    looking(raw, "unicorn", qtbot)
    assert raw.finder.count.full_text() == "Nothing found"
    assert not raw.entries()[0].is_open()
    QTest.keyClick(raw.finder.field, Qt.Key.Key_Escape)
    assert raw.finder.field.text() == ""
    qtbot.waitUntil(lambda: raw.finder.count.full_text() == "")


def test_a_new_call_keeps_the_place_of_the_search(raw: RawView, qtbot: QtBot) -> None:
    raw.show_calls([CALL, replace(CALL, number=2)])
    looking(raw, "gpt-x", qtbot)
    raw.finder.step(1)
    raw.show_calls([CALL, replace(CALL, number=2), replace(CALL, number=3)])
    assert raw.finder.count.full_text() == "2/3"


def test_without_a_call_there_is_nothing_to_search(raw: RawView) -> None:
    assert not raw.finder.isVisible()
    raw.show_calls([CALL])
    assert raw.finder.isVisible()
