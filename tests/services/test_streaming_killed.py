"""R01: killed while an answer streams, the text that was shown is on the disk, all but the last moment of it.

No clock is asked: the child tells what it shows and when the recorder says that it has written. What was shown when
the write before the last one had ended was taken by the last one, so it is on the disk.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.run.chat_model import ChatModel
from app.core.run.events import LoopEnd, LoopError, Thinking, Token
from tests.fakes import says, scripted
from tests.grammar import check_grammar

ROOT = Path(__file__).resolve().parents[2]
WORDS = 4_000

CHILD = """
import asyncio, sys
from pathlib import Path
from app.compose import build
from app.core.run.events import Thinking, Token
from app.services.runs.run_options import RunOptions
from tests.fakes import scripted
from tests.services.test_streaming_killed import pieces

async def main(folder):
    services = build(folder / "data", {})
    await services.open()
    model = scripted({"chunks": pieces(), "delay": 0.002})
    async def choose(*args, **named):
        return model
    services.models.choose = choose
    services.chat.active.listen_saving(lambda well: print("saved" if well else "refused", flush=True))
    session = await services.sessions.create("assistant")
    run = await services.chat.send(session.id, "tell me", "direct", options=RunOptions(interactive=False))
    print("run", run.id, flush=True)
    shown = 0
    async for line in run.events():
        if isinstance(line.event, Token | Thinking):
            shown += len(line.event.text)
            print("shown", shown, flush=True)

asyncio.run(main(Path(sys.argv[1])))
"""


def pieces() -> list[dict[str, str]]:
    """Thinking first, then the answer; some pieces are long."""
    rng = random.Random(1)
    words = [f"word{n} 字 " * rng.choice([1, 1, 1, 40]) for n in range(WORDS)]
    return [{"reasoning" if n < 200 else "text": word} for n, word in enumerate(words)]


def told_until_killed(folder: Path, saved: int) -> list[list[str]]:
    """What the child said until it had written `saved` times, and a little more."""
    folder.mkdir()
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TRIPTYCH_LANG": "en"}
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=ROOT, env=env,
    )  # fmt: skip
    assert child.stdout is not None
    lines: list[str] = []
    for line in child.stdout:
        lines.append(line)
        if lines.count("saved\n") > saved:
            break
    child.kill()
    rest, err = child.communicate(timeout=60)
    lines += [line for line in rest.splitlines(keepends=True) if line.endswith("\n")]
    assert "saved\n" in lines, err
    return [line.split() for line in lines]


def _chosen(model: ChatModel) -> Any:
    async def choose(*_args: Any, **_named: Any) -> ChatModel:
        return model

    return choose


async def killed(folder: Path, saved: int, monkeypatch: pytest.MonkeyPatch) -> None:
    told = told_until_killed(folder, saved)
    writes = [place for place, words in enumerate(told) if words == ["saved"]]
    before = told[: writes[-2]] if len(writes) > 1 else []
    least = max((int(words[1]) for words in before if words[0] == "shown"), default=0)
    assert ["refused"] not in told
    services = build(folder / "data", {})
    try:
        await services.open()
        (run_id,) = [words[1] for words in told if words[0] == "run"]
        lines = await services.runs.events(run_id)
        check_grammar(lines)
        assert isinstance(lines[-1].event, LoopError)
        said = "".join(line.event.text for line in lines if isinstance(line.event, Token | Thinking))
        whole = "".join(text for piece in pieces() for text in piece.values())
        assert whole.startswith(said), "nothing is lost in the middle"
        assert len(said) >= least, json.dumps({"on the disk": len(said), "shown and written": least})
        session = (await services.sessions.rows())[0].id
        answer = (await services.sessions.messages(session))[-1]
        assert answer.state == "interrupted"
        assert said.endswith(answer.text)
        monkeypatch.setattr(services.models, "choose", _chosen(scripted(says("And so it ends."))))
        again = await services.chat.repeats.resume(session)
        end = await again.result()
        assert isinstance(end, LoopEnd)
        assert end.answer == f"{answer.text}And so it ends.", "it goes on where the program died"
        await services.chat.recorded()
    finally:
        await services.close()


needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no way to kill a process on this system")


@needs_kill
async def test_R01_killed_while_it_streams_the_answer_has_what_was_shown_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await killed(tmp_path / "killed", 4, monkeypatch)


@needs_kill
@pytest.mark.soak
@pytest.mark.timeout(3600)
async def test_R01_killed_at_fifty_moments_of_a_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(50)
    for n in range(50):
        await killed(tmp_path / str(n), rng.randrange(2, 20), monkeypatch)
