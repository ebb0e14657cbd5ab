"""One picture by itself, as large as the screen allows, with a way to copy or keep it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.render.parts.pictures import PictureLoader
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel

SIDE = 1_600
_SHARE = 0.8


class PictureDialog(QDialog):
    def __init__(self, parent: QWidget | None, theme: Theme, pictures: PictureLoader, address: str, name: str) -> None:
        super().__init__(parent)
        self.setObjectName("pictureDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(name or _("Picture"))
        self._pictures, self._address = pictures, address
        self.view = _View(theme)
        self.view.setAccessibleName(_("Picture: {name}").format(name=name or _("no description")))
        self._facts = SafeLabel("", role="meta")
        self.copy = QPushButton(_("Copy picture"))
        self.copy.setObjectName("copyPicture")
        self.copy.setEnabled(False)
        self.copy.clicked.connect(lambda _checked=False: QGuiApplication.clipboard().setImage(self.view.image))
        close = QPushButton(_("Close"))
        close.setProperty("kind", "primary")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        row.addWidget(self._facts, 1)
        row.addWidget(self.copy)
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(2), theme.space(2), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(self.view, 1)
        layout.addLayout(row)
        screen = self.screen().availableSize() * _SHARE
        self.resize(QSize(theme.space(100), theme.space(75)).boundedTo(screen))
        self.picture_ready()

    def picture_ready(self) -> None:
        picture = self._pictures.picture(self._address, SIDE, self)
        if picture is not None and not picture.image.isNull():
            self.view.show_image(picture.image)
            self._facts.setText(f"{picture.natural.width()} × {picture.natural.height()}")
            self.copy.setEnabled(True)


class _View(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.image = QImage()
        self.setMinimumSize(theme.space(20), theme.space(15))

    def show_image(self, image: QImage) -> None:
        self.image = image
        self.update()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.image.isNull():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = self.image.size()
        if size.width() > self.width() or size.height() > self.height():
            size = size.scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        box = QRect(0, 0, size.width(), size.height())
        box.moveCenter(self.rect().center())
        painter.drawImage(box, self.image)
