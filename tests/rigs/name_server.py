"""A name server that changes its mind: DNS over UDP on this machine, and the resolver that asks it.

    with NameServer({"a.example": [["127.0.0.2"], ["10.0.0.1"]]}) as names:
        await names.resolve("a.example", 80)     # the first answer; the last one stays for ever

`connects` records to which addresses this process opens connections, as the interpreter itself reports it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import struct
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_A, _CNAME, _AAAA, _ANY = 1, 5, 28, 255


class NameServer:
    """Of each name its answers in turn: addresses, or another name (`CNAME …`) with them."""

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._answers = {name: [list(one) for one in turns] for name, turns in answers.items()}
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.asked: list[str] = []

    def __enter__(self) -> NameServer:
        self._socket.bind(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        # Wakes the thread, which closes the socket.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            one.sendto(b"", self._socket.getsockname())

    def change(self, name: str, turns: Sequence[Sequence[str]]) -> None:
        self._answers[name] = [list(one) for one in turns]

    async def resolve(self, host: str, _port: int) -> list[Address]:
        """As the system's resolver: raises OSError where there is no such name."""
        return await asyncio.to_thread(self._ask, host)

    def _ask(self, host: str) -> list[Address]:
        query = struct.pack(">HHHHHH", 7, 0x0100, 1, 0, 0, 0) + _name(host) + struct.pack(">HH", _ANY, 1)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.settimeout(20)
            asking.sendto(query, self._socket.getsockname())
            reply, _from = asking.recvfrom(4_096)
        found, place = list[Address](), len(query)
        for _record in range(struct.unpack(">H", reply[6:8])[0]):
            kind, _class, _ttl, length = struct.unpack(">HHIH", reply[place + 2 : place + 12])
            data = reply[place + 12 : place + 12 + length]
            if kind in (_A, _AAAA):
                found.append(ipaddress.ip_address(data))
            place += 12 + length
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return found

    def _serve(self) -> None:
        while True:
            query, asker = self._socket.recvfrom(4_096)
            if not query:
                break
            self._socket.sendto(self._reply(query), asker)
        self._socket.close()

    def _reply(self, query: bytes) -> bytes:
        name, place = [], 12
        while length := query[place]:
            name.append(query[place + 1 : place + 1 + length].decode())
            place += 1 + length
        host = ".".join(name).lower()
        self.asked.append(host)
        turns = self._answers.get(host, [[]])
        answer = turns[0] if len(turns) == 1 else turns.pop(0)
        records = [_record(text) for text in answer]
        code = 0 if answer else 3
        return query[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, len(records), 0, 0) + query[12:] + b"".join(records)


def _record(text: str) -> bytes:
    if text.startswith("CNAME "):
        kind, data = _CNAME, _name(text.removeprefix("CNAME "))
    else:
        address = ipaddress.ip_address(text)
        kind, data = (_A if address.version == 4 else _AAAA), address.packed
    return b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, len(data)) + data


def _name(host: str) -> bytes:
    return b"".join(bytes([len(part)]) + part.encode() for part in host.rstrip(".").split(".")) + b"\0"


_recorders: list[list[str]] = []
_hook: list[object] = []
"""Such a hook stays for as long as the process lives: one is enough."""


def _hear(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(args[1], tuple):
        for recorder in _recorders:
            recorder.append(str(args[1][0]))


@contextmanager
def connects() -> Iterator[list[str]]:
    """The addresses connections were opened to inside, successful or not."""
    if not _hook:
        _hook.append(_hear)
        sys.addaudithook(_hear)
    recorder: list[str] = []
    _recorders.append(recorder)
    try:
        yield recorder
    finally:
        _recorders.remove(recorder)
