"""Where an agent is read from or written to: file dialogs that are open, for their `fileSelected`."""

from __future__ import annotations

from PySide6.QtWidgets import QFileDialog, QWidget

from app.core.text.i18n import _


def ask_for_profile(parent: QWidget) -> QFileDialog:
    dialog = QFileDialog(parent, _("Import an agent"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    return _opened(dialog)


def ask_where_to_save(parent: QWidget, name: str) -> QFileDialog:
    dialog = QFileDialog(parent, _("Export this agent"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix("toml")
    dialog.selectFile(f"{name}.toml")
    return _opened(dialog)


def _opened(dialog: QFileDialog) -> QFileDialog:
    dialog.setNameFilter(_("Agents (*.toml)"))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog
