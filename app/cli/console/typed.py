"""What comes in: the question on standard input, a line the person types. Ctrl+C ends the waiting for either."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

_ENDINGS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_rest = bytearray()
"""What was typed behind the last line."""


def endings() -> list[int]:
    """The signals by which somebody says that it is enough, but those whoever started us has had ignored (nohup)."""
    return [number for number in _ENDINGS if signal.getsignal(number) is not signal.SIG_IGN]


def from_stdin(most: int = -1) -> str:
    """All of it, at most `most` characters."""
    # The loop's own handlers act when it runs next, and this read keeps it from running.
    handlers = {} if threading.current_thread() is not threading.main_thread() else dict.fromkeys(endings())
    for number in handlers:
        handlers[number] = signal.signal(number, signal.default_int_handler)
    try:
        return sys.stdin.read(most)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


async def line() -> str:
    """One line without its end; "" where there is no more. Who gives up waiting leaves a thread that waits on."""
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[str] = loop.create_future()

    def tell(said: str) -> None:
        if not typed.done():
            typed.set_result(said)

    def wait() -> None:
        text = _read_line()
        with suppress(RuntimeError):  # the program has gone on without it
            loop.call_soon_threadsafe(tell, text)

    threading.Thread(target=wait, name="typed line", daemon=True).start()
    return await typed


def by_commas(text: str) -> list[str]:
    """The words of an option that takes several, each once."""
    return list(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


@contextmanager
def hidden_typing() -> Generator[None, None, None]:
    """Inside, what is typed is not shown, where the terminal can be told so."""
    if sys.platform == "win32":
        yield
        return
    import termios

    try:
        place = sys.stdin.fileno()
        before = termios.tcgetattr(place)
    except (OSError, ValueError, termios.error):
        yield
        return
    termios.tcsetattr(place, termios.TCSADRAIN, [*before[:3], before[3] & ~termios.ECHO, *before[4:]])
    try:
        yield
    finally:
        termios.tcsetattr(place, termios.TCSADRAIN, before)
        sys.stderr.write("\n")


def _read_line() -> str:
    """Without the buffer of `sys.stdin`: its lock, held at the end of the program, would stop it from ending."""
    buffer = getattr(sys.stdin, "buffer", None)
    raw = getattr(buffer, "raw", None)
    if raw is None:
        return sys.stdin.readline().strip()
    while b"\n" not in _rest:
        piece = raw.read(4096)
        if not piece:
            break
        _rest.extend(piece)
    said, end, _more = _rest.partition(b"\n")
    del _rest[: len(said) + len(end)]
    return said.decode("utf-8", "replace").strip()
