"""Pictures that were kept with a message, decoded off the GUI thread, small enough for where they stand.

Only what the attachment store has, and short `data:` addresses: nothing is fetched, no path is opened.
"""

from __future__ import annotations

import base64
import binascii
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol
from weakref import WeakSet

import shiboken6
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader

from app.services.attachments import LARGEST_PICTURE, MOST_PIXELS
from app.services.picture_facts import picture_facts
from app.ui.render.links import INLINE_PICTURE, STORED_PICTURE

Content = Callable[[str], Awaitable[bytes | None]]
Spawn = Callable[[Coroutine[Any, Any, None]], None]

_KEPT_BYTES = 64_000_000
_RATIO = 2


@dataclass(frozen=True, slots=True)
class Shown:
    image: QImage
    """Null if there is no such picture, or it cannot be decoded."""
    natural: QSize
    """Pixels of the whole picture."""


class Waiter(Protocol):
    def picture_ready(self) -> None: ...


_Key = tuple[str, int]


class Pictures(QObject):
    """One for a window. `content` gives the bytes of a stored file, `spawn` runs what asks for them."""

    _decoded = Signal(object, object)

    def __init__(self, content: Content, spawn: Spawn, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._content, self._spawn = content, spawn
        self._known: OrderedDict[_Key, Shown] = OrderedDict()
        self._pending: dict[_Key, WeakSet[Any]] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._decoded.connect(self._arrived, Qt.ConnectionType.QueuedConnection)

    def picture(self, address: str, side: int, waiter: Waiter) -> Shown | None:
        """The picture of this address, no side longer than that many logical pixels; None: the waiter will hear."""
        key = (address, side)
        if (known := self._known.get(key)) is not None:
            self._known.move_to_end(key)
            return known
        if key in self._pending:
            self._pending[key].add(waiter)
        else:
            self._pending[key] = WeakSet((waiter,))
            self._ask(key)
        return None

    async def whole(self, address: str) -> bytes:
        """The file itself; b"" if it is not there."""
        if found := STORED_PICTURE.fullmatch(address):
            return await self._content(found.group(1)) or b""
        return _inline(address)

    def close(self) -> None:
        self._pending.clear()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _ask(self, key: _Key) -> None:
        async def load() -> None:
            self._decode(key, await self.whole(key[0]))

        self._spawn(load())

    def _decode(self, key: _Key, data: bytes) -> None:
        if key not in self._pending:
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="pictures")

        def arrived(done: Future[Shown]) -> None:
            if not done.cancelled() and shiboken6.isValid(self):
                self._decoded.emit(key, done.result() if done.exception() is None else Shown(QImage(), QSize()))

        self._pool.submit(decoded, data, key[1] * _RATIO).add_done_callback(arrived)

    def _arrived(self, key: _Key, shown: Shown) -> None:
        if key not in self._pending:
            return
        self._known[key] = shown
        while len(self._known) > 1 and sum(one.image.sizeInBytes() for one in self._known.values()) > _KEPT_BYTES:
            self._known.popitem(last=False)
        for waiter in list(self._pending.pop(key)):
            if shiboken6.isValid(waiter):
                waiter.picture_ready()


def decoded(data: bytes, side: int) -> Shown:
    """In a thread. Of a moving picture the first image."""
    facts = picture_facts(data)
    if facts is None or facts.pixels > MOST_PIXELS or len(data) > LARGEST_PICTURE:
        return Shown(QImage(), QSize())
    content = QByteArray(data)
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    # Named, so that no other decoder looks at the bytes.
    reader = QImageReader(buffer, facts.mime.removeprefix("image/").encode())
    reader.setAutoTransform(True)
    natural = QSize(facts.width, facts.height)
    if max(facts.width, facts.height) > side:
        reader.setScaledSize(natural.scaled(side, side, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if not image.isNull() and (image.width() > image.height()) != (facts.width > facts.height):
        natural = natural.transposed() if image.width() != image.height() else natural
    return Shown(image, natural)


def _inline(address: str) -> bytes:
    found = INLINE_PICTURE.fullmatch(address)
    if found is None:
        return b""
    try:
        return base64.b64decode(found.group(1), validate=True)
    except binascii.Error:
        return b""
