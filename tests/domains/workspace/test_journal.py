"""Whatever a run does in a folder, and wherever it is broken off, undo leads back to the same tree."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.errors import ToolError
from app.domains.kit.folder import root as rooted
from app.domains.kit.folder.root import Root, open_root
from app.domains.workspace.model.journal import Journal
from tests.domains.workspace.rig import Desk, tree


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def some_files(root: Path) -> None:
    for name in ("a.txt", "b.txt", "one/c.txt", "one/two/d.md", "one/two/e.md", "three/f.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"content of {name}\n")
    (root / "link").symlink_to("a.txt")


def random_step(pick: random.Random, root: Root, journal: Journal) -> None:
    """One change as the tools make it; many cannot be made, and then nothing may have happened."""
    paths = sorted(path for path, kind in tree(root.path).items() if not kind.startswith("->"))
    files = [path for path in paths if (root.path / path).is_file()]
    target = "/".join(pick.choice("xyz") + str(pick.randrange(4)) for _ in range(pick.randint(1, 3)))
    match pick.randrange(5):
        case 0 if files:
            path = pick.choice(files)
            journal.write(root, path, pick.randbytes(20), root.sha(path))
        case 1:
            journal.write(root, target, pick.randbytes(20), None)
        case 2 if paths:
            journal.move(root, pick.choice([*paths, "link"]), target)
        case 3 if paths:
            journal.bin(root, pick.choice([*paths, "link"]))
        case _:
            items = journal.trash.items(root)
            if items:
                item = pick.choice(items)
                journal.restore(root, item.id, pick.choice([item.path, target]))


def left_there(*_args: object, **_more: object) -> None:
    """In place of a removal."""


def played(desk: Desk, seed: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One run of random steps; in half of them it is killed within a step. What is wrong after undo."""
    pick = random.Random(seed)
    before, journal = tree(desk.root), Journal(desk.state, f"run-{seed}")
    steps = pick.randint(1, 12)
    kill_at = pick.randrange(steps) if seed % 2 else -1
    with open_root(desk.root) as root:
        for number in range(steps):
            with monkeypatch.context() as patch:
                if number == kill_at:
                    name = pick.choice(["put_new", "rename_new", "write_all", "sha_at"])
                    original = getattr(rooted, name)

                    def fatal(*args: object, original: object = original) -> object:
                        if pick.random() < 0.5:
                            original(*args)  # type: ignore[operator]
                        patch.setattr("os.unlink", left_there)  # a process that is killed tidies nothing up
                        raise Killed

                    patch.setattr(rooted, name, fatal)
                try:
                    random_step(pick, root, journal)
                except ToolError:
                    pass
                except Killed:
                    break
        if journal.exists:
            with suppress(ToolError):
                kept = journal.undo(root).kept
                if kept:
                    return [f"seed {seed}: kept {kept}"]
    after = tree(desk.root)
    return [] if after == before else [f"seed {seed}: {after.items() ^ before.items()}"]


@pytest.mark.parametrize("count", [60, pytest.param(2_000, marks=pytest.mark.soak)])
def test_random_changes_and_kills_are_undone_to_the_same_tree(
    desk: Desk, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    some_files(desk.root)
    monkeypatch.setattr("os.fsync", lambda _handle: None)  # the disk of a test need not be waited for
    assert [fault for seed in range(count) for fault in played(desk, seed, monkeypatch)] == []


async def test_a_run_with_its_moves_and_its_bin_is_undone_as_a_whole_by_its_button(desk: Desk) -> None:
    some_files(desk.root)
    before = tree(desk.root)
    for name in ("a.txt", "b.txt", "one/c.txt"):
        await desk.call("read_file", path=name)
        await desk.call("edit_file", path=name, old="content", new="CONTENT")
    await desk.call("move_path", from_="one", to="four/five")
    await desk.call("write_file", path="four/five/new.md", content="# new")
    await desk.call("trash_path", path="three")
    summary = await desk.call("summarise_work", done=["tidied up"])
    assert summary.data["undo_id"] == "run-1"
    rows = {(one["op"], one["path"]): (one["added"], one["removed"]) for one in summary.data["files"]}
    assert rows[("changed", "four/five/c.txt")] == (1, 1)
    assert {op for op, _path in rows} == {"changed", "new", "moved", "trashed"}
    assert summary.display is not None
    button = summary.display.actions[0]
    desk.begin_run("run-2")
    await desk.call(button.tool, **button.args)
    assert tree(desk.root) == before
    assert await desk.code("undo_run", id="run-1") == "NOTHING"


async def test_what_somebody_changed_since_is_kept_and_named(desk: Desk) -> None:
    some_files(desk.root)
    await desk.call("read_file", path="a.txt")
    await desk.call("edit_file", path="a.txt", old="content", new="x")
    await desk.call("trash_path", path="b.txt")
    (desk.root / "a.txt").write_text("somebody's own")
    outcome = await desk.call("undo_run")
    assert [one["path"] for one in outcome.data["kept"]] == ["a.txt"]
    assert (desk.root / "a.txt").read_text() == "somebody's own"
    assert (desk.root / "b.txt").exists()


async def test_a_run_of_another_folder_is_not_undone_in_this_one(desk: Desk, tmp_path: Path) -> None:
    some_files(desk.root)
    await desk.call("move_path", from_="a.txt", to="x.txt")
    desk.ctx = replace(desk.ctx, workspace=(tmp_path / "other").resolve())
    some_files(tmp_path / "other")
    (tmp_path / "other" / "a.txt").rename(tmp_path / "other" / "x.txt")
    before = tree(tmp_path / "other")
    assert await desk.code("undo_run", id="run-1") == "OUTSIDE"
    assert tree(tmp_path / "other") == before


async def test_the_bin_gives_back_to_the_old_place_and_to_a_new_one(desk: Desk) -> None:
    some_files(desk.root)
    before = tree(desk.root)
    id = (await desk.call("trash_path", path="one")).data["id"]
    await desk.call("restore_path", path=id)
    assert tree(desk.root) == before
    await desk.call("trash_path", path="a.txt")
    (desk.root / "a.txt").write_text("another one")
    assert await desk.code("restore_path", path="a.txt") == "EXISTS"
    await desk.call("restore_path", path="a.txt", to="old/a.txt")
    assert (desk.root / "old/a.txt").read_text() == "content of a.txt\n"


async def test_a_full_disk_leaves_the_old_file_whole(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    some_files(desk.root)
    before = tree(desk.root)
    await desk.call("read_file", path="a.txt")

    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(rooted, "write_all", full)
    with pytest.raises(ToolError, match="disk is full"):
        await desk.call("edit_file", path="a.txt", old="content", new="x")
    assert tree(desk.root) == before
