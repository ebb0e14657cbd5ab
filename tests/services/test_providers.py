"""Providers in a file that is damaged, whole or in part: nothing is lost without a word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.core.run.events import Notice
from app.core.system.network import FixedNetwork
from app.services.providers.service import ProviderEntry, ProviderService
from app.storage.config.secrets import SecretStore
from app.storage.config.settings import SettingsFiles
from tests.local_network import OFFLINE
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks
from tests.services.test_models import FakeKeyring

GOOD = '[[provider]]\nid = "good"\npreset = "custom"\nbase_url = "http://127.0.0.1:9/v1"\nmodels = ["m"]\n'
BAD = '[[provider]]\nid = "bad"\nbase_url = 5\nnote = "typed by hand"\n'


def opened(folder: Path, told: list[Notice]) -> ProviderService:
    store = SecretStore(folder / "keys", find=lambda: None)
    return ProviderService(SettingsFiles(folder), store, environ={}, network=OFFLINE, tell=told.append)


async def test_a_damaged_entry_is_told_hides_no_other_and_is_kept_when_others_are_saved(tmp_path: Path) -> None:
    (tmp_path / "providers.toml").write_text(GOOD + BAD, "utf-8")
    told: list[Notice] = []
    service = opened(tmp_path, told)
    assert [entry.id for entry in service.providers()] == ["good"]
    assert [(notice.code, notice.params["provider"]) for notice in told] == [("settings_reset", "bad")]
    await service.save_provider(ProviderEntry("near", "ollama", "", "http://127.0.0.1:11434/v1", needs_key=False))
    again: list[Notice] = []
    assert [entry.id for entry in opened(tmp_path, again).providers()] == ["good", "near"]
    assert [notice.params["provider"] for notice in again] == ["bad"]
    assert "typed by hand" in (tmp_path / "providers.toml").read_text("utf-8")


def test_a_file_that_cannot_be_read_is_told_and_kept(tmp_path: Path) -> None:
    (tmp_path / "providers.toml").write_text("[[[", "utf-8")
    told: list[Notice] = []
    assert opened(tmp_path, told).providers() == []
    assert [notice.params["file"] for notice in told] == ["providers.toml"]
    assert Path(told[0].params["aside"]).read_text("utf-8") == "[[["


async def test_T32_a_stored_key_is_tried_at_its_own_address_and_at_no_other(tmp_path: Path) -> None:
    key = "sk-canary-0123456789abcdef"
    store = SecretStore(tmp_path / "keys", find=lambda: None)
    service = ProviderService(SettingsFiles(tmp_path), store, environ={}, network=FixedNetwork())
    service.key_storage.choose("session")
    async with (
        FaultServer(speaks([{"content": "ok"}], repeat_last=True)) as own,
        FaultServer(speaks([{"content": "ok"}], repeat_last=True)) as other,
    ):
        entry = ProviderEntry("mine", "custom", "Mine", own.base_url, ("test-model",))
        await service.save_provider(entry, key)
        moved = replace(entry, base_url=other.base_url)
        for one in (entry, moved):
            await service.probes.check(one, None, "test-model")
            await service.probes.try_tools(one, None, "test-model")
            await service.probes.list_models(one)
        sent = [request.headers.get("authorization", "") for request in own.requests]
        astray = [request.headers.get("authorization", "") for request in other.requests]
    assert len(sent) == len(astray) == 4
    assert all(key in header for header in sent)
    assert not any(key in header for header in astray)


async def test_a_key_stays_until_another_one_or_nobody_needs_it(tmp_path: Path) -> None:
    keyring = FakeKeyring()
    store = SecretStore(tmp_path / "keys", find=lambda: keyring)
    service = ProviderService(SettingsFiles(tmp_path), store, environ={}, network=OFFLINE)
    entry = ProviderEntry("mine", "custom", "Mine", "https://one.example/v1", ("m",))
    await service.save_provider(entry, "sk-canary-0123456789abcdef")
    await service.save_provider(replace(entry, name="Another name"))
    assert list(keyring.kept) == ["mine@https://one.example:443"]
    await service.save_provider(replace(entry, base_url="https://two.example/v1"), "sk-second-0123456789abcdef")
    assert list(keyring.kept) == ["mine@https://two.example:443"]
    await service.save_provider(replace(entry, base_url="https://three.example/v1"))
    assert not service.providers()[0].has_key
    assert await service.key("mine") == "", "another address never gets it"
    for one in (
        service,
        ProviderService(SettingsFiles(tmp_path), store, environ={}, network=OFFLINE),
    ):
        await one.save_provider(replace(entry, base_url="https://two.example/v1"))
        assert one.providers()[0].has_key
        assert await one.key("mine") == "sk-second-0123456789abcdef"
        await one.save_provider(replace(entry, base_url="https://three.example/v1"))
    await one.delete_provider("mine")
    assert keyring.kept == {}


async def test_comments_and_unknown_keys_of_a_provider_stay_and_a_cleared_field_goes(tmp_path: Path) -> None:
    file = tmp_path / "providers.toml"
    mine = GOOD + 'proxy = "direct" # for now\ncolour = "red"\n\n# the other\n' + GOOD.replace('"good"', '"two"')
    file.write_text("# all of them\n" + mine, "utf-8")
    service = opened(tmp_path, [])
    entry = next(entry for entry in service.providers() if entry.id == "good")
    await service.save_provider(replace(entry, proxy="", name="Good"))
    text = file.read_text("utf-8")
    for kept in ("# all of them", "# the other", 'colour = "red"'):
        assert kept in text
    assert "proxy" not in text
    found = opened(tmp_path, []).providers()
    assert [(entry.id, entry.name, entry.proxy) for entry in found] == [
        ("good", "Good", ""),
        ("two", "Another compatible service", ""),
    ]
