"""Formulas drawn in a thread and kept: the same one in the same size and colour is drawn once.

A document holds one object character per formula; its place and paint are asked for here, so that
nothing is looked up by a name. One that is not there yet, or cannot be drawn, is shown as its source.
"""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from math import ceil
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakSet, WeakValueDictionary

import shiboken6
from PySide6.QtCore import QByteArray, QObject, QPointF, QRect, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
)

from app.ui.theme.fonts import ui_families
from app.ui.widgets.guarded import guarded

if TYPE_CHECKING:
    from app.services.exchange.formula_drawing import Drawing

OBJECT = int(QTextFormat.ObjectTypes.UserObject.value) + 1
NUMBER = int(QTextFormat.Property.UserProperty.value) + 2
SOURCE = int(QTextFormat.Property.UserProperty.value) + 3
CHARACTER = "\ufffc"
_RATIO = 2
_KEPT = 400
"""Formulas, in all colours and sizes; those on show stay besides."""
_WAITING = 1_000
"""More than so many at once stay source: each takes the thread some ten milliseconds."""
_TOLD_EACH_MS = 30
_SCALE = 1.12
"""The letters of the mathematical font are smaller than those of the text around at the same size."""
_LETTER = 0.9
_PROBE = 100


@dataclass(frozen=True, slots=True)
class Asked:
    tex: str
    size: int
    """Pixels of the text around it."""
    colour: str
    display: bool = False


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class DrawnFormula:
    number: int
    image: QImage
    width: float
    height: float
    below: float
    """How far it reaches under the base line."""


class FormulaWaiter(Protocol):
    def formulas_ready(self) -> None: ...


class Formulas(QObject):
    """One for a chat view; `close` before the window goes."""

    _drawn = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pictures: OrderedDict[Asked, DrawnFormula | None] = OrderedDict()
        self._alive: WeakValueDictionary[int, DrawnFormula] = WeakValueDictionary()
        self._numbers = count(1)
        self._pending: dict[Asked, WeakSet[Any]] = {}
        self._ready: list[Any] = []
        self._pool: ThreadPoolExecutor | None = None
        self._tell = QTimer(self)
        self._tell.setSingleShot(True)
        self._tell.setInterval(_TOLD_EACH_MS)
        self._tell.timeout.connect(self._tell_waiting)
        # Queued also when the thread is done before its future is watched: nobody is told while he asks.
        self._drawn.connect(self._arrived, Qt.ConnectionType.QueuedConnection)
        self._object = _FormulaObject(self._alive, self)

    def picture(self, asked: Asked, waiter: FormulaWaiter) -> DrawnFormula | None:
        """None if it cannot be drawn, or not yet: then the waiter hears when it is there."""
        if asked in self._pictures:
            self._pictures.move_to_end(asked)
            return self._pictures[asked]
        if asked in self._pending:
            self._pending[asked].add(waiter)
        elif len(self._pending) < _WAITING:
            self._pending[asked] = WeakSet((waiter,))
            self._start(asked)
        return None

    def is_pending(self, asked: Asked) -> bool:
        return asked in self._pending

    def prepare(self, document: QTextDocument) -> None:
        """The document can show formulas from now on."""
        document.documentLayout().registerHandler(OBJECT, self._object)

    def close(self) -> None:
        self._tell.stop()
        self._pending.clear()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _start(self, asked: Asked) -> None:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="formulas")

        def arrived(done: Future[tuple[Drawing, QImage] | None]) -> None:
            if not done.cancelled() and shiboken6.isValid(self):
                self._drawn.emit(asked, done.result() if done.exception() is None else None)

        self._pool.submit(_painted, asked).add_done_callback(arrived)

    def _arrived(self, asked: Asked, found: tuple[Drawing, QImage] | None) -> None:
        if asked not in self._pending:
            return
        picture: DrawnFormula | None = None
        if found is not None:
            drawing, image = found
            picture = DrawnFormula(next(self._numbers), image, drawing.width, drawing.height, drawing.below)
            self._alive[picture.number] = picture
        self._pictures[asked] = picture
        while len(self._pictures) > _KEPT:
            self._pictures.popitem(last=False)
        self._ready += self._pending.pop(asked)
        if not self._tell.isActive():
            self._tell.start()

    def _tell_waiting(self) -> None:
        waiting, self._ready = self._ready, []
        for waiter in dict.fromkeys(waiting):
            if shiboken6.isValid(waiter):
                waiter.formulas_ready()


def object_format(picture: DrawnFormula, source: str) -> QTextCharFormat:
    """The format of the one character that stands for a formula."""
    char_format = QTextCharFormat()
    char_format.setObjectType(OBJECT)
    # So aligned, an object reaches as far below the base line as the letters of its font: that says how far.
    char_format.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
    font = QFont()
    font.setPixelSize(_PROBE)
    font.setPixelSize(max(1, ceil(picture.below * _PROBE / QFontMetricsF(font).descent())))
    char_format.setFont(font)
    char_format.setProperty(NUMBER, picture.number)
    char_format.setProperty(SOURCE, source)
    return char_format


class _FormulaObject(QPyTextObject):
    def __init__(self, pictures: WeakValueDictionary[int, DrawnFormula], parent: QObject) -> None:
        super().__init__(parent)
        self._pictures = pictures

    @guarded
    def intrinsicSize(self, _document: QTextDocument, _place: int, form: QTextFormat) -> QSizeF:
        picture = self._pictures.get(form.intProperty(NUMBER))
        if picture is None:
            return QSizeF(0, 0)
        below = QFontMetricsF(form.toCharFormat().font()).descent()
        return QSizeF(picture.width, picture.height - picture.below + below)

    @guarded
    def drawObject(
        self, painter: QPainter, area: QRectF | QRect, _document: QTextDocument, _place: int, form: QTextFormat
    ) -> None:
        picture = self._pictures.get(form.intProperty(NUMBER))
        if picture is not None:
            painter.drawImage(QRectF(area).topLeft(), picture.image)


def _painted(asked: Asked) -> tuple[Drawing, QImage] | None:
    """In the thread: the drawing as an image of twice the pixels."""
    from PySide6.QtSvg import QSvgRenderer

    from app.services.exchange.formula_drawing import draw  # in the worker: the first formula loads it

    drawing = draw(asked.tex, asked.size * _SCALE, asked.colour, display=asked.display)
    if drawing is None:
        return None
    renderer = QSvgRenderer(QByteArray(drawing.svg.encode()))
    if not renderer.isValid():
        return None
    pixels = QSize(round(drawing.width * _RATIO), round(drawing.height * _RATIO))
    image = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter)
    painter.scale(_RATIO, _RATIO)
    painter.setPen(asked.colour)
    for letter in drawing.letters:
        font = QFont()
        font.setFamilies(ui_families())
        font.setPixelSize(max(1, round(letter.size * _LETTER)))
        painter.setFont(font)
        painter.drawText(QPointF(letter.x, letter.y), letter.text)
    painter.end()
    image.setDevicePixelRatio(_RATIO)
    return drawing, image
