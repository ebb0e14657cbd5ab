"""The rows U01–U17 of the bad inputs, through the whole client: nothing is connected or followed that must not be."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from app.core.errors import ToolError
from app.net import GuardedHttp, transport
from app.net.addresses import Address, AddressRules
from app.net.targets import read
from app.net.transport import MAX_BYTES
from tests.floor import TRIES, cost, floor
from tests.local_network import DIRECT, HERE, LocalAddresses
from tests.net.test_client import Resolver, at, client, refused

REFUSALS = ("BLOCKED_ADDRESS", "BLOCKED_SCHEME", "PRIVATE_ADDRESS")


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    with HTTPServer(host="127.0.0.1") as running:
        yield running


async def resolve(host: str, port: int) -> list[Address]:
    """As an operating system does: it understands every spelling of this machine."""
    return [HERE]


class Resolving(AddressRules):
    async def resolve(self, host: str, port: int) -> list[Address]:
        return await resolve(host, port)


async def code(url: str) -> str:
    http = GuardedHttp(DIRECT, rules=Resolving())
    with pytest.raises(ToolError) as caught:
        await http.get(url)
    return caught.value.tool_code


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://localhost", "http://[::1]", "http://LOCALHOST./"])
async def test_U01_this_machine_is_refused(url: str) -> None:
    assert await code(url) in REFUSALS


async def test_U01_a_port_of_this_machine_is_refused() -> None:
    assert await code("http://127.0.0.1:11434/") in REFUSALS


@pytest.mark.parametrize(
    "url", ["http://2130706433", "http://0x7f000001", "http://0177.0.0.1", "http://127.1", "http://0", "http://0x7f.1"]
)
async def test_U02_numbers_in_disguise_are_refused(url: str) -> None:
    assert await code(url) in REFUSALS


@pytest.mark.parametrize("url", ["http://①②⑦.⓪.⓪.①", "http://127。0。0。1", "http://１２７.0.0.1"])
async def test_U03_numbers_in_other_signs_are_refused(url: str) -> None:
    assert await code(url) in REFUSALS


@pytest.mark.parametrize(
    "host",
    ["::ffff:7f00:1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1"],
)
async def test_U04_addresses_inside_addresses_are_refused(host: str) -> None:
    assert await code(f"http://[{host}]/") in REFUSALS


@pytest.mark.parametrize(
    "host", ["169.254.169.254", "100.100.100.200", "168.63.129.16", "[fd00:ec2::254]", "metadata.google.internal"]
)
async def test_U05_the_metadata_of_clouds_is_refused(host: str) -> None:
    assert await code(f"http://{host}/latest") in REFUSALS


@pytest.mark.parametrize(
    "host",
    ["10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "[fc00::1]",
     "[fe80::1]"],
)  # fmt: skip
async def test_U06_private_networks_are_refused(host: str) -> None:
    assert await code(f"http://{host}/") in REFUSALS


async def test_T21_U07_a_name_with_one_private_address_is_refused(server: HTTPServer) -> None:
    assert await refused(client(server, Resolver(["127.0.0.1", "10.0.0.1"])), at(server)) == "PRIVATE_ADDRESS"
    assert server.log == []


async def test_T21_U07_a_second_answer_of_the_name_server_changes_nothing(server: HTTPServer) -> None:
    """Rebinding: what was checked is what is connected to; the name is not looked up again."""
    server.expect_request("/").respond_with_data("here")
    resolver = Resolver(["127.0.0.1"], ["10.0.0.1"])
    assert (await client(server, resolver).get(at(server))).body == b"here"
    assert resolver.asked == 1


@pytest.mark.parametrize("where", ["http://127.0.0.2/", "file:///etc/passwd", "http://[::1]/", "http://localhost/"])
async def test_T21_U08_a_redirect_into_the_dark_stops_at_the_hop(server: HTTPServer, where: str) -> None:
    server.expect_request("/a").respond_with_response(Response(status=302, headers={"Location": where}))
    assert await refused(client(server), at(server, "/a")) in REFUSALS
    assert len(server.log) == 1


async def test_U08_twenty_redirects_end_after_five(server: HTTPServer) -> None:
    def onward(request: Request) -> Response:
        return Response(status=302, headers={"Location": f"/{int(request.path[1:]) + 1}"})

    for n in range(21):
        server.expect_request(f"/{n}").respond_with_handler(onward)
    assert await refused(client(server), at(server, "/0")) == "UPSTREAM"
    assert len(server.log) == 6


def test_U08_a_redirect_never_leads_from_https_to_http() -> None:
    http = GuardedHttp(DIRECT)
    with pytest.raises(ToolError) as caught:
        http._moved(read("https://example.com/"), "http://example.com/")
    assert caught.value.tool_code == "BLOCKED_SCHEME"


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1\\@example.com/", "http://example.com@127.0.0.1/", "http://a:b@c.com/"]
)
async def test_U09_backslashes_and_user_names_are_refused(url: str) -> None:
    assert await code(url) in REFUSALS


def test_U09_what_stands_behind_the_hash_is_no_host() -> None:
    assert read("http://example.com#@127.0.0.1/").host == "example.com"


@pytest.mark.parametrize("url", ["http://a\tb.com", "http://exa%6dple.com", "http://x/\r\nHost: y", "http://a b.com"])
async def test_U10_control_characters_and_escapes_in_a_host_are_refused(url: str) -> None:
    assert await code(url) in REFUSALS


@pytest.mark.parametrize(
    ("url", "host"),
    [("https://раураl.com", "xn--l-7sba6dbr.com"), ("https://xn--80ak6aa92e.com", "xn--80ak6aa92e.com")],
)
def test_U11_a_name_in_other_letters_is_shown_as_it_is_sent(url: str, host: str) -> None:
    """The question for leave shows what `read` makes of it (a net tool always asks)."""
    assert read(url).host == host


@pytest.mark.parametrize("scheme", ["ftp", "gopher", "file", "data", "jar", "unix", "ws", "javascript", "smb"])
async def test_U12_other_schemes_are_refused(scheme: str) -> None:
    assert await code(f"{scheme}://example.com/") == "BLOCKED_SCHEME"


@pytest.mark.parametrize("port", [22, 25, 6379, 0, 65536, 8080])
async def test_U13_other_ports_are_refused(port: int) -> None:
    assert await code(f"http://example.com:{port}/") in REFUSALS


@pytest.mark.parametrize("url", ["http://example.com/" + "a" * 3_000_000, "http://example.com/?" + "a=b&" * 10_000])
async def test_U14_endless_addresses_are_refused_at_once(url: str) -> None:
    """At once: for less than plain Python takes to look at three million letters, one by one."""
    limit = cost(lambda: [letter == "a" for letter in "a" * 3_000_000]) + 20 * floor()
    worked = []
    for _ in range(TRIES):
        began = time.thread_time()
        assert await code(url) in REFUSALS
        worked.append(time.thread_time() - began)
    assert min(worked) < limit


@pytest.mark.parametrize(
    ("url", "one"),
    [
        ("HTTP://Example.COM.:80/", "http://example.com/"),
        ("https://example.com:443", "https://example.com/"),
        ("http://EXAMPLE.com/%7Ea", "http://example.com/%7Ea"),
    ],
)
def test_U15_one_spelling_is_checked_and_connected_to(url: str, one: str) -> None:
    assert read(url).url == one


@pytest.mark.parametrize("url", ["http://", "http:///x", "https:example.com", "//example.com", "http://."])
async def test_U15_an_address_without_a_host_is_refused(url: str) -> None:
    assert await code(url) in REFUSALS


async def test_U16_ten_gigabytes_end_at_the_cap(server: HTTPServer) -> None:
    def endless(_request: Request) -> Response:
        return Response((b"x" * 65_536 for _ in range(160_000)), direct_passthrough=True)

    server.expect_request("/").respond_with_handler(endless)
    reply = await client(server).get(at(server))
    assert (len(reply.body), reply.truncated) == (MAX_BYTES, True)


async def test_U16_a_bomb_is_counted_after_it_went_off(server: HTTPServer) -> None:
    bomb = gzip.compress(b"\0" * (MAX_BYTES * 4))
    server.expect_request("/").respond_with_data(bomb, headers={"Content-Encoding": "gzip"})
    reply = await client(server).get(at(server))
    assert (len(reply.body), reply.truncated) == (MAX_BYTES, True)


@pytest.fixture
def raw() -> Iterator[tuple[int, list[bytes]]]:
    """A server that sends the pieces it is given, a moment apart, and hangs up."""
    pieces: list[bytes] = []
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                talk, _ = listening.accept()
            except OSError:
                return
            with talk:
                talk.recv(65_536)
                try:
                    for piece in pieces:
                        talk.sendall(piece)
                        time.sleep(0.05)
                except OSError:
                    continue

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield listening.getsockname()[1], pieces
    with contextlib.suppress(OSError):
        listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    thread.join(5)


def over(port: int) -> GuardedHttp:
    return GuardedHttp(DIRECT, rules=LocalAddresses((port,), resolve, any_address=True))


async def test_U16_one_byte_at_a_time_ends_with_the_time(
    raw: tuple[int, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, pieces = raw
    pieces += [b"HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n", *([b"x"] * 10_000)]
    monkeypatch.setattr(transport.fetch, "__kwdefaults__", {**(transport.fetch.__kwdefaults__ or {}), "seconds": 0.5})
    async with asyncio.timeout(60):  # the whole of it would take ten minutes
        assert await refused(over(port), f"http://slow.example:{port}/") == "TIMEOUT"


async def test_U16_a_wrong_length_is_no_whole_answer(raw: tuple[int, list[bytes]]) -> None:
    port, pieces = raw
    pieces += [b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nshort"]
    assert await refused(over(port), f"http://short.example:{port}/") == "UPSTREAM"


async def test_U16_an_answer_without_a_type_is_read_as_one(raw: tuple[int, list[bytes]]) -> None:
    port, pieces = raw
    pieces += [b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"]
    reply = await over(port).get(f"http://plain.example:{port}/")
    assert (reply.content_type, reply.body) == ("", b"ok")


async def test_U17_a_page_leads_nowhere_by_itself(server: HTTPServer) -> None:
    page = '<base href="http://127.0.0.1/"><meta http-equiv="refresh" content="0;url=http://10.0.0.1/"><script>location="x"'
    server.expect_request("/").respond_with_data(page, content_type="text/html", headers={"Refresh": "0;url=/x"})
    reply = await client(server).get(at(server))
    assert reply.body == page.encode()
    assert len(server.log) == 1
