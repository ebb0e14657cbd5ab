"""What holds for every test of the window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """Qt deletes what a test is done with when a loop runs next; by then thousands of widgets would have gathered."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
