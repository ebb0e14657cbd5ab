"""A conversation as PDF, laid out from the safe page that the HTML export writes.

The page is ours: raw HTML of models and tools is escaped in it already. All the same the document
here loads nothing, whatever an address in it says: what it shows are the pictures that are in the page itself.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from math import ceil
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, Qt, QThread, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QFontMetricsF,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)

from app.ui.render.parts.pictures import decoded

_POINTS = 10
_MARGIN_MM = 18.0
_SHEET_MARGIN_MM = 12.0
_SMALLER = 1.06
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
    ("<figure>", "<p>"),
    ("</figure>", "</p>"),
    ("<figcaption>", '<br><span class="about">'),
    ("</figcaption>", "</span>"),
    ("<table>", '<table border="1" cellpadding="4" cellspacing="0">'),
)


_IMAGE = re.compile(
    r'<img (class="formula" )?src="data:image/(png|jpeg|gif|webp|svg\+xml);base64,([A-Za-z0-9+/=]+)"[^>]*>'
)
_FORMULA = re.compile(r"height:([0-9.]+)em;vertical-align:-?([0-9.]+)em")
_EM = _POINTS * 96 / 72
"""Pixels of the letters around a formula."""
_DOTS_PER_PIXEL = _DOTS_PER_INCH / 96
_WIDEST, _HIGHEST = 640, 720
"""Pixels of a picture that still fits a page."""
_PICTURE_SIDE = 2_000
_PROBE = 100


@dataclass(frozen=True, slots=True)
class _Picture:
    image: QImage
    below: float = 0.0
    """Of a formula: dots that it reaches under the base line."""


class _Sheet(QTextDocument):
    def __init__(self, pictures: dict[str, _Picture] | None = None) -> None:
        super().__init__()
        self._pictures = pictures or {}

    def loadResource(self, _kind: int, name: QUrl | str) -> Any:
        """One clear dot for what is not ours: for nothing the layout engine would open the address as a file."""
        picture = self._pictures.get(name if isinstance(name, str) else name.toString())
        if picture is not None:
            return picture.image
        dot = QImage(1, 1, QImage.Format.Format_ARGB32)
        dot.fill(0)
        return dot

    def lower_formulas(self) -> None:
        """On their base line: an object reaches as far below it as the letters of its font."""
        places: list[tuple[int, _Picture]] = []
        block = self.begin()
        while block.isValid():
            at = block.begin()
            while not at.atEnd():
                fragment = at.fragment()
                form = fragment.charFormat()
                picture = self._pictures.get(form.toImageFormat().name()) if form.isImageFormat() else None
                if picture is not None and picture.below:
                    places += [(fragment.position() + n, picture) for n in range(fragment.length())]
                at += 1
            block = block.next()
        cursor = QTextCursor(self)
        for place, picture in places:
            cursor.setPosition(place)
            cursor.setPosition(place + 1, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(_lowered(picture.below))


def _lowered(below: float) -> QTextCharFormat:
    font = QFont()
    font.setPixelSize(_PROBE)
    font.setPixelSize(max(1, ceil(below * _PROBE / QFontMetricsF(font).descent())))
    form = QTextCharFormat()
    form.setFont(font)
    form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
    return form


def _with_names(html: str) -> tuple[str, dict[str, _Picture]]:
    """The page with names in place of its pictures, each with its size, and the pictures by these names."""
    pictures: dict[str, _Picture] = {}
    names: dict[str, str] = {}

    def named(found: re.Match[str]) -> str:
        tag = found.group(0)
        if tag not in names:
            picture, size = _formula(found) if found.group(1) else _kept(found)
            name = f"picture:{len(pictures)}"
            pictures[name] = picture
            names[tag] = f'<img src="{name}" width="{size.width()}" height="{size.height()}">'
        return names[tag]

    return _IMAGE.sub(named, html), pictures


def _kept(found: re.Match[str]) -> tuple[_Picture, QSize]:
    picture = decoded(_bytes(found.group(3)), _PICTURE_SIDE)
    size, most = picture.natural, QSize(_WIDEST, _HIGHEST)
    if size.width() > most.width() or size.height() > most.height():
        size = size.scaled(most, Qt.AspectRatioMode.KeepAspectRatio)
    return _Picture(picture.image), size


def _formula(found: re.Match[str]) -> tuple[_Picture, QSize]:
    """Drawn in the dots of the paper."""
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(QByteArray(_bytes(found.group(3))))
    place = _FORMULA.search(found.group(0))
    natural = renderer.defaultSize()
    if place is None or not renderer.isValid() or natural.isEmpty():
        return _Picture(QImage()), QSize()
    height, below = (float(ems) * _EM for ems in place.groups())
    width = height * natural.width() / natural.height()
    scale = min(1.0, _WIDEST / width)
    size = QSize(round(width * scale), round(height * scale))
    image = QImage(size * _DOTS_PER_PIXEL, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter)
    painter.end()
    return _Picture(image, below * scale * _DOTS_PER_PIXEL), size


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return b""


class _Press(QThread):
    """A thread of Qt: the layout has timers, which a plain thread of Python cannot serve."""

    def __init__(self, html: str, title: str, *, one_page: bool) -> None:
        super().__init__()
        self._html, self._title, self._one_page = html, title, one_page
        self.data = b""

    def run(self) -> None:
        self.data = _printed(self._html, self._title, one_page=self._one_page)


def pdf_of(html: str, title: str, *, one_page: bool = False) -> bytes:
    """`html` as `export_html` writes it, on A4, with page numbers; or made small enough for one page. Blocks: not for
    the thread of the window."""
    press = _Press(html, title, one_page=one_page)
    press.start()
    press.wait()
    return press.data


def _printed(html: str, title: str, *, one_page: bool) -> bytes:
    html, pictures = _with_names(_body(html))
    sheet = _Sheet(pictures)
    sheet.setDefaultFont(_font())
    sheet.setDefaultStyleSheet(_STYLE)
    sheet.setHtml(html)
    sheet.lower_formulas()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("Triptych")
    writer.setResolution(_DOTS_PER_INCH)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    margin = _SHEET_MARGIN_MM if one_page else _MARGIN_MM
    writer.setPageMargins(QMarginsF(margin, margin, margin, margin), QPageLayout.Unit.Millimeter)
    (_paint_small if one_page else _paint)(sheet, writer)
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
        _draw(sheet, painter, page.translated(0, number * page.height()))
        painter.restore()
        painter.setFont(sheet.defaultFont())
        painter.setPen(Qt.GlobalColor.gray)
        painter.drawText(foot, int(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight), f"{number + 1}/{count}")
    painter.end()


def _paint_small(sheet: QTextDocument, writer: QPdfWriter) -> None:
    """On one page, as large as it can be."""
    sheet.setDocumentMargin(0)
    sheet.documentLayout().setPaintDevice(writer)
    page, scale = QRectF(0, 0, writer.width(), writer.height()), 1.0
    sheet.setPageSize(page.size())
    while sheet.pageCount() > 1:
        # Half the size takes a quarter of the room: most of the way at once, the rest in small steps.
        scale *= max(_SMALLER, (sheet.pageCount() - 1) ** 0.5 * 0.9)
        sheet.setPageSize(page.size() * scale)
    painter = QPainter(writer)
    painter.scale(1 / scale, 1 / scale)
    _draw(sheet, painter, QRectF(0, 0, page.width() * scale, page.height() * scale))
    painter.end()


def _draw(sheet: QTextDocument, painter: QPainter, part: QRectF) -> None:
    """Black on white: by itself a document takes the letters of the window, which a dark one has nearly white."""
    context = QAbstractTextDocumentLayout.PaintContext()
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Text, Qt.GlobalColor.black)
    context.palette = palette
    context.clip = part
    painter.setClipRect(part)
    sheet.documentLayout().draw(painter, context)


def _font() -> QFont:
    """Without the features of the window's font: a replaced glyph has no way back to its letter, so that figures
    copied from the page or searched for in it were lost."""
    font = QFont()
    font.clearFeatures()
    for feature in ("calt", "ccmp", "liga", "clig"):
        font.setFeature(QFont.Tag(feature), 0)
    font.setPointSize(_POINTS)
    return font


def _body(html: str) -> str:
    """Without the head: its style is made for browsers."""
    _head, _tag, body = html.partition("<body>")
    for old, new in _PLAIN_BLOCKS:
        body = body.replace(old, new)
    return body
