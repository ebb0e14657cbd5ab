"""A plan is changed by what is said after it: the offline rules carry the wish to edit_trip and tell what is wrong.

Between two questions only what a stored session keeps comes back: the text of a result, cut where it is long.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar

from app.core.errors import ToolError
from app.core.run.chat_model import CallTurn, ResultTurn, SystemTurn, Turn, UserTurn
from app.core.tools.tool import ToolResult
from tests.domains.travel.async_calls import MemoryDocuments
from tests.providers.test_offline import ask, run_tool

CUT = 4_000


class Talk:
    """One session: every question sees what a stored session would give back of the earlier ones."""

    def __init__(self, exports: Path, language: str = "zh_CN") -> None:
        self.documents = MemoryDocuments()
        self.world: dict[str, Any] = {"documents": self.documents, "resources": {"exports": exports}}
        self.language, self.turns = language, list[Turn]([SystemTurn("…")])
        self.exports = exports

    async def say(self, question: str) -> tuple[list[str], str]:
        """The tools of the answer, and the answer."""
        self.turns.append(UserTurn(question))
        tools: list[str] = []
        for _step in range(12):
            message, _chunks = await ask(self.turns)
            self.turns.append(message)
            if not message.calls:
                self.turns = [_stored(turn) for turn in self.turns]
                return tools, message.text
            for call in message.calls:
                tools.append(call.name)
                self.turns.append(await self._result(call))
        raise AssertionError("no answer after twelve steps")

    async def _result(self, call: CallTurn) -> ResultTurn:
        try:
            return await run_tool(call, language=self.language, world=self.world)
        except ToolError as error:
            failure = ToolResult.failure(error.tool_code, error.message, hint=error.hint)
            return ResultTurn(call.id, call.name, failure.for_model(), is_error=True)

    @property
    def trip(self) -> dict[str, Any]:
        ((kept),) = self.documents.versions.values()
        itinerary: dict[str, Any] = kept[-1].body["itinerary"]
        return itinerary

    def sights(self, day: int) -> list[str]:
        return [stop["name"] for stop in self.trip["days_list"][day - 1]["stops"] if stop["kind"] == "sight"]


def _stored(turn: Turn) -> Turn:
    if not isinstance(turn, ResultTurn) or turn.data is None:
        return turn
    whole = f"{turn.text}\n{json.dumps(turn.data, ensure_ascii=False)}"
    return ResultTurn(turn.call_id, turn.name, whole[:CUT], turn.is_error)


_planned: list[Turn] = []
"""The session after its first answer: planned once, since it is the same for every test."""


@pytest.fixture
async def planned(tmp_path: Path) -> Talk:
    talk = Talk(tmp_path / "exports")
    if not _planned:
        tools, _ = await talk.say("帮我规划上海3日游，两个大人")
        assert "save_trip" not in tools
        assert talk.documents.versions == {}
        _planned.extend(talk.turns)
    talk.turns = list(_planned)
    return talk


async def test_the_first_change_keeps_the_plan_and_the_next_ones_change_what_is_kept(planned: Talk) -> None:
    tools, answer = await planned.say("去掉豫园")
    assert tools == ["generate_route", "save_trip", "edit_trip", "check_itinerary"]
    assert "移除豫园" in answer
    assert "豫园" not in [*planned.sights(1), *planned.sights(2), *planned.sights(3)]
    moved = planned.sights(2)[0]
    tools, answer = await planned.say(f"把{moved}移到第1天")
    assert tools == ["edit_trip", "check_itinerary"]
    assert moved in planned.sights(1)
    assert "第3版" in answer


async def test_what_the_check_finds_stands_before_the_change(planned: Talk) -> None:
    _, answer = await planned.say("把上海野生动物园加到第3天")
    assert answer.startswith("> **核对发现问题**：上海野生动物园")
    assert "上海野生动物园" in planned.sights(3)


async def test_a_day_is_made_easier(planned: Talk) -> None:
    await planned.say("把上海野生动物园加到第二天")
    before = planned.sights(2)
    tools, _ = await planned.say("第二天轻松点")
    assert tools == ["edit_trip", "check_itinerary"]
    assert len(before) > 3
    assert 0 < len(planned.sights(2)) <= 3


async def test_a_sight_gets_the_time_that_was_asked_for(planned: Talk) -> None:
    await planned.say("外滩改到晚上7点半")
    (start,) = [s["start"] for day in planned.trip["days_list"] for s in day["stops"] if s["name"] == "外滩"]
    assert start == "19:30"


async def test_a_button_of_the_check_s_card_is_understood(planned: Talk) -> None:
    _, answer = await planned.say(
        '请在行程里修正：外滩太早\n使用 edit_trip：{"op": "retime", "stop": "外滩", "start": "20:00"}'
    )
    assert "外滩" in answer
    (start,) = [s["start"] for day in planned.trip["days_list"] for s in day["stops"] if s["name"] == "外滩"]
    assert start == "20:00"


async def test_a_sight_to_add_without_a_day_comes_to_the_day_with_most_room(planned: Talk) -> None:
    await planned.say("去掉田子坊")
    _, answer = await planned.say("加上田子坊")
    assert "加入田子坊" in answer
    assert sum("田子坊" in planned.sights(day) for day in (1, 2, 3)) == 1


async def test_a_wish_changed_behind_an_edit_keeps_the_edit_and_undo_takes_back_one_change_after_another(
    planned: Talk,
) -> None:
    await planned.say("去掉豫园")
    moved = planned.sights(2)[0]
    await planned.say(f"把{moved}移到第1天")
    tools, _ = await planned.say("改成4天")
    assert "save_trip" in tools
    assert len(planned.trip["days_list"]) == 4
    assert moved in planned.sights(1)
    every = [name for day in (1, 2, 3, 4) for name in planned.sights(day)]
    assert "豫园" not in every
    await planned.say("撤销")
    assert len(planned.trip["days_list"]) == 3
    assert moved in planned.sights(1)
    await planned.say("撤销")
    assert "豫园" not in [*planned.sights(1), *planned.sights(2), *planned.sights(3)]
    await planned.say("撤销")
    assert "豫园" in [*planned.sights(1), *planned.sights(2), *planned.sights(3)]
    assert len(planned.documents.versions) == 1


async def test_a_change_that_cannot_be_made_says_why_and_changes_nothing(planned: Talk) -> None:
    await planned.say("去掉豫园")
    before = planned.trip
    _, answer = await planned.say("把外滩移到第9天")
    assert answer.startswith("没能完成")
    assert planned.trip == before


async def test_an_edited_plan_is_exported_with_its_edits(planned: Talk) -> None:
    await planned.say("去掉豫园")
    tools, answer = await planned.say("12月8日出发，导出日历")
    assert tools == ["edit_trip", "export_trip"]
    (file,) = planned.exports.iterdir()
    assert file.name in answer
    events = Calendar.from_ical(file.read_bytes()).walk("VEVENT")
    assert len(events) == sum(len(day["stops"]) for day in planned.trip["days_list"])
    assert not any("豫园" in str(event["SUMMARY"]) for event in events)
    assert {event.decoded("DTSTART").date().isoformat() for event in events} == {
        "2026-12-08",
        "2026-12-09",
        "2026-12-10",
    }


async def test_a_plan_is_exported_as_a_page_without_a_date(planned: Talk) -> None:
    tools, _ = await planned.say("导出网页")
    assert tools[-1] == "export_trip"
    (file,) = planned.exports.iterdir()
    assert file.suffix == ".html"


async def test_a_calendar_without_a_date_asks_for_it(planned: Talk) -> None:
    tools, answer = await planned.say("导出日历")
    assert tools == []
    assert "哪天出发" in answer


async def test_a_format_that_is_not_there_is_refused_with_those_that_are(planned: Talk) -> None:
    tools, answer = await planned.say("导出PPT")
    assert tools == []
    assert "网页" in answer
    assert not planned.exports.exists()


async def test_saving_twice_keeps_one_trip(planned: Talk) -> None:
    _, first = await planned.say("保存行程")
    _, second = await planned.say("保存行程")
    assert "已保存" in first
    assert "已经保存了" in second
    assert [len(kept) for kept in planned.documents.versions.values()] == [1]


async def test_a_new_plan_is_not_the_old_trip(planned: Talk) -> None:
    await planned.say("去掉豫园")
    tools, answer = await planned.say("换成北京")
    assert "generate_route" in tools
    assert "**北京3日行程**" in answer
    tools, _ = await planned.say("去掉颐和园")
    assert "save_trip" in tools
    assert len(planned.documents.versions) == 2


async def test_a_question_beyond_the_rules_does_not_lose_the_plan(planned: Talk) -> None:
    _, beyond = await planned.say("写一首诗")
    assert "离线规则" in beyond
    _, answer = await planned.say("改成2天")
    assert "**上海2日行程**" in answer


async def test_the_plan_can_be_looked_at_again_before_and_after_a_change(planned: Talk) -> None:
    tools, answer = await planned.say("第二天去哪")
    assert tools == ["generate_route", "check_itinerary"]
    assert "豫园" in answer
    await planned.say("去掉豫园")
    tools, answer = await planned.say("看看行程")
    assert tools == ["load_trip", "check_itinerary"]
    assert "豫园" not in answer


async def test_a_question_about_tomorrow_s_weather_sets_no_date_for_the_plan(planned: Talk) -> None:
    await planned.say("明天上海天气")
    _, answer = await planned.say("改成2天")
    assert "**上海2日行程**" in answer
    assert "2026-11-22" not in answer


async def test_a_cheaper_plan_costs_less(planned: Talk) -> None:
    _, dear = await planned.say("改成舒适档")
    tools, cheap = await planned.say("便宜一点")
    assert "generate_route" in tools
    assert "**上海3日行程**" in cheap
    assert _total(cheap) < _total(dear)


async def test_a_slower_plan_has_fewer_stops(planned: Talk) -> None:
    _, normal = await planned.say("改成3天")
    _, slow = await planned.say("轻松一点")
    assert "**上海3日行程**" in slow
    assert slow.count("→") < normal.count("→")


def _total(answer: str) -> int:
    (line,) = [line for line in answer.splitlines() if line.startswith("**合计**")]
    return int("".join(c for c in line.partition("元")[0] if c.isdigit()))


async def test_it_is_the_sight_that_was_spoken_of_last(planned: Talk) -> None:
    await planned.say("外滩改到晚上7点半")
    await planned.say("把它移到第1天")
    assert "外滩" in planned.sights(1)


async def test_the_same_in_english(tmp_path: Path) -> None:
    talk = Talk(tmp_path / "exports", "en")
    await talk.say("Plan 3 days in Beijing for 2 adults")
    _, answer = await talk.say("Remove the Summer Palace")
    assert "removed Summer Palace" in answer
    _, answer = await talk.say("move the Temple of Heaven to day 1")
    assert "Temple of Heaven" in talk.sights(1)
    _, answer = await talk.say("make day 2 easier")
    assert "version" in answer
    assert len(talk.sights(2)) <= 3
    tools, answer = await talk.say("make it cheaper")
    assert "calculate_budget" in tools
    assert "**Beijing, 3 days**" in answer
