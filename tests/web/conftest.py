"""Tools of the web against servers on this machine, which the tests alone permit."""

from __future__ import annotations

import inspect
import ipaddress
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from app.core.tools.tool import ToolContext, ToolResult
from app.net import GuardedHttp
from app.net.addresses import Address
from app.net.cache import Cache
from app.net.pace import Pace
from app.web import Web
from app.web.catalogues import PUBLIC_SERVICES
from app.web.tools import WEB_TOOLS
from app.web.web import Choice
from tests.domains.travel.async_calls import MemoryDocuments
from tests.local_network import DIRECT, LocalAddresses

HERE = ipaddress.ip_address("127.0.0.1")
PRIVATE = "private.example"
"""Resolves to an address of a private network; every other name is the server of the test."""


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    with HTTPServer(host="127.0.0.1") as running:
        yield running


async def resolve(host: str, port: int) -> list[Address]:
    return [ipaddress.ip_address("10.0.0.7") if host == PRIVATE else HERE]


def guarded(server: HTTPServer) -> GuardedHttp:
    return GuardedHttp(
        DIRECT, rules=LocalAddresses((80, 443, server.port), resolve),
        pace=Pace({}, default=0.0), cache=Cache(keep=0.0),
    )  # fmt: skip


class Rig:
    """The tools over a server, with the search services a test chooses."""

    def __init__(self, server: HTTPServer) -> None:
        self.server, self.documents = server, MemoryDocuments()
        self.chosen: Sequence[Choice] = ()
        from app.services.exchange.pdf_text import pdf_text

        addresses = {one.id: self.at(f"/{one.id}") for one in PUBLIC_SERVICES}
        self.web = Web(guarded(server), self, read_pdf=pdf_text, addresses=addresses)
        self.resources: dict[str, Any] = {"web": self.web}

    async def choices(self) -> Sequence[Choice]:
        return self.chosen

    def at(self, path: str, host: str = "pages.example") -> str:
        return f"http://{host}:{self.server.port}{path}"

    def context(self, language: str = "en") -> ToolContext:
        return ToolContext(language=language, session="one", documents=self.documents, resources=self.resources)

    async def call(self, name: str, /, **args: Any) -> ToolResult:
        tool = next(tool for tool in WEB_TOOLS if tool.name == name)
        faults = tool.check(args)
        assert not faults, faults
        result: ToolResult | Awaitable[ToolResult] = tool.body(self.context(), args)
        return await result if inspect.isawaitable(result) else result


@pytest.fixture
def rig(server: HTTPServer) -> Rig:
    return Rig(server)


Called = Callable[..., Awaitable[ToolResult]]
