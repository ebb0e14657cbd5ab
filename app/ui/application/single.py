"""One window per data folder: a second start asks the running one to come forward, and exits.

The lock of `storage.folder.instance_lock` says who has the window; this file is how it is reached: a local socket that
only the user may open, and two messages: "come forward", with a session or an agent to show, and "ask". Everything
else is dropped. Qt's network module is loaded when it is first needed.
"""

from __future__ import annotations

import re
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

_LONGEST = 128
"""Bytes of a sentence."""
_ANSWER = b"ok\n"
_ASK = b"ask\n"
_GUESTS = 16
"""At the door at the same time; who comes then is sent away."""
_GUEST_MS = 2_000
"""Whoever has said nothing by then is sent away."""
_SENTENCE = re.compile(rb"raise(?: (session|agent)=([A-Za-z0-9_-]{1,64}))?\n")


def ring(address: str, *, session: str = "", agent: str = "", ask: bool = False, seconds: float = 2.0) -> bool:
    """Ask the first window to come forward. True once it has promised to; blocks, for there is no window here yet.

    `ask`: its small window for one question instead.
    """
    try:
        from PySide6.QtNetwork import QLocalSocket
    except ImportError:
        return False
    end = time.monotonic() + seconds
    socket = QLocalSocket()
    socket.connectToServer(address)
    if not socket.waitForConnected(int(seconds * 1000)):
        return False
    _let_it_come_forward()
    socket.write(_ASK if ask else sentence(session, agent))
    while not socket.canReadLine():
        milliseconds = int((end - time.monotonic()) * 1000)
        if milliseconds <= 0 or not socket.waitForReadyRead(milliseconds):
            return False
    return bytes(socket.readLine(_LONGEST).data()) == _ANSWER


def sentence(session: str = "", agent: str = "") -> bytes:
    """What is said at the door. An id that cannot be one is left out."""
    for kind, id in (("session", session), ("agent", agent)):
        line = f"raise {kind}={id}\n".encode(errors="replace")
        if id and understand(line) is not None:
            return line
    return b"raise\n"


def understand(said: bytes) -> tuple[str, str] | None:
    """The session and the agent to show, "" for neither; None if this is not our sentence."""
    match = _SENTENCE.fullmatch(said)
    if match is None:
        return None
    kind, id = match[1], (match[2] or b"").decode("ascii")
    return (id, "") if kind == b"session" else ("", id)


def _let_it_come_forward() -> None:
    """Windows lets a program come forward only if the one the person has just started allows it."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(-1)


class Doorbell(QObject):
    rung = Signal(str, str)
    """A session and an agent to show, "" for neither."""
    ask_wanted = Signal()
    """The small window for one question."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._server: QLocalServer | None = None
        self._guests: set[QLocalSocket] = set()

    def listen(self, address: str) -> bool:
        """Only for who holds the lock: what is at the address is a dead one's and is removed."""
        try:
            from PySide6.QtNetwork import QLocalServer
        except ImportError:  # a library it needs is not on this machine
            return False
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._welcome)
        QLocalServer.removeServer(address)
        self._server = server
        return server.listen(address)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for guest in list(self._guests):
            guest.abort()

    def _welcome(self) -> None:
        while self._server is not None and (guest := self._server.nextPendingConnection()) is not None:
            self._take(guest)

    def _take(self, guest: QLocalSocket) -> None:
        guest.disconnected.connect(partial(self._gone, guest))
        if len(self._guests) >= _GUESTS:
            guest.abort()
            return
        self._guests.add(guest)
        guest.setReadBufferSize(_LONGEST)
        guest.readyRead.connect(partial(self._listen_to, guest))
        QTimer.singleShot(_GUEST_MS, guest, guest.abort)
        self._listen_to(guest)

    def _listen_to(self, guest: QLocalSocket) -> None:
        if not guest.canReadLine():
            if guest.bytesAvailable() >= _LONGEST:
                guest.abort()
            return
        request = bytes(guest.readLine(_LONGEST).data())
        wish = understand(request)
        if wish is None and request != _ASK:
            guest.abort()
            return
        guest.write(_ANSWER)
        guest.disconnectFromServer()
        if wish is None:
            self.ask_wanted.emit()
        else:
            self.rung.emit(*wish)

    def _gone(self, guest: QLocalSocket) -> None:
        self._guests.discard(guest)
        guest.deleteLater()
