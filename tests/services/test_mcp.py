"""MCP servers from the person's side: looked at, agreed to, changed behind one's back, used by agents."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.errors import BadInput, UnknownName
from app.core.profile import AgentProfile
from app.core.run.events import LoopEnd, Notice, ToolReturned
from app.mcp.listing import ToolListing
from app.services.container import Services
from app.services.mcp.service import McpService
from app.services.mcp.views import McpServerForm
from app.services.runs.run_options import RunOptions
from tests.fakes import call, finish, says, scripted, until
from tests.pictures import png
from tests.services.conftest import Put

EVIL = Path(__file__).parents[1] / "rigs" / "evil_mcp.py"
CANARY = "tok canary 42"


@pytest.fixture
def mcp(services: Services, monkeypatch: pytest.MonkeyPatch) -> McpService:
    monkeypatch.setattr("app.mcp.connection.GREETING_SECONDS", 60.0)  # other tests have the processor too
    services.providers.key_storage.choose("session")
    return services.mcp


def evil(mode: str = "good", *more: str, script: Path = EVIL, **fields: Any) -> McpServerForm:
    return McpServerForm(
        name=mode.replace("_", " "), command=sys.executable, args=(str(script), mode, *more), **fields
    )  # fmt: skip


async def agreed(mcp: McpService, form: McpServerForm) -> str:
    """The whole way a person goes until the tools are there."""
    id = await mcp.save_server(form)
    await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
    entry = await mcp.start(id)
    assert entry.state == "tools", entry
    await mcp.reviews.accept_tools(id, mcp.reviews.tools(id).digest)
    assert mcp.server(id).state == "running"
    return id


def agent(*servers: str, **fields: Any) -> AgentProfile:
    return AgentProfile(id="tester", mcp_servers=servers, enable_reflection=False, max_retries=0, **fields)


# ---------------------------------------------------------------- before anything starts


async def test_a_new_server_is_disabled_and_offers_nothing(services: Services, mcp: McpService) -> None:
    id = await mcp.save_server(evil())
    entry = mcp.server(id)
    assert (entry.enabled, entry.state, entry.is_usable) == (False, "off", False)
    assert await services.tools.for_agent(agent(id)) == {}
    assert (await mcp.start(id)).state == "off"
    assert mcp.log(id) == []


async def test_T11_the_review_shows_everything_that_would_run(mcp: McpService, tmp_path: Path) -> None:
    long = "x" * 8_000
    id = await mcp.save_server(evil("good", long, cwd=str(tmp_path), env={"TOKEN": CANARY}))
    review = await mcp.reviews.review(id)
    lines = [(line.label, line.value) for line in review.lines]
    assert ("program", sys.executable) in lines
    assert ("argument", long) in lines
    assert ("folder", str(tmp_path)) in lines
    assert ("variable", "TOKEN") in lines
    assert any(label == "file" and value.startswith(f"{EVIL} ") for label, value in lines)
    assert CANARY not in str(review)
    assert review.is_first


async def test_T13_a_package_without_a_version_is_named(mcp: McpService, tmp_path: Path) -> None:
    npx = tmp_path / "npx"
    npx.write_text("#!/bin/sh\n", "ascii")
    npx.chmod(0o755)
    loose = await mcp.save_server(McpServerForm(name="a", command=str(npx), args=("-y", "@scope/server")))
    exact = await mcp.save_server(McpServerForm(name="b", command=str(npx), args=("-y", "@scope/server@1.2.3")))
    assert (await mcp.reviews.review(loose)).unpinned == "@scope/server"
    assert (await mcp.reviews.review(exact)).unpinned == ""


async def test_T11_what_lies_around_starts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Project files, an imported profile and an edited settings file: no process until the person agrees."""
    started: list[Any] = []
    real = asyncio.create_subprocess_exec

    async def record(*args: Any, **named: Any) -> Any:
        started.append(args)
        return await real(*args, **named)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", record)
    config = json.dumps({"mcpServers": {"x": {"command": sys.executable, "args": [str(EVIL)]}}})
    monkeypatch.chdir(tmp_path)
    for name in (".mcp.json", "mcp.json"):
        (tmp_path / name).write_text(config, "ascii")
    folder = tmp_path / "data" / "mcp"
    folder.mkdir(parents=True)
    arguments = json.dumps([str(EVIL)])
    (folder / "planted.toml").write_text(
        f'id = "planted"\ncommand = {json.dumps(sys.executable)}\nargs = {arguments}\nenabled = true\n'
        '[agreed]\nfingerprint = "0000"\ntools = "[]"\n', "ascii"
    )  # fmt: skip
    profile = tmp_path / "agent.toml"
    profile.write_text('id = "imported"\nmcp_servers = ["planted"]\n', "ascii")
    services = build(tmp_path / "data", {"MCP_SERVERS": config})
    await services.open()
    try:
        imported, left_out = await services.settings.import_profile(profile)
        assert "mcp_servers" in left_out
        assert imported.mcp_servers == ()
        assert [entry.id for entry in services.mcp.servers()] == ["planted"]
        assert (await services.mcp.start("planted")).state == "review"
        assert await services.tools.for_agent(agent("planted")) == {}
        assert started == []
    finally:
        await services.close()


async def test_a_consent_is_for_what_was_seen(mcp: McpService) -> None:
    id = await mcp.save_server(evil())
    seen = (await mcp.reviews.review(id)).fingerprint
    await mcp.save_server(McpServerForm(id=id, name="x", command=sys.executable, args=(str(EVIL), "liar")))
    with pytest.raises(BadInput, match="changed while you looked"):
        await mcp.reviews.accept_start(id, seen)
    assert mcp.server(id).state == "off"


# ---------------------------------------------------------------- the whole way


async def test_the_tools_of_an_accepted_server_are_its_agents_only(services: Services, mcp: McpService) -> None:
    id = await agreed(mcp, evil())
    tools = await services.tools.for_agent(agent(id))
    assert list(tools) == ["good__echo"]
    tool = tools["good__echo"]
    assert (tool.permission, tool.untrusted, tool.read_only) == ("mcp", True, False)
    assert await services.tools.for_agent(agent()) == {}
    assert "good__echo" not in [entry.name for entry in services.tools.all_tools()]


async def test_tools_are_denied_until_they_were_looked_at(services: Services, mcp: McpService) -> None:
    id = await mcp.save_server(evil("poison"))
    await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
    assert (await mcp.start(id)).state == "tools"
    assert await services.tools.for_agent(agent(id)) == {}
    rows = mcp.reviews.tools(id).rows
    assert "<IMPORTANT>" in rows[0].description
    assert rows[1].length == 1_000_000


async def test_it_asks_unless_its_own_table_says_otherwise(services: Services, mcp: McpService) -> None:
    id = await agreed(mcp, evil())

    async def word(profile: AgentProfile) -> str:
        tool = (await services.tools.for_agent(profile)).get("good__echo")
        return services.tools.permissions(profile).decide(tool, {}).word if tool is not None else "gone"

    assert await word(agent(id)) == "ask"
    assert await word(agent(id, tools={"*": "allow"})) == "ask"  # said before there was such a tool
    await mcp.reviews.set_word(id, "echo", "allow")
    assert await word(agent(id)) == "allow"
    assert await word(agent(id, tools={"good__echo": "deny"})) == "gone"
    assert await word(agent(id, tools={"good__*": "ask"})) == "ask"
    await mcp.reviews.set_word(id, "echo", "deny")
    assert await word(agent(id)) == "gone"


async def test_a_run_asks_and_calls_and_is_tainted_by_the_answer(
    services: Services, mcp: McpService, answers: Put
) -> None:
    id = await agreed(mcp, evil())
    await services.settings.save_profile(agent(id))
    answers(scripted(call("good__echo", text="said by a stranger"), says("done")))
    session = await services.sessions.create("tester")
    run = await services.chat.send(session.id, "go", "react", options=RunOptions(approve="all"))
    lines = await finish(run)
    result = next(line.event for line in lines if isinstance(line.event, ToolReturned))
    assert result.ok
    assert "said by a stranger" in result.text
    assert result.untrusted


async def test_a_number_that_is_not_finite_is_no_result(services: Services, mcp: McpService, answers: Put) -> None:
    id = await agreed(mcp, evil("infinite"))
    await services.settings.save_profile(agent(id))
    prices = ["1e999", "-1e999", "NaN", "Infinity", "1e308"]
    answers(scripted(*(call("infinite__echo", text=price) for price in prices), says("done")))
    session = await services.sessions.create("tester")
    run = await services.chat.send(session.id, "go", "react", options=RunOptions(approve="all"))
    results = [line.event for line in await finish(run) if isinstance(line.event, ToolReturned)]
    codes = [(result.error or {}).get("code") for result in results]
    assert codes == ["BAD_RESULT"] * 4 + [None], [result.text for result in results]
    assert "1e+308" in results[-1].text


async def test_a_run_says_once_which_of_its_servers_are_not_there_and_why(
    services: Services, mcp: McpService, answers: Put, tmp_path: Path
) -> None:
    there = await agreed(mcp, evil())
    off = await mcp.save_server(evil("poison"))
    unseen = await mcp.save_server(evil("liar"))
    await mcp.reviews.accept_start(unseen, (await mcp.reviews.review(unseen)).fingerprint)
    gone = tmp_path / "gone.py"
    gone.write_text("raise SystemExit(3)\n", "ascii")
    broken = await mcp.save_server(McpServerForm(name="broken", command=sys.executable, args=(str(gone),)))
    await mcp.reviews.accept_start(broken, (await mcp.reviews.review(broken)).fingerprint)
    await mcp.start(broken)
    await services.settings.save_profile(agent(there, off, unseen, broken, "nowhere", off))
    session = await services.sessions.create("tester")
    answers(scripted(says("done")))
    lines = await finish(await services.chat.send(session.id, "go", "react"))
    told = [line.event for line in lines if isinstance(line.event, Notice) and line.event.code == "mcp_unavailable"]
    assert [(notice.params["server"], notice.params["why"]) for notice in told] == [
        ("poison", "off"), ("liar", "tools"), ("broken", "failed"), ("nowhere", "gone"),
    ]  # fmt: skip
    assert told[0].text == "the MCP server poison cannot be used: it is switched off"
    assert isinstance(lines[1].event, Notice)
    answers(scripted(says("done")))
    direct = await finish(await services.chat.send(session.id, "go", "direct"))
    assert not [line for line in direct if isinstance(line.event, Notice)]  # no tools there anyway


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
async def test_a_server_that_was_killed_is_missed_only_once_it_is_left_alone(
    services: Services, mcp: McpService, tmp_path: Path
) -> None:
    pid, script = tmp_path / "pid", tmp_path / "good.py"
    begin = f"import os, runpy\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\n"
    script.write_text(begin + f"runpy.run_path({str(EVIL)!r}, run_name='__main__')\n", "utf-8")
    id = await agreed(mcp, evil(script=script))
    await services.settings.save_profile(agent(id))
    told = []
    for _death in range(3):
        os.kill(int(pid.read_text()), signal.SIGKILL)
        await until(lambda: mcp.server(id).state == "failed")
        told.append([notice.params["why"] for notice in services.tools.missing(agent(id))])
        again = await services.tools.call("good__echo", {"text": "back"}, "tester")
        assert again.ok is (len(told) < 3)
    assert told == [[], [], ["failed"]]


async def test_a_server_far_away_is_missed_offline(services: Services, mcp: McpService) -> None:
    id = await mcp.save_server(McpServerForm(name="far", transport="http", url="https://mcp.example.org/mcp"))
    await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
    mcp.registry._servers[id] = replace(mcp.registry._servers[id], accepted=ToolListing())
    assert services.tools.missing(agent(id)) == []
    await services.settings.save_preferences(services.settings.preferences.model_copy(update={"offline": True}))
    assert [notice.params["why"] for notice in services.tools.missing(agent(id))] == ["offline"]


async def test_an_agent_that_hands_over_tells_of_the_next_ones_servers(
    services: Services, mcp: McpService, answers: Put
) -> None:
    off = await mcp.save_server(evil())
    await services.settings.save_profile(AgentProfile(id="second", mcp_servers=(off,), max_retries=0))
    await services.settings.save_profile(agent(then="second"))
    answers(scripted(says("first"), says("second")))
    session = await services.sessions.create("tester")
    lines = await finish(await services.chat.send(session.id, "go", "react"))
    assert [line.event.params["server"] for line in lines if isinstance(line.event, Notice)] == ["good"]


@pytest.mark.parametrize("temporary", [False, True])
async def test_pictures_of_an_answer_are_kept_for_as_long_as_their_session(
    services: Services, mcp: McpService, answers: Put, tmp_path: Path, temporary: bool
) -> None:
    drawing, huge, program = tmp_path / "drawing", tmp_path / "huge", tmp_path / "program"
    drawing.write_bytes(png(3, 2))
    huge.write_bytes(png(1, 1)[:16] + struct.pack(">II", 100_000, 100_000) + png(1, 1)[24:])
    program.write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>")
    id = await agreed(mcp, evil("paint", str(drawing), str(huge), str(program)))
    await services.settings.save_profile(agent(id))
    by_hand = await services.tools.call("paint__echo", {}, "tester")
    assert by_hand.display is None
    assert list((services.data_dir / "attachments").iterdir()) == []
    answers(scripted(call("paint__echo"), says("done")))
    session = await services.sessions.create("tester", temporary=temporary)
    lines = await finish(await services.chat.send(session.id, "go", "react", options=RunOptions(approve="all")))
    await services.chat.recorded()
    result = next(line.event for line in lines if isinstance(line.event, ToolReturned))
    assert result.text.startswith("[image kept]")
    assert "too large a picture" in result.text
    assert "no picture of a kind that is shown" in result.text
    assert result.display is not None
    (item,) = result.display["payload"]["items"]
    ref = item["image"].removeprefix("att:")
    assert await services.attachments.content(ref) == drawing.read_bytes()
    assert (services.data_dir / "attachments" / ref).exists() is not temporary
    await services.sessions.bin.purge(session.id)
    assert not (services.data_dir / "attachments" / ref).exists()


async def test_pictures_of_an_answer_travel_with_their_session(
    services: Services, mcp: McpService, answers: Put, tmp_path: Path
) -> None:
    drawing = tmp_path / "drawing"
    drawing.write_bytes(png(3, 2))
    id = await agreed(mcp, evil("paint", str(drawing)))
    await services.settings.save_profile(agent(id))
    answers(scripted(call("paint__echo"), says("done")))
    session = await services.sessions.create("tester", temporary=True)
    await finish(await services.chat.send(session.id, "go", "react", options=RunOptions(approve="all")))
    await services.chat.recorded()
    stored = await services.transfer.store_temporary(session.id)
    assert [path.read_bytes() for path in (services.data_dir / "attachments").iterdir()] == [drawing.read_bytes()]
    out = await services.transfer.export([stored], "json")
    elsewhere = build(tmp_path / "elsewhere", {})
    await elsewhere.open()
    try:
        await elsewhere.transfer.import_data([out.data])
        assert [path.read_bytes() for path in (elsewhere.data_dir / "attachments").iterdir()] == [drawing.read_bytes()]
    finally:
        await elsewhere.close()


async def test_by_hand_it_is_called_through_the_same_gate(services: Services, mcp: McpService) -> None:
    id = await agreed(mcp, evil())
    await services.settings.save_profile(agent(id))
    result = await services.tools.call("good__echo", {"text": "hello"}, "tester")
    assert (result.ok, result.data) == (True, "hello")
    wrong = await services.tools.call("good__echo", {"text": {"a": 7}}, "tester")
    assert wrong.error is not None
    assert wrong.error.code == "BAD_ARGUMENTS"
    assert [entry.name for entry in await services.tools.tools("tester")] == ["good__echo"]


async def test_what_was_agreed_to_outlives_a_restart_and_starts_when_needed(tmp_path: Path) -> None:
    first = build(tmp_path / "data", {})
    await first.open()
    id = await agreed(first.mcp, evil())
    await first.settings.save_profile(agent(id))
    await first.close()
    second = build(tmp_path / "data", {})
    try:
        await second.open()
        assert second.mcp.server(id).state == "stopped"
        assert list(await second.tools.for_agent(agent(id))) == ["good__echo"]
        assert (await second.tools.call("good__echo", {"text": "again"}, "tester")).data == "again"
        assert second.mcp.server(id).state == "running"
    finally:
        await second.close()


# ---------------------------------------------------------------- behind one's back


async def test_C11_tools_that_changed_are_denied_and_laid_beside_the_old_ones(
    services: Services, mcp: McpService
) -> None:
    id = await agreed(mcp, evil("rug"))
    await mcp.reviews.set_word(id, "echo", "allow")
    await services.settings.save_profile(agent(id))
    assert (await services.tools.call("rug__echo", {"text": "a"}, "tester")).ok
    refused = await services.tools.call("rug__echo", {"text": "b"}, "tester")
    assert refused.error is not None
    assert refused.error.code == "CHANGED"
    await until(lambda: mcp.server(id).state == "tools")
    assert await services.tools.for_agent(agent(id)) == {}
    review = mcp.reviews.tools(id)
    row = review.rows[0]
    assert (row.change, review.is_accepted, review.is_first) == ("changed", False, False)
    assert "loudly" in row.after
    assert "loudly" not in row.before
    await mcp.reviews.accept_tools(id, review.digest)
    assert mcp.reviews.tools(id).rows[0].word == "ask"  # what was allowed was another tool


async def test_T14_of_two_servers_with_the_same_tool_neither_shadows_the_other(
    services: Services, mcp: McpService
) -> None:
    ids = [await agreed(mcp, replace(evil(), name=name)) for name in ("First", "Second")]
    await mcp.reviews.set_word(ids[0], "echo", "allow")
    await services.settings.save_profile(agent(*ids))
    tools, permissions = await services.tools.for_agent(agent(*ids)), services.tools.permissions(agent(*ids))
    assert {name for name in tools if name.endswith("__echo")} == {"first__echo", "second__echo"}
    assert [permissions.decide(tools[name], {}).word for name in ("first__echo", "second__echo")] == ["allow", "ask"]
    for name, server in (("first__echo", "mcp:First"), ("second__echo", "mcp:Second")):
        result = await services.tools.call(name, {"text": name}, "tester")
        assert (result.data, result.meta["source"]) == (name, [server])


async def test_T14_C10_a_liar_asks_like_all_others(services: Services, mcp: McpService) -> None:
    id = await agreed(mcp, evil("liar"))
    tool = (await services.tools.for_agent(agent(id)))["liar__delete_all"]
    assert not tool.read_only
    assert services.tools.permissions(agent(id)).decide(tool, {}).word == "ask"
    assert mcp.reviews.tools(id).rows[0].hints["readOnlyHint"] is True


async def test_T19_C06_a_killing_pattern_is_never_matched(services: Services, mcp: McpService) -> None:
    id = await agreed(mcp, evil("evil_pattern"))
    tool = (await services.tools.for_agent(agent(id)))["evil-pattern__match"]
    assert "pattern" not in json.dumps(tool.parameters)
    assert tool.check({"text": "a" * 40 + "!"}) == []  # matched, it would not come back


async def test_C22_a_replaced_program_waits_for_another_look(mcp: McpService, tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_bytes(EVIL.read_bytes())
    id = await agreed(mcp, evil(script=script))
    await mcp.stop(id)
    script.write_bytes(EVIL.read_bytes() + b"\n")
    assert (await mcp.start(id)).state == "review"
    marks = {line.mark for line in (await mcp.reviews.review(id)).lines if line.label == "file"}
    assert marks == {"", "new", "gone"}
    await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
    assert (await mcp.start(id)).state == "running"  # its tools are those that were accepted


async def test_a_changed_command_waits_for_another_look_and_a_changed_name_does_not(mcp: McpService) -> None:
    id = await agreed(mcp, evil())
    form = mcp.form(id)
    await mcp.save_server(McpServerForm(id=id, name="Other name", command=form.command, args=form.args, timeout=5))
    assert mcp.server(id).state == "running"
    await mcp.save_server(McpServerForm(id=id, name="Other name", command=form.command, args=(*form.args, "-v")))
    assert mcp.server(id).state == "review"
    marks = [line for line in (await mcp.reviews.review(id)).lines if line.mark]
    assert [(line.label, line.value, line.mark) for line in marks] == [("argument", "-v", "new")]


async def test_an_approval_does_not_survive_a_change_of_the_server(services: Services, mcp: McpService) -> None:
    from app.agent.policy.permission import call_hash

    id = await agreed(mcp, evil("rug"))
    before = call_hash((await services.tools.for_agent(agent(id)))["rug__echo"], {"text": "a"})
    await mcp.restart(id)
    await services.settings.save_profile(agent(id))
    await services.tools.call("rug__echo", {"text": "a"}, "tester")
    await services.tools.call("rug__echo", {"text": "b"}, "tester")
    await mcp.reviews.accept_tools(id, mcp.reviews.tools(id).digest)
    assert call_hash((await services.tools.for_agent(agent(id)))["rug__echo"], {"text": "a"}) != before


@pytest.mark.parametrize("where", ["server", "consent", "both"])
async def test_T23_a_file_that_was_edited_agrees_to_nothing(tmp_path: Path, where: str) -> None:
    first = build(tmp_path / "data", {})
    await first.open()
    id = await agreed(first.mcp, evil())
    await first.close()
    server, consents = tmp_path / "data" / "mcp" / f"{id}.toml", tmp_path / "data" / "mcp-consents.json"
    if where in ("server", "both"):
        server.write_text(server.read_text("utf-8").replace("Says it again", "Obey it"), "utf-8")
    if where in ("consent", "both"):
        consents.write_text(consents.read_text("utf-8").replace('"start": "', '"start": "0'), "utf-8")
    second = build(tmp_path / "data", {})
    await second.open()
    try:
        assert second.mcp.server(id).state == "review"
        assert await second.tools.for_agent(agent(id)) == {}
        assert "mcp_reset" in [notice.code for notice in second.settings.notices()]
        await second.mcp.reviews.accept_start(id, (await second.mcp.reviews.review(id)).fingerprint)
        assert (await second.mcp.start(id)).state == "tools"
    finally:
        await second.close()


# ---------------------------------------------------------------- secrets


async def test_secret_values_are_in_no_file_and_reach_the_server(services: Services, mcp: McpService) -> None:
    id = await agreed(mcp, evil("environment", env={"TOKEN": CANARY}))
    await services.settings.save_profile(agent(id))
    told = await services.tools.call("environment__echo", {}, "tester")
    assert json.loads(told.data)["TOKEN"] == CANARY
    for file in services.data_dir.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert b"canary" not in data, file
    assert mcp.form(id).env == {"TOKEN": None}
    assert CANARY not in repr(mcp.form(id))


async def test_another_program_does_not_inherit_a_secret(mcp: McpService, tmp_path: Path) -> None:
    id = await mcp.save_server(evil(env={"TOKEN": CANARY}))
    assert (await mcp.reviews.review(id)).missing == ()
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\n", "ascii")
    other.chmod(0o755)
    await mcp.save_server(McpServerForm(id=id, name="x", command=str(other), env={"TOKEN": None}))
    assert (await mcp.reviews.review(id)).missing == ("TOKEN",)


async def test_values_nobody_can_read_any_more_are_removed_from_the_machine(
    mcp: McpService, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store, removed = mcp._secrets._store, []

    async def delete(label: str, origin: str) -> None:
        removed.append(label)

    monkeypatch.setattr(store, "delete", delete)
    id = await mcp.save_server(evil(env={"TOKEN": CANARY, "OTHER": CANARY}))
    form = mcp.form(id)
    await mcp.save_server(replace(form, name="another name"))
    assert removed == []
    await mcp.save_server(replace(form, env={"TOKEN": None}))
    assert removed == [f"mcp.{id}.env.OTHER"]
    removed.clear()
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n", "utf-8")
    await mcp.save_server(replace(form, command=str(program), env={"TOKEN": None}))
    assert removed == [f"mcp.{id}.env.TOKEN"]


async def test_a_missing_value_is_said_and_nothing_starts(mcp: McpService) -> None:
    id = await mcp.save_server(evil(env={"TOKEN": None}))
    await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
    entry = await mcp.start(id)
    assert (entry.state, entry.code) == ("failed", "secret")
    assert "TOKEN" in entry.why


async def test_a_server_without_tools_has_nothing_to_accept(services: Services, mcp: McpService) -> None:
    id = await mcp.save_server(evil("none"))
    await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
    assert (await mcp.start(id)).state == "running"
    assert await services.tools.for_agent(agent(id)) == {}


async def test_a_server_in_the_network_without_encryption_wears_a_badge(mcp: McpService) -> None:
    near = await mcp.save_server(McpServerForm(name="near", transport="http", url="http://127.0.0.1:9/mcp"))
    home = await mcp.save_server(McpServerForm(name="home", transport="http", url="http://192.168.1.9/mcp"))
    assert (mcp.server(near).is_plain_http, mcp.server(home).is_plain_http) == (False, True)
    assert (await mcp.reviews.review(home)).is_plain_http


async def test_in_safe_mode_nothing_starts_and_nothing_is_lost(tmp_path: Path) -> None:
    first = build(tmp_path / "data", {})
    await first.open()
    id = await agreed(first.mcp, evil())
    await first.close()
    safe = build(tmp_path / "data", {}, safe_mode=True)
    await safe.open()
    try:
        assert await safe.tools.for_agent(agent(id)) == {}
        assert (await safe.mcp.start(id)).code == "safe_mode"
    finally:
        await safe.close()
    usual = build(tmp_path / "data", {})
    await usual.open()
    assert list(await usual.tools.for_agent(agent(id))) == ["good__echo"]
    await usual.close()


async def test_deleting_takes_the_server_its_file_and_its_secrets(services: Services, mcp: McpService) -> None:
    id = await agreed(mcp, evil(env={"TOKEN": CANARY}))
    await mcp.delete_server(id)
    assert mcp.servers() == []
    assert list((services.data_dir / "mcp").glob("*.toml")) == []
    with pytest.raises(UnknownName):
        mcp.server(id)
    again = await mcp.save_server(evil(env={"TOKEN": None}))
    assert again == id
    assert (await mcp.reviews.review(again)).missing == ("TOKEN",)


# ---------------------------------------------------------------- pasted


async def test_pasted_servers_are_disabled_and_their_values_are_secrets(services: Services, mcp: McpService) -> None:
    text = json.dumps(
        {
            "mcpServers": {
                "My Time": {"command": sys.executable, "args": [str(EVIL)], "env": {"K": CANARY}, "disabled": False}
            }
        }
    )
    ids = await mcp.pasting.add_pasted(mcp.pasting.read_paste(text).servers)
    assert ids == ["my-time"]
    assert not mcp.server("my-time").enabled
    assert b"canary" not in (services.data_dir / "mcp" / "my-time.toml").read_bytes()


async def test_what_a_text_left_open_is_never_started(services: Services, mcp: McpService) -> None:
    text = json.dumps({"mcpServers": {"x": {"command": sys.executable, "args": [str(EVIL), "${input:mode}"]}}})
    [id] = await mcp.pasting.add_pasted(mcp.pasting.read_paste(text).servers)
    review = await mcp.reviews.review(id)
    assert review.missing == ("${input:mode}",)
    with pytest.raises(BadInput, match=r"\$\{input:mode\}"):
        await mcp.reviews.accept_start(id, review.fingerprint)
    assert not mcp.server(id).enabled
    form = mcp.form(id)
    await mcp.save_server(replace(form, args=(str(EVIL), "good")))
    review = await mcp.reviews.review(id)
    assert review.missing == ()
    await mcp.reviews.accept_start(id, review.fingerprint)
    assert (await mcp.start(id)).state == "tools"


async def test_an_argument_gets_its_variable_only_when_it_starts(
    services: Services, mcp: McpService, tmp_path: Path
) -> None:
    script, seen = tmp_path / "server.py", tmp_path / "seen"
    script.write_text("import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(' '.join(sys.argv[2:]))", "ascii")
    args = [str(script), str(seen), "--key=${KEY}", "$KEY", "$KEYS", "${env:KEY}", "{env:KEYS}", "${KEYS:-none}"]
    entry = {"command": sys.executable, "args": args, "env": {"KEY": CANARY, "KEYS": "<keys>"}}
    [server] = mcp.pasting.read_paste(json.dumps({"mcpServers": {"x": entry}})).servers
    [id] = await mcp.pasting.add_pasted([server.filled({"KEYS": "$KEY"})])
    review = await mcp.reviews.review(id)
    lines = [(line.label, line.value) for line in review.lines]
    assert ("argument", "--key=${KEY}") in lines
    assert ("variable", "KEY = ${KEY}") in lines
    assert b"canary" not in (services.data_dir / "mcp" / f"{id}.toml").read_bytes()
    await mcp.reviews.accept_start(id, review.fingerprint)
    await mcp.start(id)
    assert seen.read_text("ascii") == f"--key={CANARY} {CANARY} $KEY {CANARY} $KEY $KEY"


# ---------------------------------------------------------------- the rest of the program


async def test_a_dead_server_never_takes_the_run_down(services: Services, mcp: McpService, answers: Put) -> None:
    id = await agreed(mcp, evil("die"))
    await services.settings.save_profile(agent(id))
    answers(scripted(call("die__echo", text="a"), call("die__echo", text="b"), says("I could not ask it.")))
    session = await services.sessions.create("tester")
    run = await services.chat.send(session.id, "go", "react", options=RunOptions(approve="all"))
    lines = await finish(run)
    assert isinstance(lines[-1].event, LoopEnd)
    results = [line.event for line in lines if isinstance(line.event, ToolReturned)]
    assert [result.ok for result in results] == [False, False]
    assert "exit code 3" in results[0].text


def test_the_sdk_is_not_imported_without_a_server(tmp_path: Path) -> None:
    body = (
        "import asyncio, sys\nfrom app.compose import build\n"
        f"async def main():\n    s = build({str(tmp_path / 'd')!r}, {{}})\n    await s.open()\n    s.mcp.servers()\n"
        "    s.tools.all_tools()\n    await s.close()\nasyncio.run(main())\n"
        "assert 'mcp' not in sys.modules, 'mcp was imported'\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", body], cwd=root, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
