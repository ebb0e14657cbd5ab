"""A text view inside a message: reads, selects and copies, but never loads, scrolls or opens anything."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QMimeData, Qt, QUrl, Signal
from PySide6.QtGui import QColor, QImage, QPalette, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextBrowser, QWidget

from app.ui.render.markdown.sanitize import without_breaks
from app.ui.render.parts.formulas import CHARACTER, OBJECT, SOURCE
from app.ui.widgets.layout.viewport import viewport_of

_USUAL_WIDTH = 700
_OFF = Qt.ScrollBarPolicy.ScrollBarAlwaysOff


def see_through(view: QTextBrowser | QPlainTextEdit) -> None:
    view.setProperty("flat", True)
    view.setFrameShape(QFrame.Shape.NoFrame)
    viewport_of(view).setAutoFillBackground(False)
    palette = view.palette()
    palette.setColor(QPalette.ColorRole.Base, QColor(Qt.GlobalColor.transparent))
    view.setPalette(palette)


def copied(cursor: QTextCursor) -> QMimeData:
    """Plain text only: what is pasted elsewhere carries no formats and no breaks of ours."""
    data = QMimeData()
    data.setText(selected_text(cursor))
    return data


def selected_text(cursor: QTextCursor) -> str:
    """What is selected, formulas as their source."""
    text = without_breaks(cursor.selection().toPlainText())
    if CHARACTER in text:
        sources = list(_sources(cursor))
        pieces = text.split(CHARACTER)
        if len(sources) == len(pieces) - 1:
            text = "".join(f"{piece}{source}" for piece, source in zip(pieces, [*sources, ""], strict=True))
    return text


def _sources(cursor: QTextCursor) -> Iterator[str]:
    document, end = cursor.document(), cursor.selectionEnd()
    block = document.findBlock(cursor.selectionStart())
    while block.isValid() and block.position() < end:
        places = block.begin()
        while not places.atEnd():
            fragment = places.fragment()
            form = fragment.charFormat()
            if form.objectType() == OBJECT:
                for place in range(fragment.position(), fragment.position() + fragment.length()):
                    if cursor.selectionStart() <= place < end:
                        yield form.stringProperty(SOURCE)
            places += 1
        block = block.next()


class TextView(QTextBrowser):
    """Rich text made by cursor inserts. Height follows the text; the wheel belongs to the chat."""

    link_activated = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        see_through(self)
        self.setVerticalScrollBarPolicy(_OFF)
        self.setHorizontalScrollBarPolicy(_OFF)
        self.setUndoRedoEnabled(False)
        self.setOpenLinks(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.document().setDocumentMargin(0)
        # Qt's own wrapping follows the widget's size at moments of its choosing.
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        # Before there is text: at no width at all every letter would be a line of its own.
        self.setLineWrapColumnOrWidth(_USUAL_WIDTH)
        self.verticalScrollBar().rangeChanged.connect(self._stay_unscrolled)
        self.anchorClicked.connect(self._clicked)

    def text_height(self, width: int) -> int:
        if self.lineWrapColumnOrWidth() != width:
            self.setLineWrapColumnOrWidth(max(1, width))
        return int(self.document().size().height() + 0.5)

    def reach_links_by_tab(self) -> None:
        """Text with links is a stop of the Tab key, which then walks them; plain text is not."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _stay_unscrolled(self, _least: int, most: int) -> None:
        # The margin below the last paragraph makes the document higher than the view.
        if most:
            self.verticalScrollBar().setRange(0, 0)

    def _clicked(self, url: QUrl) -> None:
        self.link_activated.emit(bytes(url.toEncoded().data()).decode("ascii"))

    def loadResource(self, _type: int, _name: QUrl | str) -> object:
        # Anything but an image makes Qt open the path by itself.
        return QImage(1, 1, QImage.Format.Format_ARGB32)

    def createMimeDataFromSelection(self) -> QMimeData:
        return copied(self.textCursor())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
