"""Pictures that were kept with a message, decoded off the GUI thread, small enough for where they stand.

Only what the attachment store has, and short `data:` addresses: no path is opened. What stands elsewhere is
never asked for by being shown: a card says that it is `wanted`, the person is asked, `fetch` loads it (T01).
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

from app.core.exchange.pictures import INLINE_PICTURE, STORED_PICTURE
from app.services.exchange.attachments import LARGEST_PICTURE, MOST_PIXELS
from app.services.exchange.picture_facts import picture_facts
from app.services.exchange.remote_pictures import PictureNotLoaded
from app.ui.render.markdown.links import remote_picture

Content = Callable[[str], Awaitable[bytes | None]]
Fetch = Callable[[str], Awaitable[bytes]]
Spawn = Callable[[Coroutine[Any, Any, None]], None]

_KEPT_BYTES = 64_000_000
_KEPT_FILES = 32_000_000
"""Bytes of pictures from elsewhere; a later one takes the place of the earliest, which can be asked for again."""
_RATIO = 2


@dataclass(frozen=True, slots=True)
class LoadedPicture:
    image: QImage
    """Null if there is no such picture, or it cannot be decoded."""
    natural: QSize
    """Pixels of the whole picture."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A picture that is not loaded."""

    can_load: bool
    is_loading: bool = False
    failed: str = ""
    """Why the last try did not succeed: `PictureNotLoaded.why`; "" before the first."""


class PictureWaiter(Protocol):
    def picture_ready(self) -> None: ...


_Key = tuple[str, int]


class PictureLoader(QObject):
    """One for a window. `content` gives the bytes of a stored file, `spawn` runs what asks for them.

    `fetch` loads one from elsewhere or raises PictureNotLoaded; without it none is offered.
    """

    wanted = Signal(str, str)
    """The address and name of one that stands elsewhere: the person pressed on it. Answered by `load`."""
    _decoded = Signal(object, object)

    def __init__(
        self, content: Content, spawn: Spawn, parent: QObject | None = None, *, fetch: Fetch | None = None
    ) -> None:
        super().__init__(parent)
        self._content, self._spawn, self._fetch = content, spawn, fetch
        self._files: OrderedDict[str, bytes] = OrderedDict()
        self._failed: dict[str, str] = {}
        self._loading: set[str] = set()
        self._elsewhere: dict[str, WeakSet[Any]] = {}
        self._known: OrderedDict[_Key, LoadedPicture] = OrderedDict()
        self._pending: dict[_Key, WeakSet[Any]] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._decoded.connect(self._arrived, Qt.ConnectionType.QueuedConnection)

    def picture(self, address: str, side: int, waiter: PictureWaiter) -> LoadedPicture | None:
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

    def elsewhere(self, address: str, waiter: PictureWaiter) -> Elsewhere | None:
        """The state of a picture that must be asked for; None: it can be shown. The waiter is notified of changes."""
        if not remote_picture(address) or address in self._files:
            return None
        self._elsewhere.setdefault(address, WeakSet()).add(waiter)
        return Elsewhere(self._fetch is not None, address in self._loading, self._failed.get(address, ""))

    async def load(self, address: str, source: str = "") -> str:
        """Ask for it, once; `source` is where the address was found to lead. Returns where it leads on to, or ""."""
        if self._fetch is None or address in self._loading:
            return ""
        self._loading.add(address)
        self._failed.pop(address, None)
        self._tell(address)
        location = ""
        try:
            self._files[address] = await self._fetch(source or address)
            while len(self._files) > 1 and sum(map(len, self._files.values())) > _KEPT_FILES:
                self._files.popitem(last=False)
        except PictureNotLoaded as error:
            self._failed[address], location = error.why, error.location
        finally:
            self._loading.discard(address)
            self._tell(address)
        return location

    async def whole(self, address: str) -> bytes:
        """The file itself; b"" if it is not there."""
        if address in self._files:
            return self._files[address]
        if found := STORED_PICTURE.fullmatch(address):
            return await self._content(found.group(1)) or b""
        return _inline(address)

    def close(self) -> None:
        self._pending.clear()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _tell(self, address: str) -> None:
        for waiter in list(self._elsewhere.get(address, ())):
            if shiboken6.isValid(waiter):
                waiter.picture_ready()

    def _ask(self, key: _Key) -> None:
        async def load() -> None:
            self._decode(key, await self.whole(key[0]))

        self._spawn(load())

    def _decode(self, key: _Key, data: bytes) -> None:
        if key not in self._pending:
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="pictures")

        def arrived(done: Future[LoadedPicture]) -> None:
            if not done.cancelled() and shiboken6.isValid(self):
                self._decoded.emit(key, done.result() if done.exception() is None else LoadedPicture(QImage(), QSize()))

        self._pool.submit(decoded, data, key[1] * _RATIO).add_done_callback(arrived)

    def _arrived(self, key: _Key, shown: LoadedPicture) -> None:
        if key not in self._pending:
            return
        self._known[key] = shown
        while len(self._known) > 1 and sum(one.image.sizeInBytes() for one in self._known.values()) > _KEPT_BYTES:
            self._known.popitem(last=False)
        for waiter in list(self._pending.pop(key)):
            if shiboken6.isValid(waiter):
                waiter.picture_ready()


def decoded(data: bytes, side: int) -> LoadedPicture:
    """In a thread. Of a moving picture the first image."""
    facts = picture_facts(data)
    if facts is None or facts.pixels > MOST_PIXELS or len(data) > LARGEST_PICTURE:
        return LoadedPicture(QImage(), QSize())
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
    return LoadedPicture(image, natural)


def _inline(address: str) -> bytes:
    match = INLINE_PICTURE.fullmatch(address)
    if match is None:
        return b""
    try:
        return base64.b64decode(match.group(2), validate=True)
    except binascii.Error:
        return b""
