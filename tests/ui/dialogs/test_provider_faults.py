"""The test button against real servers: for each thing that can be wrong, that one is named."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.core.system.network import FixedNetwork
from app.services.providers.service import CheckResult, ProviderEntry, ProviderService
from app.storage.config.secrets import SecretStore
from app.storage.config.settings import SettingsFiles
from app.ui.dialogs.providers.labels import result_words
from tests.rigs.fault_server import Exchange, FaultServer, Scenario
from tests.rigs.speaking_server import speaks

KEY = "sk-canary-0123456789abcdef"


@pytest.fixture
def service(tmp_path: Path) -> ProviderService:
    store = SecretStore(tmp_path / "keys", find=lambda: None)
    return ProviderService(SettingsFiles(tmp_path), store, environ={}, network=FixedNetwork())


def at(url: str, model: str = "test-model", **more: Any) -> ProviderEntry:
    return ProviderEntry("mine", "custom", "Mine", url, (model,), **more)


async def told(service: ProviderService, entry: ProviderEntry, key: str = KEY) -> tuple[CheckResult, str]:
    result = await service.probes.check(entry, key, entry.models[0])
    words = result_words(result, replace(entry, has_key=bool(key)))
    assert KEY not in words
    assert "{" not in words
    return result, words


def answers(status: int, body: object, headers: dict[str, str] | None = None) -> Scenario:
    async def scenario(exchange: Exchange) -> None:
        await exchange.reply(status, body, headers)

    return scenario


@pytest.fixture
def self_signed(tmp_path: Path) -> ssl.SSLContext:
    return certificate(tmp_path, "IP:127.0.0.1")


def certificate(folder: Path, name: str, *, days: str = "2") -> ssl.SSLContext:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl program to make a certificate with")
    key, cert = folder / "key.pem", folder / "cert.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test", "-days", days]
    command += ["-addext", f"subjectAltName={name}", "-keyout", str(key), "-out", str(cert)]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context


# ---------------------------------------------------------------- host


async def test_N01_a_host_that_does_not_exist_is_named(service: ProviderService) -> None:
    result, words = await told(service, at("https://no-such-host.invalid/v1", proxy="direct"))
    assert result.place == "host"
    assert words.startswith("Cannot find no-such-host.invalid.")


async def test_N02_a_closed_port_asks_whether_the_server_runs(service: ProviderService) -> None:
    async with FaultServer(speaks([])) as server:
        url = server.base_url
    result, words = await told(service, at(url))
    assert result.place == "host"
    assert words.startswith("Nothing is listening at 127.0.0.1.")


# ---------------------------------------------------------------- certificate


async def test_N04_a_self_signed_certificate_is_named_with_the_way_to_trust_it(
    service: ProviderService, self_signed: ssl.SSLContext, tmp_path: Path
) -> None:
    async with FaultServer(speaks([{"content": "ok"}]), tls=self_signed) as server:
        result, words = await told(service, at(server.base_url))
        assert result.place == "certificate"
        assert "certificate file under More" in words
        assert server.requests == []
        result, words = await told(service, at(server.base_url, ca_file=str(tmp_path / "cert.pem")))
        assert result.ok, words
        result, words = await told(service, at(server.base_url, ca_file=str(tmp_path / "none.pem")))
    assert (result.place, words.splitlines()[0]) == ("certificate", "The file of certificates cannot be read.")


async def test_N04_a_certificate_of_another_host_is_named(service: ProviderService, tmp_path: Path) -> None:
    async with FaultServer(speaks([{"content": "ok"}]), tls=certificate(tmp_path, "DNS:other.example")) as server:
        result, words = await told(service, at(server.base_url, ca_file=str(tmp_path / "cert.pem")))
    assert result.place == "certificate"
    assert "not made for 127.0.0.1" in words


async def test_N04_https_towards_a_plain_server_says_so(service: ProviderService) -> None:
    async def plain(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(plain, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        result, words = await told(service, at(f"https://127.0.0.1:{port}/v1"))
    assert result.place == "certificate"
    assert "http:// and not https://" in words


# ---------------------------------------------------------------- key, model, path


async def test_N07_a_refused_key_is_named_and_the_provider_quoted(service: ProviderService) -> None:
    async with FaultServer(answers(401, {"error": {"message": f"Incorrect API key: {KEY}"}})) as server:
        result, words = await told(service, at(server.base_url))
        assert result.place == "key"
        assert words.startswith("127.0.0.1 did not accept the key.\nIt says: Incorrect API key")
        _result, words = await told(service, at(server.base_url), key="")
    assert words.startswith("127.0.0.1 asks for a key.")


async def test_a_key_with_a_foreign_character_is_never_sent(service: ProviderService) -> None:
    async with FaultServer(speaks([{"content": "ok"}])) as server:
        result = await service.probes.check(at(server.base_url), "sk-密钥", "test-model")
    assert (result.place, server.requests) == ("key", [])
    assert "no key has" in result_words(result, at("x", has_key=True))


async def test_N08_a_model_that_is_not_there_is_named(service: ProviderService) -> None:
    turn = {"status": 404, "content": "The model does not exist", "code": "model_not_found"}
    async with FaultServer(speaks([turn], models=["other"])) as server:
        result, words = await told(service, at(server.base_url, "gpt-99"))
    assert result.place == "model"
    assert "does not know the model “gpt-99”" in words


async def test_N08_a_wrong_path_is_named_and_the_right_one_offered(service: ProviderService) -> None:
    async with FaultServer({"v1": speaks([{"content": "ok"}])}) as server:
        short = server.base_url.removesuffix("/v1")
        result, words = await told(service, at(short))
        assert (result.place, result.suggested) == ("path", server.base_url)
        assert f"{server.base_url} answers." in words
        result, words = await told(service, at(f"{short}/nothing/v1"))
    assert result.place == "path"
    assert "no model service at this path" in words


async def test_N06_a_web_page_is_told_by_its_title_only(service: ProviderService) -> None:
    page = "<html><title>Hotel <b>Wi-Fi</b></title><body>secret</body></html>"
    async with FaultServer(answers(200, page)) as server:
        result, words = await told(service, at(server.base_url))
    assert result.place == "path"
    assert words.startswith("A web page came back instead of a model service.")
    assert "secret" not in words


async def test_N15_a_redirect_is_named_and_the_key_stays_here(service: ProviderService) -> None:
    async with FaultServer(answers(308, "", {"Location": "https://evil.test/v1"})) as server:
        result, words = await told(service, at(server.base_url))
    assert result.place == "path"
    assert "evil.test" in words
    assert "the key was not sent" in words


async def test_N11_an_empty_account_is_told_from_a_wrong_key(service: ProviderService) -> None:
    async with FaultServer(answers(402, {"error": {"message": "Insufficient Balance"}})) as server:
        result, words = await told(service, at(server.base_url))
    assert result.place == "key"
    assert words.startswith("There is no credit left at 127.0.0.1.")


# ---------------------------------------------------------------- proxy


async def test_N05_a_proxy_that_refuses_or_is_down_is_blamed_with_where_it_comes_from(
    service: ProviderService, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy", "https_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    async with FaultServer(answers(407, "who are you?")) as server:
        proxy = f"http://127.0.0.1:{server.port}"
        result, words = await told(service, at("https://model.example/v1", proxy=proxy))
        assert result.place == "proxy"
        assert f"The proxy {proxy} refused the connection to model.example." in words
        assert "set in this provider" in words
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    result, words = await told(service, at("https://model.example/v1"))
    assert result.place == "proxy"
    assert f"The proxy {proxy} cannot be reached." in words
    assert "or of this computer" in words


@pytest.mark.parametrize("trap", ["socks://127.0.0.1:1", "socks5://127.0.0.1:1", "ftp://x:1", "http://", "http://h:x"])
async def test_R29_a_proxy_of_a_kind_that_breaks_the_library_is_a_sentence(
    service: ProviderService, monkeypatch: pytest.MonkeyPatch, trap: str
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "HTTPS_PROXY", "https_proxy", "all_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ALL_PROXY", trap)
    result, words = await told(service, at("https://model.example/v1"))
    assert result.place == "proxy"
    assert words.startswith("The proxy ")


async def test_R29_a_stale_certificate_file_of_the_environment_does_not_matter(
    service: ProviderService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/at/all.pem")
    async with FaultServer(speaks([{"content": "ok"}])) as server:
        result, words = await told(service, at(server.base_url))
    assert result.ok
    assert words.startswith("It works: 127.0.0.1 answered in")


async def test_the_proxy_of_the_preferences_is_used_unless_a_provider_has_its_own(tmp_path: Path) -> None:
    async with FaultServer(answers(407, "")) as server:
        usual = f"http://127.0.0.1:{server.port}"
        store = SecretStore(tmp_path / "keys", find=lambda: None)
        made = ProviderService(SettingsFiles(tmp_path), store, environ={}, network=FixedNetwork(proxy=usual))
        result = await made.probes.check(at("https://model.example/v1"), KEY)
        assert (result.place, result.proxy) == ("proxy", usual)
        await made.save_provider(at("https://model.example/v1"))
        assert made.config("mine").proxy == usual
        assert made.providers()[0].proxy == ""
        await made.save_provider(at("https://model.example/v1", proxy="direct"))
        assert made.config("mine").proxy == "direct"
