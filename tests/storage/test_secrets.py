"""Keys: where they are kept, and where they never show up."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pickle
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.errors import BadInput
from app.storage.config import secrets as secrets_module
from app.storage.config.keyrings import GOOD, Keyring, find_keyring
from app.storage.config.secrets import LONGEST_KEY, Secret, SecretStore, checked_key
from app.storage.folder.errors import FolderUnusable, KeyStorageMissing, KeyUnreadable
from app.storage.folder.paths import DataFolder
from tests.fakes import until

KEY = "sk-CANARY-0123456789"
HOME = "https://api.example.com"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A keyring that answers may take its time where many processes share a core."""
    monkeypatch.setattr(secrets_module, "PROBE_SECONDS", 60.0)
    monkeypatch.setattr(secrets_module, "READ_SECONDS", 60.0)


class FakeKeyring:
    """The keyring of a system, in a dict."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class LockedKeyring(FakeKeyring):
    """It is there, the person refuses to unlock it; its errors quote what it was given."""

    def get_password(self, service: str, username: str) -> str | None:
        raise RuntimeError("locked")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise RuntimeError(f"denied: {password}")


def none_there() -> None:
    return None


def broken() -> Keyring:
    raise OSError("no bus")


async def test_T34_a_key_goes_into_the_keyring_and_nowhere_else(folder: DataFolder) -> None:
    ring = FakeKeyring()
    store = SecretStore(folder.keys, in_file=True, find=lambda: ring)
    assert await store.kind() == "keyring"
    assert await store.set("openai", HOME, f"  {KEY}\n") == "keyring"
    assert ring.kept == {("Triptych", f"openai@{HOME}"): KEY}
    again = await SecretStore(folder.keys, find=lambda: ring).get("openai", HOME)
    assert again is not None
    assert again.reveal() == KEY
    assert not folder.keys.exists()
    await store.delete("openai", HOME)
    assert ring.kept == {}
    assert await store.get("openai", HOME) is None
    await store.delete("openai", HOME)


async def test_T33_a_key_is_bound_to_its_origin(folder: DataFolder) -> None:
    ring = FakeKeyring()
    store = SecretStore(folder.keys, find=lambda: ring)
    await store.set("openai", HOME, KEY)
    assert await store.get("openai", "https://evil.example") is None
    assert await store.get("other", HOME) is None


@pytest.mark.parametrize("find", [none_there, broken], ids=["absent", "throws"])
async def test_T34_without_a_keyring_nothing_is_kept_before_the_person_chose(
    folder: DataFolder, find: Callable[[], Keyring | None]
) -> None:
    store = SecretStore(folder.keys, find=find)
    assert await store.kind() == "none"
    with pytest.raises(KeyStorageMissing):
        await store.set("openai", HOME, KEY)
    assert await store.get("openai", HOME) is None
    assert not folder.keys.exists()


async def test_T34_for_this_session_only_writes_nothing(folder: DataFolder) -> None:
    store = SecretStore(folder.keys, find=none_there)
    store.choose("session")
    assert await store.set("openai", HOME, KEY) == "session"
    found = await store.get("openai", HOME)
    assert found == Secret(KEY)
    assert not folder.keys.exists()
    assert await SecretStore(folder.keys, find=none_there).get("openai", HOME) is None


async def test_T34_a_file_after_consent_is_for_the_user_alone(folder: DataFolder) -> None:
    store = SecretStore(folder.keys, find=none_there)
    store.choose("file")
    assert await store.set("a", HOME, KEY) == "file"
    await store.set("b", HOME, KEY + "b")
    assert folder.keys.stat().st_mode & 0o777 == 0o600
    folder.keys.chmod(0o644)
    later = SecretStore(folder.keys, in_file=True, find=none_there)
    assert await later.kind() == "file"
    assert await later.get("a", HOME) == Secret(KEY)
    assert folder.keys.stat().st_mode & 0o777 == 0o600
    await later.delete("a", HOME)
    assert KEY + '"' not in folder.keys.read_text()
    await later.set("b", HOME, "")
    assert not folder.keys.exists()


async def test_a_damaged_key_file_is_put_aside(folder: DataFolder) -> None:
    folder.keys.write_text("[1, 2")
    store = SecretStore(folder.keys, in_file=True, find=none_there)
    assert await store.get("a", HOME) is None
    await store.set("a", HOME, KEY)
    assert json.loads(folder.keys.read_text()) == {f"a@{HOME}": KEY}
    assert len(list(folder.keys.parent.glob("keys.damaged-*.json"))) == 1


async def test_a_key_file_that_is_a_link_is_not_followed(folder: DataFolder, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_text("{}")
    folder.keys.symlink_to(target)
    store = SecretStore(folder.keys, in_file=True, find=none_there)
    with pytest.raises(FolderUnusable):
        await store.set("a", HOME, KEY)
    assert target.read_text() == "{}"


async def test_T34_a_keyring_that_hangs_stops_nothing(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    let_go = threading.Event()

    def hang() -> Keyring:
        let_go.wait(120)
        return FakeKeyring()

    monkeypatch.setattr(secrets_module, "PROBE_SECONDS", 0.05)
    store = SecretStore(folder.keys, find=hang)
    try:
        kinds = await asyncio.wait_for(asyncio.gather(*(store.kind() for _ in range(5))), 60)
        assert kinds == ["none"] * 5
        assert sum(thread.name == "keyring" for thread in threading.enumerate()) == 1
        assert all(thread.daemon for thread in threading.enumerate() if thread.name == "keyring")
    finally:
        let_go.set()


class HangingKeyring(FakeKeyring):
    def __init__(self, let_go: threading.Event) -> None:
        super().__init__()
        self.let_go, self.asked = let_go, 0

    def get_password(self, service: str, username: str) -> str | None:
        self.asked += 1
        self.let_go.wait(120)
        return super().get_password(service, username)


async def test_T34_a_keyring_that_hangs_later_is_waited_for_once_and_its_late_answer_is_used(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go = threading.Event()
    ring = HangingKeyring(let_go)
    ring.kept[secrets_module.SERVICE, f"openai@{HOME}"] = KEY
    monkeypatch.setattr(secrets_module, "READ_SECONDS", 0.05)
    store = SecretStore(folder.keys, find=lambda: ring)
    await store.kind()
    try:
        for _ in range(4):
            with pytest.raises(KeyUnreadable) as caught:
                await store.get("openai", HOME)
            assert caught.value.params["reason"] == "KEYRING_SILENT"
        await until(lambda: ring.asked > 0)  # its thread may come to it late
        assert ring.asked == 1
    finally:
        let_go.set()
    for thread in threading.enumerate():
        if thread.name == "keyring":
            await asyncio.to_thread(thread.join, 60)
    await asyncio.sleep(0)
    assert await store.get("openai", HOME) == Secret(KEY)
    assert ring.asked == 1


async def test_a_keyring_that_comes_late_is_found_then(folder: DataFolder) -> None:
    """A session bus, or a keyring on it, that starts after the program did."""
    ring = FakeKeyring()
    ring.kept[secrets_module.SERVICE, f"openai@{HOME}"] = KEY
    found: list[Keyring | None] = [None, None, ring]
    store = SecretStore(folder.keys, find=lambda: found.pop(0))
    assert await store.get("openai", HOME) is None
    assert await store.kind() == "none"
    assert await store.get("openai", HOME) == Secret(KEY)


async def test_T33_a_locked_keyring_is_told_without_the_key(
    folder: DataFolder, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    store = SecretStore(folder.keys, in_file=True, find=LockedKeyring)
    with pytest.raises(KeyUnreadable) as unread:
        await store.get("openai", HOME)
    assert unread.value.params["reason"] == "KEYRING_REFUSED"
    with pytest.raises(KeyStorageMissing) as caught:
        await store.set("openai", HOME, KEY)
    assert KEY not in repr(caught.value)
    assert caught.value.__cause__ is None
    assert KEY not in caplog.text
    assert not folder.keys.exists()


async def test_a_key_in_the_file_is_used_whatever_keyring_turns_up(folder: DataFolder) -> None:
    before = SecretStore(folder.keys, find=none_there)
    before.choose("file")
    await before.set("openai", HOME, KEY)
    for find in (FakeKeyring, LockedKeyring, none_there, broken):
        store = SecretStore(folder.keys, in_file=True, find=find)
        assert await store.get("openai", HOME) == Secret(KEY), find


async def test_a_key_lies_in_one_place_only(folder: DataFolder) -> None:
    """The place it was in before holds it no more: neither in plain text nor in the keyring."""
    ring = FakeKeyring()
    before = SecretStore(folder.keys, find=none_there)
    before.choose("file")
    await before.set("openai", HOME, KEY + "old")
    store = SecretStore(folder.keys, in_file=True, find=lambda: ring)
    assert await store.set("openai", HOME, KEY) == "keyring"
    assert not folder.keys.exists()
    first = SecretStore(folder.keys, file_first=True, find=lambda: ring)
    assert await first.set("openai", HOME, KEY + "new") == "file"
    assert ring.kept == {}
    assert await SecretStore(folder.keys, find=lambda: ring).get("openai", HOME) == Secret(KEY + "new")


NAMES = [("openai", HOME), ("mcp.one.env.TOKEN", "/bin/one"), ("openai", "https://old.example")]


async def test_keys_move_to_the_keyring_and_back_and_none_stays_behind(folder: DataFolder) -> None:
    ring = FakeKeyring()
    store = SecretStore(folder.keys, find=lambda: ring)
    store.choose("file")
    for n, name in enumerate(NAMES):
        await store.set(*name, f"{KEY}-{n}")
    assert await store.move("keyring", []) == 3
    assert not folder.keys.exists()
    assert sorted(ring.kept.values()) == [f"{KEY}-{n}" for n in range(3)]
    assert await store.kind() == "keyring"
    again = SecretStore(folder.keys, find=lambda: ring)
    assert await again.move("file", NAMES) == 3
    assert ring.kept == {}
    assert await again.kind() == "file"
    last = SecretStore(folder.keys, file_first=True, find=lambda: ring)
    assert [await last.get(*name) for name in NAMES] == [Secret(f"{KEY}-{n}") for n in range(3)]


class FullKeyring(FakeKeyring):
    """Takes two keys, forgets to keep a third."""

    def set_password(self, service: str, username: str, password: str) -> None:
        if len(self.kept) < 2:
            super().set_password(service, username, password)


async def test_a_move_that_fails_half_way_loses_no_key_and_goes_on_later(folder: DataFolder) -> None:
    store = SecretStore(folder.keys, find=none_there)
    store.choose("file")
    for n, name in enumerate(NAMES):
        await store.set(*name, f"{KEY}-{n}")
    ring = FullKeyring()
    half = SecretStore(folder.keys, in_file=True, find=lambda: ring)
    with pytest.raises(KeyStorageMissing):
        await half.move("keyring", [])
    for find in (lambda: ring, lambda: FakeKeyringOf(ring)):
        reader = SecretStore(folder.keys, in_file=True, find=find)
        assert [await reader.get(*name) for name in NAMES] == [Secret(f"{KEY}-{n}") for n in range(3)]
    whole = FakeKeyringOf(ring)
    after = SecretStore(folder.keys, in_file=True, find=lambda: whole)
    assert await after.move("keyring", []) == 1
    assert not folder.keys.exists()
    assert sorted(whole.kept.values()) == [f"{KEY}-{n}" for n in range(3)]


class FakeKeyringOf(FakeKeyring):
    """The same with room again."""

    def __init__(self, other: FakeKeyring) -> None:
        super().__init__()
        self.kept = dict(other.kept)


async def test_without_a_keyring_nothing_is_moved_there(folder: DataFolder) -> None:
    store = SecretStore(folder.keys, find=none_there)
    store.choose("file")
    await store.set("openai", HOME, KEY)
    with pytest.raises(KeyStorageMissing):
        await store.move("keyring", [])
    assert KEY in folder.keys.read_text()
    assert await store.kind() == "file"


def test_T33_a_secret_shows_dots_everywhere() -> None:
    secret = Secret(KEY)
    shown = [str(secret), repr(secret), f"{secret}", f"{secret:>40}", "{} {!r}".format(*[secret] * 2), repr([secret])]
    assert all("CANARY" not in text for text in shown)
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        json.dumps(secret)
    with pytest.raises(TypeError):
        hash(secret)
    assert secret == Secret(KEY)
    assert secret != Secret("x")
    assert secret != KEY
    assert not Secret("")


@pytest.mark.parametrize(
    "key", ["sk-钥匙", "sk-a b", "sk–dash", "sk-\u200bzero", "a\nb", "sk-\x7f", "x" * (LONGEST_KEY + 1)]
)
def test_a_key_that_cannot_be_one_is_refused_without_quoting_it(key: str) -> None:
    with pytest.raises(BadInput) as caught:
        checked_key(key)
    assert key not in str(caught.value)
    assert caught.value.hint


def test_white_space_around_a_key_is_no_part_of_it() -> None:
    assert checked_key(f"\t {KEY} \r\n") == KEY


def test_only_the_keyrings_of_the_systems_are_good_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is installed or named in the environment – plain files, a null keyring – is passed over."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    found = find_keyring()
    assert found is None or (type(found).__module__, type(found).__name__) in GOOD
    if os.name == "posix" and found is None:
        assert "keyring.backends.null" not in {module for module, _ in GOOD}
