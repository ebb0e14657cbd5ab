"""Backups at a place of the person's own: encrypted, in versions, brought together without loss."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from app.compose import build
from app.core.errors import BadInput, DataDamaged, TriptychError
from app.core.exchange.storage_place import PlaceFault
from app.core.profile import PermissionRule
from app.core.skills import Skill
from app.services.container import Services
from app.services.providers.entries import ProviderEntry
from app.services.remote_backup.schedule import BackupSchedule
from app.services.remote_backup.service import BackupProgress
from app.services.remote_backup.settings import BackupPlace
from app.services.remote_backup.vault import Vault
from tests.fakes import FakeClock

from .documents import document, user

PASSPHRASE, MARK = "four words of tea", "only-here-and-encrypted"


@pytest.fixture
async def elsewhere(tmp_path: Path) -> AsyncIterator[Services]:
    """Another computer."""
    services = build(tmp_path / "elsewhere", environ={})
    await services.open()
    yield services
    await services.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "place"
    place.mkdir()
    return place


@pytest.fixture(autouse=True)
def quick_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    made_once(monkeypatch)


def made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key is made and opened slowly on purpose: once for all tests is enough."""
    monkeypatch.setattr(Vault, "new_key", staticmethod(_new_key))
    monkeypatch.setattr(Vault, "opened", staticmethod(_opened))


_new_key, _opened = cache(Vault.new_key), cache(Vault.opened)


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def filled(services: Services, count: int = 3) -> None:
    for n in range(count):
        body = json.loads(document(messages=[user(f"m{n}", parts=[{"kind": "text", "text": f"{MARK} {n}"}])]))
        body["session"] |= {"id": f"s{n}", "title": f"{MARK} {n}", "updated": 1_700_000_000.0 + n}
        await services.transfer.import_data([json.dumps(body).encode()])


async def use(
    services: Services, place: BackupPlace, passphrase: str = PASSPHRASE, password: str | None = None
) -> None:
    services.providers.key_storage.choose("session")
    await services.remote_backups.settings.save(place, password, passphrase)


async def everything(services: Services) -> dict[str, str]:
    rows = await services.sessions.rows()
    return {row.id: (await services.transfer.export([row.id], "json")).data.decode() for row in rows}


async def test_what_is_sent_is_encrypted_and_comes_back_whole_on_another_computer(
    services: Services, elsewhere: Services, folder: Path
) -> None:
    await filled(services)
    await use(services, BackupPlace("folder", str(folder)))
    progress = BackupProgress()
    await services.remote_backups.back_up(progress)
    stored = files_in(folder)
    assert stored
    assert all(path.read_bytes().startswith(b"age-encryption.org/v1") for path in stored)
    assert not any(MARK.encode() in path.read_bytes() for path in stored)
    assert all(MARK not in path.read_text("utf-8", "replace") for path in services.data_dir.glob("*.toml"))

    await use(elsewhere, BackupPlace("folder", str(folder)))
    (row,) = await elsewhere.remote_backups.versions()
    seen = await elsewhere.remote_backups.preview(row.name)
    assert (len(seen.new), len(seen.changed), seen.same) == (3, 0, 0)
    assert await elsewhere.sessions.rows() == [], "a preview brings nothing"
    await elsewhere.remote_backups.restore("latest")
    assert await everything(elsewhere) == await everything(services)
    again_report = await elsewhere.remote_backups.restore("latest")
    assert (again_report.sessions, again_report.items) == ((), ()), "twice makes no doubles"

    again = BackupProgress()
    await services.remote_backups.back_up(again)
    assert again.sent < progress.sent / 2, "what did not change is not sent again"


async def test_a_session_that_two_computers_went_on_with_is_kept_twice(
    services: Services, elsewhere: Services, folder: Path
) -> None:
    await filled(services, 2)
    await use(services, BackupPlace("folder", str(folder), name="Desk"))
    await services.remote_backups.back_up()
    await use(elsewhere, BackupPlace("folder", str(folder), name="Lap"))
    await elsewhere.remote_backups.restore("latest")
    for computer, text in ((services, "said at the desk"), (elsewhere, "said on the lap")):
        await computer.sessions.rename("s0", text)
        body = json.loads((await computer.transfer.export(["s0"], "json")).data)
        body["messages"].append(user(f"more-{text}", parts=[{"kind": "text", "text": text}]))
        await computer.sessions.bin.trash("s0")
        await computer.sessions.bin.purge("s0")
        await computer.transfer.import_data([json.dumps(body).encode()])
    await services.remote_backups.back_up()
    seen = await elsewhere.remote_backups.preview("latest")
    assert [one.id for one in seen.changed] in ([], ["s0"])
    await elsewhere.remote_backups.restore("latest")
    texts = [
        [message.text for message in await elsewhere.sessions.messages(row.id)]
        for row in await elsewhere.sessions.rows()
        if row.id != "s1"
    ]
    assert sorted(texts) == [[f"{MARK} 0", "said at the desk"], [f"{MARK} 0", "said on the lap"]]
    titles = {row.title for row in await elsewhere.sessions.rows()}
    assert "said at the desk (from Desk)" in titles


async def _with_everything(services: Services, tmp_path: Path, mark: str) -> None:
    """One of each kind that a backup holds beside the sessions."""
    services.providers.key_storage.choose("session")
    settings = services.settings
    await settings.save_preferences(settings.preferences.model_copy(update={"zoom": 120, "serve_window": True}))
    agent = await settings.duplicate_profile("assistant")
    rules = (PermissionRule(tool="calculator", word="allow"), PermissionRule(tool="clock", word="deny"))
    changes = {"id": "tea", "name": {"en": f"Tea {mark}", "zh": f"茶 {mark}"}, "permissions": rules}
    await settings.delete_profile(agent.id)
    await settings.save_profile(agent.model_copy(update=changes))
    entry = ProviderEntry("leaf", base_url="https://models.example", name=f"Leaf {mark}", headers={"X-Key": MARK})
    await services.providers.save_provider(entry, "key-of-the-leaf")
    services.skills.write(Skill("pour", f"Pours tea {mark}", "Warm the cup first."))
    documents = tmp_path / f"documents-{mark}"
    documents.mkdir()
    (documents / "tea.md").write_text(f"# Oolong\n\nSteep {mark} for four minutes. 乌龙茶泡四分钟。", encoding="utf-8")
    base = await services.knowledge.add("Leaves", [documents])
    async for _progress in services.knowledge.read_anew(base.id):
        pass


async def test_settings_agents_skills_and_knowledge_come_back_without_secrets_and_both_states_are_kept(
    services: Services, elsewhere: Services, folder: Path, tmp_path: Path
) -> None:
    await _with_everything(services, tmp_path, "desk")
    await use(services, BackupPlace("folder", str(folder), name="Desk"))
    await services.remote_backups.back_up()
    await use(elsewhere, BackupPlace("folder", str(folder), name="Lap"))
    preview = await elsewhere.remote_backups.preview("latest")
    kinds = ["settings", "provider", "agent", "skill", "knowledge"]
    assert ([one.kind for one in preview.new_items], preview.changed_items) == (kinds, ())
    report = await elsewhere.remote_backups.restore("latest")
    assert [one.kind for one in report.items] == kinds
    assert elsewhere.settings.preferences.zoom == 120
    assert not elsewhere.settings.preferences.serve_window, "what listens is switched on by hand on each computer"
    agent = elsewhere.settings.profile("tea")
    assert [(rule.tool, rule.word) for rule in agent.permissions] == [("clock", "deny")]
    (entry,) = [one for one in elsewhere.providers.providers() if one.id == "leaf"]
    assert (entry.base_url, entry.has_key, entry.headers) == ("https://models.example", False, {})
    assert elsewhere.skills.named("pour").state == "new", "looked at before it is used"
    for question in ("oolong minutes", "乌龙茶"):
        (hit,) = await elsewhere.knowledge.search(["leaves"], question)
        assert "four minutes" in hit.passage.text
    assert (await elsewhere.remote_backups.restore("latest")).items == (), "twice makes no doubles"
    seen = await elsewhere.remote_backups.preview("latest")
    assert (seen.new_items, seen.changed_items) == ((), ())


async def test_what_two_computers_changed_is_kept_twice_and_once_only(
    services: Services, elsewhere: Services, folder: Path, tmp_path: Path
) -> None:
    await _with_everything(services, tmp_path, "desk")
    await _with_everything(elsewhere, tmp_path, "lap")
    await elsewhere.settings.save_preferences(elsewhere.settings.preferences.model_copy(update={"zoom": 140}))
    await use(services, BackupPlace("folder", str(folder), name="Desk"))
    await services.remote_backups.back_up()
    await use(elsewhere, BackupPlace("folder", str(folder), name="Lap"))
    seen = await elsewhere.remote_backups.preview("latest")
    assert ([one.kind for one in seen.changed_items], seen.new_items) == (
        ["settings", "provider", "agent", "skill", "knowledge"], ()
    )  # fmt: skip
    for _time in range(2):
        await elsewhere.remote_backups.restore("latest")
    assert elsewhere.settings.preferences.zoom == 140, "what was set here stays"
    agents = [one.name["en"] for one in elsewhere.settings.profiles() if one.id.startswith("tea")]
    assert sorted(agents) == ["Tea desk (from Desk)", "Tea lap"]
    providers = sorted(one.name for one in elsewhere.providers.providers() if one.id.startswith("leaf"))
    assert providers == ["Leaf desk (from Desk)", "Leaf lap"]
    skills = [one.purpose for one in elsewhere.skills.skills() if one.origin == "own"]
    assert sorted(skills) == ["Pours tea desk", "Pours tea lap"]
    bases = await elsewhere.knowledge.bases()
    assert [base.name for base in bases] == ["Leaves", "Leaves (from Desk)"]
    for base, mark in zip(bases, ("lap", "desk"), strict=True):
        (hit,) = await elsewhere.knowledge.search([base.id], "steep")
        assert f"Steep {mark}" in hit.passage.text


async def test_one_is_made_by_itself_once_a_day_and_another_process_of_the_computer_makes_no_second(
    services: Services, folder: Path
) -> None:
    await filled(services)
    backups = services.remote_backups
    clock = FakeClock(time.time())
    schedule, other = BackupSchedule(backups, clock), BackupSchedule(backups, clock)
    assert await schedule.make_if_due() is None, "no place is set"
    await use(services, BackupPlace("folder", str(folder), every=0))
    assert await schedule.make_if_due() is None, "only by hand"
    await use(services, BackupPlace("folder", str(folder), every=24))
    made = []
    for hours in (0, 0, 23.9, 0.2):
        clock.time += hours * 3_600
        made.append([await one.make_if_due() is not None for one in (schedule, other)])
    assert made[:3] == [[True, False], [False, False], [False, False]]
    assert made[3][0]
    shutil.rmtree(folder)
    clock.time += 100 * 3_600
    with pytest.raises(PlaceFault):
        await schedule.make_if_due()


async def test_versions_are_kept_by_number_and_pieces_of_the_others_go(services: Services, folder: Path) -> None:
    await use(services, BackupPlace("folder", str(folder), keep=2))
    for n in range(4):
        await filled(services, n + 1)
        await services.remote_backups.back_up()
    assert len(await services.remote_backups.versions()) == 2
    for row in await services.remote_backups.versions():
        await services.remote_backups.preview(row.name)
    assert len([path for path in files_in(folder) if "pieces" in path.parts]) <= 4


async def test_a_wrong_passphrase_a_changed_piece_and_a_missing_place_are_said(
    services: Services, elsewhere: Services, folder: Path
) -> None:
    await filled(services)
    place = BackupPlace("folder", str(folder))
    await use(services, place, "short")
    with pytest.raises(BadInput) as short:
        await services.remote_backups.back_up()
    await use(services, place)
    await services.remote_backups.back_up()
    await use(elsewhere, place, "another passphrase")
    with pytest.raises(BadInput) as wrong:
        await elsewhere.remote_backups.preview("latest")
    await use(elsewhere, place)
    for path in files_in(folder / "pieces"):
        path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(DataDamaged):
        await elsewhere.remote_backups.restore("latest")
    assert await elsewhere.sessions.rows() == []
    await use(services, replace(place, address=str(folder / "gone")))
    with pytest.raises(PlaceFault) as gone:
        await services.remote_backups.back_up()
    with pytest.raises(PlaceFault) as plain:
        await use(services, BackupPlace("webdav", "http://example.com/dav"))
    reasons = [error.value.params["reason"] for error in (short, wrong, gone, plain)]
    assert reasons == ["PASSPHRASE_SHORT", "PASSPHRASE_WRONG", "PLACE_FOLDER", "PLACE_PLAIN"]


async def test_a_backup_that_broke_off_is_no_version_and_is_continued(
    services: Services, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.net.places.folder import FolderPlace

    await filled(services)
    await use(services, BackupPlace("folder", str(folder)))
    put, calls = FolderPlace.put, iter(range(99))

    async def broken(self: FolderPlace, name: str, data: bytes, *, new: bool = False) -> bool:
        if next(calls) == 2:
            raise PlaceFault("no answer", reason="PLACE_UNREACHABLE", host="x")
        return await put(self, name, data, new=new)

    monkeypatch.setattr(FolderPlace, "put", broken)
    with pytest.raises(PlaceFault):
        await services.remote_backups.back_up()
    assert await services.remote_backups.versions() == []
    await services.remote_backups.back_up()
    assert len(await services.remote_backups.versions()) == 1


# ---------------------------------------------------------------- real servers


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def served(command: list[str], port: int) -> Iterator[str]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _try in range(300):
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, "the server ended"
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def program(name: str) -> str:
    """Of servers that are too large for the test tools; TEST_SERVERS names the folder they are in."""
    found = shutil.which(name, path=os.environ.get("TEST_SERVERS", "") + os.pathsep + os.environ["PATH"])
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


async def fifty_of_fifty(here: Services, there: Services, place: BackupPlace, password: str, tmp_path: Path) -> None:
    await filled(here, 50)
    await _with_everything(here, tmp_path, "desk")
    for computer in (here, there):
        await use(computer, place, password=password)
    await here.remote_backups.back_up()
    await here.remote_backups.back_up()
    report = await there.remote_backups.restore("latest")
    assert len(report.items) == 5
    assert len(await there.knowledge.search(["leaves"], "oolong")) == 1
    assert len(await everything(there)) == 50
    assert await everything(there) == await everything(here)
    with pytest.raises(TriptychError):
        await use(there, place, "another passphrase", password)
        await there.remote_backups.preview("latest")


@pytest.mark.soak
async def test_a_webdav_server_gives_back_fifty_of_fifty(
    services: Services, elsewhere: Services, tmp_path: Path
) -> None:
    port = free_port()
    settings = {
        "host": "127.0.0.1", "port": port, "provider_mapping": {"/": str(tmp_path / "dav")}, "verbose": 0,
        "simple_dc": {"user_mapping": {"*": {"me": {"password": "secret tea"}}}},
        "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False},
    }  # fmt: skip
    (tmp_path / "dav").mkdir()
    (tmp_path / "wsgidav.json").write_text(json.dumps(settings))
    with served([program("wsgidav"), "--config", str(tmp_path / "wsgidav.json")], port) as address:
        place = BackupPlace("webdav", f"{address}/our tea".replace(" ", "%20"), "me")
        await fifty_of_fifty(services, elsewhere, place, "secret tea", tmp_path)
        await use(elsewhere, place, password="wrong")
        with pytest.raises(PlaceFault) as refused:
            await elsewhere.remote_backups.versions()
        assert refused.value.params["reason"] == "PLACE_REFUSED"


@pytest.mark.soak
async def test_an_s3_store_gives_back_fifty_of_fifty(services: Services, elsewhere: Services, tmp_path: Path) -> None:
    port = free_port()
    with served([program("moto_server"), "-H", "127.0.0.1", "-p", str(port)], port) as address:
        make_bucket(f"{address}/tea")
        place = BackupPlace("s3", address, "key", "tea/my leaves", "eu-west-1")
        await fifty_of_fifty(services, elsewhere, place, "secret", tmp_path)


def make_bucket(address: str) -> None:
    request = urllib.request.Request(address, method="PUT")
    urllib.request.urlopen(request).close()
