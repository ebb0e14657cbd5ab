"""An agent of another program as an agent of ours: what it sends is shown, what it asks for is decided here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.core.acp_program import OWN

from .conftest import END, Bench, kinds, of, option, text


def call(id: str, status: str, **more: Any) -> dict[str, Any]:
    return {"update": {"sessionUpdate": "tool_call", "toolCallId": id, "title": "T", "status": status, **more}}


def changed(id: str, status: str, **more: Any) -> dict[str, Any]:
    return {"update": {"sessionUpdate": "tool_call_update", "toolCallId": id, "status": status, **more}}


async def test_what_an_agent_sends_is_the_events_of_a_run(bench: Bench) -> None:
    entries = [{"content": "look", "priority": "high", "status": "in_progress"}]
    diff = {"type": "diff", "path": "a.txt", "oldText": "one\ntwo\n", "newText": "one\n2\n"}
    session = await bench.play([
        text("let me see", "agent_thought_chunk"),
        {"update": {"sessionUpdate": "plan", "entries": entries}},
        text("I shall look. "),
        call("t1", "pending", kind="edit", rawInput={"file": "a.txt"}, locations=[{"path": "a.txt"}]),
        changed("t1", "in_progress"),
        changed("t1", "completed", content=[diff]),
        text("Done"), text(" now."), END,
    ])  # fmt: skip
    events = await bench.ask(session, "change it")
    start, end = events[0], events[-1]
    assert (start.agent, start.mode, start.model) == (bench.agent, "acp", f"acp/{bench.agent}")
    assert (end.type, end.answer, end.stop_reason, end.thinking) == ("loop_end", "Done now.", "answered", "let me see")
    assert end.tools == ("acp_edit",)
    assert [[(one.description, one.status) for one in plan.steps] for plan in of(events, "plan")] == [
        [("look", "running")]
    ]
    (called,), (result,) = of(events, "tool_call"), of(events, "tool_result")
    assert (called.name, called.args["paths"], called.args["input"]) == ("acp_edit", ["a.txt"], {"file": "a.txt"})
    assert result.display["payload"]["hunks"][0]["new"] == "one\n2\n"
    assert of(events, "token")[0].step < of(events, "token")[-1].step
    assert kinds(events).count("step_start") == kinds(events).count("step_end") == 2
    (_question, answer) = await bench.services.sessions.messages(session)
    assert (answer.answer, answer.state) == ("Done now.", "complete")


async def test_its_permission_questions_are_answered_by_the_person_and_by_the_folder(bench: Bench) -> None:
    def asks(kind: str, path: str) -> dict[str, Any]:
        wanted = {
            "toolCallId": f"{kind} {path}",
            "title": f"{kind} {path}",
            "kind": kind,
            "locations": [{"path": path}],
        }
        return {"ask": "session/request_permission", "params": {"toolCall": wanted}, "tell": True}

    turn = [asks("edit", "a.txt"), asks("edit", "b.txt"), asks("execute", "."), asks("read", "a.txt"),
            asks("edit", "../../etc/passwd"), asks("read", "/etc/passwd"), END]  # fmt: skip
    session = await bench.play(turn)
    events = await bench.ask(session, answers="once deny once")
    said = "".join(token.text for token in of(events, "token"))
    chosen = [part.split('"')[0] for part in said.split('"optionId": "')[1:]]
    assert chosen == ["yes", "no", "yes", "yes", "no", "no"]
    approvals = of(events, "approval")
    assert [one.name for one in approvals] == ["acp_edit", "acp_edit", "acp_execute"]
    assert approvals[2].choices == ("once", "deny")
    assert [one.params["path"] for one in of(events, "notice") if one.code == "agent_outside"] == [
        "../../etc/passwd", "/etc/passwd",
    ]  # fmt: skip
    events = await bench.ask(await bench.play(turn), approve="none", interactive=False)
    said = "".join(token.text for token in of(events, "token"))
    assert [part.split('"')[0] for part in said.split('"optionId": "')[1:]] == ["no", "no", "no", "yes", "no", "no"]


async def test_files_and_programs_it_asks_for_are_ours_to_give(bench: Bench) -> None:
    project = bench.folder / "project"
    project.mkdir()
    (project / "a.txt").write_text("one\ntwo\nthree\n", "utf-8")
    outside = bench.folder / "secret.txt"
    outside.write_text("mine", "utf-8")
    (project / "link").symlink_to(outside)

    def fs(method: str, **params: Any) -> dict[str, Any]:
        return {"ask": method, "params": params, "tell": True}

    read = "fs/read_text_file"
    session = await bench.play([
        fs(read, path=str(project / "a.txt"), line=2, limit=1),
        fs(read, path=str(outside)), fs(read, path=str(project / "link")), fs(read, path=7),
        fs("fs/write_text_file", path=str(project / "new" / "b.txt"), content="made\n"),
        fs("fs/write_text_file", path=str(project / "a.txt"), content="no\n"),
        fs("terminal/create", command="echo hello && exit 3"),
        fs("terminal/wait_for_exit", terminalId="terminal 1"),
        fs("terminal/output", terminalId="terminal 1"),
        fs("terminal/output", terminalId="terminal 9"), fs("terminal/unknown"), fs("fs/delete"), fs("mcp/connect"),
        END,
    ])  # fmt: skip
    events = await bench.ask(session, answers="once deny once")
    said = "".join(token.text for token in of(events, "token"))
    assert '{"content": "two\\n"}' in said
    assert "mine" not in said
    assert (project / "new" / "b.txt").read_text("utf-8") == "made\n"
    assert (project / "a.txt").read_text("utf-8") == "one\ntwo\nthree\n"
    assert '{"exitCode": 3}' in said
    assert "hello" in said
    assert said.count('"code": -32601') == 2
    previews = [one.preview["payload"]["path"] for one in of(events, "approval") if one.name == "acp_write_file"]
    assert previews == ["new/b.txt", "a.txt"]
    assert events[-1].type == "loop_end"


async def test_files_are_not_offered_where_no_folder_is_picked_and_the_run_says_where_it_works(bench: Bench) -> None:
    """Some agents write through their client although it has offered nothing."""
    asked = {"ask": "fs/write_text_file", "params": {"path": "b.txt", "content": "made"}, "tell": True}
    read = {"ask": "fs/read_text_file", "params": {"path": "b.txt"}, "tell": True}
    terminal = {"ask": "terminal/create", "params": {"command": "true"}, "tell": True}
    await bench.play([asked, read, terminal, END])
    events = await bench.ask((await bench.services.sessions.create(bench.agent)).id, approve="all")
    said = "".join(token.text for token in of(events, "token"))
    assert said.count('"code": -32601') == 3, said
    assert of(events, "tool_call") == [], "it does such things itself, and nothing failed"
    (notice,) = of(events, "notice")
    own = bench.services.acp_agents.pool.scratch / bench.agent
    assert (notice.code, notice.params["path"]) == ("agent_own_folder", str(own))
    assert events[-1].type == "loop_end"


async def test_what_was_written_for_it_is_undone_by_the_button_of_the_card(bench: Bench) -> None:
    project = bench.folder / "project"
    project.mkdir()
    (project / "a.txt").write_bytes(b"one\r\ntwo\r\n")

    def write(path: Path, content: str) -> dict[str, Any]:
        return {"ask": "fs/write_text_file", "params": {"path": str(path), "content": content}}

    session = await bench.play([
        write(project / "a.txt", "1\n"), write(project / "a.txt", "2\n"),
        write(project / "new" / "b.txt", "made\n"), END,
    ], [write(project / "c.txt", "kept\n"), END])  # fmt: skip
    events = await bench.ask(session, answers="once once once")
    await bench.ask(session, "more", answers="once")
    assert sorted(one.name for one in project.rglob("*")) == ["a.txt", "b.txt", "c.txt", "new"]
    answer = (await bench.services.sessions.messages(session))[1]
    call = of(events, "tool_result")[-1].id
    run = await bench.services.chat.press(session, answer.id, call, "undo")
    assert (await run.result()).type == "loop_end"
    assert (project / "a.txt").read_bytes() == b"one\r\ntwo\r\n"
    assert [one.name for one in project.rglob("*") if one.name != "a.txt"] == ["c.txt"], "of that run alone"


async def test_what_was_allowed_with_its_text_is_written_once_without_another_question(bench: Bench) -> None:
    """As agents do that ask first and then let us write: one approval is one execution."""
    path = str(bench.folder / "project" / "a.txt")
    diff = {"type": "diff", "path": path, "oldText": None, "newText": "new\n"}
    why = {"type": "content", "content": {"type": "text", "text": "why it asks"}}
    wanted = {"toolCallId": "t", "title": path, "kind": "edit", "content": [diff, why], "rawInput": {"filePath": path}}
    write = {"ask": "fs/write_text_file", "params": {"path": path, "content": "new\n"}}
    other = {"ask": "fs/write_text_file", "params": {"path": path, "content": "something else\n"}}
    session = await bench.play(
        [call("t", "pending", rawInput={}), {"ask": "session/request_permission", "params": {"toolCall": wanted}},
         changed("t", "in_progress"), write, changed("t", "completed"), END],
        [{"ask": "session/request_permission", "params": {"toolCall": wanted}}, other, END],
    )  # fmt: skip
    events = await bench.ask(session, answers="once")
    (approval,) = of(events, "approval")
    assert approval.preview["payload"] == {
        "path": path,
        "is_new": True,
        "hunks": [{"id": "0", "old": "", "new": "new\n"}],
    }
    assert of(events, "tool_call")[0].args["input"] == {"filePath": path}
    assert not of(events, "tool_text"), "what a question says is nothing the call has written"
    assert (bench.folder / "project" / "a.txt").read_text("utf-8") == "new\n"
    events = await bench.ask(session, "again", answers="once")
    assert [one.name for one in of(events, "approval")] == ["acp_edit", "acp_write_file"]
    assert (bench.folder / "project" / "a.txt").read_text("utf-8") == "new\n"
    assert [one["method"] for one in bench.heard() if one.get("method") == "initialize"] == ["initialize"]


async def test_nothing_starts_that_nobody_agreed_to(bench: Bench) -> None:
    session = await bench.play([text("Hello."), END], [text("Again."), END], agreed=False)
    refused = await bench.ask(session, approve="none", interactive=False)
    assert (refused[-1].type, refused[-1].error.params["reason"]) == ("loop_error", "ACP_NOT_AGREED")
    assert not list(bench.folder.glob("*.heard"))
    denied = await bench.ask(session)
    assert (of(denied, "approval")[0].name, denied[-1].error.code) == ("acp_start", "AGENT_PROGRAM")
    assert (await bench.ask(session, answers="once"))[-1].answer == "Hello."
    view = await bench.services.acp_agents.view(bench.agent)
    await bench.services.acp_agents.agree(bench.agent, view.lines)
    assert not of(await bench.ask(session), "approval")
    script = max(bench.folder.glob("script*.json"))
    script.write_text("[]", "utf-8")  # a file of it is another one now
    assert not (await bench.services.acp_agents.view(bench.agent)).is_agreed


async def test_the_agent_goes_on_with_its_own_session_or_is_told_what_was_said(bench: Bench) -> None:
    session = await bench.play([text("Hello."), END], [text("Well."), END])
    await bench.ask(session, "hi")
    await bench.ask(session, "how are you?")
    assert [one["method"] for one in bench.heard() if "method" in one] == [
        "initialize", "session/new", "session/prompt", "session/prompt",
    ]  # fmt: skip
    await bench.services.acp_agents.pool.close()
    await bench.ask(session, "and now?")
    heard = [one for one in bench.heard() if "method" in one][4:]
    assert [one["method"] for one in heard] == ["initialize", "session/load", "session/prompt"]
    assert heard[1]["params"]["sessionId"] == "s1"
    (first, *_rest) = await bench.services.sessions.messages(session)
    run = await bench.services.chat.edit(session, first.id, "hello there")
    await run.result()
    last = bench.heard()[-1]
    assert last["params"]["prompt"][0]["text"] == "hello there"
    assert bench.heard()[-2]["method"] == "session/new"


async def test_its_own_modes_and_models_are_offered_chosen_and_set_without_another_start(bench: Bench) -> None:
    modes = [{"id": "ask", "name": "Ask"}, {"id": "code", "name": "Code", "description": "writes"}]
    offers = {
        "modes": {"currentModeId": "ask", "availableModes": modes},
        "configOptions": [option("model", "small", "large"), option("thought_level", "low", "high")],
    }
    session = await bench.play([END], [END], [END], [END], offers=offers)
    agents, sessions = bench.services.acp_agents, bench.services.sessions
    assert agents.offers(bench.agent).modes == (), "it has not run yet"
    first = await bench.ask(session)
    offered = agents.offers(bench.agent)
    assert [(one.id, one.title, one.about) for one in offered.modes] == [("ask", "Ask", ""), ("code", "Code", "writes")]
    assert ([one.id for one in offered.models], offered.mode, offered.model) == (["small", "large"], "ask", "small")
    assert first[0].model == f"acp/{bench.agent}"
    await sessions.update(session, mode=f"{OWN}code", model=f"{OWN}{bench.agent}/large")
    second = await bench.ask(session, "again")
    assert second[0].model == f"acp/{bench.agent}/large"
    await bench.ask(session, "and again")
    await sessions.update(session, mode="", model="")
    await bench.ask(session, "as it was")
    heard = [(one["method"], {**one["params"], "prompt": 0}) for one in bench.heard() if "method" in one][1:]
    sent = [(method, params.get("modeId") or params.get("value")) for method, params in heard]
    assert sent == [
        ("session/new", None), ("session/prompt", None),
        ("session/set_mode", "code"), ("session/set_config_option", "large"), ("session/prompt", None),
        ("session/prompt", None),
        ("session/set_mode", "ask"), ("session/set_config_option", "small"), ("session/prompt", None),
    ]  # fmt: skip
    # What was chosen of it means nothing to another agent.
    await sessions.update(session, agent="assistant", mode=f"{OWN}code", model=f"{OWN}{bench.agent}/large")
    profile = bench.services.settings.profile("assistant")
    row = await sessions.row(session)
    assert not bench.services.models.reference(profile, session=row.model).startswith(OWN)


async def test_modes_that_are_options_and_offers_of_any_size_are_read(bench: Bench) -> None:
    many = [f"m{n}" for n in range(700)]
    wild = {**option("mode", "plan", "act"), "options": [{"group": "g", "name": "G", "options": [
        {"value": "plan", "name": "Pl\u202ean\n" + "x" * 500}, {"value": "act", "name": ""},
        {"value": "act", "name": "2"},
    ]}]}  # fmt: skip
    session = await bench.play([END], [END], offers={"configOptions": [wild, option("model", *many)]})
    await bench.ask(session)
    offered = bench.services.acp_agents.offers(bench.agent)
    assert [one.id for one in offered.modes] == ["plan", "act"]
    assert all(0 < len(one.title) <= 100 and "\u202e" not in one.title for one in offered.modes)
    assert len(offered.models) == 500
    await bench.services.sessions.update(session, mode=f"{OWN}act")
    assert (await bench.ask(session, "again"))[-1].type == "loop_end"
    assert bench.heard()[-2]["params"] == {"sessionId": "s1", "configId": "id of mode", "value": "act"}
