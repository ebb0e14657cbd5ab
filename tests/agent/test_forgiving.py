"""Arguments in a whole run: what was mended runs, is shown on the call and in the approval; what cannot be used is
refused at once, whole, in the language of the run, with a right example."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from app.agent.run import Run
from app.core.arguments.hints import Also, Units, Words
from app.core.run.events import Approval, PlanMade, ToolCalled, ToolReturned
from app.core.tools.tool import Tool, ToolContext, ToolResult, tool
from tests.agent.test_executor import approving
from tests.fakes import MODES_BY_ID, call, context, end_of, of, run_mode, says, scripted

RAN: list[dict[str, Any]] = []
Size = Annotated[Literal["small", "large"], Words(small=("小",), large=("大", "big"))]


def planting(args: Mapping[str, Any], language: str) -> str:
    return f"种 {args['count']}" if language == "zh_CN" else f"Plant {args['count']}"


@tool("app.write", example={"kind": "rose", "count": 2}, approval_text=planting)
def plant(
    ctx: ToolContext,
    kind: Annotated[str, Also("flower")],
    count: Annotated[int, Field(ge=1, le=9), Units("株")],
    size: Size = "small",
    day: Annotated[str, Field(json_schema_extra={"format": "date"})] = "",
) -> ToolResult:
    """Plant something."""
    RAN.append({"kind": kind, "count": count, "size": size})
    return ToolResult.success({"planted": count})


TOOLS: dict[str, Tool] = {"plant": plant}
SLOPPY = {"flower": "rose", "count": "三株", "size": "大"}
MEANT = {"kind": "rose", "count": 3, "size": "large"}


async def test_the_mended_form_is_shown_on_the_call_approved_and_run() -> None:
    RAN.clear()
    ctx = context(
        scripted(call("plant", **SLOPPY), says("done")), TOOLS, interactive=True, settings={"tools": {"*": "ask"}}
    )
    lines = await approving(Run(ctx, MODES_BY_ID["react"]).start(), "once")
    called, asked = of(lines, ToolCalled)[0], of(lines, Approval)[0]
    assert called.args == SLOPPY, "the call stands as it was written"
    assert {(note["path"], note["given"], note["taken"]) for note in called.mended} == {
        ("kind", "flower", "kind"),
        ("count", "三株", "3"),
        ("size", "大", "large"),
    }
    assert asked.args == MEANT
    assert asked.text == {"zh_CN": "种 3", "en": "Plant 3"}
    assert [MEANT] == RAN


async def test_every_fault_is_named_at_once_in_the_language_of_the_run_with_what_is_allowed_and_an_example() -> None:
    args = {"count": "三四株", "size": "huge", "day": "12/5", "depth": 3}
    for language, words in (
        ("zh_CN", ("缺少", "整数", "small, large", "日期", "kind, count, size, day")),
        ("en", ("is missing", "a whole number", "small, large", "date", "kind, count, size, day")),
    ):
        lines = await run_mode("react", scripted(call("plant", **args), says("sorry")), TOOLS, language=language)
        error = of(lines, ToolReturned)[0].error
        assert error is not None
        assert error["code"] == "BAD_ARGUMENTS"
        told = error["message"].replace("：", ": ")
        assert all(f"{place}: " in told for place in ("kind", "count", "size", "day", "depth"))
        assert all(word in error["message"] for word in words), error["message"]
        assert '"三四株"' in error["message"], "the value stands beside its type"
        example = json.loads(error["hint"][error["hint"].index("{") :])
        assert plant.check(example) == []
        assert end_of(lines).answer == "sorry"


async def test_the_third_failure_puts_the_example_into_the_next_request() -> None:
    bad = [call("plant", count=n) for n in (10, 11, 12)]
    model = scripted(*bad, says("sorry"))
    await run_mode("react", model, TOOLS)
    described = [request.tools[0].description for request in model.requests if request.tools]
    assert ["rose" in text for text in described] == [False, False, False, True]


async def test_a_plan_is_shown_with_the_arguments_it_will_run_with() -> None:
    RAN.clear()
    step = {"step": 1, "action": "plant", "params": SLOPPY, "description": "plant", "needs": []}
    model = scripted(says(json.dumps({"goal": "roses", "steps": [step]}, ensure_ascii=False)), says("done"))
    lines = await run_mode("plan", model, TOOLS, approve="all")
    assert of(lines, PlanMade)[0].steps[0].params == MEANT
    assert [MEANT] == RAN


async def test_what_protects_stays_exact() -> None:
    for name, args in (
        ("Plant", MEANT),  # another name of a tool
        ("plant", {**MEANT, "flower": "lily"}),  # the same field twice
        ("plant", {**MEANT, "kınd": "lily"}),  # a letter that looks alike
        ("plant", {**MEANT, "count": True}),
        ("plant", {**MEANT, "stray": 1}),  # it writes: nothing is left out
    ):
        RAN.clear()
        lines = await run_mode("react", scripted(call(name, **args), says("no")), TOOLS, approve="all")
        assert RAN == [], (name, args)
        assert not of(lines, ToolReturned)[0].ok
