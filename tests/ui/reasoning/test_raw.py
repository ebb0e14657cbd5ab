"""Requests and answers as they were sent: shown, copied, searched; what is unfolded stays so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.core.model_call import MASK, ModelCall
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
