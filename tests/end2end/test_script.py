"""A script may drive the window with a loop of its own: `build` makes everything, nobody calls `run`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.main import build


def test_a_question_is_answered_while_somebody_else_drives_qt(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"turns": [{"content": "Hello from the script."}], "repeat_last": True}))
    monkeypatch.setenv("TRIPTYCH_MODEL", f"script/{script}")
    application = build(["--data-dir", str(tmp_path / "data")])
    window = application.window
    window.show()
    qtbot.waitUntil(lambda: window.is_ready)

    composer = window.findChild(QPlainTextEdit, "composer")
    assert composer is not None
    QTest.keyClicks(composer, "hi")
    QTest.keyClick(composer, Qt.Key.Key_Return)
    desk = application._desk
    assert desk is not None
    qtbot.waitUntil(lambda: desk.answers() == ["Hello from the script."])
    assert window.findChild(QWidget, "sendButton") is not None
    qtbot.waitUntil(lambda: desk.conversation.run.handle is None)

    window.close()
    qtbot.waitUntil(lambda: application._is_closed and not window.isVisible())
    loop = application._loop
    assert isinstance(loop, asyncio.AbstractEventLoop)
    qtbot.waitUntil(lambda: not asyncio.all_tasks(loop))
    loop.close()
