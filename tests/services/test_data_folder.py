"""The data folder is moved whole, and only when everything arrived; what was there stays until one says otherwise."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.compose import build
from app.core.errors import BadInput, DataDamaged
from app.core.run.messages import user_message
from app.services.container import Services
from app.storage.db import lease
from app.storage.folder import paths, start_log
from app.storage.folder.errors import FolderUnusable
from app.storage.folder.files import put_aside
from app.storage.folder.paths import DataFolder
from app.storage.maintenance import relocate as moving
from app.storage.maintenance.relocate import delete_old


@pytest.fixture
def usual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place the system has for it; nothing else names one."""
    place = tmp_path / "usual" / "Triptych"
    monkeypatch.delenv("TRIPTYCH_DATA_DIR")
    for module in ("app.storage.folder.paths", "app.services.data.data_folder"):
        monkeypatch.setattr(f"{module}.usual_place", lambda: place)
    return place


@pytest.fixture
async def used(usual: Path) -> AsyncIterator[Services]:
    services = build(None, {})
    await services.open()
    row = await services.sessions.create("assistant")
    await services.sessions.add(row.id, user_message("q", "still here", created=1.0))
    await services.attachments.add_text("notes.txt", "a file")
    await services.backups.make()
    (usual / "keys.json").write_text("{}")
    (usual / "keys.json").chmod(0o600)
    yield services
    await services.close()


async def said(folder: Path | None = None) -> list[str]:
    """What a new start finds."""
    services = build(folder, {})
    await services.open()
    texts = [one.text for row in await services.sessions.rows() for one in await services.sessions.messages(row.id)]
    await services.close()
    return texts


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and "sessions.db" not in path.name)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files if path.name != "moved.json"}


async def test_R19_everything_is_at_the_new_place_and_the_old_one_is_as_it_was(
    used: Services, usual: Path, tmp_path: Path
) -> None:
    target = tmp_path / "other disk" / "数据"
    assert used.data_folder.may_move
    assert await used.data_folder.move(target) == target
    assert content(target) == content(usual)
    assert (target / "keys.json").stat().st_mode & 0o777 == 0o600
    with pytest.raises(FolderUnusable, match="was moved"):
        await used.sessions.create("assistant")
    await used.close()
    assert DataFolder.find() == DataFolder(target, "moved")
    assert await said() == ["still here"]
    assert await said(usual) == ["still here"], "the old folder still has it"


async def test_the_old_folder_goes_when_one_says_so_and_nothing_else_with_it(
    used: Services, usual: Path, tmp_path: Path
) -> None:
    (usual / "theirs.txt").write_text("not ours")
    await used.data_folder.move(tmp_path / "new")
    await used.close()
    again = build(None, {})
    assert again.data_folder.old() == usual
    await again.data_folder.delete_old()
    assert again.data_folder.old() is None
    assert names(usual) == ["moved.json", "theirs.txt"]
    await again.close()
    assert await said() == ["still here"]


def test_R19_nothing_of_ours_stays_in_a_folder_the_person_deletes(tmp_path: Path) -> None:
    """Every file the program keeps, with what was put aside of it and its last good copy: keys and consents too."""
    folder = DataFolder(tmp_path / "old")
    folder.create()
    names = [name for name, kind in vars(DataFolder).items() if isinstance(kind, property)]
    for path in [getattr(folder, name) for name in names]:
        if path.suffix and not path.exists():
            path.write_text("x")
            put_aside(path)
            path.write_text("x")
    for name in (lease.NAME, start_log.NAME, "preferences.last-good.toml", "window.ini", "ballast"):
        (folder.root / name).write_text("x")
    (folder.mcp / "maps.toml").parent.mkdir(exist_ok=True)
    (folder.mcp / "maps.toml").write_text("x")
    (folder.root / "theirs.toml").write_text("not ours")
    delete_old(folder.root)
    assert [path.name for path in folder.root.rglob("*")] == ["theirs.toml"]


async def test_it_can_be_moved_back_to_the_usual_place(used: Services, usual: Path, tmp_path: Path) -> None:
    await used.data_folder.move(tmp_path / "new")
    await used.close()
    there = build(None, {})
    await there.data_folder.delete_old()
    await there.open()
    assert await there.data_folder.move(usual) == usual
    await there.close()
    assert DataFolder.find() == DataFolder(usual, "usual")
    assert await said() == ["still here"]
    assert build(None, {}).data_folder.old() == tmp_path / "new"


@pytest.mark.parametrize("why", ["same", "inside", "not_empty", "unusable"])
async def test_a_folder_that_will_not_do_is_refused_and_nothing_changes(
    used: Services, usual: Path, tmp_path: Path, why: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    (tmp_path / "file").touch()
    targets = {"same": usual, "inside": usual / "in", "not_empty": tmp_path / "full", "unusable": tmp_path / "file"}
    with pytest.raises(moving.TargetRefused) as caught:
        await used.data_folder.move(targets[why])
    assert caught.value.params["why"] == why
    await used.sessions.create("assistant")
    assert DataFolder.find().how == "usual"


async def test_a_copy_that_breaks_off_changes_nothing_and_leaves_nothing(
    used: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "_counts", lambda connection: [id(connection)])
    with pytest.raises(DataDamaged):
        await used.data_folder.move(tmp_path / "new")
    assert not (tmp_path / "new").exists()
    assert not any(name.startswith(".new") for name in names(tmp_path))
    await used.sessions.create("assistant")
    assert DataFolder.find().how == "usual"


async def test_a_named_folder_is_moved_by_naming_another(tmp_path: Path) -> None:
    services = build(tmp_path / "named", {})
    assert not services.data_folder.may_move
    with pytest.raises(BadInput):
        await services.data_folder.move(tmp_path / "new")
    await services.close()


async def test_R07_a_drive_that_is_gone_is_no_first_start(used: Services, tmp_path: Path) -> None:
    await used.data_folder.move(tmp_path / "drive" / "data")
    await used.close()
    (tmp_path / "drive").rename(tmp_path / "pulled out")
    services = build(None, {})
    with pytest.raises(FolderUnusable, match="is not there"):
        await services.open()
    assert not (tmp_path / "drive").exists(), "nothing is made where the drive should be"
    (tmp_path / "pulled out").rename(tmp_path / "drive")
    await services.open()
    assert [row.preview for row in await services.sessions.rows()] == ["still here"]
    await services.close()


def test_a_pointer_nobody_can_read_names_nothing(usual: Path) -> None:
    usual.mkdir(parents=True)
    for text in ("", "[]", '{"folder": 7}', '{"folder": "relative"}', "[" * 100_000):
        (usual / "moved.json").write_text(text)
        assert DataFolder.find() == DataFolder(usual, "usual")
        assert paths.data_dir() == usual
