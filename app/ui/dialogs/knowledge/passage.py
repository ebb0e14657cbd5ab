"""A passage in its place: the page of a PDF with the line marked, else the text around it with the passage marked."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.core.knowledge import PagePicture
from app.core.text.i18n import _
from app.core.wording.knowledge import place_text
from app.services.knowledge.showing import ShownPassage
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible

_MARKER = QColor(255, 226, 120)
_LEAST_HEIGHT = 12.0
"""Pixels: a font that is not there gives lines of no height."""


class PassageDialog(QDialog):
    def __init__(self, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Passage"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.passage = PassageView(theme)
        close = QPushButton(_("Close"))
        close.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(2), theme.space(2), theme.space(2))
        layout.setSpacing(theme.space(1))
        layout.addWidget(self.passage, 1)
        layout.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        self.resize(theme.space(96), theme.space(84))


class PassageView(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._image, self._line = QImage(), QRectF()
        self.title, self.place = SafeLabel("", role="title", elide=True), SafeLabel("", role="meta", elide=True)
        self.note = SafeLabel("", role="meta")
        self.note.setWordWrap(True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(_("The passage in its document"))
        self.picture = QLabel()
        self.picture.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.page_area = QScrollArea()
        self.page_area.setWidget(self.picture)
        self.page_area.setWidgetResizable(True)
        self.page_area.setAccessibleName(_("The page with the passage"))
        self.pages = QStackedWidget()
        self.pages.addWidget(self.text)
        self.pages.addWidget(self.page_area)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.5))
        for widget in (self.title, self.place, self.note):
            layout.addWidget(widget)
        layout.addWidget(self.pages, 1)
        self.setVisible(False)

    def show_passage(self, shown: ShownPassage) -> None:
        self.setVisible(True)
        self.title.setText(shown.name)
        self.place.setText(" · ".join(filter(None, [place_text(shown.passage), shown.path])))
        self.note.setText(_("The file has changed since it was read; this is what was read.") if shown.is_stale else "")
        self.note.setVisible(shown.is_stale)
        if shown.picture is not None:
            self._show_picture(shown.picture)
        else:
            self._show_text(shown)

    def _show_text(self, shown: ShownPassage) -> None:
        before, passage, after = (visible(text) for text in (shown.before, shown.passage.text, shown.after))
        self.text.setPlainText("\n\n".join(filter(None, [before, passage, after])))
        start = len(before) + 2 if before else 0
        line = passage.find(visible(shown.line)) if shown.line else -1
        marks = [self._marked(start, len(passage), "accent_tint")]
        if line >= 0:
            marks.append(self._marked(start + line, len(visible(shown.line)), "highlight"))
        self.text.setExtraSelections(marks)
        cursor = self.text.textCursor()
        cursor.setPosition(start + max(0, line))
        self.text.setTextCursor(cursor)
        self.pages.setCurrentWidget(self.text)
        self.text.centerCursor()

    def _marked(self, start: int, length: int, color: str) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        form.setBackground(self._theme.color(color))
        mark.cursor, mark.format = cursor, form
        return mark

    def _show_picture(self, page: PagePicture) -> None:
        row = page.width * 4
        image = QImage(page.pixels, page.width, page.height, row, QImage.Format.Format_RGBX8888).copy()
        painter = QPainter(image)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        boxes = [QRectF(left, top, right - left, bottom - top) for left, top, right, bottom in page.boxes]
        for box in boxes:
            short = max(0.0, _LEAST_HEIGHT - box.height()) / 2
            painter.fillRect(box.adjusted(-4, -short - 2, 4, short + 2), _MARKER)
        painter.end()
        self._image, self._line = image, boxes[0] if boxes else QRectF()
        self.pages.setCurrentWidget(self.page_area)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As wide as there is room for, at most as large as it is sharp; with the line in view."""
        if self._image.isNull() or self.pages.currentWidget() is not self.page_area:
            return
        ratio = max(1.5, self._image.width() / max(200, self.page_area.viewport().width() - 12))
        image = QImage(self._image)
        image.setDevicePixelRatio(ratio)
        self.picture.setPixmap(QPixmap.fromImage(image))
        self.picture.adjustSize()
        line = self._line.center()
        self.page_area.ensureVisible(0, int(line.y() / ratio), 0, 200)
