"""A canvas with what belongs to it: zoom, saving as a picture or as JSON, and the words for what is chosen."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.text.os_errors import os_words
from app.ui.reasoning.canvas import DrawingCanvas
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel

_LARGEST_IMAGE = 12_000
"""Pixels of an edge: beyond that the picture is scaled down."""


class DrawingView(QWidget):
    picked = Signal(int, str)

    def __init__(self, theme: Theme, canvas: DrawingCanvas, file_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = canvas
        self._file_name = file_name
        self._told = SafeLabel(role="meta")
        self._told.setWordWrap(True)
        self._hint = _("Point at something, or walk with the arrow keys.")
        self._told.setText(self._hint)
        self._told.setMinimumHeight(theme.space(7))
        self._told.setMaximumHeight(theme.space(14))
        self._buttons = {
            "minus": IconButton(theme, "minus", _("Zoom out")),
            "plus": IconButton(theme, "plus", _("Zoom in")),
            "undo": IconButton(theme, "undo", _("Show the whole")),
            "download": IconButton(theme, "download", _("Save")),
        }
        self._buttons["minus"].clicked.connect(partial(canvas.zoom_by, -1))
        self._buttons["plus"].clicked.connect(partial(canvas.zoom_by, 1))
        self._buttons["undo"].clicked.connect(partial(canvas.set_zoom, 1.0))
        self.menu = QMenu(self)
        self.menu.addAction(_("Save as a picture (PNG)…")).triggered.connect(self.save_picture)
        self.menu.addAction(_("Save as JSON…")).triggered.connect(self.save_json)
        self._buttons["download"].setMenu(self.menu)
        self._buttons["download"].setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        bar = QHBoxLayout()
        bar.setContentsMargins(theme.space(1), theme.space(0.5), theme.space(1), 0)
        bar.setSpacing(theme.space(0.25))
        bar.addStretch(1)
        for button in self._buttons.values():
            bar.addWidget(button)
        foot = QHBoxLayout()
        foot.setContentsMargins(theme.space(1.5), 0, theme.space(1.5), theme.space(1))
        foot.addWidget(self._told)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.5))
        layout.addLayout(bar)
        layout.addWidget(canvas, 1)
        layout.addLayout(foot)
        canvas.told.connect(lambda text: self._told.setText(text or self._hint))
        canvas.picked.connect(self.picked)

    def as_json(self) -> Any:
        """What is saved as JSON."""
        raise NotImplementedError

    def set_theme(self, theme: Theme) -> None:
        for icon, button in self._buttons.items():
            button.set_icon(theme, icon)
        self.canvas.set_theme(theme)

    def save_picture(self) -> None:
        self._ask("png", _("Pictures (*.png)"), self._write_picture)

    def save_json(self) -> None:
        self._ask("json", _("JSON (*.json)"), self._write_json)

    def _ask(self, suffix: str, kind: str, on_file: Callable[[str], None]) -> None:
        dialog = QFileDialog(self, _("Save"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix)
        dialog.setNameFilter(kind)
        dialog.selectFile(f"{self._file_name}.{suffix}")
        dialog.fileSelected.connect(on_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _write_picture(self, name: str) -> None:
        file = Path(name)
        self._tell(file, "" if picture_of(self.canvas).save(str(file), "PNG") else _("the file cannot be written"))  # type: ignore[call-overload]

    def _write_json(self, name: str) -> None:
        file = Path(name)
        text = json.dumps(self.as_json(), ensure_ascii=False, indent=2, default=str)
        try:
            file.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            self._tell(file, _(os_words(error)))
        else:
            self._tell(file, "")

    def _tell(self, file: Path, fault: str) -> None:
        saved = _("Saved: {file}").format(file=file.name)
        self._told.setText(_("Not saved: {why}").format(why=fault) if fault else saved)


def picture_of(canvas: DrawingCanvas) -> QImage:
    """The whole drawing on its ground, at twice the size."""
    theme = canvas.theme
    size, marks = canvas.lay_out(max(canvas.viewport().width(), theme.space(80)))
    scale = min(2.0, _LARGEST_IMAGE / max(size.width(), size.height(), 1))
    image = QImage(QSize(round(size.width() * scale), round(size.height() * scale)), QImage.Format.Format_RGB32)
    image.fill(theme.color("surface"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(scale, scale)
    canvas.draw(painter, marks, QRectF(QPointF(0, 0), size))
    painter.end()
    canvas.renew()  # the drawing may have been laid out wider than it is shown
    return image
