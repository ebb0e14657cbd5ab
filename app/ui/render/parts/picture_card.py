"""A picture in the conversation: as large as the column allows; a press shows it by itself.

One that stands elsewhere is a box that says from where it would come; a press asks whether to load it.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.text.i18n import _
from app.ui.render.markdown.links import host_of, remote_picture
from app.ui.render.parts.picture_dialog import PictureDialog
from app.ui.render.parts.pictures import Elsewhere, LoadedPicture, PictureLoader
from app.ui.texts.pictures import not_loaded
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import set_safe_tooltip, visible
from app.ui.widgets.spoken_role import Role, speak_as

SIDE = 740
"""Logical pixels for which a picture is decoded."""
HIGHEST = 420


class PictureCard(QWidget):
    """Its place is known once the picture is there; until then, and without one, a line says what it is."""

    grew = Signal()

    def __init__(
        self,
        parent: QWidget | None,
        theme: Theme,
        pictures: PictureLoader | None,
        address: str,
        name: str,
        *,
        highest: int = HIGHEST,
    ) -> None:
        super().__init__(parent)
        speak_as(self, Role.Graphic)
        self.address, self.name = address, visible(name)[:200]
        self.nesting = 0
        self._theme, self._pictures, self._highest = theme, pictures, round(highest * theme.zoom)
        self._shown: LoadedPicture | None = None
        self._elsewhere = Elsewhere(can_load=False) if remote_picture(address) else None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._name_it()
        self.picture_ready()

    def picture_ready(self) -> None:
        if self._pictures is None:
            return
        self._elsewhere = self._pictures.elsewhere(self.address, self)
        if self._elsewhere is None:
            self._shown = self._pictures.picture(self.address, SIDE, self)
        self._name_it()
        if self._shown is not None or self._elsewhere is not None:
            is_pressed = self._is_there() or self._can_load()
            self.setCursor(Qt.CursorShape.PointingHandCursor if is_pressed else Qt.CursorShape.ArrowCursor)
            self.updateGeometry()
            self.update()
            self.grew.emit()

    def image(self) -> QImage:
        """Null while it is not there."""
        return self._shown.image if self._shown is not None else QImage()

    def wanted(self, width: int) -> int:
        return self.size_in(width).height()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.wanted(width)

    def sizeHint(self) -> QSize:
        return self.size_in(SIDE)

    def _is_there(self) -> bool:
        return self._shown is not None and not self._shown.image.isNull()

    def _can_load(self) -> bool:
        return self._elsewhere is not None and self._elsewhere.can_load and not self._elsewhere.is_loading

    def _name_it(self) -> None:
        if self._elsewhere is None:
            self.setAccessibleName(_("Picture: {name}").format(name=self.name or _("no description")))
            set_safe_tooltip(self, self.name)
        else:
            self.setAccessibleName(f"{self._words()} – {self._deed()}".removesuffix(" – "))
            # Where it leads is to be seen before it is pressed.
            set_safe_tooltip(self, self.address)

    def size_in(self, width: int) -> QSize:
        if self._elsewhere is not None:
            return QSize(width, self._theme.space(5))
        if self._shown is None or self._shown.image.isNull():
            words = QFontMetrics(self._theme.font("meta")).horizontalAdvance(self._words())
            return QSize(min(width, words + self._theme.space(3) + 2), self._theme.space(4))
        natural = self._shown.natural
        if natural.width() <= width and natural.height() <= self._highest:
            return natural
        return natural.scaled(width, self._highest, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        if self._elsewhere is not None:
            self._paint_offer(painter)
            return
        box = QRect(self.rect().topLeft(), self.size_in(self.width()))
        if self._shown is not None and not self._shown.image.isNull():
            edge = QPainterPath()
            edge.addRoundedRect(box.toRectF(), theme.space(1), theme.space(1))
            painter.save()
            painter.setClipPath(edge)
            painter.drawImage(box, self._shown.image)
            painter.restore()
            painter.setPen(QPen(theme.color("accent" if self.hasFocus() else "border"), 2 if self.hasFocus() else 1))
            painter.drawPath(edge)
            return
        painter.drawPixmap(
            0, (box.height() - 16) // 2, theme.pixmap("image", "muted", 16, ratio=self.devicePixelRatioF())
        )
        painter.setPen(theme.color("muted"))
        painter.setFont(theme.font("meta"))
        words = self._words()
        room = box.adjusted(theme.space(3), 0, 0, 0)
        label = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), label)

    def _paint_offer(self, painter: QPainter) -> None:
        theme, box = self._theme, self.rect()
        edge = QPainterPath()
        edge.addRoundedRect(box.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), theme.space(1), theme.space(1))
        painter.fillPath(edge, theme.color("sunken"))
        painter.setPen(QPen(theme.color("accent" if self.hasFocus() else "border"), 2 if self.hasFocus() else 1))
        painter.drawPath(edge)
        ratio = self.devicePixelRatioF()
        painter.drawPixmap(theme.space(1.5), (box.height() - 16) // 2, theme.pixmap("image", "muted", 16, ratio=ratio))
        painter.setFont(theme.font("meta"))
        metrics, deed = painter.fontMetrics(), self._deed()
        inner = box.adjusted(theme.space(4.5), 0, -theme.space(1.5), 0)
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(theme.color("accent"))
        painter.drawText(inner, middle | int(Qt.AlignmentFlag.AlignRight), deed)
        painter.setPen(theme.color("muted"))
        room = inner.adjusted(0, 0, -metrics.horizontalAdvance(deed) - theme.space(2), 0)
        label = metrics.elidedText(self._words(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, middle, label)

    def _deed(self) -> str:
        """What a press does with one that stands elsewhere."""
        if not self._can_load() or self._elsewhere is None:
            return ""
        return _("Try again…") if self._elsewhere.failed else _("Load…")

    def _words(self) -> str:
        if self._elsewhere is not None:
            return not_loaded(
                self.name, host_of(self.address), self._elsewhere.failed, is_loading=self._elsewhere.is_loading
            )
        if self._pictures is not None and self._shown is None:
            return self.name or _("Picture")
        return _("{name} – this picture is not there any more").format(name=self.name or _("Picture"))

    def _open(self) -> None:
        if self._pictures is None:
            return
        if self._can_load():
            self._pictures.wanted.emit(self.address, self.name)
        elif self._is_there():
            PictureDialog(self.window(), self._theme, self._pictures, self.address, self.name).open()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and (self._is_there() or self._can_load()):
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._open()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._open()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()
