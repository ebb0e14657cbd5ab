"""Results that outlive their run: whose they are, how long, and what is never among them."""

from __future__ import annotations

from typing import Any

import pytest

from app.agent.context import RunContext
from app.agent.policy.result_cache import LONGEST, MOST, ResultCache
from app.agent.run import Run
from app.core.errors import ToolError
from app.core.run.event_line import Stamped
from app.core.run.events import ToolReturned, ToolStarted
from app.core.tools.tool import Tool, ToolContext, ToolResult, tool
from tests.fakes import MODES_BY_ID, FakeClock, call, calls, context, end_of, finish, of, says, scripted


class Station:
    """A service that counts how often it is asked."""

    def __init__(self, **marks: Any) -> None:
        self.asked: list[str] = []

        @tool("net", ttl=600, **marks)
        def weather(ctx: ToolContext, city: str) -> ToolResult:
            """The weather of a city."""
            self.asked.append(city)
            if city == "nowhere":
                raise ToolError("UPSTREAM", "no such place")
            return ToolResult.success({"city": city, "no": len(self.asked)}, f"sunny in {city}")

        self.weather: Tool = weather


async def run(kept: ResultCache, station: Station, /, *turns: Any, **changes: Any) -> list[Stamped]:
    model = scripted(*turns, says("ok"))
    ctx: RunContext = context(model, {"weather": station.weather}, **{"kept": kept, **changes})
    return await finish(Run(ctx, MODES_BY_ID["react"]).start())


async def test_a_later_run_gets_what_an_earlier_one_fetched_and_its_age() -> None:
    clock, station = FakeClock(1_000.0), Station()
    kept = ResultCache(clock)
    await run(kept, station, call("weather", city="Paris"))
    clock.time += 300
    lines = await run(kept, station, call("weather", city="Paris"))
    result = of(lines, ToolReturned)[0]
    assert (result.ok, result.status, result.cached, result.age) == (True, "ok", True, 300.0)
    assert result.untrusted, "it is as foreign as on the first day"
    assert of(lines, ToolStarted) == []
    assert "fetched 300 s ago" in result.text
    assert station.asked == ["Paris"]
    assert end_of(lines).answer == "ok"


async def test_what_is_too_old_is_fetched_anew_and_kept_anew() -> None:
    clock, station = FakeClock(1_000.0), Station()
    kept = ResultCache(clock)
    await run(kept, station, call("weather", city="Paris"))
    clock.time += 600
    lines = await run(kept, station, call("weather", city="Paris"))
    assert of(lines, ToolReturned)[0].age is None
    clock.time += 1
    lines = await run(kept, station, call("weather", city="Paris"))
    assert of(lines, ToolReturned)[0].age == 1
    assert station.asked == ["Paris", "Paris"]


async def test_two_calls_at_once_of_what_is_kept_are_one_result() -> None:
    clock, station = FakeClock(1_000.0), Station()
    kept = ResultCache(clock)
    await run(kept, station, call("weather", city="Paris"))
    lines = await run(kept, station, calls(("weather", {"city": "Paris"}), ("weather", {"city": "Paris"})))
    assert [one.status for one in of(lines, ToolReturned)] == ["ok", "repeat"]
    assert station.asked == ["Paris"]


@pytest.mark.parametrize(
    "changes", [{"fresh": True}, {"language": "zh_CN"}, {"kept": None}], ids=["asked anew", "language", "nothing kept"]
)
async def test_what_is_kept_is_passed_over(changes: dict[str, Any]) -> None:
    station, kept = Station(), ResultCache()
    await run(kept, station, call("weather", city="Paris"))
    lines = await run(kept, station, call("weather", city="Paris"), **changes)
    assert of(lines, ToolReturned)[0].age is None
    assert station.asked == ["Paris", "Paris"]


async def test_what_was_fetched_anew_takes_the_place_of_the_old() -> None:
    station, kept = Station(), ResultCache()
    await run(kept, station, call("weather", city="Paris"))
    await run(kept, station, call("weather", city="Paris"), fresh=True)
    lines = await run(kept, station, call("weather", city="Paris"))
    assert '"no": 2' in of(lines, ToolReturned)[0].text


async def test_failures_are_not_kept() -> None:
    station, kept = Station(), ResultCache()
    for _run in range(2):
        await run(kept, station, call("weather", city="nowhere"))
    assert station.asked == ["nowhere", "nowhere"]


async def test_arguments_of_a_tainted_run_are_neither_kept_nor_answered_from_what_is() -> None:
    station, kept = Station(), ResultCache()
    tainted = context(scripted(says("x")), {}).state.taint
    tainted.add_source("web_fetch evil.example")
    await run(kept, station, call("weather", city="Paris"), taint=tainted)
    await run(kept, station, call("weather", city="Paris"))
    assert station.asked == ["Paris", "Paris"], "not kept"
    await run(kept, station, call("weather", city="Paris"), taint=tainted)
    assert station.asked == ["Paris"] * 3, "not answered"


async def test_private_arguments_are_neither_kept_nor_answered_from_what_is() -> None:
    station, kept = Station(), ResultCache()
    knowing = context(scripted(says("x")), {}).state.taint
    knowing.add_private("I live in Saint-Germain-en-Laye, do not tell")
    city = "Saint-Germain-en-Laye"
    await run(kept, station, call("weather", city=city), taint=knowing, approve="all")
    await run(kept, station, call("weather", city=city))
    assert len(station.asked) == 2


def test_private_results_are_not_kept() -> None:
    station, kept = Station(), ResultCache()
    kept.keep("a", station.weather, {"city": "x"}, "en", ToolResult.success("mine", private=True))
    assert kept.find("a", station.weather, {"city": "x"}, "en") is None


def test_each_agent_has_its_own_and_no_more_than_so_many() -> None:
    station, kept = Station(), ResultCache()
    for number in range(MOST + 5):
        kept.keep("a", station.weather, {"city": str(number)}, "en", ToolResult.success(number))
    assert kept.find("a", station.weather, {"city": "4"}, "en") is None
    assert kept.find("a", station.weather, {"city": "5"}, "en") is not None
    assert kept.find("b", station.weather, {"city": "5"}, "en") is None


def test_a_huge_result_is_not_kept() -> None:
    station, kept = Station(), ResultCache()
    kept.keep("a", station.weather, {"city": "x"}, "en", ToolResult.success("x" * (LONGEST + 1)))
    assert kept.find("a", station.weather, {"city": "x"}, "en") is None


async def test_a_tool_that_writes_keeps_nothing_whatever_it_says() -> None:
    station, kept = Station(read_only=False), ResultCache()
    for _run in range(2):
        lines = await run(kept, station, call("weather", city="Paris"))
        assert not any(turn.ok is False for turn in of(lines, ToolReturned))
    assert station.asked == ["Paris", "Paris"]
