"""One window per data folder: a second start asks the running one to come forward, and exits.

The lock of `storage.folder.instance_lock` says who has the window; this file is how it is reached: a local socket that
only the user may open, and three messages: "come forward", with a session or an agent to show, "ask", and "open" with
files of exported sessions, which are imported. Everything else is dropped. Qt's network module is loaded when it is
first needed.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.core.exchange.suffix import SESSION_FILE

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

_LONGEST = 16_384
"""Bytes of a sentence."""
_ANSWER = b"ok\n"
_ASK = b"ask\n"
_GUESTS = 16
"""At the door at the same time; who comes then is sent away."""
_GUEST_MS = 2_000
"""Whoever has said nothing by then is sent away."""
_SENTENCE = re.compile(rb"raise(?: (session|agent)=([A-Za-z0-9_-]{1,64}))?\n")


def ring(
    address: str,
    *,
    session: str = "",
    agent: str = "",
    ask: bool = False,
    files: Sequence[str] = (),
    seconds: float = 2.0,
) -> bool:
    """Ask the first window to come forward. True once it has promised to; blocks, for there is no window here yet.

    `ask`: its small window for one question instead. `files`: absolute paths to be imported.
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
    socket.write(_ASK if ask else files_sentence(files) if files else sentence(session, agent))
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


def files_sentence(files: Sequence[str]) -> bytes:
    """As many of them as one sentence holds."""
    from urllib.parse import quote

    words, room = [b"open"], _LONGEST - len(b"open\n")
    for file in files:
        word = quote(file, safe="/", errors="surrogateescape").encode("ascii")
        if 1 + len(word) > room:
            break
        room -= 1 + len(word)
        words.append(word)
    return b" ".join(words) + b"\n"


def understand_files(said: bytes) -> list[str] | None:
    """Absolute paths of session files; None if this is not that sentence."""
    words = said.split()
    if not words or words[0] != b"open" or not said.endswith(b"\n"):
        return None
    from pathlib import Path
    from urllib.parse import unquote

    files = [unquote(word.decode("ascii", "replace"), errors="surrogateescape") for word in words[1:]]
    fits = all(file.endswith(SESSION_FILE) and "\0" not in file and Path(file).is_absolute() for file in files)
    return files if files and fits else None


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
    files_wanted = Signal(list)
    """Paths of exported sessions, to be imported."""

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
        wish, files = understand(request), understand_files(request)
        if wish is None and files is None and request != _ASK:
            guest.abort()
            return
        guest.write(_ANSWER)
        guest.disconnectFromServer()
        if wish is not None:
            self.rung.emit(*wish)
        elif files is not None:
            self.files_wanted.emit(files)
        else:
            self.ask_wanted.emit()

    def _gone(self, guest: QLocalSocket) -> None:
        self._guests.discard(guest)
        guest.deleteLater()
