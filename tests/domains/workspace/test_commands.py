"""Programs run in the folder, and git asked about it: what they may do, how they end, what is shown of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.run.events import RunEvent, ToolText
from app.domains.workspace.model import commands
from tests.domains.workspace.rig import BY_NAME, Desk, tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there")


def has_sandbox() -> bool:
    trial = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"]
    return shutil.which("bwrap") is not None and subprocess.run(trial, check=False, capture_output=True).returncode == 0


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Without the sandbox, which a machine may have or not."""
    monkeypatch.setattr(commands, "sandbox", lambda: None)
    return Desk(tmp_path)


async def test_a_program_gets_its_arguments_as_they_are_and_a_small_environment(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    show = "import os, sys; print(sys.argv[1:], os.getcwd(), 'OPENAI_API_KEY' in os.environ, os.environ['HOME'])"
    (desk.root / "sub").mkdir()
    argv = [sys.executable, "-c", show, "a b", "$HOME", "*", "; rm -rf x"]
    done = await desk.call("run_command", argv=argv, cwd="sub")
    assert done.data["rc"] == 0
    assert done.data["out"].strip() == f"['a b', '$HOME', '*', '; rm -rf x'] {desk.root / 'sub'} False {desk.root}"
    assert await desk.code("run_command", argv=["true"], cwd="..") == "OUTSIDE"
    assert await desk.code("run_command", argv=["no-such-program"]) == "FAILED"
    tool = BY_NAME["run_command"]
    assert tool.preview is not None
    shown = await tool.preview(desk.ctx, {"argv": argv, "cwd": "sub"})
    assert shown is not None
    values = [item["value"] for item in shown.payload["items"]]
    assert [one for one in argv if one not in values] == []
    assert str(desk.root / "sub") in values
    assert "bubblewrap is not installed" in values[-1]


def is_gone(pid: int) -> bool:
    """Soon: the system takes its time to take a process away."""
    for _look in range(1_000):
        try:
            if "Z (zombie)" in Path(f"/proc/{pid}/status").read_text():
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


async def test_at_the_limit_a_program_ends_with_all_it_has_started_and_its_output_is_cut(desk: Desk) -> None:
    child = f"import os, time; open({str(desk.root / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    parent = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(600)"
    done = await desk.call("run_command", argv=[sys.executable, "-c", parent], timeout=2)
    assert done.data["timed_out"]
    pid = int((desk.root / "pid").read_text())
    assert is_gone(pid)
    loud = "import sys; sys.stdout.write('begin' + 'x' * 1_000_000 + 'end')"
    done = await desk.call("run_command", argv=[sys.executable, "-c", loud])
    assert done.data["out"].startswith("beginx")
    assert done.data["out"].endswith("xend")
    assert len(done.data["out"]) < 250_000
    assert done.data["cut"] > 700_000


async def test_what_a_program_writes_is_shown_while_it_still_runs_up_to_a_limit(desk: Desk) -> None:
    """The program ends only after the person has seen its first line: the seen line writes the file it waits for."""
    shown: list[str] = []

    def tell(event: RunEvent) -> None:
        assert isinstance(event, ToolText)
        shown.append(event.text)
        (desk.root / "seen").touch()

    waits = (
        "import os, sys, time\n"
        "print('\\x1b[31mone', 'grün', '`' * 40, flush=True)\n"
        "while not os.path.exists('seen'): time.sleep(0.01)\n"
        "sys.stdout.write('\\n'.join(['x' * 99] * 3_000)); print('end')"
    )
    ctx = desk.ctx
    desk.ctx = replace(ctx, tell=tell, call="c1")
    done = await desk.call("run_command", argv=[sys.executable, "-X", "utf8", "-c", waits], timeout=60)
    assert done.data["rc"] == 0
    assert done.data["out"].rstrip().endswith("end")
    text = "".join(shown)
    head, first, *_rest = text.splitlines()
    assert head.endswith("text")
    assert first.startswith("one grün")
    assert head.removesuffix("text") not in first, "the output leaves its block"
    assert len(text) < 21_000
    assert "it continues; the result shows the end" in text
    desk.ctx = ctx
    assert (await desk.call("run_command", argv=["true"])).data["rc"] == 0, "nobody follows it"


@pytest.mark.skipif(not has_sandbox(), reason="bubblewrap is not installed, or nobody may use it here")
async def test_in_the_sandbox_only_the_folder_is_written(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    outside = desk.root.parent / "outside.txt"
    write = f"open('in.txt', 'w').write('x'); open({str(outside)!r}, 'w').write('x')"
    done = await desk.call("run_command", argv=["/usr/bin/env", "python3", "-c", write])
    assert done.data["held"]
    assert (desk.root / "in.txt").exists()
    assert not outside.exists()


@pytest.mark.skipif(not has_sandbox(), reason="bubblewrap is not installed, or nobody may use it here")
async def test_in_the_sandbox_a_program_installed_in_a_home_runs_and_nothing_else_is_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interpreter that a version manager keeps elsewhere, linked into an environment beside the folder."""
    monkeypatch.undo()
    place = desk.root.parent / "elsewhere"
    kept, environment = place / "versions" / "1", place / "env"
    for folder in (kept / "bin", kept / "lib", environment / "bin"):
        folder.mkdir(parents=True)
    word, program = kept / "lib" / "word.txt", kept / "bin" / "tool"
    word.write_text("found")
    (place / "secret.txt").write_text("hidden")
    program.write_text(f"#!/bin/sh\ncat {word}\ncat {place}/secret.txt\necho x > {word}\n")
    program.chmod(0o755)
    (environment / "bin" / "tool").symlink_to(program)
    done = await desk.call("run_command", argv=[str(environment / "bin" / "tool")])
    assert done.data["out"].startswith("found"), done.data
    assert "hidden" not in done.data["out"]
    assert word.read_text() == "found"


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
async def test_a_repository_is_read_and_committed_to_and_runs_nothing_of_its_own(desk: Desk) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=desk.root, check=True, capture_output=True)

    trap = desk.root.parent / "trap"
    git("init", "-q", "-b", "main")
    (desk.root / "a.txt").write_text("one\n")
    (desk.root / ".env").write_text("KEY=1\n")
    (desk.root / ".gitattributes").write_text("*.txt filter=evil diff=evil\n")
    git("add", "a.txt", ".env", ".gitattributes")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first")
    for key in ("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "core.pager",
                "diff.evil.command", "core.fsmonitor", "core.editor", "gpg.program", "diff.external"):  # fmt: skip
        git("config", key, f"touch {trap}; cat")
    hook = desk.root / ".git" / "hooks" / "pre-commit"
    hook.write_text(f"#!/bin/sh\ntouch {trap}\n")
    hook.chmod(0o755)
    (desk.root / "a.txt").write_text("two\n")
    (desk.root / ".env").write_text("KEY=2\n")
    assert " M a.txt" in (await desk.call("git_status")).data["files"]
    diff = (await desk.call("git_diff")).data
    assert "+two" in diff
    assert "KEY" not in diff
    assert [row["subject"] for row in (await desk.call("git_log")).data["commits"]] == ["first"]
    assert await desk.code("git_commit", message="keys", paths=[".env"]) == "SECRET_FILE"
    assert await desk.code("git_diff", paths=["../x"]) == "OUTSIDE"
    await desk.call("git_commit", message="second", paths=["a.txt"])
    assert [row["subject"] for row in (await desk.call("git_log", limit=5)).data["commits"]] == ["second", "first"]
    assert not trap.exists()
    shutil.rmtree(desk.root / ".git")
    (desk.root / ".git").write_text(f"gitdir: {desk.root.parent}")
    assert await desk.code("git_status") == "NO_REPOSITORY"
    assert tree(desk.root)
    assert os.environ.get("GIT_DIR") is None
