"""A key that was set and cannot be read: nothing is asked without it, and a sentence says what to do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.errors import ForThePerson
from app.services.container import Services
from app.services.mcp.views import McpServerForm
from app.services.providers.service import ProviderEntry
from app.services.runs.run_options import RunOptions
from app.storage.folder.errors import KeyUnreadable
from tests.fakes import end_of
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks
from tests.services.test_models import FakeKeyring

KEY = "sk-canary-0123456789abcdef"
Find = Callable[[], Any]


class Locked(FakeKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        raise RuntimeError("locked")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise RuntimeError("locked")


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Set, and what hangs goes on."""
    let_go = threading.Event()
    monkeypatch.setattr("app.storage.config.secrets.PROBE_SECONDS", 0.2)
    monkeypatch.setattr("app.storage.config.secrets.READ_SECONDS", 0.2)
    yield let_go
    let_go.set()


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Find], Services]:
    """The program on the test's folder, with that keyring."""

    def start_with(find: Find) -> Services:
        monkeypatch.setattr("app.storage.config.secrets.find_keyring", find)
        return build(tmp_path / "data", {})

    return start_with


async def ask(services: Services) -> str:
    await services.open()
    session = await services.sessions.create("assistant")
    options = RunOptions(mode="direct", model="mine/m", interactive=False, overrides={"max_retries": 0})
    run = await services.chat.send(session.id, "6*7?", options=options)
    return end_of([line async for line in run.events()]).answer


async def set_up(services: Services, address: str) -> None:
    entry = ProviderEntry("mine", "custom", "Mine", address, ("m",), needs_key=False)
    await services.providers.save_provider(entry, KEY)
    await services.close()


async def test_nothing_is_asked_without_a_key_that_was_set(
    start: Callable[[Find], Services], frozen: threading.Event
) -> None:
    ring = FakeKeyring()

    class Hanging(FakeKeyring):
        def get_password(self, service: str, username: str) -> str | None:
            frozen.wait(60)
            return ring.get_password(service, username)

    def never() -> FakeKeyring:
        frozen.wait(60)
        return ring

    def throws() -> None:
        raise OSError("no bus")

    faults: dict[str, tuple[Find, str]] = {
        "locked": (Locked, "KEYRING_REFUSED"),
        "frozen": (Hanging, "KEYRING_SILENT"),
        "late": (never, "KEYRING_SILENT"),
        "gone": (lambda: None, "KEY_GONE"),
        "no bus": (throws, "KEY_GONE"),
        "emptied": (FakeKeyring, "KEY_GONE"),
    }
    async with FaultServer(speaks([{"content": "42"}], repeat_last=True)) as server:
        await set_up(start(lambda: ring), server.base_url)
        for name, (find, reason) in faults.items():
            services = start(find)
            with pytest.raises(KeyUnreadable) as caught:
                await ask(services)
            assert (caught.value.params["reason"], caught.value.params["provider"]) == (reason, "Mine"), name
            assert caught.value.hint, name
            assert caught.value.exit_code == 3
            entry = services.providers.providers()[0]
            assert (await services.providers.probes.check(entry, None, "m")).code == "KEY_UNREADABLE", name
            await services.close()
        assert server.requests == []
        assert await ask(start(lambda: ring)) == "42"
        assert KEY in server.requests[-1].headers["authorization"]


async def test_what_hung_is_used_when_it_comes(start: Callable[[Find], Services], frozen: threading.Event) -> None:
    ring = FakeKeyring()

    def late() -> FakeKeyring:
        frozen.wait(60)
        return ring

    async with FaultServer(speaks([{"content": "42"}], repeat_last=True)) as server:
        await set_up(start(lambda: ring), server.base_url)
        services = start(late)
        with pytest.raises(KeyUnreadable):
            await ask(services)
        frozen.set()
        while any(thread.name == "keyring" for thread in threading.enumerate()):
            await services.providers.key_storage.kind()
        assert await ask(services) == "42"
        await services.close()


async def test_a_server_of_tools_is_not_started_without_its_values(start: Callable[[Find], Services]) -> None:
    ring = FakeKeyring()
    services = start(lambda: ring)
    id = await services.mcp.save_server(McpServerForm(name="one", command="/bin/true", env={"TOKEN": KEY}))
    await services.mcp.reviews.accept_start(id, (await services.mcp.reviews.review(id)).fingerprint)
    await services.close()

    class WithoutTheValue(FakeKeyring):
        def get_password(self, service: str, username: str) -> str | None:
            if username.startswith("mcp."):
                raise RuntimeError("locked")
            return ring.get_password(service, username)

    services = start(WithoutTheValue)
    await services.open()
    entry = await services.mcp.start(id)
    assert (entry.state, entry.code) == ("failed", "keyring")
    await services.close()


async def test_keys_of_providers_and_of_servers_move_together(start: Callable[[Find], Services]) -> None:
    ring = FakeKeyring()
    services = start(lambda: ring)
    await services.providers.save_provider(ProviderEntry("mine", "custom", "Mine", "https://a.example/v1", ("m",)), KEY)
    await services.providers.save_provider(ProviderEntry("mine", "custom", "Mine", "https://b.example/v1", ("m",)))
    id = await services.mcp.save_server(McpServerForm(name="one", command="/bin/true", env={"TOKEN": KEY}))
    assert len(ring.kept) == 2
    assert await services.providers.key_storage.move("file") == 2
    assert ring.kept == {}
    assert await services.providers.key_storage.move("keyring") == 2
    assert len(ring.kept) == 2
    assert not list((services.data_dir).rglob("keys.json"))
    await services.mcp.delete_server(id)
    await services.providers.delete_provider("mine")
    assert ring.kept == {}


async def test_a_provider_whose_key_cannot_be_removed_stays(start: Callable[[Find], Services]) -> None:
    ring = FakeKeyring()
    await set_up(start(lambda: ring), "https://a.example/v1")
    services = start(Locked)
    with pytest.raises(ForThePerson):
        await services.providers.delete_provider("mine")
    assert [entry.has_key for entry in services.providers.providers()] == [True]
