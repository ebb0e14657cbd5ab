"""Repositories made to run a program of theirs or to show another repository: none does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import ToolError
from app.domains.workspace.model import git
from tests.domains.workspace.rig import Desk

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there"),
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
]
SECRET = "of another repository"
WHO = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
ENVIRONMENT = {**os.environ, **WHO, "GIT_CONFIG_GLOBAL": os.devnull}


def run_git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True, env=ENVIRONMENT)
    return done.stdout.strip()


def repository(root: Path, text: str = "one\n", attributes: str = "*.txt filter=evil diff=evil\n") -> None:
    root.mkdir(exist_ok=True)
    run_git(root, "init", "-q", "-b", "main")
    (root / "a.txt").write_text(text)
    (root / ".gitattributes").write_text(attributes)
    run_git(root, "add", "a.txt", ".gitattributes")
    run_git(root, "commit", "-q", "-m", text.strip())
    (root / "a.txt").write_text("two\n")


def filters(trap: Path, name: str = "evil") -> str:
    return f'[filter "{name}"]\n clean = "touch {trap}; cat"\n[diff "{name}"]\n textconv = "touch {trap}; cat"\n'


def included(root: Path, trap: Path) -> None:
    repository(root)
    (root / "more.cfg").write_text(filters(trap))
    with (root / ".git" / "config").open("a") as file:
        file.write('[include]\n path = ../more.cfg\n[includeIf "onbranch:main"]\n path = ../more.cfg\n')


def of_a_worktree(root: Path, trap: Path) -> None:
    repository(root)
    run_git(root, "config", "extensions.worktreeConfig", "true")
    (root / ".git" / "config.worktree").write_text(filters(trap))


def of_an_odd_name(root: Path, trap: Path) -> None:
    repository(root, attributes="*.txt filter=a=b\n")
    with (root / ".git" / "config").open("a") as file:
        file.write(filters(trap, "a=b"))


def hidden_in_long_settings(root: Path, trap: Path) -> None:
    repository(root)
    padding = "".join(f" {'k' * 200}{n} = 1\n" for n in range(600))
    with (root / ".git" / "config").open("a") as file:
        file.write(f"[padding]\n{padding}{filters(trap)}[padding]\n{padding}")


def fetched_when_missing(root: Path, trap: Path) -> None:
    repository(root)
    url = f"ext::sh -c touch% {trap}"
    for key, value in (
        ("core.repositoryformatversion", "1"), ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", url), ("protocol.ext.allow", "always"),
    ):  # fmt: skip
        run_git(root, "config", key, value)
    sha = run_git(root, "rev-parse", "HEAD:a.txt")
    (root / ".git" / "objects" / sha[:2] / sha[2:]).unlink()


def of_an_inner_repository(root: Path, trap: Path) -> None:
    inner = root / "inner"
    repository(inner)
    repository(root)
    run_git(root, "add", "inner")
    run_git(root, "commit", "-q", "-m", "inner")
    (root / ".gitmodules").write_text('[submodule "inner"]\n path = inner\n url = ./inner\n ignore = none\n')
    with (inner / ".git" / "config").open("a") as file:
        file.write(filters(trap))
    (inner / "a.txt").write_text("three\n")


def linked_to_another(root: Path, trap: Path) -> None:
    other = trap.parent / "other"
    repository(other, f"{SECRET}\n")
    repository(root)
    for name in ("objects", "refs"):
        shutil.rmtree(root / ".git" / name)
        (root / ".git" / name).symlink_to(other / ".git" / name)


def borrowing_from_another(root: Path, trap: Path) -> None:
    other = trap.parent / "other"
    repository(other, f"{SECRET}\n")
    repository(root)
    (root / ".git" / "objects" / "info" / "alternates").write_text(f"{other}/.git/objects\n")
    shutil.copy(other / ".git" / "refs" / "heads" / "main", root / ".git" / "refs" / "heads" / "main")


CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("git_status", {}), ("git_diff", {}), ("git_diff", {"staged": True}), ("git_log", {}),
    ("git_commit", {"message": "m", "paths": ["a.txt"]}), ("git_commit", {"message": "m", "paths": ["."]}),
)  # fmt: skip


async def test_no_repository_runs_a_program_or_shows_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outside the sandbox, which not every machine has."""
    monkeypatch.setattr(git, "sandbox", lambda: None)
    makers: tuple[Callable[[Path, Path], None], ...] = (
        included, of_a_worktree, of_an_odd_name, hidden_in_long_settings, fetched_when_missing, of_an_inner_repository,
        linked_to_another, borrowing_from_another,
    )  # fmt: skip
    faults = []
    for make in makers:
        desk, trap = Desk(tmp_path / make.__name__), tmp_path / make.__name__ / "trap"
        make(desk.root, trap)
        trap.unlink(missing_ok=True)
        for name, args in CALLS:
            try:
                shown = (await desk.call(name, **args)).for_model()
            except ToolError as error:
                shown = str(error)
            if trap.exists():
                faults.append(f"{make.__name__}: {name} ran a program")
            if SECRET in shown:
                faults.append(f"{make.__name__}: {name} shows another repository")
            trap.unlink(missing_ok=True)
    assert faults == []


async def test_a_commit_of_a_folder_takes_its_files_and_no_keys(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    repository(desk.root, attributes="")
    (desk.root / "d").mkdir()
    (desk.root / "d" / "x.md").write_text("x")
    (desk.root / "d" / ".env").write_text("KEY=1")
    assert await desk.code("git_commit", message="m", paths=["d"]) == "SECRET_FILE"
    (desk.root / ".gitignore").write_text(".env\n")
    await desk.call("git_commit", message="m", paths=["."])
    assert run_git(desk.root, "ls-files").split() == [".gitattributes", ".gitignore", "a.txt", "d/x.md"]
    assert await desk.code("git_commit", message="m", paths=["."]) == "NO_CHANGE"
