"""T27: a process killed while a tool changes something. Nobody knows, everybody sees it, nothing repeats it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.compose import build
from app.core.run.chat_model import ResultTurn
from app.core.run.events import ToolCalled, ToolReturned, ToolStarted
from app.core.tools.tool import Tool, ToolContext, ToolResult, tool
from app.services.container import Services
from tests.fakes import call, of, says, scripted
from tests.grammar import check_grammar
from tests.services.conftest import Put
from tests.services.test_chat import ask

ROOT = Path(__file__).resolve().parents[2]

CHILD = """
import asyncio, sys, time
from pathlib import Path
from app.compose import build
from app.services.runs.run_options import RunOptions
from tests.fakes import call, says, scripted
from tests.services.test_chat_killed import pay

async def main(folder, how):
    services = build(folder / "data", {})
    await services.open()
    model = scripted(call("pay", file=str(folder / "effects"), how=how), says("paid"))
    async def choose(*args, **named):
        return model
    services.models.choose = choose
    services.tools._tools.add([pay])
    session = await services.sessions.create("assistant")
    (folder / "session").write_text(session.id)
    overrides = {"tools": {"pay": "allow"}}
    run = await services.chat.send(session.id, "pay it", "react", options=RunOptions(overrides=overrides))
    (folder / "begun").write_text("begun")
    await run.result()
    await services.chat.recorded()
    (folder / "ended").write_text("")
    await services.close()

asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
"""


@tool("app.write", blocking=True)
def pay(ctx: ToolContext, file: str, how: str) -> ToolResult:
    """An effect that can be counted."""
    if how == "slow":
        time.sleep(0.05)
    with Path(file).open("a", encoding="utf-8") as effects:
        effects.write("paid\n")
    if how == "hang":
        time.sleep(600)
    if how == "slow":
        time.sleep(0.05)
    return ToolResult.success({"paid": True}, "paid")


def start(folder: Path, how: str) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TRIPTYCH_LANG": "en"}
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder), how], stderr=subprocess.PIPE, text=True, cwd=ROOT, env=env
    )


def written(path: Path) -> bool:
    """Whether the file has its text: it exists a moment earlier, and a kill in that moment would leave it empty."""
    return path.exists() and path.stat().st_size > 0


def kill_when(child: subprocess.Popen[str], path: Path, after: float = 0.0) -> None:
    deadline = time.monotonic() + 60
    while not written(path) and child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(after)
    child.kill()
    _out, err = child.communicate(timeout=60)
    assert written(path), err


def new_folder(where: Path, n: int) -> Path:
    folder = where / str(n)
    folder.mkdir()
    return folder


def effects(folder: Path) -> int:
    file = folder / "effects"
    return len(file.read_text(encoding="utf-8").splitlines()) if file.exists() else 0


async def reopened(folder: Path) -> Services:
    services = build(folder / "data", {})
    await services.open()
    services.tools._tools.add([pay])
    return services


needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no way to kill a process on this system")


@needs_kill
async def test_T27_a_call_that_ran_when_the_process_died_is_unknown_and_not_made_again(tmp_path: Path) -> None:
    child = start(tmp_path, "hang")
    kill_when(child, tmp_path / "effects")
    services = await reopened(tmp_path)
    try:
        session = (tmp_path / "session").read_text(encoding="utf-8")
        run = (await services.runs.rows(session))[0]
        lines = await services.runs.events(run.id)
        check_grammar(lines)
        assert len(of(lines, ToolCalled)) == len(of(lines, ToolStarted)) == 1
        lost = of(lines, ToolReturned)[0]
        assert (lost.status, lost.ok) == ("unknown", False)
        assert [intent.state for intent in await services.run_store.intents.of_run(run.id)] == ["unknown"]
        message = (await services.sessions.messages(session))[-1]
        assert message.state == "interrupted"

        model = scripted(call("pay", file=str(tmp_path / "effects"), how="hang"), says("it may have been paid"))

        async def choose(*_args: object, **_named: object) -> object:
            return model

        services.models.choose = choose  # type: ignore[method-assign,assignment]
        again = await ask(services, session, "go on", approve="all", overrides={"tools": {"pay": "allow"}})
        refused = of(again, ToolReturned)[0]
        assert refused.status == "denied"
        assert "outcome is unknown" in refused.text
        told = [turn for turn in model.requests[0].turns if isinstance(turn, ResultTurn)]
        assert "not known" in told[0].text
        assert effects(tmp_path) == 1
    finally:
        await services.close()


async def _killed_somewhere(folder: Path, rng: random.Random) -> str:
    child = start(folder, "slow")
    kill_when(child, folder / "begun", after=rng.uniform(0.0, 0.25))
    services = await reopened(folder)
    try:
        session = (folder / "session").read_text(encoding="utf-8")
        run = (await services.runs.rows(session))[0]
        lines = await services.runs.events(run.id)
        check_grammar(lines)
        states = [intent.state for intent in await services.run_store.intents.of_run(run.id)]
        results = [result.status for result in of(lines, ToolReturned)]
        assert effects(folder) <= 1
        if effects(folder):
            assert states in (["done"], ["unknown"]), states
            assert results in (["ok"], ["unknown"]), results
        return states[0] if states else "not begun"
    finally:
        await services.close()


@needs_kill
async def test_T27_killed_at_any_moment_there_is_at_most_one_effect(tmp_path: Path) -> None:
    rng = random.Random(27)
    for n in range(2):
        await _killed_somewhere(new_folder(tmp_path, n), rng)


@needs_kill
@pytest.mark.soak
@pytest.mark.timeout(3600)
async def test_T27_killed_at_fifty_moments(tmp_path: Path) -> None:
    rng = random.Random(2_700)
    seen = {await _killed_somewhere(new_folder(tmp_path, n), rng) for n in range(50)}
    assert {"done", "unknown"} <= seen


async def test_T27_a_call_that_cannot_be_written_down_does_not_run(
    services: Services, answers: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.storage.folder.errors import DiskFull

    async def full(*_args: object, **_named: object) -> None:
        raise DiskFull("no space left")

    monkeypatch.setattr(services.run_store.intents, "propose", full)
    services.tools._tools.add([pay])
    session = await services.sessions.create("assistant")
    answers(scripted(call("pay", file=str(tmp_path / "effects"), how="now"), says("not paid")))
    lines = await ask(services, session.id, "pay", overrides={"tools": {"pay": "allow"}})
    assert "could not be written down" in of(lines, ToolReturned)[0].text
    assert effects(tmp_path) == 0


async def test_T27_what_was_done_is_on_the_disk_as_done(services: Services, answers: Put, tmp_path: Path) -> None:
    services.tools._tools.add([pay])
    session = await services.sessions.create("assistant")
    answers(scripted(call("pay", file=str(tmp_path / "effects"), how="now"), says("paid")))
    await ask(services, session.id, "pay", overrides={"tools": {"pay": "allow"}})
    run = (await services.runs.rows(session.id))[0]
    intent = (await services.run_store.intents.of_run(run.id))[0]
    assert (intent.name, intent.state, len(intent.args_hash)) == ("pay", "done", 64)
    assert effects(tmp_path) == 1


async def test_T27_reading_is_not_written_down(services: Services, answers: Put) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(call("calculator", expression="1+1"), says("2")))
    await ask(services, session.id, "1+1?")
    run = (await services.runs.rows(session.id))[0]
    assert await services.run_store.intents.of_run(run.id) == []


def test_the_tool_of_these_tests_writes() -> None:
    assert isinstance(pay, Tool)
    assert not pay.read_only
