"""What a card gives to the clipboard: rows for a sheet, a picture; a document reads like an answer."""

from __future__ import annotations

import asyncio
import csv
import io
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.ui.cards import CardFrame, make_card
from app.ui.cards.csv_export import csv_of
from app.ui.cards.document import Written
from app.ui.render.parts.picture_card import PictureCard
from app.ui.render.parts.pictures import PictureLoader
from app.ui.render.parts.prose import Prose
from app.ui.theme import Theme
from tests.pictures import png


def card(qtbot: QtBot, kind: str, payload: dict[str, Any]) -> CardFrame:
    made = make_card({"card": kind, "payload": payload}, Theme("light"))
    assert made is not None
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


@pytest.mark.parametrize(
    ("kind", "payload", "rows"),
    [
        ("key_values", {"items": [{"label": "a", "value": 3}]}, [["label", "value", "note"], ["a", "3", ""]]),
        ("chart", {"series": [{"label": "a", "value": 3}]}, [["label", "value"], ["a", "3"]]),
        (
            "chart",
            {"kind": "line", "series": [{"name": "s", "points": [["x", 1], ["y", 2]]}]},
            [["name", "label", "value"], ["s", "x", "1"], ["s", "y", "2"]],
        ),
        (
            "timeline",
            {"groups": [{"label": "Day 1", "items": [{"time": "09:00", "title": "Lake"}]}]},
            [["group", "time", "end", "title", "cost", "way", "text"], ["Day 1", "09:00", "", "Lake", "", "", ""]],
        ),
        (
            "map",
            {"points": [{"lat": 1.5, "lon": 2, "label": "A"}]},
            [["label", "lat", "lon", "group"], ["A", "1.5", "2", ""]],
        ),
        ("checklist", {"items": [{"text": "t", "state": "ok"}]}, [["state", "text", "hint"], ["ok", "t", ""]]),
        ("sources", {"items": [{"n": 1, "title": "t"}]}, [["n", "title", "url", "note"], ["1", "t", "", ""]]),
    ],
)
def test_cards_with_rows_copy_as_csv(qtbot: QtBot, kind: str, payload: dict[str, Any], rows: list[list[str]]) -> None:
    frame = card(qtbot, kind, payload)
    button = next(one for one in frame.findChildren(QToolButton) if "CSV" in one.accessibleName())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert list(csv.reader(io.StringIO(QGuiApplication.clipboard().text()))) == rows


def test_a_value_that_a_sheet_would_run_is_quoted() -> None:
    assert "'=1+1" in csv_of("key_values", {"items": [{"label": "a", "value": "=1+1"}]})


@pytest.mark.parametrize("kind", ["document", "choice", "progress", "diff"])
def test_a_card_without_rows_offers_no_csv(qtbot: QtBot, kind: str) -> None:
    frame = card(qtbot, kind, {"markdown": "x", "question": "?", "value": 1, "total": 2})
    assert not [one for one in frame.findChildren(QToolButton) if "CSV" in one.accessibleName()]


def test_a_card_copies_as_a_picture(qtbot: QtBot) -> None:
    frame = card(qtbot, "key_values", {"title": "T", "items": [{"label": "a", "value": "b"}]})
    button = frame.findChild(QToolButton, "copyCardPicture")
    assert button is not None
    QGuiApplication.clipboard().clear()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().image().width() > 400


def test_a_gallery_shows_kept_pictures_only(qtbot: QtBot) -> None:
    asked: list[str] = []

    async def content(ref: str) -> bytes | None:
        asked.append(ref)
        return png(300, 200)

    pictures = PictureLoader(content, asyncio.run)
    items = [{"title": "A", "image": f"att:{'a' * 64}"}, {"title": "B", "image": "https://canary.test/x.png"}]
    display = {"card": "gallery", "payload": {"items": items}}
    made = make_card(display, Theme("light"), pictures=pictures)
    assert made is not None
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    (shown,) = made.findChildren(PictureCard)
    qtbot.waitUntil(lambda: not shown.image().isNull())
    assert asked == ["a" * 64]
    assert shown.size_in(250).height() == 120
    pictures.close()


def test_a_document_reads_like_an_answer(qtbot: QtBot) -> None:
    frame = card(qtbot, "document", {"markdown": "# One\n\nText **bold** and [a link](https://a.example/)\n\n- item"})
    body = frame.body
    assert isinstance(body, Written)
    prose = body.body.segments()[0]
    assert isinstance(prose, Prose)
    assert prose.toPlainText() == "One\nText bold and a link\n•\titem"
    with qtbot.waitSignal(frame.link_activated) as asked:
        prose.link_activated.emit("https://a.example/")
    assert asked.args == ["https://a.example/"]
