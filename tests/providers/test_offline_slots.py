"""Slots last over the questions of a session, are changed and taken back, and say where they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from app.core.run.chat_model import AssistantTurn, ModelRequest, SlotsUnderstood, TextDelta, ToolSpec, Turn, UserTurn
from app.core.run.understood import UnderstoodSlot
from app.domains.travel import DOMAIN, TOOLS
from app.providers.rules.model import OfflineRules
from app.providers.rules.understanding import Reader
from tests.fakes import FakeClock
from tests.providers.test_offline import NAMES, book

SPECS = tuple(ToolSpec(tool.name, tool.description, tool.parameters) for tool in TOOLS)
READER = Reader(book(), NAMES)
FIRST = "北京玩5天，明天出发，预算5000，两个人"


async def report(turns: Sequence[Turn], today: date = date(2026, 7, 1)) -> SlotsUnderstood:
    model = OfflineRules(book(), NAMES, key=DOMAIN.id, pace=0.0, clock=FakeClock(day=today))
    chunks = [chunk async for chunk in model.stream(ModelRequest(turns, tools=SPECS))]
    (report,) = (chunk for chunk in chunks if isinstance(chunk, SlotsUnderstood))
    return report


async def talk(*questions: str, days: Sequence[date] = ()) -> list[dict[str, UnderstoodSlot]]:
    """What was understood of each question, as a session keeps it from one to the next."""
    turns: list[Turn] = []
    reports = []
    for n, question in enumerate(questions):
        turns.append(UserTurn(question))
        understood = await report(turns, days[n] if days else date(2026, 7, 1))
        turns.append(AssistantTurn("…", understood=understood.state))
        reports.append({slot.id: slot for slot in understood.slots})
    return reports


def values(report: Mapping[str, UnderstoodSlot]) -> dict[str, Any]:
    return {id: slot.value for id, slot in report.items() if slot.source in ("said", "remembered")}


async def test_each_slot_says_where_it_comes_from() -> None:
    first, second = await talk("北京玩5天，预算5000", "改成4天")
    assert [(one.label, one.shown, one.source, one.turn) for one in first.values()] == [
        ("城市", "北京", "said", 1),
        ("天数", "5", "said", 1),
        ("预算", "5000", "said", 1),
        ("成人", "2", "assumed", 0),
        ("档次", "舒适", "assumed", 0),
    ]
    assert (second["days"].value, second["days"].source, second["days"].turn) == (4, "said", 2)
    assert (second["city"].source, second["city"].turn) == ("remembered", 1)
    assert ("comfort", "舒适") in second["tier"].choices
    (missing,) = await talk("plan 3 days for two people")
    assert (missing["city"].source, missing["city"].needed, missing["city"].value) == ("unknown", True, None)
    (beyond,) = await talk("write me a poem")
    assert {id for id, slot in beyond.items() if slot.needed} == {"city", "days"}


async def test_a_wish_is_known_however_long_ago_and_a_day_stays_the_day_it_was_said_of() -> None:
    between = ["北京有什么好吃的", "北京有哪些博物馆", "北京什么时候去最好"] * 6
    week = [date(2026, 7, 1), *[date(2026, 7, 6)] * (len(between) + 1)]
    *_, last = await talk(FIRST, *between, "改成4天", days=week)
    assert last["days"].value == 4
    *_, again = await talk(FIRST, *between, "帮我规划行程", days=week)
    kept = {"days": 5, "start_date": "2026-07-02", "adults": 2, "budget": 5000}
    assert {id: (again[id].value, again[id].turn) for id in kept} == {id: (value, 1) for id, value in kept.items()}


async def test_a_slot_is_taken_back_in_words() -> None:
    english = "5 days in Beijing, budget 5000, two adults, I'm vegetarian"
    cases = [
        (FIRST, "不限预算", {"budget"}),
        (FIRST, "预算不限了", {"budget"}),
        (FIRST, "预算随便", {"budget"}),
        (FIRST, "出发日期随便", {"start_date"}),
        (FIRST, "不考虑预算了", {"budget"}),
        (english, "forget the budget", {"budget"}),
        (english, "the budget doesn't matter", {"budget"}),
        (english, "never mind the vegetarian thing", {"diet"}),
        (english, "the budget is flexible", {"budget"}),
        ("成都5天，吃素", "饮食随便", {"diet"}),
    ]
    faults = []
    for first, then, gone in cases:
        before, after = await talk(first, then)
        left = values(before).keys() - values(after).keys()
        if left != gone:
            faults.append((then, left))
    assert faults == []
    _, new = await talk(FIRST, "重新开始")
    assert values(new) == {}
    _, instead = await talk(FIRST, "不要预算5000，改成8000元")
    assert instead["budget"].value == 8000
    (alone,) = await talk("不限预算，北京3天")
    assert values(alone) == {"city": "beijing", "days": 3}


async def test_a_state_of_another_book_or_of_a_stranger_breaks_nothing() -> None:
    turns: list[Turn] = [UserTurn(FIRST), AssistantTurn("…"), UserTurn("改成4天")]
    good = (await report(turns[:1])).state
    assert good is not None
    forged: list[dict[str, Any]] = [
        {},
        {**good, "topic": ["x"]},
        {**good, "key": "novel"},
        {**good, "v": 99},
        {**good, "carried": ["city"]},
        {**good, "carried": {**good["carried"], "city": {"x": 1}}},
        {**good, "turns": {"city": "one"}, "carried": {"city": [[]]}},
    ]
    faults = []
    for state in forged:
        turns[1] = AssistantTurn("…", understood=state)
        slots = {slot.id: slot.value for slot in (await report(turns)).slots}
        if slots.get("days") != 4:
            faults.append((state, slots))
    assert faults == []


async def test_a_place_that_is_not_in_the_data_is_named_with_the_nearest_and_the_next_answer_goes_on() -> None:
    """(questions, what the last answer must hold, the name the chip shows)"""
    cases: list[tuple[tuple[str, ...], tuple[str, ...], str]] = [
        (("去北宫玩3天",), ("没有", "北宫", "北京"), "北宫"),
        (("3 days in Atlantis",), ("no data for **Atlantis**",), "Atlantis"),
        (("plan 3 days in New Atlantis.",), ("no data for **New Atlantis**",), "New Atlantis"),
        (("北宫怎么玩",), ("北宫", "北京"), "北宫"),
        (("帮我规划成嘟5日游",), ("成嘟", "成都"), "成嘟"),
        (("What to see in Gotham?",), ("no data for **Gotham**",), "Gotham"),
        (("去火星旅游",), ("火星",), "火星"),
        (("北京玩3天", "去火星玩4天"), ("火星",), "火星"),
    ]
    wrong = []
    for questions, words, typed in cases:
        turns: list[Turn] = []
        for question in questions[:-1]:
            _answer, understood = await answered([*turns, UserTurn(question)])
            turns += [UserTurn(question), AssistantTurn("…", understood=understood.state)]
        answer, understood = await answered([*turns, UserTurn(questions[-1])])
        city = next((slot for slot in understood.slots if slot.id == "city"), None)
        if not all(word in answer for word in words) or city is None or (city.source, city.shown) != ("unknown", typed):
            wrong.append((questions, answer, city))
    assert wrong == []
    sound_alike = ("去北景玩3天", "北景怎么玩", "杭洲有什么好玩的")
    assert [(await talk(question))[0]["city"].value for question in sound_alike] == ["beijing", "beijing", "hangzhou"]
    _asked, then = await talk("去北宫玩3天", "北京")
    assert (then["city"].value, then["days"].value, then["days"].source) == ("beijing", 3, "remembered")
    beyond = ["write a program in Python", "What is new in Java?"]
    assert [q for q in beyond if READER.understand(q, (), date(2026, 7, 1)).intent is not None] == []
    none_named = ["去海边玩3天", "周末去哪里玩", "3 days in July", "一家三口去玩5天", "trip to see the autumn leaves"]
    assert [q for q in none_named if "unknown_city" in READER.understand(q, (), date(2026, 7, 1)).own] == []


async def answered(turns: Sequence[Turn]) -> tuple[str, SlotsUnderstood]:
    model = OfflineRules(book(), NAMES, key=DOMAIN.id, pace=0.0, clock=FakeClock(day=date(2026, 7, 1)))
    chunks = [chunk async for chunk in model.stream(ModelRequest(turns, tools=SPECS))]
    text = "".join(chunk.text for chunk in chunks if isinstance(chunk, TextDelta))
    return text, next(chunk for chunk in chunks if isinstance(chunk, SlotsUnderstood))
