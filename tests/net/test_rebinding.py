"""Names whose answers change between the look and the request: no connection to an address that was not allowed."""

from __future__ import annotations

import asyncio
import ipaddress
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from app.core.errors import ToolError
from app.net import GuardedHttp
from app.net.pace import Pace
from tests.local_network import DIRECT, LocalAddresses
from tests.rigs.name_server import NameServer, connects

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only there all of 127/8 is this machine")
OUTSIDE = "127.0.0.2"
"""Stands for a public address: the one these tests permit."""
INSIDE = "127.0.0.3"
LOCAL = ipaddress.ip_address(OUTSIDE)
METADATA = "169.254.169.254"


@dataclass(frozen=True)
class Case:
    answers: Sequence[Sequence[str]]
    """Of `a.example`, in turn."""
    asks: Sequence[str] = ("/good",)
    told: Sequence[str] = ("PRIVATE_ADDRESS",)
    """What becomes of each request: an error's code, or `ok`."""
    once: bool = False


def to(where: str) -> str:
    return f"/to?where={quote(where, safe='')}"


AGAIN, NEXT = "http://a.example:{port}/good", "http://b.example:{port}/good"
"""b.example is always inside."""
CASES: dict[str, Case] = {
    "private at once": Case([[INSIDE]]),
    "private from the second request on": Case([[OUTSIDE], [INSIDE]], ("/good", "/more"), ("ok", "PRIVATE_ADDRESS")),
    "a good answer between two bad ones": Case(
        [[INSIDE], [OUTSIDE], [INSIDE]], ("/1", "/2", "/3"), ("PRIVATE_ADDRESS", "ok", "PRIVATE_ADDRESS")
    ),
    "both in one answer": Case([[OUTSIDE, INSIDE]]),
    "both, the private one first": Case([[INSIDE, OUTSIDE]]),
    "the redirect asks again": Case([[OUTSIDE], [INSIDE]], (to(AGAIN),)),
    "a redirect to the same path asks again": Case([[OUTSIDE], [INSIDE]], (to("/good"),)),
    "three redirects": Case([[OUTSIDE], [OUTSIDE], [OUTSIDE], [INSIDE]], (to(to(to("/good"))),)),
    "a redirect to a private name": Case([[OUTSIDE]], (to(NEXT),)),
    "a redirect to an address": Case([[OUTSIDE]], (to(f"http://{INSIDE}:{{port}}/good"),)),
    "a redirect to the cloud's own": Case([[OUTSIDE]], (to(f"http://{METADATA}/latest"),)),
    "a redirect to a number": Case([[OUTSIDE]], (to("http://2130706435:{port}/good"),)),
    "a redirect to an octal number": Case([[OUTSIDE]], (to("http://0177.0.0.3:{port}/good"),)),
    "a redirect to a hexadecimal number": Case([[OUTSIDE]], (to("http://0x7f000003:{port}/good"),)),
    "a redirect to a short number": Case([[OUTSIDE]], (to("http://127.3:{port}/good"),)),
    "a redirect without a scheme": Case([[OUTSIDE]], (to(f"//{INSIDE}:{{port}}/good"),)),
    "a redirect with a user name": Case([[OUTSIDE]], (to(f"http://a.example@{INSIDE}/"),), ("BLOCKED_ADDRESS",)),
    "a redirect to another port": Case([[OUTSIDE]], (to("http://a.example:22/"),), ("BLOCKED_ADDRESS",)),
    "a redirect to a file": Case([[OUTSIDE]], (to("file:///etc/passwd"),), ("BLOCKED_SCHEME",)),
    "a redirect to NAT64": Case([[OUTSIDE]], (to("http://[64:ff9b::7f00:3]:{port}/good"),)),
    "a redirect to this machine by name": Case([[OUTSIDE]], (to("http://localhost:{port}/good"),)),
    "a redirect to version 6": Case([[OUTSIDE]], (to("http://[::1]:{port}/good"),)),
    "a redirect to a mapped address": Case([[OUTSIDE]], (to("http://[::ffff:127.0.0.3]:{port}/good"),)),
    "version 6 alone": Case([["::1"]]),
    "version 6 beside a good one": Case([[OUTSIDE, "::1"]]),
    "a mapped address": Case([["::ffff:127.0.0.3"]]),
    "an address behind NAT64": Case([["64:ff9b::7f00:3"]]),
    "6to4": Case([["2002:7f00:3::1"]]),
    "nothing but zeros": Case([["0.0.0.0"]]),
    "a provider's own network": Case([["100.64.0.1"]]),
    "the cloud's own": Case([[METADATA]]),
    "link-local": Case([["fe80::1"]]),
    "everybody at once": Case([["224.0.0.1"]]),
    "another name for it": Case([["CNAME b.example", INSIDE]]),
    "no such name": Case([[]], told=("UPSTREAM",)),
    "the name comes back as a private one": Case(
        [[OUTSIDE], [], [INSIDE]], ("/1", "/2", "/3"), ("ok", "UPSTREAM", "PRIVATE_ADDRESS")
    ),
    "one look, private": Case([[INSIDE]], once=True),
    "one look, sent on": Case([[OUTSIDE], [INSIDE]], (to(AGAIN),), ("ok",), once=True),
    "in turn, twelve times": Case(
        [[OUTSIDE], [INSIDE]] * 6, tuple(f"/{n}" for n in range(12)), ("ok", "PRIVATE_ADDRESS") * 6
    ),
}


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    """Listens on every address of this machine, the private ones too."""
    with HTTPServer(host="0.0.0.0") as running:

        def answer(request: Request) -> Response:
            where = request.args.get("where")
            if where is None:
                return Response("good")
            return Response(status=302, headers={"Location": where.replace("{port}", str(running.port))})

        for path in ("/to", "/good", "/more", *(f"/{n}" for n in range(12))):
            running.expect_request(path).respond_with_handler(answer)
        yield running


async def outcome(http: GuardedHttp, url: str, *, once: bool) -> str:
    try:
        await (http.once(url) if once else http.get(url))
    except ToolError as error:
        return error.tool_code
    return "ok"


def guarded(names: NameServer, port: int) -> GuardedHttp:
    return GuardedHttp(DIRECT, rules=LocalAddresses((80, port), names.resolve, here=LOCAL), pace=Pace({}, default=0.0))


async def test_T20_no_request_reaches_a_private_address_however_the_name_is_answered(server: HTTPServer) -> None:
    wrong: list[str] = []
    for name, case in CASES.items():
        with NameServer({"a.example": case.answers, "b.example": [[INSIDE]]}) as names, connects() as reached:
            http = guarded(names, server.port)
            told = [await outcome(http, f"http://a.example:{server.port}{path}", once=case.once) for path in case.asks]
        if told != list(case.told):
            wrong.append(f"{name}: {told}")
        if set(reached) - {OUTSIDE}:
            wrong.append(f"{name}: reached {sorted(set(reached))}")
    assert wrong == []
    assert len(CASES) >= 20


async def test_T20_nor_do_many_requests_at_once(server: HTTPServer) -> None:
    turns = [[OUTSIDE], [INSIDE], [OUTSIDE, INSIDE], [METADATA]] * 10
    with NameServer({"a.example": turns}) as names, connects() as reached:
        http = guarded(names, server.port)
        told = await asyncio.gather(
            *(outcome(http, f"http://a.example:{server.port}/good?{n}", once=False) for n in range(40))
        )
    assert (told.count("ok"), told.count("PRIVATE_ADDRESS")) == (10, 30)
    assert set(reached) == {OUTSIDE}
