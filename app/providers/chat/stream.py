"""The bytes of one answer → chunks, then the whole message; no network in here.

`OpenAIChat` feeds what it reads; tests feed recorded streams in pieces of any size. After every `feed` and
after `close` the caller shows the chunks first and then calls `check`, so nothing that arrived is lost.

An event that cannot be read ends the reading: what would come after it is not believed, and the message is
never given out as whole. What came before it is an exact beginning.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.core.errors import AnswerTooLarge, DamagedStream, IncompleteStream, ModelError, NotAStream
from app.core.run.chat_model import Finished, Json, ModelChunk
from app.providers.chat.assembler import Assembler
from app.providers.http.faults import from_frame
from app.providers.http.redact import redact
from app.providers.http.response_kind import (
    MAX_PAGE_BYTES,
    BodyKind,
    decode_json,
    kind_of,
    page_title,
    read_json,
    read_lines,
)
from app.providers.http.sse import BOM, MAX_EVENT_BYTES, MAX_STREAM_BYTES, Frame, SseReader

_DONE: Final = "[DONE]"


class AnswerReader:
    """One answer. `ended` is True when nothing more needs to be read, whatever the server still sends."""

    def __init__(
        self,
        assembler: Assembler,
        keys: Iterable[str] = (),
        *,
        max_stream: int = MAX_STREAM_BYTES,
        max_event: int = MAX_EVENT_BYTES,
    ) -> None:
        self.assembler = assembler
        self._keys = tuple(keys)
        self._sse = SseReader(max_stream, max_event)
        self._max_event = max_event
        self._kind: BodyKind = "unknown"
        self._head = bytearray()
        self._unreadable = False
        """The end of the body could not be read: a message that says it is whole is none."""
        self._error: ModelError | None = None

    @property
    def ended(self) -> bool:
        return self.assembler.done or self._error is not None

    @property
    def began(self) -> bool:
        """Whether anything of the answer has come."""
        return self._kind != "unknown" or bool(self._head)

    def feed(self, data: bytes) -> list[ModelChunk]:
        if self.ended:
            return []
        if self._kind == "stream":
            self._read_frames(self._sse.feed(data))
        else:
            self._sniff(data)
        return self.assembler.drain()

    def close(self) -> list[ModelChunk]:
        """The body has ended, by itself or because `ended` said so."""
        if not self.ended:
            self._close_body()
        self.assembler.close()
        return self.assembler.drain()

    def check(self) -> None:
        """Raises what has gone wrong so far."""
        if self._error is not None:
            raise self._error

    def finish(self) -> Finished:
        """The whole message; raises if it is not whole."""
        self.check()
        if not self.assembler.is_whole:
            raise IncompleteStream("the answer broke off without a finish reason")
        if self._unreadable:
            raise _damaged()
        return self.assembler.finish()

    # ------------------------------------------------------------ frames of a stream

    def _read_frames(self, frames: list[Frame], *, last: bool = False) -> None:
        for data, is_error, is_stray in frames:
            if is_error:
                self._fail(from_frame(_error_payload(data), self._keys))
                return
            chunk = _UNREADABLE if is_stray else _read_event(data)
            if isinstance(chunk, str) and chunk.strip().upper() == _DONE:
                self.assembler.done = True
                return
            if chunk is not _UNREADABLE:
                self.assembler.add(chunk)
            elif last:
                # Cut at the end of the bytes: if the finish reason did not come either, the answer was cut off.
                self._unreadable = True
            else:
                self._fail(_damaged())
            if self.assembler.failure is not None:
                self._fail(from_frame(self.assembler.failure, self._keys))
            if self._error is not None:
                return
        if self._sse.overflow:
            self._fail(AnswerTooLarge(f"the answer passed the safety limit of one {self._sse.overflow}"))

    def _fail(self, error: ModelError) -> None:
        self._error = self._error or error

    # ------------------------------------------------------------ bodies that are something else

    def _sniff(self, data: bytes) -> None:
        self._head += data
        if self._kind == "unknown":
            self._kind = kind_of(bytes(self._head[:8192]))
        if self._kind == "stream":
            head, self._head = bytes(self._head), bytearray()
            self._read_frames(self._sse.feed(head))
        elif self._kind == "page" and len(self._head) >= MAX_PAGE_BYTES:
            self._fail(self._page())
        elif self._kind == "text":
            self._fail(self._other_text())
        elif len(self._head) > self._max_event:
            self._fail(AnswerTooLarge("the answer passed the safety limit of one document"))

    def _close_body(self) -> None:
        if self._kind == "stream":
            self._read_frames(self._sse.close(), last=True)
        elif self._kind == "page":
            self._fail(self._page())
        elif self._kind == "json":
            head = bytes(self._head)
            self._read_body(head)
        elif self._head.strip().removeprefix(BOM):
            self._fail(self._other_text())
        else:
            self._fail(NotAStream("the provider sent an empty answer", kind="empty"))

    def _read_body(self, body: bytes) -> None:
        document = read_json(body)
        if document is None:
            document, self._unreadable = read_lines(body)
        try:
            body.decode()
        except UnicodeDecodeError:
            self._unreadable = True
        self._read_document(document)

    def _read_document(self, document: Json) -> None:
        if isinstance(document, list) and all(isinstance(one, dict) and "choices" in one for one in document):
            # A stream in another wrapping: a list of its pieces, or one piece a line.
            for one in document:
                self.assembler.add(one)
            if self.assembler.failure is not None:
                self._fail(from_frame(self.assembler.failure, self._keys))
        elif isinstance(document, dict) and isinstance(document.get("choices"), list) and not document.get("error"):
            self.assembler.add(document)
            # A lone piece of a stream is the answer only if it says that it is the last.
            self.assembler.done = not any(isinstance(one, dict) and "delta" in one for one in document["choices"])
            if self.assembler.failure is not None:
                self._fail(from_frame(self.assembler.failure, self._keys))
        elif isinstance(document, (dict, list)) and document:
            self._fail(from_frame(document, self._keys))
        else:
            self._fail(IncompleteStream("the provider sent a document that broke off"))

    def _page(self) -> NotAStream:
        title = page_title(bytes(self._head))
        about = f" with the title “{title}”" if title else ""
        return NotAStream(f"a web page{about} came instead of an answer", kind="page", title=title)

    def _other_text(self) -> NotAStream:
        excerpt = " ".join(bytes(self._head[:400]).decode("utf-8", "replace").split())
        return NotAStream(f"no model answer came but: {redact(excerpt, self._keys)[:120]}", kind="text")


_UNREADABLE: Final = object()


def _read_event(data: bytes) -> Json:
    """The value of one event, the end marker as a string, or `_UNREADABLE`: not UTF-8, or not JSON."""
    try:
        return decode_json(data.decode())
    except (ValueError, RecursionError):
        return _DONE if data.strip().upper() == _DONE.encode() else _UNREADABLE


def _damaged() -> DamagedStream:
    return DamagedStream("the provider sent damaged data")


def _error_payload(data: bytes) -> Json:
    parsed = read_json(data)
    return data.decode("utf-8", "replace") if parsed is None else parsed
