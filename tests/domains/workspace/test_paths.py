"""No path leads out of the picked folder: neither for reading nor for writing, nor for listing, moving, searching."""

from __future__ import annotations

import os
import sys
import threading
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import python_ripgrep

from app.core.errors import ToolError
from app.domains.kit.folder.root import open_root
from tests.domains.workspace.rig import Desk, tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there")
SECRET = "the secret of the outside"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Beside the folder lies what must never be reached, and in it every link that leads there."""
    desk = Desk(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text(SECRET)
    (tmp_path / "picked_secret").mkdir()
    (tmp_path / "picked_secret" / "k.txt").write_text(SECRET)
    root = desk.root
    (root / "a").mkdir()
    (root / "a" / "in.txt").write_text("inside")
    (root / "file-link.txt").symlink_to(outside / "secret.txt")
    (root / "folder-link").symlink_to(outside)
    (root / "relative-link").symlink_to("../outside")
    (root / "chain-1").symlink_to("chain-2")
    (root / "chain-2").symlink_to("folder-link")
    (root / "loop-1").symlink_to("loop-2")
    (root / "loop-2").symlink_to("loop-1")
    (root / "a" / "up").symlink_to("..")
    (root / "proc").symlink_to("/proc/self")
    (root / "dangling").symlink_to(outside / "new.txt")
    (root / ".ssh").mkdir()
    (root / ".ssh" / "id_rsa").write_text(SECRET)
    os.link(outside / "secret.txt", root / "hard.txt")
    os.mkfifo(root / "pipe")
    return desk


def tricks(desk: Desk) -> list[str]:
    """Paths of the three systems that have led out of somebody's folder."""
    root, outside = desk.root, desk.root.parent / "outside"
    return [
        "../outside/secret.txt", "./../outside/secret.txt", "a/../../outside/secret.txt",
        "a/./../.././outside/secret.txt",
        "..", "../", "../../../../../../etc/passwd", "a/../../picked_secret/k.txt", "../picked_secret/k.txt",
        f"{root}_secret/k.txt", f"{root}/../outside/secret.txt", str(outside / "secret.txt"), "/etc/passwd",
        "//etc/passwd", "///etc/passwd", f"/{root}/../outside/secret.txt", "/proc/self/environ", "/dev/zero",
        "file-link.txt", "folder-link/secret.txt", "relative-link/secret.txt", "chain-1/secret.txt", "loop-1",
        "loop-1/x", "a/up/../../outside/secret.txt", "a/up/folder-link/secret.txt", "proc/environ",
        "proc/root/etc/passwd",
        "dangling", f"file://{outside}/secret.txt", "file:///etc/passwd", "~/.ssh/id_rsa", "~root/.bashrc",
        "$HOME/.bashrc", "${HOME}/.bashrc", "%APPDATA%\\x", "%2e%2e/outside/secret.txt", "..%2foutside%2fsecret.txt",
        "..\\outside\\secret.txt", "a\\..\\..\\outside\\secret.txt", "C:\\Windows\\win.ini", "C:secret.txt",
        "c:/windows/win.ini", "\\\\server\\share\\x", "//server/share/x", "\\\\?\\C:\\x", "\\\\.\\PhysicalDrive0",
        "\\??\\C:\\x", "\\Windows\\win.ini", "a.txt:stream", "a.txt::$DATA", ".ssh/id_rsa", ".SSH/id_rsa",
        "a/.ssh/../.ssh/id_rsa", ".ssh./id_rsa", ".ssh /id_rsa", unicodedata.normalize("NFKD", "．ssh/id_rsa"),
        "．．/outside/secret.txt", "…/outside", "..\u200b/outside/secret.txt", "../outside\0/secret.txt",
        "secret\0.txt",
        "a/" * 150 + "x", "x" * 300, "a/" + "y" * 5_000, "pipe", "hard.txt/..", ". ./outside", ".../outside",
        "\ud800", "a//..//../outside/secret.txt", "././../outside", "folder-link", "a/up/up/../outside",
    ]  # fmt: skip


def beside(desk: Desk) -> dict[str, str]:
    """All there is, without the picked folder and what the tools keep."""
    kept = ("picked/", "state")
    return {path: what for path, what in tree(desk.root.parent).items() if not path.startswith(kept)}


async def test_no_trick_of_a_path_reads_or_writes_outside_the_folder(desk: Desk) -> None:
    before = beside(desk)
    escapes = []
    listed = tricks(desk)
    for path in listed:
        calls = (
            ("read_file", {"path": path}), ("list_dir", {"path": path}), ("grep", {"pattern": "secret", "path": path}),
            ("glob", {"pattern": "*", "path": path}), ("write_file", {"path": f"{path}/new.txt", "content": "x"}),
            ("move_path", {"from_": "a/in.txt", "to": f"{path}/in.txt"}),
        )  # fmt: skip
        for name, args in calls:
            try:
                result = await desk.call(name, **args)
            except ToolError:
                continue
            shown = result.for_model()
            if SECRET in shown or "root:" in shown or (name in ("list_dir", "glob") and "/secret.txt" in shown):
                escapes.append((name, path))
        await desk.code("write_file", path=path, content="x", overwrite=True)
        (desk.root / "a" / "in.txt").write_text("inside")  # a name that is taken letter by letter is a place to move to
    assert len(listed) >= 60
    assert escapes == []
    assert beside(desk) == before


async def test_what_is_no_ordinary_file_is_refused_and_a_link_that_stays_inside_works(desk: Desk) -> None:
    (desk.root / "short").symlink_to("a/in.txt")
    (desk.root / "harmless.txt").symlink_to(".env")
    (desk.root / ".env").write_text("KEY=1")
    assert (await desk.call("read_file", path="short")).data["path"] == "a/in.txt"
    assert (await desk.call("read_file", path="a/up/a/in.txt")).data["path"] == "a/in.txt"
    assert (await desk.call("read_file", path=f"{desk.ctx.workspace}/a/in.txt")).data["path"] == "a/in.txt"
    await desk.call("read_file", path="hard.txt")
    codes = {
        ("read_file", "pipe"): "NOT_A_FILE",
        ("read_file", "a"): "NOT_A_FILE",
        ("read_file", "loop-1"): "OUTSIDE",
        ("read_file", "folder-link/secret.txt"): "OUTSIDE",
        ("read_file", "harmless.txt"): "SECRET_FILE",
        ("read_file", ".ssh/id_rsa"): "DENIED_PATH",
        ("trash_path", "."): "BAD_PATH",
    }
    assert {call: await desk.code(call[0], path=call[1]) for call in codes} == codes
    assert await desk.code("edit_file", path="hard.txt", old="secret", new="public") == "LINKED"
    new_names = ["CON", "aux.txt", "x.", "x ", "a|b", "q?", "nul.tar.gz", "COM¹", "tab\there", "turn\u202egpj.exe"]
    refused = [await desk.code("write_file", path=name, content="x") for name in new_names]
    assert dict(zip(new_names, refused, strict=True)) == dict.fromkeys(new_names, "BAD_NAME")


def test_a_folder_swapped_for_a_link_while_it_is_used_leads_nowhere(desk: Desk) -> None:
    """One thread swaps, the other reads and writes: nothing of the outside is seen, nothing arrives there."""
    root, outside = desk.root, desk.root.parent / "outside"
    (root / "swap").mkdir()
    (root / "swap" / "secret.txt").write_text("mine")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (root / "swap").rename(root / "aside")
            (root / "swap").symlink_to(outside)
            (root / "swap").unlink()
            (root / "aside").rename(root / "swap")

    swapping = threading.Thread(target=swap)
    swapping.start()
    seen = set()
    try:
        for n in range(300):
            try:
                with open_root(root) as opened:
                    seen.add(opened.read("swap/secret.txt", 1_000))
                    opened.write(f"swap/new-{n}.txt", b"x", base=None)
            except ToolError:
                continue
    finally:
        stop.set()
        swapping.join()
    assert seen <= {b"mine"}
    assert [one.name for one in outside.iterdir()] == ["secret.txt"]


async def test_a_folder_swapped_for_a_link_while_it_is_searched_shows_nothing_of_the_outside(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library opens by whole paths: what it says of a link that was there for a moment is not shown."""
    swapped = desk.root / "swap"
    swapped.mkdir()
    (swapped / "mine.txt").write_text("a secret of mine\n")

    def in_between(search: Callable[..., list[str]]) -> Callable[..., list[str]]:
        def swap_and_search(**given: Any) -> list[str]:
            swapped.rename(desk.root / "aside")
            swapped.symlink_to(desk.root.parent / "outside")
            try:
                return search(**{**given, "paths": [f"{swapped}/"]})
            finally:
                swapped.unlink()
                (desk.root / "aside").rename(swapped)

        return swap_and_search

    for path in ("swap", "swap/mine.txt"):
        assert (await desk.call("grep", pattern="secret", path=path)).data["matches"] == [
            "swap/mine.txt:1:a secret of mine"
        ]
    for name in ("search", "files"):
        monkeypatch.setattr(python_ripgrep, name, in_between(getattr(python_ripgrep, name)))
    assert (await desk.call("grep", pattern="secret", path="swap")).data["matches"] == []
    assert (await desk.call("glob", pattern="*", path="swap")).data["paths"] == []
