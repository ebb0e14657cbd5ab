"""A conversation as PDF, laid out from the safe page that the HTML export writes.

The page is ours: raw HTML of models and tools is escaped in it already. All the same the document
here loads nothing, whatever an address in it says.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, Qt, QThread, QUrl
from PySide6.QtGui import QFont, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QTextDocument

_POINTS = 10
_MARGIN_MM = 18.0
_DOTS_PER_INCH = 300
_FOOT_INCHES = 0.35

_STYLE = """
h1 { font-size: 17pt; } h2 { font-size: 14pt; } h3 { font-size: 12pt; } h4, h5, h6 { font-size: 11pt; }
.about, .cost, .when { color: #5c6370; font-size: 8pt; }
.who { font-weight: 600; }
.head { margin-top: 16px; margin-bottom: 4px; }
.summary { color: #5c6370; margin-bottom: 2px; font-size: 9pt; }
.fold { margin-left: 14px; }
.user { background-color: #f0f3f9; }
pre { background-color: #f5f6f8; white-space: pre-wrap; font-size: 8pt; }
code { font-size: 9pt; }
table { border-color: #c9ced6; border-style: solid; border-collapse: collapse; }
th { background-color: #f0f2f5; }
blockquote { color: #5c6370; }
a { color: #2f62d9; }
.failed { color: #c0242c; }
"""

_PLAIN_BLOCKS = (
    # The layout engine knows the tags of HTML 4: what folds is opened, what has a name becomes a block.
    ("<details><summary>", '<div class="fold"><p class="summary">'),
    ("</summary>", "</p>"),
    ("</details>", "</div>"),
    ("<article ", "<div "),
    ("</article>", "</div>"),
    ("<header>", '<p class="head">'),
    ("</header>", "</p>"),
    ("<table>", '<table border="1" cellpadding="4" cellspacing="0">'),
)


class _Sheet(QTextDocument):
    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        """One clear dot: for nothing at all the layout engine would open the address as a file by itself."""
        dot = QImage(1, 1, QImage.Format.Format_ARGB32)
        dot.fill(0)
        return dot


class _Press(QThread):
    """A thread of Qt: the layout has timers, which a plain thread of Python cannot serve."""

    def __init__(self, html: str, title: str) -> None:
        super().__init__()
        self._html, self._title = html, title
        self.data = b""

    def run(self) -> None:
        self.data = _printed(self._html, self._title)


def pdf_of(html: str, title: str) -> bytes:
    """`html` as `export_html` writes it, on A4, with page numbers. Blocks: not for the thread of the window."""
    press = _Press(html, title)
    press.start()
    press.wait()
    return press.data


def _printed(html: str, title: str) -> bytes:
    sheet = _Sheet()
    sheet.setDefaultFont(_font())
    sheet.setDefaultStyleSheet(_STYLE)
    sheet.setHtml(_body(html))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("Triptych")
    writer.setResolution(_DOTS_PER_INCH)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM), QPageLayout.Unit.Millimeter)
    _paint(sheet, writer)
    del writer  # writes the end of the file
    return bytes(buffer.data().data())


def _paint(sheet: QTextDocument, writer: QPdfWriter) -> None:
    """Page by page. Not by `print_`: it works on a clone, which is an ordinary document and would load pictures."""
    sheet.setDocumentMargin(0)
    sheet.documentLayout().setPaintDevice(writer)
    page = QRectF(0, 0, writer.width(), writer.height())
    sheet.setPageSize(page.size())
    count = sheet.pageCount()
    painter = QPainter(writer)
    foot = QRectF(0, page.height(), page.width(), writer.logicalDpiY() * _FOOT_INCHES)
    for number in range(count):
        if number:
            writer.newPage()
        painter.save()
        painter.translate(0, -number * page.height())
        sheet.drawContents(painter, page.translated(0, number * page.height()))
        painter.restore()
        painter.setFont(sheet.defaultFont())
        painter.setPen(Qt.GlobalColor.gray)
        painter.drawText(foot, int(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight), f"{number + 1}/{count}")
    painter.end()


def _font() -> QFont:
    font = QFont()
    font.setPointSize(_POINTS)
    return font


def _body(html: str) -> str:
    """Without the head: its style is made for browsers."""
    _head, _tag, body = html.partition("<body>")
    for old, new in _PLAIN_BLOCKS:
        body = body.replace(old, new)
    return body
