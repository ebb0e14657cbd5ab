"""The offline rules as a model: plans, tool calls, answers over the real travel tools, and honest limits."""

from __future__ import annotations

import asyncio
import inspect
import json
import tomllib
from collections.abc import Sequence
from contextlib import aclosing
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app.agent.request import prompts
from app.core.domain import OFFLINE_RULES, PROFILES, Domain
from app.core.profile import REPLY_STYLES
from app.core.resources import domain_dir
from app.core.run.chat_model import (
    AssistantTurn,
    CallDelta,
    CallTurn,
    Finished,
    ModelChunk,
    ModelRequest,
    ReasoningDelta,
    ResultTurn,
    SystemTurn,
    TextDelta,
    ToolSpec,
    Turn,
    UserTurn,
)
from app.core.run.plan import Plan, PlanFaults, PlanStep, read_plan
from app.core.tools.tool import Tool, ToolContext, ToolResult
from app.domains.travel import DOMAIN, TOOLS
from app.providers.rules.book import load_book
from app.providers.rules.conversation import read_conversation
from app.providers.rules.intents import RuleBook
from app.providers.rules.model import OfflineRules, offline_model
from tests.domains.travel.async_calls import MemoryDocuments
from tests.fakes import FakeClock

BY_NAME: dict[str, Tool] = {tool.name: tool for tool in TOOLS}
SPECS = tuple(ToolSpec(tool.name, tool.description, tool.parameters) for tool in TOOLS)
NAMES = DOMAIN.names()
MAIN = "帮我规划北京3日游，包括景点和美食"


def rules() -> OfflineRules:
    return OfflineRules(book(), NAMES, pace=0.0, clock=FakeClock(day=date(2026, 11, 21)))


@cache
def book() -> RuleBook:
    """Read once, as in the program."""
    return load_book(domain_dir("travel") / OFFLINE_RULES, DOMAIN.slots)


async def ask(
    turns: Sequence[Turn], *, tools: tuple[ToolSpec, ...] = SPECS, purpose: str = "step"
) -> tuple[AssistantTurn, list[ModelChunk]]:
    """The message, after checking what every stream must keep."""
    chunks = [chunk async for chunk in rules().stream(ModelRequest(turns=turns, tools=tools, purpose=purpose))]
    *before, last = chunks
    assert isinstance(last, Finished)
    assert not any(isinstance(chunk, Finished) for chunk in before)
    assert "".join(c.text for c in before if isinstance(c, TextDelta)) == last.turn.text
    assert "".join(c.text for c in before if isinstance(c, ReasoningDelta)) == last.turn.reasoning
    assert sum(isinstance(c, CallDelta) for c in before) == len(last.turn.calls)
    assert last.finish == ("tool_calls" if last.turn.calls else "stop")
    return last.turn, chunks


async def run_tool(call: CallTurn, *, language: str, world: dict[str, Any] | None = None) -> ResultTurn:
    """`world` are the store and folders of one conversation."""
    tool, args = BY_NAME[call.name], call.args or {}
    assert tool.check(args) == []
    seams: dict[str, Any] = {"documents": MemoryDocuments()} if world is None else world
    outcome = tool.body(ToolContext(language=language, today=date(2026, 11, 21), **seams), args)
    result = await outcome if inspect.isawaitable(outcome) else outcome
    assert isinstance(result, ToolResult)
    return ResultTurn(call.id, call.name, result.summary, not result.ok, result.data)


async def react(
    question: str, *earlier: Turn, language: str = "zh_CN", exports: Path | None = None, system: str = "…"
) -> tuple[list[list[str]], str]:
    """The names of the tools of each batch, and the answer."""
    world: dict[str, Any] = {"documents": MemoryDocuments(), "resources": {"exports": exports} if exports else {}}
    turns: list[Turn] = [SystemTurn(system), *earlier, UserTurn(question)]
    batches: list[list[str]] = []
    for _step in range(6):
        message, _chunks = await ask(turns)
        if not message.calls:
            return batches, message.text
        batches.append([call.name for call in message.calls])
        turns += [message, *[await run_tool(call, language=language, world=world) for call in message.calls]]
    raise AssertionError("no answer after six steps")


# ---------------------------------------------------------------- plans


async def test_the_main_question_becomes_a_valid_plan_over_the_real_tools() -> None:
    message, _chunks = await ask([UserTurn(MAIN), UserTurn(prompts.plan_request(SPECS))], purpose="plan")
    plan = read_plan(json.loads(message.text), BY_NAME)
    actions = [step.action for step in plan.steps]
    assert actions[:4] == ["get_city_info", "query_attractions", "search_food", "generate_route"]
    assert "calculate_budget" not in actions
    assert plan.goal == "规划北京3日游"
    assert plan.steps[3].params["city"] == "$1.data.city.id"
    assert plan.steps[3].params["days"] == 3
    assert plan.steps[3].needs == (1,)


@pytest.mark.parametrize("question", ["两个人去北京3日游，规划一下", "规划北京3天，预算5000元", "带孩子规划北京3天"])
async def test_money_or_people_bring_the_budget_into_the_plan(question: str) -> None:
    message, _chunks = await ask([UserTurn(question)], purpose="plan")
    assert "calculate_budget" in [step["action"] for step in json.loads(message.text)["steps"]]


@pytest.mark.parametrize(
    "question", [MAIN, "你好", "帮我规划3日游", "写一首诗", "compare Chengdu and Xi'an", "", "包头"]
)
async def test_every_plan_is_valid_whatever_was_asked(question: str) -> None:
    message, _chunks = await ask([UserTurn(question)], purpose="plan")
    read_plan(json.loads(message.text), BY_NAME)


async def test_a_plan_leaves_out_tools_that_are_not_offered_and_what_needs_them() -> None:
    offered = tuple(spec for spec in SPECS if spec.name != "get_city_info")
    message, _chunks = await ask([UserTurn(MAIN)], tools=offered, purpose="plan")
    assert [step["action"] for step in json.loads(message.text)["steps"]] == ["none"]


async def test_a_new_plan_after_a_failure_goes_on_without_repeating() -> None:
    first, _chunks = await ask([UserTurn(MAIN)], purpose="plan")
    plan = read_plan(json.loads(first.text), BY_NAME)
    info = CallTurn("1", "get_city_info", "{}", {"city": "北京"})
    food = CallTurn("2", "search_food", "{}", {"city": "beijing"})
    turns: list[Turn] = [
        UserTurn(MAIN),
        AssistantTurn(calls=(info, food)),
        await run_tool(info, language="zh_CN"),
        ResultTurn("2", "search_food", "broken", is_error=True),
        UserTurn(prompts.replan_request(plan, [3], SPECS)),
    ]
    message, _chunks = await ask(turns, purpose="plan")
    steps = json.loads(message.text)["steps"]
    assert [step["action"] for step in steps][:2] == ["query_attractions", "generate_route"]
    assert steps[0]["params"]["cities"] == ["beijing"]
    assert steps[1]["params"]["city"] == "beijing"
    read_plan({"goal": "", "steps": steps}, BY_NAME)


# ---------------------------------------------------------------- ReAct


async def test_the_main_question_in_react_asks_in_waves_and_answers_day_by_day() -> None:
    batches, answer = await react(MAIN)
    assert batches[0] == ["get_city_info"]
    assert [name for batch in batches for name in batch].count("generate_route") == 1
    for part in (
        "**北京3日行程**",
        "**第1天**",
        "**第3天**",
        "故宫",
        "**合计**约",
        "2位成人",
        "参考 2026-11",
    ):
        assert part in answer
    assert "{" not in answer
    assert "\n\n\n" not in answer


async def test_a_plan_with_a_budget_adds_the_tickets_and_judges_it() -> None:
    _batches, rich = await react("两个人规划北京3日游，预算9000元")
    _batches, poor = await react("两个人规划北京3日游，预算900元")
    for answer in (rich, poor):
        assert "**合计**约" in answer
    assert "**够用**" in rich
    assert poor.count("超出预算") == 1


async def test_the_answer_is_in_the_language_of_the_question() -> None:
    _batches, answer = await react("Plan 3 days in Beijing with sights and food", language="en")
    for part in ("**Beijing, 3 days**", "**Day 1**", "Forbidden City", "**Total**", "2 adults", "for reference"):
        assert part in answer


@pytest.mark.parametrize(
    ("question", "tools", "parts"),
    [
        ("推荐一些适合美食游的城市", ["search_cities"], ["成都", "1.", "美食"]),
        ("介绍一下厦门", ["get_city_info"], ["厦门", "最佳时间"]),
        ("成都有哪些适合带孩子去的景点？", ["query_attractions"], ["| 景点 |", "熊猫"]),
        ("西安有什么好吃的", ["search_food"], ["肉夹馍"]),
        ("两个人去西安4天，预算3000元够吗？", ["calculate_budget"], ["预算不够", "合计"]),
        ("两个人去西安4天，预算9000元够吗？", ["calculate_budget"], ["预算够用"]),
        ("成都和西安哪个好", ["compare_cities"], ["| 成都 | 西安 |", "最佳时间"]),
        ("故宫门票多少钱", ["query_attractions"], ["**故宫博物院**", "门票：成人", "预约：需要"]),
        ("从外滩到豫园多远", ["estimate_transfer"], ["外滩", "豫园", "分钟", "估算"]),
    ],
)
async def test_a_single_question_takes_one_tool_and_says_its_result(
    question: str, tools: list[str], parts: list[str]
) -> None:
    batches, answer = await react(question)
    assert batches == [tools]
    for part in parts:
        assert part in answer


@pytest.mark.parametrize(
    ("question", "tools", "parts"),
    [
        ("1月去呼伦贝尔要带什么？带孩子", ["packing_list"], ["羽绒服", "零食和水壶", "1 月"]),
        ("What should I pack for Xiamen in July?", ["packing_list"], ["sun cream", "Papers and money"]),
        ("今年什么时候放假？", ["calendar_info"], ["元旦", "2027-02-06", "春节"]),
        ("北京、上海和西安什么顺序最顺路", ["order_cities"], ["1. **", "公里"]),
        ("我保存的行程有哪些行程", ["list_trips"], ["还没有保存行程"]),
    ],
)
async def test_what_goes_with_a_journey_is_answered_too(question: str, tools: list[str], parts: list[str]) -> None:
    language = "zh_CN" if any(c > "\u4e00" for c in question) else "en"
    batches, answer = await react(question, language=language)
    assert batches == [tools]
    for part in parts:
        assert part in answer


def files_of(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_a_plan_is_saved_and_exported_as_a_calendar(tmp_path: Path) -> None:
    earlier = (UserTurn("规划北京2日游"), AssistantTurn("……"))
    batches, answer = await react("12月8日出发，导出日历", *earlier, exports=tmp_path)
    assert [tool for batch in batches for tool in batch] == [
        "generate_route", "save_trip", "check_itinerary", "edit_trip", "export_trip",
    ]  # fmt: skip
    (file,) = files_of(tmp_path)
    assert file.name in answer
    assert file.read_text("utf-8").count("BEGIN:VEVENT") > 4


async def test_a_plan_may_name_tools_that_write_although_they_are_not_handed_out_while_planning() -> None:
    reading = tuple(spec for spec in SPECS if BY_NAME[spec.name].read_only)
    turns = [UserTurn("12月8日出发的北京2日游，导出日历"), UserTurn(prompts.plan_request(SPECS))]
    message, _chunks = await ask(turns, tools=reading, purpose="plan")
    actions = [step.action for step in read_plan(json.loads(message.text), BY_NAME).steps]
    assert actions[-2:] == ["save_trip", "export_trip"]


async def test_an_export_without_a_date_asks_for_one() -> None:
    batches, answer = await react("导出北京行程")
    assert batches == []
    assert "哪天出发" in answer


async def test_a_plan_is_checked_and_says_what_was_not() -> None:
    batches, answer = await react("12月8日出发的北京3日游，规划一下")
    assert "check_itinerary" in [tool for batch in batches for tool in batch]
    assert "没有核对：实时余票和空房、签证、天气" in answer
    assert "预约" in answer
    assert "提醒：故宫博物院需要" not in answer  # the line of the booking rule says it
    assert "发现问题" not in answer


@pytest.mark.parametrize("style", list(REPLY_STYLES))
@pytest.mark.parametrize("wish", ["规划北京2日游，2个人，预算900元", "Plan 2 days in Beijing for 2, budget 900 yuan"])
async def test_a_style_changes_the_words_and_no_fact(wish: str, style: str) -> None:
    language = "zh_CN" if "规" in wish else "en"
    _, plain = await react(wish, language=language)
    _, styled = await react(wish, language=language, system=f"You plan. {REPLY_STYLES[style]}")

    def facts(answer: str) -> list[str]:
        return [line for line in answer.splitlines() if line.lstrip().startswith(("-", "|", ">", "#", "**"))]

    assert facts(styled) == facts(plain)
    assert len(facts(plain)) > 5
    assert styled != plain


async def test_a_style_that_is_asked_for_goes_before_that_of_the_profile() -> None:
    _, warm = await react("热情一点，规划北京2日游", system=REPLY_STYLES["professional"])
    assert "太好了" in warm


@pytest.mark.parametrize(
    ("wish", "parts"),
    [
        ("2人12月8日出发，北京和西安5日游",
         ["**第3天** 北京", "**第4天** 西安 周五 2026-12-11", "北京 → 西安"]),
        ("7 days in Tokyo, Kyoto and Osaka for 2",
         ["**Day 3** Tokyo", "**Day 4** Kyoto", "**Day 6** Osaka", "Tokyo → Kyoto"]),
        ("成都3天重庆2天，带6岁孩子，不吃辣", ["**第3天** 成都", "**第4天** 重庆", "成都 → 重庆"]),
        ("先去杭州再去苏州，4天", ["**第1天** 杭州", "**第4天** 苏州"]),
        ("北京、西安、成都、重庆玩15天", ["天** 北京", "天** 西安", "天** 成都", "天** 重庆", "**第15天**"]),
    ],
)  # fmt: skip
async def test_several_cities_are_one_plan_in_one_answer(wish: str, parts: list[str]) -> None:
    batches, answer = await react(wish, language="en" if "days" in wish else "zh_CN")
    tools = [tool for batch in batches for tool in batch]
    assert tools.count("order_cities") == tools.count("generate_route") == tools.count("check_itinerary") == 1
    for part in parts:
        assert part in answer
    assert "核对发现问题" not in answer
    assert "The check found" not in answer
    assert "{" not in answer


async def test_money_is_called_by_the_name_it_has_there() -> None:
    _, answer = await react("两个人去东京3天，预算5000元够吗？")
    assert "日元" in answer
    assert "粗略汇率" in answer
    _, food = await react("东京有什么好吃的")
    assert "日元" in food


async def test_a_follow_up_without_a_city_uses_the_last_one() -> None:
    earlier = (UserTurn("介绍一下成都"), AssistantTurn("……"))
    batches, answer = await react("有什么好吃的？", *earlier)
    assert batches == [["search_food"]]
    assert "成都" in answer


async def test_results_of_an_earlier_question_do_not_answer_this_one() -> None:
    call = CallTurn("1", "search_food", "{}", {"city": "西安"})
    earlier = (UserTurn("西安有什么好吃的"), AssistantTurn(calls=(call,)), ResultTurn("1", "search_food", "…"))
    batches, _answer = await react("成都有什么好吃的", *earlier)
    assert batches == [["search_food"]]


async def test_a_failed_tool_is_said_and_not_asked_again() -> None:
    call = CallTurn("1", "search_food", "{}", {"city": "西安"})
    turns: list[Turn] = [
        UserTurn("西安有什么好吃的"),
        AssistantTurn(calls=(call,)),
        ResultTurn("1", "search_food", "坏了", True),
    ]
    message, _chunks = await ask(turns)
    assert not message.calls
    assert "坏了" in message.text


async def test_a_result_without_data_is_passed_on_as_text() -> None:
    call = CallTurn("1", "search_food", "{}", {"city": "西安"})
    turns: list[Turn] = [
        UserTurn("西安有什么好吃的"),
        AssistantTurn(calls=(call,)),
        ResultTurn("1", "search_food", "肉夹馍、凉皮"),
    ]
    message, _chunks = await ask(turns)
    assert "肉夹馍、凉皮" in message.text


async def test_the_last_request_without_tools_answers_from_what_is_there() -> None:
    call = CallTurn("1", "get_city_info", "{}", {"city": "北京"})
    turns: list[Turn] = [
        UserTurn(MAIN),
        AssistantTurn(calls=(call,)),
        await run_tool(call, language="zh_CN"),
        UserTurn(prompts.ANSWER_NOW),
    ]
    message, _chunks = await ask(turns, tools=())
    assert not message.calls
    assert "北京" in message.text


async def test_the_reasoning_names_goal_known_missing_and_next() -> None:
    message, _chunks = await ask([UserTurn("Plan 3 days in Beijing")])
    assert [line.split(":")[0] for line in message.reasoning.splitlines()] == [
        "Goal",
        "Known",
        "Missing",
        "Next action",
    ]


# ---------------------------------------------------------------- Direct, limits, other purposes


@pytest.mark.parametrize("question", ["你好", "谢谢", "你能做什么？", "Hello!", "What can you do?"])
async def test_conversation_needs_no_tools(question: str) -> None:
    message, _chunks = await ask([UserTurn(question)], tools=())
    assert message.text
    assert not message.calls


async def test_direct_says_that_nothing_was_looked_up() -> None:
    message, _chunks = await ask([UserTurn(MAIN)], tools=())
    assert "没有查过任何数据" in message.text


@pytest.mark.parametrize(("question", "part"), [("写一首诗", "离线规则"), ("Write a poem", "offline rules")])
async def test_beyond_the_rules_it_says_what_it_is_and_what_it_can_do(question: str, part: str) -> None:
    message, _chunks = await ask([UserTurn(question)])
    assert part in message.text
    assert "Ollama" in message.text
    assert message.text.count("\n- ") >= 4


async def test_a_plan_without_a_city_asks_for_one() -> None:
    message, _chunks = await ask([UserTurn("帮我规划3日游")])
    assert "哪座城市" in message.text
    assert not message.calls


async def test_titles_and_summaries_are_short_and_from_the_conversation() -> None:
    turns: list[Turn] = [UserTurn(MAIN), AssistantTurn("# 北京3日游\n…"), UserTurn("谢谢")]
    title, _chunks = await ask(turns, tools=(), purpose="title")
    assert title.text == "规划北京3日游"
    summary, _chunks = await ask(turns, tools=(), purpose="summary")
    assert summary.text == f"- {MAIN} → 北京3日游"


async def test_a_stream_can_be_cancelled_and_is_made_of_small_pieces() -> None:
    _message, chunks = await ask([UserTurn("你能做什么？")])
    assert max(len(c.text) for c in chunks if isinstance(c, TextDelta)) <= 12

    async def endless() -> None:
        slow = OfflineRules(book(), DOMAIN.names(), pace=60)
        async with aclosing(slow.stream(ModelRequest(turns=[UserTurn("你好")]))) as stream:
            async for _chunk in stream:
                pass

    task = asyncio.create_task(endless())
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_the_remarks_of_a_run_are_not_taken_for_questions() -> None:
    plan = Plan("g", (PlanStep(1, "none", {}, "d"),))
    remarks = [
        prompts.reflection_nudge(1, 3, ["search_food 北京: ok"]),
        prompts.reflection_nudge(3, 3, []),
        prompts.ANSWER_NOW,
        prompts.ANSWER_NOW_PLAINLY,
        prompts.SAY_SOMETHING,
        prompts.plan_request(SPECS),
        prompts.plan_repair(["x"]),
        prompts.replan_request(plan, [1], SPECS),
        prompts.plan_step_nudge(plan, 1),
        prompts.plan_answer(plan),
    ]
    for remark in remarks:
        assert read_conversation([UserTurn("你好"), UserTurn(remark)]).question == "你好"
    assert read_conversation([UserTurn("a"), UserTurn("Step by step plan for Beijing")]).question.startswith("Step by")


def test_what_a_run_puts_behind_a_question_is_not_read_as_the_question() -> None:
    behind = [
        prompts.with_folder("你好", "/books/night", "build", "import /tmp/b.txt", "README.md"),
        prompts.with_folder("你好", "", "", "", ""),
        prompts.with_facts("你好", "likes 3 days in Beijing"),
        prompts.with_bases("你好", ["notes"]),
    ]
    assert [read_conversation([UserTurn(text)]).question for text in behind] == ["你好"] * len(behind)


# ---------------------------------------------------------------- which agents


def test_only_domains_with_a_book_have_rules() -> None:
    assert offline_model(Domain("empty")) is None
    model = offline_model(DOMAIN)
    assert model is not None
    assert model.ref == "offline/rules"


def test_every_tool_of_the_book_is_one_of_the_agent() -> None:
    profile = tomllib.loads((domain_dir("travel") / PROFILES / "travel.toml").read_text(encoding="utf-8"))
    assert {call.tool for intent in book().intents for call in intent.calls} <= set(profile["tools"])


def test_a_plan_with_a_bad_reference_would_be_refused() -> None:
    """The check the plans above pass is one that can fail."""
    with pytest.raises(PlanFaults):
        read_plan({"steps": [{"step": 1, "action": "search_food", "params": {"city": "$2.data"}}]}, BY_NAME)
