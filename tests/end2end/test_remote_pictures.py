"""T01: a picture an answer names elsewhere is asked for when the person says so, once, and never before."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit

from app.net import transport
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.render.parts.picture_card import PictureCard
from tests.end2end.conftest import Driver, Open
from tests.pictures import png

ADDRESS = "https://canary.test/cat.png?d=SECRET"


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names that were asked for; each is at a public address."""
    found: list[str] = []

    def look_up(host: object, port: object, *_args: object, **_more: object) -> list[Any]:
        found.append(str(host))
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return found


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []

    async def fetch(target: Any, address: Any, **_more: Any) -> transport.HttpAnswer:
        found.append(target.url)
        if target.host == "canary.test":
            return transport.HttpAnswer(302, {"location": "https://cdn.test/cat.png"}, b"", False)
        return transport.HttpAnswer(200, {"content-type": "image/png"}, png(400, 200), False)

    monkeypatch.setattr(transport, "fetch", fetch)
    return found


def card_of(window: Driver) -> PictureCard:
    (card,) = window.desk.chat.findChildren(PictureCard)
    assert isinstance(card, PictureCard)
    return card


def sheet(window: Driver) -> AskDialog | None:
    found: AskDialog | None = window.window.findChild(AskDialog, "loadPictureDialog")
    return found if found is not None and found.isVisible() else None


def shown_address(sheet: AskDialog) -> str:
    view = sheet.findChild(QPlainTextEdit)
    assert view is not None
    return view.toPlainText()


async def test_T01_nothing_is_asked_for_until_the_person_says_so(
    open_window: Open, looked_up: list[str], requests: list[str]
) -> None:
    window = await open_window({"content": f"Look:\n\n![a cat]({ADDRESS})\n\nNice."})
    await window.asked("show me a cat")
    card = card_of(window)
    QTest.mouseMove(card)
    QTest.mouseClick(card, Qt.MouseButton.LeftButton)
    await window.until(lambda: sheet(window), "the question")
    first = sheet(window)
    assert first is not None
    assert shown_address(first) == ADDRESS
    first.reject()
    assert (looked_up, requests) == ([], [])

    QTest.keyClick(card, Qt.Key.Key_Return)
    await window.until(lambda: sheet(window), "the question, again")
    again = sheet(window)
    assert again is not None
    again.buttons["load"].click()
    # The site sends on: that is another address, and asked about anew.
    await window.until(lambda: (now := sheet(window)) and now is not again, "where it leads")
    assert requests == [ADDRESS]
    onward = sheet(window)
    assert onward is not None
    assert shown_address(onward) == "https://cdn.test/cat.png"
    onward.buttons["load"].click()
    await window.until(lambda: not card_of(window).image().isNull(), "the picture")
    assert requests == [ADDRESS, "https://cdn.test/cat.png"]
    assert set(looked_up) == {"canary.test", "cdn.test"}


async def test_T01_offline_nothing_is_asked_for_at_all(
    open_window: Open, looked_up: list[str], requests: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIPTYCH_OFFLINE", "1")
    window = await open_window({"content": f"![a cat]({ADDRESS})"})
    await window.asked("show me a cat")
    QTest.keyClick(card_of(window), Qt.Key.Key_Return)
    await window.until(lambda: sheet(window), "the question")
    question = sheet(window)
    assert question is not None
    question.buttons["load"].click()
    await window.until(lambda: "offline" in card_of(window)._words(), "why it was not loaded")
    assert (looked_up, requests) == ([], [])
