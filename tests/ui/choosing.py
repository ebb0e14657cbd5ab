"""The file dialog that is open, answered by keys: what is typed there is taken as a person's choice."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget


def choose(page: QWidget, path: Path) -> None:
    (chooser,) = [one for one in page.findChildren(QFileDialog) if one.isVisible()]
    field = chooser.findChild(QLineEdit, "fileNameEdit")
    assert field is not None, "a dialog of the system"
    field.setText(str(path))
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert not chooser.isVisible(), "it was not taken"
