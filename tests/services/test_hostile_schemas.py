"""Schemas of others that were written to do harm: of an MCP server's tools, and of an agent's answer.

Whatever a schema says: nothing is read from the disk or asked of an address, the loop goes on, a good tool beside it
works, and what cannot be used is said in a sentence. Sampled here, whole under `soak`.
"""

from __future__ import annotations

import asyncio
import http.server
import json
import random
import sys
import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from app.agent.modes.structured import read_by_schema
from app.core.arguments.refusal import worded
from app.core.profile import AgentProfile
from app.core.run.argument_fields import fields_of
from app.core.run.events import LoopEnd
from app.core.tools.tool import Tool, mend_call
from app.services.container import Services
from app.services.mcp.views import McpServerForm
from app.services.runs.run_options import RunOptions
from app.services.settings.output_schemas import schema_fault
from tests.fakes import call, finish, says, scripted
from tests.floor import Beats, cost, slowness
from tests.rigs.hostile_schemas import SCHEMAS, VALUES
from tests.services.conftest import Put

EVIL = Path(__file__).parents[1] / "rigs" / "evil_mcp.py"
TODAY = date(2026, 1, 1)
STALL = 1.0
"""Seconds of work at once, on the machine the figures are meant for; what these schemas did before never ended."""


class Watch:
    """Whether anybody asked the address or opened the file that the schemas name."""

    def __init__(self, folder: Path) -> None:
        self.touched: list[str] = []
        self.file = folder / "watched.json"
        self.file.write_text('{"type": "string"}', "ascii")
        watch = self

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                watch.touched.append(self.path)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b'{"type": "string"}')

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.is_on = True
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if self.is_on and event == "open" and str(args[0]) == str(self.file):
            self.touched.append(str(args[0]))

    def schema(self, name: str) -> str:
        address = f"http://127.0.0.1:{self.server.server_port}"
        return SCHEMAS[name].replace("@URL@", address).replace("@FILE@", str(self.file))


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    found = Watch(tmp_path)
    yield found
    found.is_on = False
    found.server.shutdown()
    found.server.server_close()


def sample(count: int) -> list[str]:
    """The same ones each time; those that once froze the program or went out are always among them."""
    always = ["a catastrophic pattern", "twice as many at each level", "an address", "a file", "thousands of fields"]
    rest = [name for name in SCHEMAS if name not in always]
    return always + random.Random(11).sample(rest, count - len(always))


# ---------------------------------------------------------------- an answer by a schema


def judged(text: str) -> None:
    """All that is done with the schema of an answer, from the form to the last check."""
    schema_fault(text)
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError):
        return
    for value in VALUES.values() if isinstance(schema, dict) else ():
        reading = read_by_schema(json.dumps(value), schema)
        assert all(fault and len(fault) <= 400 for fault in reading.faults)


def answers_are_checked(names: list[str], watch: Watch) -> None:
    slow = {}
    for name in names:
        text = watch.schema(name)
        seconds = cost(lambda text=text: judged(text), tries=1)  # type: ignore[misc]
        if seconds > len(VALUES) * STALL * slowness():
            slow[name] = seconds
    assert slow == {}
    assert watch.touched == []


def test_an_answer_is_checked_in_bounded_work_and_nothing_is_fetched(watch: Watch) -> None:
    answers_are_checked(sample(14), watch)


@pytest.mark.soak
def test_every_hostile_schema_of_an_answer(watch: Watch) -> None:
    answers_are_checked(list(SCHEMAS), watch)


async def test_a_run_with_a_schema_that_cannot_be_held_against_ends_with_its_answer(
    services: Services, answers: Put, watch: Watch
) -> None:
    """The answer stays, the reason is said, no further request is made for it, and there is one last event."""
    cases = {
        "twice as many at each level": "take too long",
        "refers to itself at once": "take too long",
        "an address": "nothing is fetched",
        "a file": "nothing is fetched",
    }
    for name, expected in cases.items():
        schema = json.loads(watch.schema(name))
        profile = AgentProfile(id="tester", output_schema=schema, enable_reflection=False, max_retries=0)
        await services.settings.save_profile(profile)
        model = scripted(says('{"x": "y"}'))
        answers(model)
        session = await services.sessions.create("tester")
        run = await services.chat.send(session.id, "go", "react", options=RunOptions())
        lines = await finish(run)
        ends = [line.event for line in lines if isinstance(line.event, LoopEnd)]
        assert len(ends) == 1, name
        assert expected in (ends[0].structured_error or ""), name
        assert (ends[0].answer, len(model.requests)) == ('{"x": "y"}', 1), name
    assert watch.touched == []


# ---------------------------------------------------------------- the tools of a server


async def served(services: Services, names: list[str], watch: Watch, folder: Path) -> tuple[str, list[float]]:
    """A server with these schemas, agreed to and started; and how long the loop worked between two beats."""
    listed = folder / "schemas"
    listed.write_text("\n".join(watch.schema(name) for name in names) + "\n", "utf-8")
    mcp = services.mcp
    args = (str(EVIL), "schemas", str(listed))
    id = await mcp.save_server(McpServerForm(name="s", command=sys.executable, args=args))
    await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
    async with Beats() as beats:
        await mcp.start(id)
        mcp.reviews.tools(id)
        await asyncio.sleep(0.05)
    return id, beats.work


def used(tool: Tool) -> float:
    """The costliest of what is done with one call before it runs: mended, checked, worded, shown as a form."""

    def once(args: dict[str, Any]) -> None:
        mended = mend_call(tool, args, TODAY)
        worded(tool.check(mended.args), tool.form, mended.args, "en")
        assert len(fields_of(tool.parameters, {})) <= 500
        assert tool.path_arguments is not None

    return max(cost(lambda value=value: once(dict(value)), tries=1) for value in VALUES.values())  # type: ignore[misc]


async def tools_are_harmless(services: Services, names: list[str], watch: Watch, folder: Path) -> None:
    id, work = await served(services, names, watch, folder)
    review = services.mcp.reviews.tools(id)
    offered = {row.name for row in review.rows}
    assert "echo" in offered, services.mcp.server(id)
    left_out = dict(review.left_out)
    assert offered | left_out.keys() == {"echo", *(f"t{n}" for n in range(len(names)))}
    assert all(len(why) > 15 for why in left_out.values())
    assert max(work) < STALL * slowness(), "the loop stood still"
    await services.mcp.reviews.accept_tools(id, review.digest)
    slow = {}
    for name in sorted(offered):
        tool = services.mcp.for_agents.tool(f"{id}__{name}")
        assert tool is not None
        if (seconds := used(tool)) > STALL * slowness():
            slow[names[int(name[1:])] if name != "echo" else name] = seconds
    assert slow == {}
    assert watch.touched == []


async def test_T19_tools_with_hostile_schemas_are_left_out_or_harmless(
    services: Services, watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.mcp.connection.GREETING_SECONDS", 60.0)
    await tools_are_harmless(services, sample(20), watch, tmp_path)


@pytest.mark.soak
async def test_every_hostile_schema_of_a_tool(
    services: Services, watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.mcp.connection.GREETING_SECONDS", 60.0)
    await tools_are_harmless(services, list(SCHEMAS), watch, tmp_path)


async def test_a_call_that_cannot_be_checked_is_refused_with_a_sentence_and_the_run_goes_on(
    services: Services, answers: Put, watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.mcp.connection.GREETING_SECONDS", 60.0)
    id, _work = await served(services, ["alternatives for every entry"], watch, tmp_path)
    await services.mcp.reviews.accept_tools(id, services.mcp.reviews.tools(id).digest)
    await services.settings.save_profile(AgentProfile(id="tester", mcp_servers=(id,), enable_reflection=False))
    model = scripted(call(f"{id}__t0", x=[{"r399": 1}] * 1_500), says("It could not be asked."))
    answers(model)
    session = await services.sessions.create("tester")
    async with Beats() as beats:
        handle = await services.chat.send(session.id, "go", "react", options=RunOptions(approve="all"))
        lines = await finish(handle)
    assert isinstance(lines[-1].event, LoopEnd)
    assert "too large for them" in model.requests[1].turns[-1].text
    assert max(beats.work) < STALL * slowness()
