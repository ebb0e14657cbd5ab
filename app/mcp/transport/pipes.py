"""The pipes of a program as plain readers and writers (`core.system.json_lines`)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anyio.abc import ByteReceiveStream, ByteSendStream


class PipeReader:
    """The end of the stream, and one that was closed, are an empty read."""

    def __init__(self, stream: ByteReceiveStream) -> None:
        self._stream = stream

    async def read(self, n: int) -> bytes:
        import anyio

        try:
            return await self._stream.receive(n)
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            return b""


class PipeWriter:
    def __init__(self, stream: ByteSendStream) -> None:
        self._stream, self._waiting = stream, bytearray()

    def write(self, data: bytes) -> None:
        self._waiting += data

    async def drain(self) -> None:
        import anyio

        data, self._waiting = bytes(self._waiting), bytearray()
        try:
            await self._stream.send(data)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError) as error:
            raise ConnectionError(str(error)) from error

    def close(self) -> None:
        """The program closes its own streams."""


async def close_pipe(stream: ByteReceiveStream | ByteSendStream) -> None:
    import anyio

    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.BusyResourceError):
        await stream.aclose()
