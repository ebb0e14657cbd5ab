"""Updates: a signed feed, asked for when the person asks, believed only when it is ours, new and whole."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import BadInput, NotConfigured
from app.core.system.clock import CLOCK
from app.core.system.update_feed import is_newer
from app.services.container import Services
from app.services.updates.service import UpdateService
from building import update_feed as building


@contextmanager
def feed_server(answers: dict[str, tuple[int, dict[str, str], bytes]]) -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            status, headers, body = answers.get(self.path, (404, {}, b""))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[Path, str]:
    building.main(["new-key", str(tmp_path / "key")])
    return tmp_path / "key", capsys.readouterr().out.strip()


def signed(key: Path, number: int, version: str = "9.0.0", days: int = 90) -> bytes:
    feed = key.with_name("feed.json")
    arguments = ["sign", str(key), str(feed), "--number", str(number), "--version", version, "--released", "2026-12-01"]
    url = f"linux-x86_64=https://tea.test/triptych.tar.gz={key}"
    building.main([*arguments, "--days", str(days), "--page", "https://tea.test/notes", "--file", url])
    return feed.read_bytes()


async def with_feed(services: Services, address: str, *keys: str) -> UpdateService:
    preferences = services.settings.preferences
    await services.settings.save_preferences(preferences.model_copy(update={"update_feed": address}))
    own = services.updates
    return UpdateService(own._settings, own._files, own._http, own._runs, keys=keys)


async def test_a_feed_is_believed_only_when_it_is_ours_whole_and_not_older(
    services: Services, key: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, public = key
    assert path.stat().st_mode & 0o077 == 0
    building.main(["new-key", str(tmp_path / "other")])
    capsys.readouterr()
    good, older = signed(path, 7), signed(path, 6)
    body = json.loads(good)
    tampered = json.dumps(body | {"signed": body["signed"].replace("9.0.0", "9.9.9")}).encode()
    bare = base64.b64encode(b"x" * 64).decode()
    answers: dict[str, tuple[int, dict[str, str], bytes]] = {
        "/good": (200, {}, good), "/replayed": (200, {}, older), "/tampered": (200, {}, tampered),
        "/stranger": (200, {}, signed(tmp_path / "other", 9)),
        "/unsigned": (200, {}, json.dumps({"signed": body["signed"]}).encode()),
        "/guessed": (200, {}, json.dumps(body | {"signature": bare}).encode()),
        "/large": (200, {}, good + b" " * 300_000), "/moved": (302, {"Location": "/good"}, b""),
        "/deep": (200, {}, b"[" * 100_000), "/odd": (200, {}, b"\xff\xfe"), "/list": (200, {}, b"[]"),
    }  # fmt: skip
    with feed_server(answers) as (address, asked):
        assert asked == []
        found: dict[str, str] = {}
        for name in ["/good", *answers, "/gone"]:
            try:
                state = await (await with_feed(services, address + name, public)).check()
            except BadInput as error:
                found[name] = error.params["reason"]
            else:
                found[name] = f"newer {state.is_newer} {state.feed.files[0].sha256[:0]}".strip()
        assert asked == ["/good", *answers, "/gone"], "each once, and no redirect was followed"
        try:
            await (await with_feed(services, f"{address}/good")).check()
        except BadInput as error:
            found["without a key"] = error.params["reason"]
    assert found == {
        "/good": "newer True", "/replayed": "FEED_OLD", "/tampered": "FEED_SIGNATURE", "/stranger": "FEED_SIGNATURE",
        "/unsigned": "FEED_UNSIGNED", "/guessed": "FEED_SIGNATURE", "/large": "FEED_LARGE", "/moved": "FEED_MOVED",
        "/deep": "FEED_ODD", "/odd": "FEED_ODD", "/list": "FEED_ODD", "/gone": "FEED_UNREACHABLE",
        "without a key": "FEED_NO_KEY",
    }  # fmt: skip


async def test_nothing_is_asked_without_an_address_nor_while_an_agent_works(
    services: Services, key: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotConfigured):
        await services.updates.check()
    with feed_server({"/f": (200, {}, signed(key[0], 1))}) as (address, asked):
        updates = await with_feed(services, f"{address}/f", key[1])
        monkeypatch.setattr(type(updates._runs), "running_sessions", lambda _self: ["s"])
        with pytest.raises(BadInput) as working:
            await updates.check()
        assert working.value.params["reason"] == "AGENT_WORKING"
        assert asked == []


async def test_a_feed_that_has_run_out_says_nothing(services: Services, key: tuple[Path, str]) -> None:
    class Later:
        def now(self) -> float:
            return CLOCK.now() + 91 * 86_400

    with feed_server({"/f": (200, {}, signed(key[0], 1))}) as (address, _asked):
        updates = await with_feed(services, f"{address}/f", key[1])
        updates._clock = Later()  # type: ignore[assignment]
        with pytest.raises(BadInput) as caught:
            await updates.check()
    assert caught.value.params["reason"] == "FEED_EXPIRED"


def test_versions_are_compared_by_their_numbers() -> None:
    assert is_newer("0.10.0", "0.9.9")
    assert is_newer("1.0.0", "1.0.0rc1")
    assert not is_newer("0.1.0", "0.1.0")
    assert not is_newer("0.1", "0.1.0")
