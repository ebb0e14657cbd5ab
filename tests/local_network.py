"""A network for tests of tools: no proxy, and this computer may be reached as if it were a public server."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable, Iterable

from app.core.system.network import FixedNetwork
from app.net.addresses import Address, AddressRules

DIRECT = FixedNetwork(proxy="direct")
OFFLINE = FixedNetwork(offline=True)
HERE = ipaddress.ip_address("127.0.0.1")


class LocalAddresses(AddressRules):
    """Permits public addresses and `here` (with `any_address` every one); `resolve` answers for all names."""

    def __init__(
        self,
        ports: Iterable[int] | None = None,
        resolve: Callable[[str, int], Awaitable[list[Address]]] | None = None,
        *,
        here: Address = HERE,
        any_address: bool = False,
    ) -> None:
        self.ports = None if ports is None else frozenset(ports)
        self._resolve, self._here, self._any_address = resolve, here, any_address

    def permits(self, address: Address) -> bool:
        return self._any_address or address == self._here or super().permits(address)

    async def resolve(self, host: str, port: int) -> list[Address]:
        return await (self._resolve(host, port) if self._resolve is not None else super().resolve(host, port))
