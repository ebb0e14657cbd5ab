"""The guarded client against a real server on this machine, which the tests alone permit."""

from __future__ import annotations

import gzip
import ipaddress
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from app.core.errors import ToolError
from app.core.system.network import FixedNetwork, NetworkPolicy
from app.net import GuardedHttp
from app.net.addresses import Address
from app.net.cache import Cache
from app.net.pace import Pace
from app.net.transport import MAX_BYTES
from tests.fakes import FakeClock
from tests.local_network import DIRECT, OFFLINE, LocalAddresses


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    with HTTPServer(host="127.0.0.1") as running:
        yield running


Resolve = Callable[[str, int], Awaitable[list[Address]]]


class Resolver:
    """Answers with the addresses given, in turn; the last for ever."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers, self.asked = list(answers), 0

    async def __call__(self, host: str, port: int) -> list[Address]:
        self.asked += 1
        answer = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        return [ipaddress.ip_address(address) for address in answer]


def client(
    server: HTTPServer, resolver: Resolve | None = None, network: NetworkPolicy = DIRECT, **more: Any
) -> GuardedHttp:
    rules = LocalAddresses((80, 443, server.port), resolver or Resolver(["127.0.0.1"]))
    return GuardedHttp(network, rules=rules, pace=Pace({}, default=0.0), **more)


def at(server: HTTPServer, path: str = "/", host: str = "weather.example") -> str:
    return f"http://{host}:{server.port}{path}"


async def refused(http: GuardedHttp, url: str) -> str:
    with pytest.raises(ToolError) as caught:
        await http.get(url)
    return caught.value.tool_code


async def test_the_answer_comes_from_the_checked_address_under_its_own_name(server: HTTPServer) -> None:
    seen: list[Request] = []

    def answer(request: Request) -> Response:
        seen.append(request)
        return Response('{"a": 1}', content_type="application/json")

    server.expect_request("/v1", query_string="q=x").respond_with_handler(answer)
    reply = await client(server).get(at(server, "/v1"), params={"q": "x"})
    assert (reply.status, reply.body, reply.content_type) == (200, b'{"a": 1}', "application/json")
    assert (reply.truncated, reply.proxied) == (False, False)
    headers = seen[0].headers
    assert headers["Host"] == f"weather.example:{server.port}"
    assert "Cookie" not in headers
    assert "Authorization" not in headers
    assert headers["User-Agent"].startswith("Triptych")


async def test_offline_means_that_nobody_is_even_looked_up(server: HTTPServer) -> None:
    resolver = Resolver(["127.0.0.1"])
    assert await refused(client(server, resolver, OFFLINE), at(server)) == "NETWORK_OFF"
    assert resolver.asked == 0


@pytest.mark.parametrize("answer", [["10.0.0.1"], ["1.1.1.1", "192.168.0.1"], ["::1"], ["64:ff9b::7f00:1"], []])
async def test_a_name_with_any_private_address_is_never_connected_to(server: HTTPServer, answer: list[str]) -> None:
    assert await refused(client(server, Resolver(answer)), at(server)) == "PRIVATE_ADDRESS"
    assert server.log == []


async def test_a_name_that_turns_private_after_the_first_answer_is_caught(server: HTTPServer) -> None:
    """Rebinding: every hop is resolved once, and the connection goes to what was checked."""
    server.expect_request("/a").respond_with_response(Response(status=302, headers={"Location": "/b"}))
    server.expect_request("/b").respond_with_data("secret")
    resolver = Resolver(["127.0.0.1"], ["10.0.0.1"])
    assert await refused(client(server, resolver), at(server, "/a")) == "PRIVATE_ADDRESS"
    assert [request.path for request, _ in server.log] == ["/a"]
    assert resolver.asked == 2


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("http://169.254.169.254/latest", "BLOCKED_ADDRESS PRIVATE_ADDRESS"),
        ("file:///etc/passwd", "BLOCKED_SCHEME"),
        ("http://localhost/", "PRIVATE_ADDRESS"),
        ("http://user@weather.example/", "BLOCKED_ADDRESS"),
        ("/a", "UPSTREAM"),
    ],
)
async def test_a_redirect_is_checked_like_an_address(server: HTTPServer, where: str, code: str) -> None:
    server.expect_request("/a").respond_with_response(Response(status=302, headers={"Location": where}))
    assert await refused(client(server), at(server, "/a")) in code
    assert len(server.log) <= 6


async def test_an_endless_answer_is_cut_at_the_cap(server: HTTPServer) -> None:
    server.expect_request("/").respond_with_data(b"x" * (MAX_BYTES + 1000))
    reply = await client(server).get(at(server))
    assert (len(reply.body), reply.truncated) == (MAX_BYTES, True)


async def test_a_bomb_is_counted_after_inflation(server: HTTPServer) -> None:
    bomb = gzip.compress(b"\0" * (MAX_BYTES * 20))
    server.expect_request("/").respond_with_data(bomb, headers={"Content-Encoding": "gzip"})
    reply = await client(server).get(at(server))
    assert (len(reply.body), reply.truncated) == (MAX_BYTES, True)


async def test_a_compressed_answer_is_read(server: HTTPServer) -> None:
    server.expect_request("/").respond_with_data(gzip.compress(b"hello"), headers={"Content-Encoding": "gzip"})
    assert (await client(server).get(at(server))).body == b"hello"


async def test_the_same_question_is_asked_once_as_long_as_the_answer_is_kept(server: HTTPServer) -> None:
    time = FakeClock()
    server.expect_request("/").respond_with_data("a")
    http = client(server, cache=Cache(keep=60, clock=time))
    assert (await http.get(at(server))).body == (await http.get(at(server))).body
    assert len(server.log) == 1
    time.time = 61
    await http.get(at(server))
    assert len(server.log) == 2


async def test_a_failure_is_not_kept(server: HTTPServer) -> None:
    server.expect_request("/").respond_with_data("no", status=503)
    http = client(server)
    assert [(await http.get(at(server))).status for _ in range(2)] == [503, 503]
    assert len(server.log) == 2


async def test_a_server_that_asks_for_a_pause_gets_it(server: HTTPServer) -> None:
    server.expect_request("/").respond_with_data("", status=429, headers={"Retry-After": "60"})
    http = client(server)
    assert await refused(http, at(server)) == "RATE_LIMITED"
    assert await refused(http, at(server, "/other")) == "RATE_LIMITED"
    assert len(server.log) == 1


async def test_requests_to_one_host_keep_their_distance() -> None:
    time = FakeClock(100.0)
    pace = Pace({"a": 1.0}, clock=time)
    for _ in range(3):
        await pace.turn("a")
    await pace.turn("b")
    assert time.slept == [1.0, 2.0]
    time.time += 10
    await pace.turn("a")
    assert time.slept == [1.0, 2.0]
    with pytest.raises(ToolError, match="waiting"):
        for _ in range(20):
            await pace.turn("a")


async def test_a_dead_server_is_an_error_of_ours(server: HTTPServer) -> None:
    url = at(server)
    http = client(server)
    server.stop()
    assert await refused(http, url) == "UPSTREAM"


async def test_behind_a_proxy_the_name_goes_to_the_proxy_and_the_reply_says_so(server: HTTPServer) -> None:
    server.expect_request("/v1").respond_with_data("through")
    proxied = FixedNetwork(proxy=f"http://127.0.0.1:{server.port}")

    async def unknown(host: str, port: int) -> list[Address]:
        raise OSError("no such name here")

    reply = await client(server, unknown, proxied).get(at(server, "/v1"))
    assert (reply.body, reply.proxied) == (b"through", True)
    assert await refused(client(server, Resolver(["10.0.0.1"]), proxied), at(server, "/v1")) == "PRIVATE_ADDRESS"


async def test_T01_one_request_follows_nothing_and_keeps_nothing(server: HTTPServer) -> None:
    server.expect_request("/a").respond_with_response(Response(status=302, headers={"Location": "/b?x=1"}))
    http = client(server)
    for _ in range(2):
        reply = await http.once(at(server, "/a"))
        assert (reply.status, reply.location) == (302, at(server, "/b?x=1"))
    assert [request.path for request, _ in server.log] == ["/a", "/a"]


async def test_T01_one_request_is_guarded_like_any(server: HTTPServer) -> None:
    for http, code in (
        (client(server, network=OFFLINE), "NETWORK_OFF"),
        (client(server, Resolver(["10.0.0.1"])), "PRIVATE_ADDRESS"),
    ):
        with pytest.raises(ToolError) as caught:
            await http.once(at(server, "/a"))
        assert caught.value.tool_code == code
    assert server.log == []
