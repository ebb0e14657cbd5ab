"""What stands around a run of a domain with guards and private names: a guard answers instead of a model, and no name
leaves in a request, a helper's request, what the next agent reads, or the arguments of a call that goes out.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from app.agent.modes.action import NO_MODEL, PressedButton, action_mode
from app.agent.policy.privacy import Privacy
from app.agent.run import Run
from app.core.domain import FixedReply, Scrub
from app.core.profile import AgentProfile
from app.core.run.chat_model import AssistantTurn, CallTurn, Finished, ModelRequest, TextDelta, UserTurn
from app.core.run.events import Approval, ToolReturned
from app.core.run.model_call import ModelCall
from app.core.stores import DocumentStore
from app.core.tools.tool import ToolContext, ToolResult, tool
from tests.domains.travel.async_calls import MemoryDocuments
from tests.fakes import MODES_BY_ID, AskedModel, Kit, call, context, end_of, finish, of, run_mode, says, scripted


class Late:
    """Gives everything at the end, as if every piece might go on."""

    def __init__(self) -> None:
        self.text = ""

    def feed(self, piece: str) -> str:
        self.text += piece
        return ""

    def end(self) -> str:
        return self.text.replace("X1", "Leo")


async def leo(_documents: DocumentStore) -> Scrub:
    return Scrub(lambda text: text.replace("Leo", "X1"), Late)


def red_flag(text: str, _profile: AgentProfile) -> FixedReply | None:
    return FixedReply("call a doctor") if "seizure" in text else None


PRIVACY = Privacy((red_flag,), (leo,), MemoryDocuments())


async def test_no_name_is_in_a_request_and_it_comes_back_in_answer_and_arguments() -> None:
    def answer(request: ModelRequest) -> AssistantTurn:
        if len(asked.requests) == 1:
            return AssistantTurn("", calls=(CallTurn("1", "save", '{"text": "X1"}', {"text": "X1"}),))
        return AssistantTurn(f"X1 is kept; {len(request.turns)}")

    asked, kit, notes = AskedModel(answer), Kit(), list[ModelCall]()
    ctx = context(asked, kit.tools, query="a game for Leo", privacy=PRIVACY, settings={"system_prompt": "of Leo"})
    lines = await finish(Run(ctx, MODES_BY_ID["react"]).start())
    notes += ctx.state.model_calls
    assert len(asked.requests) == 2
    assert [one for one in asked.requests if "Leo" in repr(one)] == []
    assert notes
    assert [one for one in notes if "Leo" in one.body or "Leo" in one.response] == []
    assert kit.ran == [("save", {"text": "Leo"})]
    assert end_of(lines).answer.startswith("Leo is kept")


async def test_no_name_is_in_what_a_call_sends_out_and_the_person_sees_what_will_be_sent() -> None:
    kit = Kit()
    mcp = replace(kit.tools["city"], name="mcp_city", permission="mcp", read_only=False)
    tools = {**kit.tools, "mcp_city": mcp}
    script = scripted(call("fetch", host="a.example", path="/Leo"), call("mcp_city", name="Leo"), says("done"))
    settings = {"tools": {"*": "ask"}}
    ctx = context(script, tools, privacy=PRIVACY, settings=settings, interactive=True)
    run = Run(ctx, MODES_BY_ID["react"]).start()
    lines = []
    async for line in run.events():
        lines.append(line)
        if isinstance(line.event, Approval):
            assert "Leo" not in json.dumps(dict(line.event.args))
            # What the person writes into the call is changed as well.
            changed = {"name": "Leo again"} if line.event.name == "mcp_city" else None
            run.approve(line.event.id, "once", args=changed)
    assert kit.ran == [("fetch", {"host": "a.example", "path": "/X1"}), ("city", {"name": "X1 again"})]


async def test_a_helper_and_the_next_agent_keep_the_names_of_their_parent() -> None:
    parent = context(scripted(), privacy=PRIVACY)
    asked = AskedModel(lambda _request: "fine")
    child = parent.child(
        profile=AgentProfile(id="helper"), model=asked, tools={}, query="for Leo", turns=[*parent.state.turns],
        permissions=parent.services.permissions,
    )  # fmt: skip
    child.state.turns[-1] = replace(child.state.turns[-1], text="for Leo")
    await finish(Run(child, MODES_BY_ID["react"]).start())
    assert "X1" in repr(asked.requests)
    assert "Leo" not in repr(asked.requests)
    assert PRIVACY.then(Privacy()) == Privacy((), (leo,), PRIVACY.documents)


async def test_a_guard_answers_in_every_mode_and_no_model_is_asked() -> None:
    faults = []
    for mode in ("direct", "react", "plan", "auto"):
        asked = AskedModel(lambda _request: "a game")
        lines = await run_mode(mode, asked, query="a seizure again", privacy=PRIVACY)
        if asked.requests or end_of(lines).answer != "call a doctor" or of(lines, ToolReturned):
            faults.append((mode, len(asked.requests), end_of(lines).answer))
    assert faults == []


async def test_what_is_written_into_a_form_is_kept_whatever_a_guard_says_to_it() -> None:
    @tool("app.write")
    def save(ctx: ToolContext, text: str) -> ToolResult:
        """Keep it."""
        kept.append(text)
        return ToolResult.success(text, "kept")

    kept: list[str] = []
    button = action_mode(PressedButton("save", {"text": "a seizure"}, "r0", ""), approves=True)
    answers = {}
    for name, privacy in {"review": PRIVACY, "profile": replace(PRIVACY, unguarded=frozenset({"save"}))}.items():
        lines = await finish(Run(context(NO_MODEL, {"save": save}, privacy=privacy), button).start())
        answers[name] = end_of(lines).answer
    assert answers == {"review": "call a doctor\n\nkept", "profile": "kept"}
    assert kept == ["a seizure", "a seizure"]


async def test_a_guard_answers_what_is_said_in_the_middle_and_only_until_it_was_answered() -> None:
    @tool("user")
    def ask_user(ctx: ToolContext, question: str) -> ToolResult:
        """Ask."""
        return ToolResult.success("a seizure today")

    asked = AskedModel(lambda _request: AssistantTurn("", calls=(CallTurn("1", "ask_user", "{}", {"question": "?"}),)))
    lines = await run_mode("react", asked, {"ask_user": ask_user}, query="a game", privacy=PRIVACY)
    assert (len(asked.requests), end_of(lines).answer) == (1, "call a doctor")
    asked = AskedModel(lambda _request: "you are welcome")
    before: list[Any] = [UserTurn("a seizure"), AssistantTurn("call a doctor")]
    lines = await run_mode("react", asked, history=before, query="thank you", privacy=PRIVACY)
    assert (len(asked.requests), end_of(lines).answer) == (1, "you are welcome")


async def test_a_stand_in_cut_in_a_stream_comes_back_whole() -> None:
    class Pieces(AskedModel):
        async def stream(self, request: ModelRequest) -> Any:
            for piece in ("Hello X", "1!"):
                yield TextDelta(piece)
            yield Finished(AssistantTurn("Hello X1!"), "stop")

    lines = await run_mode("direct", Pieces(lambda _request: ""), query="Leo?", privacy=PRIVACY)
    assert end_of(lines).answer == "Hello Leo!"
