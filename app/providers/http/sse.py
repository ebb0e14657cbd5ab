"""Bytes from the network → the data of server-sent events.

Linear in the bytes read, however they are split: a line is kept until its end has come, and decoded whole.
`response_kind.py` decides first whether a body is a stream; `chat/assembler.py` reads the data.

Comments, `id:`, `retry:`, `event:` and unknown fields are ignored, except a line that holds part of an answer: its
`data:` was damaged, so it is returned and reported.
"""

from __future__ import annotations

from typing import Final, NamedTuple

MAX_STREAM_BYTES: Final = 32 * 1024 * 1024
MAX_EVENT_BYTES: Final = 4 * 1024 * 1024
_KNOWN: Final = (b"", b"id", b"retry")
_PIECE: Final = b'"choices"'
BOM: Final = b"\xef\xbb\xbf"


class Frame(NamedTuple):
    """The data of one event. `is_error`: an `event: error`, or llama.cpp's line `error: {…}`.

    `is_stray`: a line that holds a piece of an answer but is no `data:`.
    """

    data: bytes
    is_error: bool = False
    is_stray: bool = False


class SseReader:
    """Feed it what a read returned; it gives back the frames that are complete.

    `overflow` names the limit that was passed; from then on nothing more is read. `comments` counts
    the lines that carry no data: they show that the provider is alive.
    """

    def __init__(self, max_stream: int = MAX_STREAM_BYTES, max_event: int = MAX_EVENT_BYTES) -> None:
        self._max_stream, self._max_event = max_stream, max_event
        self._line = bytearray()
        self._data: list[bytes] = []
        self._data_size = 0
        self._event = b""
        self._at_start = True
        self._skip_lf = False
        self.size = 0
        self.comments = 0
        self.overflow = ""

    def feed(self, data: bytes) -> list[Frame]:
        if self.overflow or not data:
            return []
        self.size += len(data)
        if self.size > self._max_stream:
            self.overflow = "stream"
            data = data[: len(data) - (self.size - self._max_stream)]
        if self._skip_lf and data:
            # The CR that ended the last read was the first half of a CRLF.
            data = data.removeprefix(b"\n")
            self._skip_lf = False
        cut = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        if not cut:
            self._keep(data)
            return []
        self._skip_lf = data.endswith(b"\r")
        whole = bytes(self._line) + data[:cut] if self._line else data[:cut]
        self._line.clear()
        frames = self._read_lines(whole)
        self._keep(data[cut:])
        return frames

    def close(self) -> list[Frame]:
        """The end of the body: a last event without its blank line still counts."""
        frames: list[Frame] = []
        if self._line and not self.overflow:
            rest = bytes(self._line)
            self._line.clear()
            frames = self._read_lines(rest)
        self._dispatch(frames)
        return frames

    def _keep(self, tail: bytes) -> None:
        self._line += tail
        if len(self._line) + self._data_size > self._max_event:
            self._overflow_event()

    def _overflow_event(self) -> None:
        self.overflow = self.overflow or "event"
        self._line.clear()
        self._data.clear()
        self._data_size = 0

    def _read_lines(self, whole: bytes) -> list[Frame]:
        frames: list[Frame] = []
        if self._at_start:
            self._at_start = False
            whole = whole.removeprefix(BOM)
        # bytes.splitlines knows exactly the three line ends of the format: LF, CR, CRLF.
        for line in whole.splitlines():
            if not line:
                self._dispatch(frames)
            elif line.startswith(b"data:"):
                value = line[6:] if line[5:6] == b" " else line[5:]
                if self._data and self._is_next(value):
                    self._dispatch(frames)
                self._add_data(value)
            else:
                self._other_line(line, frames)
            if self.overflow == "event":
                break
        return frames

    def _is_next(self, value: bytes) -> bool:
        """Whether another event begins although no blank line came: some servers leave it out."""
        whole = self._data[0].lstrip()[:1] == b"{" and self._data[-1].rstrip()[-1:] == b"}"
        return whole and value.lstrip()[:1] in (b"{", b"[")

    def _add_data(self, value: bytes) -> None:
        self._data_size += len(value)
        if self._data_size > self._max_event:
            self._overflow_event()
        else:
            self._data.append(value)

    def _other_line(self, line: bytes, frames: list[Frame]) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"event":
            self._event = value
        elif name == b"error":
            self._dispatch(frames)
            frames.append(Frame(value, is_error=True))
        elif name == b"data":
            self._data.append(value)
        elif name not in _KNOWN and _PIECE in line:
            self._dispatch(frames)
            frames.append(Frame(line, is_stray=True))
        else:
            self.comments += 1

    def _dispatch(self, frames: list[Frame]) -> None:
        if self._data:
            data = self._data[0] if len(self._data) == 1 else b"\n".join(self._data)
            if data.strip():
                frames.append(Frame(data, is_error=self._event == b"error"))
            self._data.clear()
            self._data_size = 0
        self._event = b""
