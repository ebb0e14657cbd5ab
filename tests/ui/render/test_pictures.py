"""Pictures in messages: from the attachment store or the text itself, decoded in a thread, never from elsewhere."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QImageWriter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.services.exchange.remote_pictures import PictureNotLoaded
from app.ui.render.markdown.links import picture_address
from app.ui.render.parts.body import MessageBody
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.highlight import Highlighter
from app.ui.render.parts.picture_card import HIGHEST, PictureCard
from app.ui.render.parts.picture_dialog import PictureDialog
from app.ui.render.parts.pictures import PictureLoader, decoded
from app.ui.theme import Theme
from tests.pictures import png

REF = "ab" * 32
ADDRESS = f"att:{REF}"


def run(coro: Coroutine[Any, Any, None]) -> None:
    try:
        _begun = asyncio.get_running_loop().create_task(coro)
    except RuntimeError:
        asyncio.run(coro)


@pytest.fixture
def asked() -> list[str]:
    return []


@pytest.fixture
def pictures(qtbot: QtBot, asked: list[str]) -> Iterator[PictureLoader]:
    async def content(ref: str) -> bytes | None:
        asked.append(ref)
        return png(1_000, 500) if ref == REF else None

    made = PictureLoader(content, run)
    yield made
    made.close()


@pytest.fixture
def body(qtbot: QtBot, pictures: PictureLoader) -> Iterator[MessageBody]:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(800, 600)
    host.show()
    theme = Theme("light")
    highlighter = Highlighter(theme)
    made = MessageBody(host, Formats(theme, None, pictures), highlighter)
    made.wanted(700)
    made.show()
    yield made
    highlighter.close()


def cards(body: MessageBody) -> list[PictureCard]:
    return [segment for segment in body.segments() if isinstance(segment, PictureCard)]


def test_a_kept_picture_is_shown_within_the_column(body: MessageBody, asked: list[str], qtbot: QtBot) -> None:
    body.load(f"before\n\n![a view]({ADDRESS})\n\nafter")
    (card,) = cards(body)
    before = body.wanted(700)
    qtbot.waitUntil(lambda: not card.image().isNull())
    assert asked == [REF]
    assert card.size_in(700) == QSize(700, 350)
    assert body.wanted(700) > before + 200
    assert QColor(card.grab().toImage().pixelColor(100, 100)).red() > 150


def test_a_high_picture_leaves_room_for_the_text(body: MessageBody, qtbot: QtBot) -> None:
    shown = decoded(png(300, 3_000), 1_480)
    assert shown.natural == QSize(300, 3_000)
    assert shown.image.height() == 1_480
    body.load(f"![]({ADDRESS})")
    (card,) = cards(body)
    qtbot.waitUntil(lambda: not card.image().isNull())
    assert card.wanted(700) <= HIGHEST


def test_M04_a_small_picture_within_the_text_is_shown(body: MessageBody, asked: list[str], qtbot: QtBot) -> None:
    inline = "data:image/png;base64," + base64.b64encode(png(4, 4)).decode()
    body.load(f"![dot]({inline})")
    (card,) = cards(body)
    qtbot.waitUntil(lambda: not card.image().isNull())
    assert asked == []


@pytest.mark.parametrize(
    "address",
    [
        "data:image/png;base64," + "A" * 1_500_000,
        "data:image/png;charset=x;base64,AAAA",
        "data:image/svg+xml;base64,PHN2Zy8+",
        "data:text/html,x",
        "att:../../etc/passwd",
        "att:" + "A" * 64,
        "file:///etc/passwd",
        "//evil.test/x.png",
        "\\\\evil\\s\\x.png",
        "qrc:/x.png",
        ":/x.png",
        "relative.png",
        "http://canary.test/?d=SECRET",
        "https://user@canary.test\\\\x.png",
    ],
)
def test_M04_to_M07_other_addresses_stay_words(body: MessageBody, asked: list[str], address: str) -> None:
    assert picture_address(address) == ""
    body.load(f"![x](<{address}>)" if len(address) < 1_000 else f"![x]({address})")
    assert cards(body) == []
    assert asked == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG\r\n\x1a\n broken",
        b"<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>",
        png(5_000, 5_000),
        png(2, 2) + bytes(10_000_001),
        b"BM" + bytes(100),
    ],
)
def test_T09_what_is_no_picture_or_too_large_is_not_decoded(data: bytes) -> None:
    assert decoded(data, 1_000).image.isNull()


def test_a_photo_stands_upright_as_its_camera_says(tmp_path: Path) -> None:
    image = QImage(40, 20, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, b"jpeg")
    writer.write(image)
    plain = bytes(content.data())
    turned = plain[:2] + _ORIENTATION_6 + plain[2:]
    assert decoded(turned, 1_000).image.size() == QSize(20, 40)
    assert decoded(turned, 1_000).natural == QSize(20, 40)


_TIFF = b"MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
_ORIENTATION_6 = b"\xff\xe1" + (8 + len(_TIFF)).to_bytes(2, "big") + b"Exif\x00\x00" + _TIFF


def test_a_picture_that_is_gone_says_so(body: MessageBody, qtbot: QtBot) -> None:
    body.load(f"![my photo](att:{'0' * 64})")
    (card,) = cards(body)
    qtbot.waitUntil(lambda: card._shown is not None)
    assert card.image().isNull()
    assert "my photo" in card._words()
    assert "not there" in card._words()


def test_pictures_among_words_follow_them(body: MessageBody) -> None:
    body.load(f"see ![one]({ADDRESS}) here and ![two]({ADDRESS})")
    assert body.text_views()[0].toPlainText() == "see [picture: one] here and [picture: two]"
    assert [card.name for card in cards(body)] == ["one", "two"]


def test_a_streamed_picture_is_made_once(body: MessageBody, asked: list[str], qtbot: QtBot) -> None:
    body.begin()
    for char in f"![a]({ADDRESS})\n\nand so on, with many words.":
        body.feed(char)
    body.finish()
    assert len(cards(body)) == 1
    qtbot.waitUntil(lambda: not cards(body)[0].image().isNull())
    assert asked == [REF]


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_press_shows_the_picture_by_itself_and_copies_it(body: MessageBody, qtbot: QtBot, by: str) -> None:
    body.load(f"![a view]({ADDRESS})")
    (card,) = cards(body)
    qtbot.waitUntil(lambda: not card.image().isNull())
    if by == "mouse":
        QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    else:
        card.setFocus()
        QTest.keyClick(card, Qt.Key.Key_Return)
    dialog = next(one for one in QApplication.topLevelWidgets() if isinstance(one, PictureDialog))
    copy = dialog.findChild(QPushButton, "copyPicture")
    assert copy is not None
    qtbot.waitUntil(copy.isEnabled)
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().image().size() == QSize(1_000, 500)
    dialog.accept()


# ------------------------------------------------------------ from elsewhere


AWAY = "https://pictures.example/cat.png?d=SECRET"


class Site:
    """What answers for the net; remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answer: bytes | PictureNotLoaded = png(400, 200)

    async def __call__(self, address: str) -> bytes:
        self.asked.append(address)
        if isinstance(self.answer, PictureNotLoaded):
            raise self.answer
        return self.answer


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def away(body: MessageBody, pictures: PictureLoader, site: Site) -> PictureCard:
    pictures._fetch = site
    body.load(f"before\n\n![a cat]({AWAY})\n\nafter")
    (card,) = cards(body)
    return card


def test_T01_a_picture_from_elsewhere_is_a_box_that_asks_nothing(away: PictureCard, site: Site, qtbot: QtBot) -> None:
    assert away._words() == "a cat (pictures.example) – not loaded"
    assert AWAY in away.toolTip()
    assert "Load…" in away.accessibleName()
    away.grab()
    qtbot.wait(20)
    assert site.asked == []


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_T01_a_press_only_asks_the_person(
    away: PictureCard, pictures: PictureLoader, site: Site, qtbot: QtBot, by: str
) -> None:
    with qtbot.waitSignal(pictures.wanted) as wanted:
        if by == "mouse":
            QTest.mouseClick(away, Qt.MouseButton.LeftButton)
        else:
            QTest.keyClick(away, Qt.Key.Key_Space)
    assert wanted.args == [AWAY, "a cat"]
    assert site.asked == []


def test_T01_what_was_allowed_is_one_request_and_then_a_picture(
    away: PictureCard, body: MessageBody, pictures: PictureLoader, site: Site, qtbot: QtBot
) -> None:
    run(_load(pictures, AWAY))
    qtbot.waitUntil(lambda: not away.image().isNull())
    assert away.size_in(700) == QSize(400, 200)
    body.load(f"again ![a cat]({AWAY})")
    qtbot.waitUntil(lambda: not cards(body)[0].image().isNull())
    assert site.asked == [AWAY]


def test_T01_a_failure_says_why_and_can_be_tried_again(
    away: PictureCard, pictures: PictureLoader, site: Site, qtbot: QtBot
) -> None:
    site.answer = PictureNotLoaded("offline")
    run(_load(pictures, AWAY))
    assert "offline" in away._words()
    assert away._deed() == "Try again…"
    site.answer = PictureNotLoaded("moved", location="https://cdn.example/cat.png")
    assert asyncio.run(pictures.load(AWAY)) == "https://cdn.example/cat.png"
    site.answer = png(4, 4)
    run(_load(pictures, AWAY, "https://cdn.example/cat.png"))
    qtbot.waitUntil(lambda: not away.image().isNull())
    assert site.asked == [AWAY, AWAY, "https://cdn.example/cat.png"]


def test_T01_many_loaded_pictures_do_not_fill_the_memory(pictures: PictureLoader, site: Site) -> None:
    pictures._fetch = site
    site.answer = bytes(9_000_000)
    for number in range(6):
        run(_load(pictures, f"https://pictures.example/{number}.png"))
    assert sum(map(len, pictures._files.values())) <= 32_000_000


async def _load(pictures: PictureLoader, address: str, source: str = "") -> None:
    assert await pictures.load(address, source) == ""
    if begun := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(begun)
