"""What people do while an answer streams in: type fast, compose with an input method, resize, drop a heap of files."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.services.exchange.attachments import MOST

from .conftest import Driver, Open

WORDS = [f"word{n} " for n in range(60)]
SLOW: dict[str, Any] = {"chunks": WORDS, "delay": 0.02}


async def streaming(open_window: Open) -> Driver:
    driver = await open_window(SLOW)
    driver.chooses_mode("direct")
    driver.ask("go on")
    await driver.until(lambda: driver.is_running() and driver.answers()[-1:] > [""], "the first words")
    return driver


async def test_fast_typing_loses_no_key_and_the_answer_no_word(open_window: Open) -> None:
    driver = await streaming(open_window)
    typed = "".join(chr(ord("a") + n % 26) for n in range(300))
    for at in range(0, len(typed), 20):
        QTest.keyClicks(driver.window.composer.field, typed[at : at + 20])
        await asyncio.sleep(0.01)  # a moment for the answer to stream on
    assert driver.draft() == typed
    await driver.done()
    assert driver.answers() == ["".join(WORDS)]
    assert driver.draft() == typed


async def test_C04_enter_of_an_input_method_neither_sends_nor_queues_during_a_run(open_window: Open) -> None:
    driver = await streaming(open_window)
    field = driver.window.composer.field
    QApplication.sendEvent(field, QInputMethodEvent("bei jing", []))
    driver.press(Qt.Key.Key_Return)
    assert driver.draft() == ""
    assert driver.questions() == ["go on"]
    chosen = QInputMethodEvent()
    chosen.setCommitString("北京")
    QApplication.sendEvent(field, chosen)
    assert driver.draft() == "北京"
    driver.press(Qt.Key.Key_Return)
    await driver.until(lambda: driver.draft() == "", "the message queued")
    await driver.until(lambda: driver.questions() == ["go on", "北京"], "it is sent after the answer")
    await driver.done()


async def test_a_window_that_is_resized_all_the_time_streams_on_at_its_end(open_window: Open) -> None:
    driver = await streaming(open_window)
    width = 1_280
    while driver.is_running():
        width = 420 + (width + 90) % 900
        driver.resize(width, 500 + width % 300)
        await asyncio.sleep(0.02)  # a moment for the answer to stream on
    await driver.done()
    assert driver.answers() == ["".join(WORDS)]
    bar = driver.desk.chat.list.verticalScrollBar()
    await driver.until(lambda: bar.value() == bar.maximum(), "the end in sight")


async def test_of_a_heap_of_files_so_many_go_along_as_may_and_the_rest_is_told(
    open_window: Open, tmp_path: Path
) -> None:
    driver = await open_window()
    heap = QMimeData()
    heap.setUrls([QUrl.fromLocalFile(str(_file(tmp_path, n))) for n in range(40)])
    place, copy, left = QPointF(200, 200), Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(driver.window, QDragEnterEvent(place.toPoint(), copy, heap, left, none))
    QApplication.sendEvent(driver.window, QDropEvent(place, copy, heap, left, none))
    await driver.until(lambda: len(driver.files()) == MOST, "the files")
    await driver.until(lambda: str(MOST) in driver.notice(), "the limit")
    await driver.asked("look at these")
    assert driver.files() == ()


async def test_a_file_goes_with_the_message_it_was_given_to_or_is_told(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window()
    await driver.asked("first")
    files, session = driver.desk.conversation.files, driver.session
    gate, keep = asyncio.Event(), files._kept.add_file

    async def slowly(path: Path, session: str = "") -> Any:
        await gate.wait()
        return await keep(path, session)

    files._kept.add_file = slowly
    reading = asyncio.get_running_loop().create_task(files.add([str(_file(tmp_path, 1))]))
    await asyncio.sleep(0)
    driver.command("new")
    await driver.until(lambda: driver.questions() == [], "the new session")
    gate.set()
    await reading
    assert driver.files() == ()
    driver.desk.navigator.open(session)
    await driver.until(lambda: len(driver.files()) == 1, "the file where it was given")

    gate.clear()
    reading = asyncio.get_running_loop().create_task(files.add([str(_file(tmp_path, 2))]))
    await asyncio.sleep(0)
    await driver.asked("sent without it")
    gate.set()
    await reading
    assert driver.files() == ()
    assert "did not go along" in driver.notice()


def _file(folder: Path, number: int) -> Path:
    path = folder / f"a file number {number} with a long name 文件.txt"
    path.write_text(f"text {number}")
    return path
