"""What is pasted or dropped stays words: nothing it names is read, asked or shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.core.run.mode import MODE_IDS
from app.ui.chat.composer import Composer
from app.ui.chat.composer_field import files_in
from app.ui.render.parts.text_view import TextView
from app.ui.theme import Theme
from app.ui.widgets.fields.mode_selector import ModeChoice, ModeSelector
from tests.rigs.touched import Canary, canary_file, canary_host, was_asked

HOSTILE = (
    "<img src='{file}'>", "<img src='{url}'>", "<img src='//{host}/share/x.png'>", "<img src='{web}'>",
    "<table background='{url}'><tr><td>x</td></tr></table>", "<link rel='stylesheet' href='{url}'>",
    "<style>body {{ background: url({url}) }}</style>", "<object data='{url}'>x</object>",
    "<a href='{url}'>x</a><iframe src='{web}'></iframe>", "<p style='background-image: url({file})'>x</p>",
)  # fmt: skip


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Canary]:
    path = tmp_path / "canary.png"
    image = QImage(2, 2, QImage.Format.Format_RGB32)
    assert image.save(str(path))
    with canary_file(path) as watched:
        yield watched


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    made = Composer(Theme(), ModeSelector([ModeChoice(id, id) for id in MODE_IDS]))
    qtbot.addWidget(made)
    made.show()
    return made


def hostile(canary: Canary, port: int) -> list[str]:
    places = {
        "file": str(canary.path), "url": canary.path.as_uri(), "host": f"127.0.0.1:{port}",
        "web": f"http://127.0.0.1:{port}/x.png",
    }  # fmt: skip
    return [html.format(**places) for html in HOSTILE]


def mime(html: str, text: str = "words") -> QMimeData:
    made = QMimeData()
    made.setHtml(html)
    if text:
        made.setText(text)
    return made


def test_the_oracle_notices_what_a_field_of_rich_text_does(qtbot: QtBot, canary: Canary) -> None:
    view = QTextEdit()
    qtbot.addWidget(view)
    view.show()
    view.insertFromMimeData(mime(f"<img src='{canary.path}'>"))
    qtbot.waitUntil(lambda: canary.touches() > 0)


def test_T42_pasted_pages_are_plain_words_and_touch_nothing(qtbot: QtBot, composer: Composer, canary: Canary) -> None:
    line, plain, shown = QLineEdit(), QPlainTextEdit(), TextView(composer)
    for typed in (line, plain):
        qtbot.addWidget(typed)
        typed.show()
    with canary_host() as (port, listener):
        for html in hostile(canary, port):
            # As the clipboard gives it, which is what the keys paste.
            QGuiApplication.clipboard().setMimeData(mime(html))
            fields: tuple[QWidget, ...] = (composer.field, line, plain, shown)
            for field in fields:
                field.setFocus()
                QTest.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
            for source in (mime(html), mime(html, text="")):
                composer.field.insertFromMimeData(source)
                plain.insertFromMimeData(source)
            QApplication.processEvents()
            assert canary.touches() == 0, html
            assert not was_asked(listener), html
    assert set(composer.text().replace("words", "")) <= set("x \n")
    assert composer.field.document().toHtml().count("<img") == 0
    assert shown.toPlainText() == ""


def test_T42_a_drop_brings_files_of_this_machine_and_nothing_else(composer: Composer, canary: Canary) -> None:
    given: list[list[str]] = []
    composer.offer_files()
    composer.field.files_given.connect(lambda paths, _strangers: given.append(paths))
    strangers = [
        "file://127.0.0.1/share/x.txt", "file:////127.0.0.1/share/x.txt", "smb://127.0.0.1/x", "http://127.0.0.1/x.txt",
        "javascript:alert(1)", "\\\\127.0.0.1\\share\\x",
    ]  # fmt: skip
    for address in strangers:
        drop(composer, [QUrl(address)])
    mime = QMimeData()
    mime.setUrls([QUrl(address) for address in strangers])
    assert files_in(mime) == [], "nor where it falls beside the field"
    assert given == []
    drop(composer, [QUrl.fromLocalFile(str(canary.path)), *map(QUrl, strangers)])
    assert given == [[str(canary.path)]]
    assert canary.touches() == 0, "it is looked into by whoever takes it, within limits"


def drop(composer: Composer, urls: list[QUrl]) -> None:
    given = QMimeData()
    given.setUrls(urls)
    composer.field.insertFromMimeData(given)


def test_T42_what_is_copied_is_words_without_what_they_named(composer: Composer) -> None:
    view = TextView(composer)
    view.setHtml("<b>bold</b> <a href='file:///a'>link</a><img src='//evil.test/x.png'>")
    view.selectAll()
    copied = view.createMimeDataFromSelection()
    assert copied.text().startswith("bold link")
    assert "<img" not in copied.html()
    assert "evil.test" not in copied.html()
