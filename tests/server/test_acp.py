"""`triptych acp` as editors use it: the client of the kept SDK, over memory, and once over a real process."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from acp import PROTOCOL_VERSION, connect_to_agent, spawn_agent_process, text_block
from acp._transport import memory_transport_pair
from acp.core import AgentSideConnection
from acp.exceptions import RequestError
from acp.helpers import audio_block, embedded_text_resource, image_block, resource_block, resource_link_block
from acp.schema import (
    AcceptElicitationResponse,
    AllowedOutcome,
    ClientCapabilities,
    CreateElicitationResponse,
    DeclineElicitationResponse,
    DeniedOutcome,
    ElicitationCapabilities,
    ElicitationFormCapabilities,
    FileSystemCapabilities,
    McpServerStdio,
    ReadTextFileResponse,
    RequestPermissionResponse,
)

from app.compose import build
from app.core.profile import Budget
from app.core.system.json_lines import MOST_DAMAGED, JsonLines
from app.server.acp.agent import EditorAgent
from app.server.acp.parts import AcpParts
from app.server.acp.stdio import serve
from app.services.container import Services

from .conftest import until

ROOT = Path(__file__).resolve().parents[2]
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


class Editor:
    """What an editor does: it keeps the updates, and answers what it is asked."""

    def __init__(self) -> None:
        self.updates: list[Any] = []
        self.asked: list[Any] = []
        self.choices: list[str] = []
        """Option ids, one for each question; then the request is cancelled."""
        self.forms: list[Any] = []
        """What was asked in a form: the text, and the values that are offered."""
        self.typed: list[str] = []
        """Answers to forms; then they are cancelled."""

    def on_connect(self, conn: object) -> None:
        pass

    async def session_update(self, session_id: str, update: Any, **_more: Any) -> None:
        self.updates.append(update)

    async def request_permission(self, session_id: str, tool_call: Any, options: Any, **_more: Any) -> Any:
        self.asked.append((tool_call, {one.option_id: one.kind for one in options}))
        if not self.choices:
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        chosen = AllowedOutcome(outcome="selected", option_id=self.choices.pop(0))
        return RequestPermissionResponse(outcome=chosen)

    async def create_elicitation(self, message: str, mode: Any, **_more: Any) -> CreateElicitationResponse:
        self.forms.append((message, mode.requested_schema.properties["answer"].enum))
        if not self.typed:
            return DeclineElicitationResponse(action="decline")
        return AcceptElicitationResponse(action="accept", content={"answer": self.typed.pop(0)})

    async def read_text_file(self, session_id: str, path: str, **_more: Any) -> ReadTextFileResponse:
        return ReadTextFileResponse(content=f"unsaved text of {path}")

    def text(self, kind: str = "agent_message_chunk") -> str:
        return "".join(one.content.text for one in self.updates if one.session_update == kind)

    def kinds(self) -> list[str]:
        return [one.session_update for one in self.updates]


class Desk:
    """An editor connected to the agents of some services."""

    def __init__(self, services: Services, folder: Path, editor: Editor, agent: Any, served: EditorAgent) -> None:
        self.services, self.folder, self.editor, self.agent, self.served = services, folder, editor, agent, served

    def plays(self, *turns: dict[str, Any]) -> None:
        path = self.folder / f"script{len(list(self.folder.glob('script*')))}.json"
        path.write_text(json.dumps({"turns": turns}), "utf-8")
        self.services.models._wanted = f"script/{path.as_posix()}"

    async def open(self, mode: str = "react", servers: list[Any] | None = None) -> str:
        made = await self.agent.new_session(cwd=str(self.folder / "project"), mcp_servers=servers or [])
        await self.agent.set_session_mode(session_id=made.session_id, mode_id=mode)
        return str(made.session_id)

    async def prompt(self, session: str, *blocks: Any) -> str:
        self.editor.updates.clear()
        content = [text_block(one) if isinstance(one, str) else one for one in blocks]
        return str((await self.agent.prompt(session_id=session, prompt=content)).stop_reason)


def _parts(services: Services) -> AcpParts:
    return AcpParts(
        services.settings, services.sessions, services.chat, services.tools, services.grants, services.attachments,
        services.workspace,
    )  # fmt: skip


@asynccontextmanager
async def connected(services: Services, folder: Path, agent: str) -> AsyncIterator[Desk]:
    editor, (ours, theirs) = Editor(), memory_transport_pair()
    served = EditorAgent(_parts(services), agent)
    serving = AgentSideConnection(served, ours)  # type: ignore[arg-type]
    client = connect_to_agent(editor, theirs, use_unstable_protocol=True)  # type: ignore[arg-type]
    can = ClientCapabilities(fs=FileSystemCapabilities(read_text_file=True, write_text_file=False))
    await client.initialize(PROTOCOL_VERSION, client_capabilities=can)
    try:
        yield Desk(services, folder, editor, client, served)
    finally:
        await served.close()
        await client.close()
        await serving.close()


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    (tmp_path / "project").mkdir()
    services = build(tmp_path / "data", {})
    await services.open()
    async with connected(services, tmp_path, "workspace") as one:
        one.plays({"content": "yes"})
        yield one
    await services.close()


WRITE = {"tool_calls": [{"name": "write_file", "arguments": {"path": "b.txt", "content": "hello\n"}}]}


async def test_a_change_is_asked_with_its_difference_and_shown_as_it_goes(desk: Desk) -> None:
    desk.plays({"reasoning": "let me see", **WRITE}, {"content": "I wrote it."})
    session = await desk.open()
    desk.editor.choices = ["once"]
    assert await desk.prompt(session, "write b.txt") == "end_turn"
    path = desk.folder / "project" / "b.txt"
    assert path.read_text("utf-8") == "hello\n"
    (call, ways) = desk.editor.asked[0]
    assert call.kind == "edit"
    assert [one.path for one in call.locations] == [str(path)]
    assert (call.content[0].type, call.content[0].new_text, call.content[0].old_text) == ("diff", "hello\n", None)
    assert ways == {"once": "allow_once", "run": "allow_always", "always": "allow_always", "deny": "reject_once"}
    assert (desk.editor.text("agent_thought_chunk"), desk.editor.text()) == ("let me see", "I wrote it.")
    states = [one.status for one in desk.editor.updates if one.session_update.startswith("tool_call")]
    assert (states[0], states[-1], states.count("completed")) == ("pending", "completed", 1)
    row = await desk.services.sessions.row(session)
    assert (row.agent, row.mode, row.title) == ("workspace", "react", "write b.txt")


async def test_each_answer_of_the_editor_means_ours(desk: Desk) -> None:
    desk.plays(WRITE, {"content": "done"})
    path = desk.folder / "project" / "b.txt"
    cases = [("deny", False), ("", False), ("unheard of", False), ("once", True), ("always", True), ("silent", True)]
    for choice, is_written in cases:
        path.unlink(missing_ok=True)
        desk.editor.asked.clear()
        desk.editor.choices = [choice] if choice not in ("", "silent") else []
        assert await desk.prompt(await desk.open(), "write b.txt") == "end_turn", choice
        assert path.exists() == is_written, choice
        assert len(desk.editor.asked) == (choice != "silent"), choice
    grants = desk.services.grants.grants()
    assert [(one.agent, one.tool) for one in grants] == [("workspace", "write_file")]


async def test_a_question_ends_the_prompt_and_the_next_prompt_answers_it(desk: Desk) -> None:
    ask = {"tool_calls": [{"name": "ask_user", "arguments": {"question": "Which?", "options": ["red", "blue"]}}]}
    desk.plays(ask, {"content": "As you like."})
    session = await desk.open()
    await desk.agent.set_config_option(session_id=session, config_id="agent", value="assistant")
    assert await desk.prompt(session, "paint it") == "end_turn"
    assert desk.editor.text().strip() == "Which?\n1. red\n2. blue"
    run = desk.services.chat.running(session)
    assert run is not None
    assert await desk.prompt(session, "2") == "end_turn"
    assert desk.editor.text().endswith("As you like.")
    answers = [one.event.text for one in [s async for s in run.events()] if one.event.type == "answer"]  # type: ignore[union-attr]
    assert answers == ["blue"]


async def test_an_editor_with_forms_is_asked_in_one_and_a_used_up_budget_is_raised_there(desk: Desk) -> None:
    ask = {"tool_calls": [{"name": "ask_user", "arguments": {"question": "Which?", "options": ["red", "blue"]}}]}
    forms = ElicitationCapabilities(form=ElicitationFormCapabilities())
    await desk.agent.initialize(PROTOCOL_VERSION, client_capabilities=ClientCapabilities(elicitation=forms))
    wanted = {"blue": "blue", "": ""}
    for typed, answer in wanted.items():
        desk.plays(ask, {"content": "As you like."})
        session = await desk.open()
        await desk.agent.set_config_option(session_id=session, config_id="agent", value="assistant")
        desk.editor.typed = [typed] if typed else []
        assert await desk.prompt(session, "paint it") == "end_turn", typed
        assert desk.editor.forms.pop() == ("Which?", ["red", "blue"])
        assert desk.editor.text().endswith("As you like."), typed
        (call,) = [one for one in desk.editor.updates if one.session_update == "tool_call"]
        shown = json.dumps([str(one) for one in desk.editor.updates])
        assert call.tool_call_id, typed
        assert answer in shown, typed

    count = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}
    again = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "1+1"}}]}
    profile = desk.services.settings.profile("assistant")
    budget = profile.model_copy(update={"budget": Budget(tool_calls=1)})
    await desk.services.settings.save_profile(budget)
    for choice, calls in (("once", 2), ("deny", 1)):
        desk.plays(count, again, {"content": "It is 42."})
        session = await desk.open()
        await desk.agent.set_config_option(session_id=session, config_id="agent", value="assistant")
        desk.editor.asked.clear()
        desk.editor.choices = [choice] * 2
        assert await desk.prompt(session, "count") == "end_turn", choice
        card, ways = desk.editor.asked[0]
        assert card.tool_call_id.startswith("budget"), choice
        assert list(ways) == ["once", "deny"], choice
        done = [one for one in desk.editor.updates if getattr(one, "status", "") == "completed"]
        assert len({one.tool_call_id for one in done}) == calls, choice


async def test_cancelling_stops_the_run_and_a_failure_is_a_sentence(desk: Desk) -> None:
    desk.plays({"content": "a long story " * 50, "delay": 0.5})
    session = await desk.open()
    prompt = asyncio.create_task(desk.prompt(session, "tell"))
    await until(desk.editor.text, "text")
    with pytest.raises(RequestError, match="still"):
        await desk.agent.prompt(session_id=session, prompt=[text_block("another")])
    await desk.agent.cancel(session_id=session)
    assert await prompt == "cancelled"
    assert desk.services.chat.running(session) is None
    desk.plays({"raise": "401"})
    with pytest.raises(RequestError) as failed:
        await desk.prompt(session, "again")
    assert (failed.value.data or {})["code"] == "AUTH"
    assert len(str(failed.value)) > 20
    desk.plays({"content": "cut", "finish": "length"})
    assert await desk.prompt(session, "once more") == "max_tokens"


async def test_what_is_sent_with_a_prompt_reaches_the_question(desk: Desk) -> None:
    session = await desk.open("direct")
    link = resource_link_block("notes.md", "file:///x/notes.md")
    resource = resource_block(embedded_text_resource("file:///x/main.py", "print(1)"))
    await desk.prompt(session, "look at ", link, image_block(PICTURE, "image/png"), resource)
    (question, _answer) = await desk.services.sessions.messages(session)
    files = {part.name: part for part in question.parts if part.__class__.__name__ == "Attachment"}  # type: ignore[union-attr]
    assert files["notes.md"].text == "unsaved text of /x/notes.md"  # type: ignore[union-attr]
    assert files["main.py"].text == "print(1)"  # type: ignore[union-attr]
    assert any(file.is_image for file in files.values())  # type: ignore[union-attr]
    data = base64.b64encode(b"x").decode()
    for block in (audio_block(data, "audio/wav"), image_block("%%%", "image/png"), image_block(data, "image/png")):
        with pytest.raises(RequestError) as refused:
            await desk.prompt(session, "x", block)
        assert refused.value.code == -32602
    with pytest.raises(RequestError):
        await desk.prompt(session, "   ")
    assert len(await desk.services.sessions.messages(session)) == 2


async def test_a_plan_is_shown_waited_for_and_followed(desk: Desk) -> None:
    steps = [{"step": 1, "action": "calculator", "params": {"expression": "6*7"}, "description": "reckon"}]
    desk.plays({"content": json.dumps({"goal": "know", "steps": steps})}, {"content": "It is 42."})
    session = await desk.open("plan")
    await desk.agent.set_config_option(session_id=session, config_id="agent", value="assistant")
    profile = desk.services.settings.profile("assistant").model_copy(update={"plan_review": "always"})
    await desk.services.settings.save_profile(profile)
    desk.editor.choices = ["once"]
    assert await desk.prompt(session, "plan it") == "end_turn"
    assert [call.kind for call, _ways in desk.editor.asked] == ["switch_mode"]
    plans = [[entry.status for entry in one.entries] for one in desk.editor.updates if one.session_update == "plan"]
    assert (plans[0], plans[-1]) == (["pending"], ["completed"])
    assert desk.editor.text().endswith("It is 42.")
    desk.editor.choices = ["deny"]
    assert await desk.prompt(session, "plan it") == "cancelled"


async def test_sessions_are_loaded_again_and_wrong_names_refused(desk: Desk) -> None:
    desk.plays({"reasoning": "hm", "content": "Hello."})
    server = McpServerStdio(name="files", command="x", args=[], env=[])
    session = await desk.open("direct", [server])
    await desk.prompt(session, "hi")
    assert "files" in desk.editor.text("agent_thought_chunk")
    desk.editor.updates.clear()
    async with connected(desk.services, desk.folder, "") as other:
        listed = await other.agent.list_sessions(cwd=str(desk.folder / "project"))
        assert [one.session_id for one in listed.sessions] == [session]
        assert not (await other.agent.list_sessions(cwd="/nowhere")).sessions
        loaded = await other.agent.load_session(cwd=str(desk.folder / "project"), session_id=session)
        assert loaded.modes.current_mode_id == "direct"
        assert other.editor.text("user_message_chunk") == "hi"
        assert (other.editor.text("agent_thought_chunk"), other.editor.text()) == ("hm", "Hello.")
        assert await other.prompt(session, "and?") == "end_turn"
        refused = [
            other.agent.load_session(cwd=str(desk.folder), session_id="none"),
            other.agent.new_session(cwd="relative"),
            other.agent.set_session_mode(session_id=session, mode_id="dance"),
            other.agent.set_config_option(session_id=session, config_id="agent", value="nobody"),
            other.agent.set_config_option(session_id=session, config_id="colour", value="red"),
            other.agent.prompt(session_id="none", prompt=[text_block("x")]),
        ]
        outcomes = await asyncio.gather(*refused, return_exceptions=True)
        assert [type(one) for one in outcomes] == [RequestError] * len(refused), outcomes


async def test_noise_is_survived_and_a_dropped_editor_stops_its_run(desk: Desk) -> None:
    """The bytes themselves, over a pair of sockets in place of standard streams."""
    desk.plays({"content": "word " * 400, "delay": 0.5})
    left, right = socket.socketpair()
    serving = asyncio.create_task(serve(_parts(desk.services), JsonLines(*await asyncio.open_connection(sock=left))))
    reader, writer = await asyncio.open_connection(sock=right)

    async def ask(id: int, method: str, params: dict[str, Any]) -> Any:
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        writer.write(json.dumps(message).encode() + b"\n")
        while True:
            reply = json.loads(await reader.readline())
            if reply.get("id") == id:
                return reply

    for noise in (
        b"{broken\n",
        b"[1, 2]\n",
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        b'{"a":' * 99 + b"1" + b"}" * 99 + b"\n",
    ):
        writer.write(noise)
    codes = [json.loads(await reader.readline())["error"]["code"] for _ in range(5)]
    assert codes == [-32700, -32600, -32700, -32700, -32600]
    assert (await ask(1, "initialize", {"protocolVersion": 1}))["result"]["protocolVersion"] == 1
    assert (await ask(2, "no/such", {}))["error"]["code"] == -32601
    assert (await ask(3, "session/new", {"cwd": 7}))["error"]["code"] == -32602
    made = (await ask(4, "session/new", {"cwd": str(desk.folder), "mcpServers": []}))["result"]
    prompt = {"sessionId": made["sessionId"], "prompt": [{"type": "text", "text": "tell"}]}
    message = {"jsonrpc": "2.0", "id": 5, "method": "session/prompt", "params": prompt}
    writer.write(json.dumps(message).encode() + b"\n")
    while b"agent_message_chunk" not in await reader.readline():
        pass
    writer.close()
    await serving
    await desk.services.chat.recorded()
    (run,) = await desk.services.runs.rows(made["sessionId"])
    end = (await desk.services.runs.events(run.id))[-1].event
    assert (end.type, getattr(end, "reason", "")) == ("loop_error", "cancelled")


@pytest.mark.soak
async def test_the_command_answers_and_ends_with_its_editor(tmp_path: Path) -> None:
    environment = {**os.environ, "TRIPTYCH_DATA_DIR": str(tmp_path / "data"), "TRIPTYCH_MODEL": "offline/rules"}
    editor = Editor()
    command = (sys.executable, "-m", "app", "acp", "--agent", "travel")
    async with spawn_agent_process(editor, *command, env=environment, cwd=ROOT) as (agent, process):  # type: ignore[arg-type]
        await agent.initialize(PROTOCOL_VERSION)
        session = await agent.new_session(cwd=str(tmp_path))
        reply = await agent.prompt(session_id=session.session_id, prompt=[text_block("How far is it to Rome?")])
        assert reply.stop_reason == "end_turn"
        assert editor.text().strip()
    assert process.returncode == 0


async def test_more_noise_than_that_is_read_no_further() -> None:
    class Writer:
        sent = 0

        def write(self, _data: bytes) -> None:
            self.sent += 1

        async def drain(self) -> None:
            pass

        def close(self) -> None:
            pass

    for data, words in ((b"noise\n" * (MOST_DAMAGED + 5), "lines"), (b"x" * 3_000, "longer"), (b"{}\n{}", "")):
        reader, writer = asyncio.StreamReader(), Writer()
        reader.feed_data(data)
        reader.feed_eof()
        lines = JsonLines(reader, writer, longest=2_000)
        while await lines.receive() is not None:
            pass
        assert words in lines.why if words else not lines.why, data[:10]
        assert writer.sent <= MOST_DAMAGED
