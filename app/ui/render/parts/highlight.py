"""Colours for finished code, after the paint, one piece at a time.

Pygments takes about 1.7 ms for a thousand characters and 45 ms to import, so long code is read in
a thread; the colours are laid over the finished layout and change neither text nor selection.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QColor, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QPlainTextEdit

from app.core.text.hidden import bidi_marked
from app.ui.theme import Theme

IN_PLACE = 3_000
"""Up to so many characters are read in the GUI thread: quicker than the way through another."""
LONGEST = 200_000

Spans = list[list[tuple[int, int, str]]]
"""For each line: start, length (as Qt counts) and colour."""


class Coloured(Protocol):
    language: str
    text: str

    @property
    def view(self) -> QPlainTextEdit: ...


class Highlighter(QObject):
    """One queue for a chat view. A code card that is gone when its turn comes is skipped."""

    _read = Signal(object, object, object)

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._syntax = dict(theme.tokens.syntax)
        self._waiting: deque[Coloured] = deque()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._next)
        self._pool: ThreadPoolExecutor | None = None
        self._read.connect(self._arrived)

    def ask(self, code: Coloured) -> None:
        if code.language and code.text and len(code.text) <= LONGEST:
            self._waiting.append(code)
            if not self._timer.isActive():
                self._timer.start(0)

    def close(self) -> None:
        self._waiting.clear()
        self._timer.stop()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _next(self) -> None:
        code = self._pop_living()
        if code is None:
            return
        if len(code.text) <= IN_PLACE:
            self._apply(code, code.text, spans_of(code.language, bidi_marked(code.text), self._syntax))
        else:
            self._ask_thread(code)
        if self._waiting:
            self._timer.start(10)

    def _pop_living(self) -> Coloured | None:
        while self._waiting:
            code = self._waiting.popleft()
            if shiboken6.isValid(code):
                return code
        return None

    def _ask_thread(self, code: Coloured) -> None:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="highlight")
        text = code.text

        def arrived(done: Future[Spans]) -> None:
            if not done.cancelled() and done.exception() is None and shiboken6.isValid(self):
                self._read.emit(code, text, done.result())

        self._pool.submit(spans_of, code.language, bidi_marked(text), self._syntax).add_done_callback(arrived)

    def _arrived(self, code: Coloured, text: str, spans: Spans) -> None:
        self._apply(code, text, spans)

    def _apply(self, code: Coloured, text: str, spans: Spans) -> None:
        if not shiboken6.isValid(code) or code.text != text:
            return
        document = code.view.document()
        block = document.begin()
        if document.blockCount() != len(spans):
            return
        for line in spans:
            if line:
                block.layout().setFormats([_range(*span) for span in line])
            block = block.next()
        document.markContentsDirty(0, document.characterCount())
        code.view.viewport().update()


def spans_of(language: str, text: str, syntax: dict[str, str]) -> Spans:
    """By the name of the language only: guessing is slow and often wrong."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language.lower(), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return []
    colours: dict[object, str] = {}
    lines: Spans = [[]]
    column = 0
    for token, value in lexer.get_tokens(text):
        if token not in colours:
            colours[token] = _nearest(str(token).removeprefix("Token."), syntax)
        for number, piece in enumerate(_lines(value)):
            if number:
                lines.append([])
                column = 0
            length = len(piece) if piece.isascii() else len(piece.encode("utf-16-le", "surrogatepass")) // 2
            if colours[token] and piece and not piece.isspace():
                lines[-1].append((column, length, colours[token]))
            column += length
    return lines


def _lines(value: str) -> Iterator[str]:
    return iter(value.split("\n"))


def _nearest(path: str, syntax: dict[str, str]) -> str:
    while path:
        if path in syntax:
            return syntax[path]
        path = path.rpartition(".")[0]
    return ""


def _range(start: int, length: int, colour: str) -> QTextLayout.FormatRange:
    format_range = QTextLayout.FormatRange()
    format_range.start, format_range.length = start, length
    form = QTextCharFormat()
    form.setForeground(QColor(colour))
    format_range.format = form
    return format_range
