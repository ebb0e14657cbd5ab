"""Where an agent is read from or written to: file dialogs that open and call back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.core.text.i18n import _


def ask_for_profile(parent: QWidget, on_file: Callable[[Path], None]) -> QFileDialog:
    dialog = QFileDialog(parent, _("Import an agent"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    return _opened(dialog, on_file)


def ask_where_to_save(parent: QWidget, name: str, on_file: Callable[[Path], None]) -> QFileDialog:
    dialog = QFileDialog(parent, _("Export this agent"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix("toml")
    dialog.selectFile(f"{name}.toml")
    return _opened(dialog, on_file)


def _opened(dialog: QFileDialog, on_file: Callable[[Path], None]) -> QFileDialog:
    dialog.setNameFilter(_("Agents (*.toml)"))
    dialog.fileSelected.connect(lambda name: on_file(Path(name)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog
