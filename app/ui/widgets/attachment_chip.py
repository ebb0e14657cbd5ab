"""What goes along with a message, as a chip: a small picture or an icon, its name and size, a way to remove it."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

SIDE = 40
"""Logical pixels of the small picture."""


class AttachmentChip(QFrame):
    removed = Signal()
    opened = Signal()

    def __init__(
        self,
        theme: Theme,
        name: str,
        note: str = "",
        *,
        image: QImage | None = None,
        removable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("card", "plain")
        self.setAccessibleName(_("Attachment: {name}").format(name=name))
        row = QHBoxLayout(self)
        row.setContentsMargins(
            theme.space(1), theme.space(0.5), theme.space(0.5 if removable else 1.25), theme.space(0.5)
        )
        row.setSpacing(theme.space(0.75))
        self._mark = SafeLabel("")
        self._mark.setPixmap(theme.pixmap("file", "muted", 14, ratio=self.devicePixelRatioF()))
        row.addWidget(self._mark)
        words = QVBoxLayout()
        words.setSpacing(0)
        name_label = SafeLabel(name, elide=True)
        set_safe_tooltip(name_label, f"{name}\n{note}".strip())
        words.addWidget(name_label)
        if note:
            words.addWidget(SafeLabel(note, role="meta", elide=True))
        row.addLayout(words, 1)
        if removable:
            remove = IconButton(theme, "x", _("Remove {name}").format(name=name), size=13)
            remove.clicked.connect(self.removed)
            row.addWidget(remove)
        if image is not None:
            self.set_image(image)

    def set_image(self, image: QImage) -> None:
        """The middle of it, square."""
        if image.isNull():
            return
        ratio = max(1.0, self.devicePixelRatioF())
        edge = round(SIDE * self._theme.zoom)
        pixmap = QPixmap(round(edge * ratio), round(edge * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        side = min(image.width(), image.height())
        middle = QRect((image.width() - side) // 2, (image.height() - side) // 2, side, side)
        painter = QPainter(pixmap)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        shape = QPainterPath()
        shape.addRoundedRect(0, 0, edge, edge, self._theme.space(0.75), self._theme.space(0.75))
        painter.setClipPath(shape)
        painter.drawImage(QRect(0, 0, edge, edge), image, middle)
        painter.end()
        self._mark.setPixmap(pixmap)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.opened.emit()
