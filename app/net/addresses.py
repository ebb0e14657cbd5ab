"""Which IP addresses a tool may reach: public ones, by an explicit list of what is not public (T21).

An address embedded in another one (IPv4 in IPv6, 6to4, NAT64, Teredo) is checked as well.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Iterator
from typing import Final, TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_DENIED: Final = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",
        "100.64.0.0/10",
        "168.63.129.16/32",
        "192.0.0.0/24",
        "198.18.0.0/15",
        "240.0.0.0/4",
        "::/96",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "100::/64",
        "2001::/32",
        "2002::/16",
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
    )
)
"""What the standard library calls global in one version or another, and must not be reached in any."""


def is_public(address: Address) -> bool:
    return all(_is_public(one) for one in _unwrapped(address))


def _is_public(address: Address) -> bool:
    if not address.is_global or address.is_multicast or address.is_reserved or address.is_unspecified:
        return False
    return not any(address.version == network.version and address in network for network in _DENIED)


def _unwrapped(address: Address) -> Iterator[Address]:
    """The address a packet would really go to; tunnels yield themselves too, since they are refused as such."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            yield address.ipv4_mapped
            return
        if address.sixtofour is not None:
            yield address.sixtofour
    yield address


class AddressRules:
    """Which addresses and ports a request may go to; tests replace it to reach this computer."""

    ports: frozenset[int] | None = None
    """Allowed ports; None for those of `targets`."""

    def permits(self, address: Address) -> bool:
        return is_public(address)

    async def resolve(self, host: str, port: int) -> list[Address]:
        """Every address of the name, as the system sees it; raises OSError if there is none."""
        infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # A scope ("fe80::1%eth0") names an interface of this machine; such an address is never public anyway.
        return list(dict.fromkeys(ipaddress.ip_address(str(info[4][0]).partition("%")[0]) for info in infos))


def literal(host: str) -> Address | None:
    """The address a host part is, in its plain form only; other spellings of numbers are no names either."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None
