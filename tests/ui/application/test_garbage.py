"""Garbage is collected in the thread of the window, whoever made it due."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.ui.application.garbage import GarbageCollection


@pytest.fixture(autouse=True)
def automatic() -> Iterator[None]:
    """As Python starts; the other tests run without."""
    gc.collect()
    gc.enable()
    yield
    gc.disable()


def test_objects_of_qt_are_destroyed_in_the_thread_of_the_window_only(qtbot: QtBot) -> None:
    parent = QObject()
    GarbageCollection(parent)
    destroyed_in: list[threading.Thread] = []
    cycle = QObject()
    cycle.itself = cycle  # type: ignore[attr-defined]
    weakref.finalize(cycle, lambda: destroyed_in.append(threading.current_thread()))
    del cycle

    kept: list[list[int]] = []
    worker = threading.Thread(target=lambda: kept.extend([number] for number in range(200_000)))
    worker.start()
    worker.join()
    assert not destroyed_in

    qtbot.waitUntil(lambda: bool(destroyed_in))
    assert destroyed_in == [threading.main_thread()]
