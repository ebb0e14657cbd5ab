"""`GuardedHttp`: the HTTP client of tools.

Per hop: the address in one spelling → offline? → every IP address of the name public? → the host's turn → one GET to
the pinned address. Redirects are followed here, at most five, each checked again; never from https to http. `once`
follows none and returns the target.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urljoin

from app.core.errors import ToolError
from app.core.http import HttpReply, HttpRequest, pause_asked, seconds_named
from app.core.system.network import NetworkPolicy, proxy_address
from app.core.text.i18n import N_

from . import addresses, targets, transport
from .addresses import Address, AddressRules
from .cache import Cache
from .pace import Pace
from .targets import Target

MAX_HOPS: Final = 5
_MOVED: Final = (301, 302, 303, 307, 308)


class GuardedHttp:
    """`network` is read before every request. `rules` differ in tests only."""

    def __init__(
        self,
        network: NetworkPolicy,
        *,
        rules: AddressRules | None = None,
        pace: Pace | None = None,
        cache: Cache | None = None,
    ) -> None:
        self._network, self._rules = network, rules or AddressRules()
        self._pace, self._cache = pace or Pace({}), cache or Cache()

    async def get(
        self,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        longest: int | None = None,
        own_address: bool = False,
    ) -> HttpReply:
        self._online()
        target = targets.read(url, params, ports=self._rules.ports, own_address=own_address)
        # What came from an address of the person's own is no answer to who may not go there.
        kept_as = f"own {target.url}" if own_address else target.url
        cached = self._cache.get(kept_as)
        if cached is not None:
            return cached
        proxied = False
        for _hop in range(MAX_HOPS + 1):
            proxy = proxy_address(self._network, target.scheme, target.host)
            proxied = proxied or proxy is not None
            answer = await self._once(target, proxy, longest or transport.MAX_BYTES, own_address=own_address)
            where = answer.headers.get("location", "")
            if answer.status not in _MOVED or not where:
                reply = self._reply(target, answer, proxied)
                self._cache.put(kept_as, reply)
                return reply
            own_address = own_address and _same_place(target, where)
            target = self._moved(target, where, own_address=own_address)
        raise ToolError("UPSTREAM", N_("more than {n} redirects"), values={"n": MAX_HOPS})

    async def once(self, url: str, *, own_address: bool = False) -> HttpReply:
        self._online()
        target = targets.read(url, ports=self._rules.ports, own_address=own_address)
        proxy = proxy_address(self._network, target.scheme, target.host)
        answer = await self._once(target, proxy, own_address=own_address)
        where = answer.headers.get("location", "") if answer.status in _MOVED else ""
        reply = self._reply(target, answer, proxy is not None)
        return replace(reply, location=urljoin(target.url, where) if where else "")

    async def send(self, request: HttpRequest) -> HttpReply:
        self._online()
        target = targets.read(request.url, ports=self._rules.ports, own_address=request.own_address)
        proxy = proxy_address(self._network, target.scheme, target.host)
        address = await self._checked(target, behind_proxy=proxy is not None, own_address=request.own_address)
        await self._pace.turn(target.host)
        content = None if request.json is None else json.dumps(request.json, ensure_ascii=False).encode()
        answer = await transport.fetch(
            target, None if proxy else address, proxy=proxy, headers=request.headers, content=content
        )
        retry_after = answer.headers.get("retry-after", "")
        if answer.status == 429:
            self._pace.hold(target.host, _seconds(retry_after))
        where = answer.headers.get("location", "") if answer.status in _MOVED else ""
        reply = self._reply(target, answer, proxy is not None)
        return replace(reply, location=urljoin(target.url, where) if where else "", retry_after=retry_after)

    def _online(self) -> None:
        if self._network.offline:
            hint = N_("in the settings, or by TRIPTYCH_OFFLINE")
            raise ToolError("NETWORK_OFF", N_("the program is told to stay offline"), hint=hint)

    async def _once(
        self, target: Target, proxy: str | None, longest: int = transport.MAX_BYTES, *, own_address: bool = False
    ) -> transport.HttpAnswer:
        address = await self._checked(target, behind_proxy=proxy is not None, own_address=own_address)
        await self._pace.turn(target.host)
        answer = await transport.fetch(target, None if proxy else address, proxy=proxy, longest=longest)
        if answer.status == 429:
            retry_after = answer.headers.get("retry-after", "")
            self._pace.hold(target.host, _seconds(retry_after))
            raise pause_asked(target.host, retry_after, "HTTP 429")
        return answer

    async def _checked(self, target: Target, *, behind_proxy: bool, own_address: bool = False) -> Address | None:
        """One public address of the host; refused if any of its addresses is not public, unless the person typed it.

        Behind a proxy the name may be unknown here: then the proxy resolves it, and the check is of the name alone.
        """
        literal = addresses.literal(target.host)
        if literal is not None:
            candidates = [literal]
        else:
            try:
                candidates = await self._rules.resolve(target.host, target.port)
            except OSError:
                if behind_proxy:
                    return None
                unknown = N_("{host} cannot be found")
                raise ToolError("UPSTREAM", unknown, retryable=True, values={"host": target.host}) from None
        if not candidates or not (own_address or all(self._rules.permits(address) for address in candidates)):
            raise targets.private(target.host)
        return candidates[0]

    def _moved(self, origin: Target, where: str, *, own_address: bool = False) -> Target:
        target = targets.read(urljoin(origin.url, where), ports=self._rules.ports, own_address=own_address)
        if origin.scheme == "https" and target.scheme != "https":
            raise ToolError("BLOCKED_SCHEME", N_("a redirect from https to http is not followed"))
        return target

    def _reply(self, target: Target, answer: transport.HttpAnswer, proxied: bool) -> HttpReply:
        kind = answer.headers.get("content-type", "")
        return HttpReply(answer.status, target.url, kind, answer.body, answer.truncated, proxied)


def _seconds(retry_after: str) -> float:
    seconds = seconds_named(retry_after)
    return 10.0 if seconds is None else min(120.0, seconds)


def _same_place(origin: Target, where: str) -> bool:
    """Whether a redirect stays at the address the person typed: no other of their network is trusted for it."""
    target = targets.read(urljoin(origin.url, where), own_address=True)
    return (target.scheme, target.host, target.port) == (origin.scheme, origin.host, origin.port)
