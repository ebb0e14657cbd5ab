"""Signing in to a server over HTTP: against an authorization server that checks every step, on a real port."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from app.compose import build
from app.core.errors import BadInput
from app.services.container import Services
from app.services.mcp.views import McpServerForm
from tests.rigs.fault_server import Exchange, FaultServer

ACCESS, REFRESH = "access-canary-0123456789", "refresh-canary-0123456789"


class SignInServer:
    """The MCP server and its authorization server at one address. What is wrong with a request is in `faults`."""

    def __init__(self) -> None:
        self.base = ""
        self.expires = 3_600
        self.authorization_endpoint = ""
        self.valid = ACCESS
        self.challenges: dict[str, dict[str, str]] = {}
        self.grants: list[str] = []
        self.faults: list[str] = []

    async def __call__(self, exchange: Exchange) -> None:
        path = urlsplit(exchange.path).path
        match exchange.method, path:
            case "POST", "/mcp":
                await self._serve(exchange)
            case "GET", "/.well-known/oauth-protected-resource/mcp":
                await answer(exchange, {"resource": f"{self.base}/mcp", "authorization_servers": [self.base]})
            case "GET", "/.well-known/oauth-authorization-server":
                await answer(exchange, {
                    "issuer": self.base, "authorization_endpoint": self.authorization_endpoint,
                    "token_endpoint": f"{self.base}/token", "registration_endpoint": f"{self.base}/register",
                    "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
                })  # fmt: skip
            case "POST", "/register":
                asked = json.loads(exchange.body)
                if not asked["redirect_uris"][0].startswith("http://127.0.0.1:"):
                    self.faults.append("redirect")
                await answer(exchange, {**asked, "client_id": "registered"}, status=201)
            case "POST", "/token":
                await self._token(exchange, {k: v[0] for k, v in parse_qs(exchange.body.decode()).items()})
            case _:
                await answer(exchange, {}, status=404)

    async def _serve(self, exchange: Exchange) -> None:
        headers = {name.lower(): value for name, value in exchange.headers.items()}
        if headers.get("authorization") != f"Bearer {self.valid}":
            where = f'Bearer resource_metadata="{self.base}/.well-known/oauth-protected-resource/mcp"'
            await exchange.head(401, "application/json", {"WWW-Authenticate": where}, length=2)
            await exchange.send(b"{}")
            return
        message = json.loads(exchange.body)
        results: dict[str, Any] = {
            "initialize": {
                "protocolVersion": message.get("params", {}).get("protocolVersion", "2025-06-18"),
                "capabilities": {"tools": {}}, "serverInfo": {"name": "calendar", "version": "1"},
            },
            "tools/list": {"tools": [{"name": "today", "description": "x", "inputSchema": {"type": "object"}}]},
        }  # fmt: skip
        if "id" not in message:
            await answer(exchange, None, status=202)
        elif message["method"] in results:
            await answer(exchange, {"jsonrpc": "2.0", "id": message["id"], "result": results[message["method"]]})
        else:
            error = {"code": -32601, "message": "no such method"}
            await answer(exchange, {"jsonrpc": "2.0", "id": message["id"], "error": error})

    async def _token(self, exchange: Exchange, fields: dict[str, str]) -> None:
        self.grants.append(fields.get("grant_type", ""))
        if fields.get("client_id") != "registered" or fields.get("resource") != f"{self.base}/mcp":
            self.faults.append("client or resource")
        if fields["grant_type"] == "authorization_code":
            asked = self.challenges.pop(fields["code"], {})
            digest = hashlib.sha256(fields["code_verifier"].encode()).digest()
            if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != asked.get("code_challenge"):
                self.faults.append("PKCE")
            if fields["redirect_uri"] != asked.get("redirect_uri"):
                self.faults.append("redirect of the code")
        elif fields["refresh_token"] != REFRESH:
            await answer(exchange, {"error": "invalid_grant"}, status=400)
            return
        else:
            self.valid = "access-renewed-0123456789"
        given = {"access_token": self.valid, "token_type": "Bearer", "expires_in": self.expires}
        await answer(exchange, {**given, "refresh_token": REFRESH})

    def agree(self, url: str) -> str:
        """What a person's Yes in the browser leads to."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        if asked["response_type"] != "code" or asked["code_challenge_method"] != "S256":
            self.faults.append("what the browser asked")
        self.challenges["the-code"] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': 'the-code', 'state': asked['state']})}"


async def answer(exchange: Exchange, body: Any, *, status: int = 200) -> None:
    data = b"" if body is None else json.dumps(body).encode()
    await exchange.head(status, "application/json", length=len(data))
    await exchange.send(data)


async def visit(url: str) -> int:
    """As a browser: the status of the page."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.write(f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    line = await reader.readline()
    writer.close()
    return int(line.split()[1])


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    made = build(tmp_path / "data", {})
    await made.open()
    made.providers.key_storage.choose("file")  # on the disk, to be looked at
    yield made
    await made.close()


async def signing(services: Services, server: FaultServer, asked: SignInServer) -> str:
    """A server that was agreed to, and wants a sign-in."""
    asked.base = f"http://127.0.0.1:{server.port}"
    asked.authorization_endpoint = asked.authorization_endpoint or f"{asked.base}/authorize"
    mcp = services.mcp
    id = await mcp.save_server(McpServerForm(name="cal", transport="http", url=f"{asked.base}/mcp"))
    await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
    assert (await mcp.start(id)).code == "sign_in"
    return id


def by(go: Callable[[str], Any], pages: list[asyncio.Task[Any]]) -> Callable[[str], None]:
    return lambda url: pages.append(asyncio.ensure_future(go(url)))


async def test_a_sign_in_with_the_browser_starts_the_server_and_is_renewed(services: Services, tmp_path: Path) -> None:
    asked, pages, mcp = SignInServer(), list[asyncio.Task[Any]](), services.mcp
    statuses: list[int] = []

    async def person(url: str) -> None:
        back = asked.agree(url)
        statuses.append(await visit(back.replace("state=", "state=x")))  # somebody else knocks first
        statuses.append(await visit(back))

    async with FaultServer(asked) as server:
        id = await signing(services, server, asked)
        asked.expires = 30  # over before it is used: renewed with the next start
        await mcp.sign_ins.begin(id, by(person, pages))
        await asyncio.gather(*pages)
        assert statuses == [404, 200]
        assert await mcp.sign_ins.is_done(id)
        assert (await mcp.start(id)).state == "tools"
        assert [row.name for row in mcp.reviews.tools(id).rows] == ["today"]
        assert asked.grants == ["authorization_code", "refresh_token"]
        assert asked.faults == []
        files = [path for path in (tmp_path / "data").rglob("*") if path.is_file() and "keys" not in path.name]
        told = [path for path in files if any(word.encode() in path.read_bytes() for word in (ACCESS, REFRESH))]
        assert told == [], "tokens are in the store of keys alone"
        assert ACCESS not in "\n".join(mcp.log(id))

        await mcp.reviews.accept_tools(id, mcp.reviews.tools(id).digest)
        await mcp.sign_ins.forget(id)
        assert not await mcp.sign_ins.is_done(id)
        assert (await mcp.start(id)).code == "sign_in"


async def test_refusals_are_named_and_keep_nothing(services: Services) -> None:
    asked, pages, mcp = SignInServer(), list[asyncio.Task[Any]](), services.mcp

    async def says_no(url: str) -> None:
        query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        no = {"error": "access_denied", "error_description": "not you", "state": query["state"]}
        await visit(f"{query['redirect_uri']}?{urlencode(no)}")

    async def gives_up(_url: str) -> None:
        mcp.sign_ins.cancel("cal")

    async def never(_url: str) -> None:
        raise AssertionError("no browser for such an address")

    async with FaultServer(asked) as server:
        id = await signing(services, server, asked)
        for go, endpoint, told in (
            (says_no, asked.authorization_endpoint, "not you"),
            (gives_up, asked.authorization_endpoint, "given up"),
            (never, "http://login.example.com/authorize", "https"),
        ):
            asked.authorization_endpoint = endpoint
            with pytest.raises(BadInput) as refused:
                await mcp.sign_ins.begin(id, by(go, pages))
            assert told in refused.value.message, refused.value.message
            await asyncio.gather(*pages)
            assert not await mcp.sign_ins.is_done(id)
        assert asked.grants == []
