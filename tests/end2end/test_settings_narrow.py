"""The settings in the narrowest window: every page is read without scrolling sideways, in both languages and sizes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)

from app.core.text.i18n import set_language
from app.services.api.clients import RIGHTS
from app.services.webhooks.hooks import EVENTS
from app.ui.dialogs.settings.window import SettingsWindow
from app.ui.widgets.fields.check_line import CheckLine

from .conftest import Driver, Open
from .test_settings_window import opened

NARROWEST = 420
_SEEN = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QLabel)


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    set_language("en")


async def fill(driver: Driver, folder: Path) -> None:
    """Something in the lists that are empty at first."""
    services = driver.services
    services.providers.key_storage.choose("session")
    await services.knowledge.add("Papers of the whole department", [folder])
    await services.webhooks.hooks.add("https://example.org/a/long/way/to/the/hook", "Chat of the office", EVENTS)
    await services.local_api.clients.add("editor-of-the-other-desk", ["assistant"], RIGHTS)
    await services.backups.make()


def too_wide(page: QWidget) -> Iterator[str]:
    """What scrolls sideways, and what is cut by the page it stands on. Tables and texts scroll in themselves."""
    for area in page.window().findChildren(QScrollArea):
        beyond = area.horizontalScrollBar().maximum()
        if area.isVisible() and beyond > 0:
            yield f"{area.objectName() or type(area.widget()).__name__} scrolls by {beyond}"
    for part in page.findChildren(QWidget):
        if not isinstance(part, _SEEN) or not part.isVisible() or _is_in_table(part, page):
            continue
        left = part.mapTo(page, part.rect().topLeft()).x()
        right = left + part.width()
        if left < 0 or right > page.width():
            yield f"{type(part).__name__} {part.accessibleName() or _text(part)!r} from {left} to {right}"
        elif isinstance(part, QAbstractButton) and part.text() and part.width() < part.minimumSizeHint().width():
            yield f"the words of {part.text()!r} are cut"


def _is_in_table(part: QWidget, page: QWidget) -> bool:
    walk = part.parentWidget()
    while walk is not None and walk is not page:
        if isinstance(walk, (QAbstractItemView, QComboBox, QAbstractSpinBox)):
            return True
        if isinstance(walk, QAbstractScrollArea) and not isinstance(walk, QScrollArea):
            return True
        walk = walk.parentWidget()
    return False


def _text(part: QWidget) -> str:
    return part.text() if isinstance(part, (QLabel, QAbstractButton)) else ""


async def each_page(driver: Driver, window: SettingsWindow) -> list[str]:
    faults: list[str] = []
    pages = window.navigation.pages
    for row in range(pages.count()):
        QTest.mouseClick(window.body.back_button, Qt.MouseButton.LeftButton)
        await driver.until(pages.isVisible, "the list of pages")
        pages.scrollToItem(pages.item(row))
        spot = pages.visualItemRect(pages.item(row)).center()
        QTest.mouseClick(pages.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        await driver.until(lambda: not pages.isVisible(), "the page in its place")
        found: list[str] = []
        for _turn in range(12):  # what is read from the disk comes a moment later, and may widen the page again
            await asyncio.sleep(0.005)
            found = list(too_wide(window.page(window.current)))
        faults += [f"{window.current}: {fault}" for fault in found]
        if window.width() != NARROWEST:
            faults.append(f"{window.current}: the window is {window.width()} wide")
    return faults


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "notes.txt").write_text("one line")
    return folder


@pytest.mark.parametrize(("percent", "language"), [(100, "zh_CN"), (200, "en")])
async def test_no_page_of_the_settings_scrolls_sideways(
    open_window: Open, papers: Path, percent: int, language: str
) -> None:
    driver = await open_window()
    await fill(driver, papers)
    settings = driver.services.settings
    await settings.save_preferences(settings.preferences.model_copy(update={"zoom": percent}))
    set_language(language)
    driver.command("settings")
    window = await opened(driver)
    window.resize(NARROWEST, 640)
    await driver.until(window.body.back_button.isVisible, "the page alone, with the way back")
    assert await each_page(driver, window) == []


async def test_long_words_of_a_box_go_on_in_the_next_line(qtbot: object) -> None:
    del qtbot
    box = CheckLine("A typed address may be one of this computer or its network")
    line = box.sizeHint().height()
    box.resize(200, box.heightForWidth(200))
    box.show()
    assert box.height() > line
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=box.rect().center())
    assert box.isChecked(), "its words are pressed in any line"
    box.resize(1_200, line)
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=box.rect().topRight())
    assert box.isChecked(), "the empty place behind the words is not"
    box.deleteLater()
