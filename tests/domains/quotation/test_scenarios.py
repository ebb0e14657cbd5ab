"""The scenarios of agents.md 6.6 that are conversations: hooks, registers, limits; and without a model."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from app.core.run.events import LoopEnd, LoopError, Question, ToolReturned
from app.domains.quotation.hooks import after_call, before_call
from app.domains.quotation.tools import quotes
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from tests.domains.scenario import play, scenarios_of

from .rig import call, program, with_list

DATA = Path(__file__).parents[2] / "data" / "quotation"


def called(name: str, /, **arguments: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "arguments": arguments}]}


def workbooks(folder: Path) -> set[Path]:
    return set(folder.rglob("*.xlsx"))


async def started(services: Services, folder: Path, *turns: dict[str, Any], is_alone: bool = True) -> Any:
    script = folder / "script.json"
    script.write_text(json.dumps({"turns": turns, "repeat_last": True}, ensure_ascii=False), encoding="utf-8")
    row = await services.sessions.create("quotation")
    options = RunOptions(model=f"script/{script}", interactive=not is_alone, approve="all")
    return await services.chat.send(row.id, "go", "react", options=options)


async def played(services: Services, folder: Path, *turns: dict[str, Any]) -> list[Any]:
    run = await started(services, folder, *turns)
    events = [line.event async for line in run.events()]
    await services.chat.recorded()
    return events


async def test_without_a_model_sentences_are_understood(tmp_path: Path) -> None:
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        faults = [
            fault
            for scenario in scenarios_of(Path(__file__).with_name("with_price_list.toml"))
            for fault in await play(services, scenario, tmp_path)
        ]
    assert faults == []


async def test_the_level_is_normalised_and_the_model_reads_ten_rows_at_most(tmp_path: Path) -> None:
    spellings = {"b档": "B", "C级": "C", " c ": "C", "Ｂ": "B", "批发价": "批发价"}
    assert {
        given: before_call("match_price", {"customer_level": given})["customer_level"] for given in spellings
    } == spellings
    rows = [{"code": str(n), "name": "x", "unit_price": "1"} for n in range(40)]
    body = json.dumps({"status": "needs_selection", "request": "x", "candidates": rows})
    assert after_call("match_price", {}, f"summary\n{body}").count(" | x | ") == 10
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        asked = {"name": "match_price", "arguments": {"keywords": "弯头 DN50", "customer_level": "b档"}}
        unknown = {"name": "match_price", "arguments": {"keywords": "弯头 DN50", "customer_level": "Z"}}
        events = await played(services, tmp_path, {"tool_calls": [asked]}, {"tool_calls": [unknown]}, {"content": "ok"})
    first, second = (event for event in events if isinstance(event, ToolReturned))
    assert first.ok
    assert not second.ok
    assert "INVALID_LEVEL" in json.dumps([str(second)], ensure_ascii=False)
    assert isinstance(events[-1], LoopEnd)


async def test_a_run_of_endless_calls_is_answered_once(tmp_path: Path) -> None:
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        turns = [
            {"tool_calls": [{"name": "match_price", "arguments": {"keywords": f"球阀 {n}", "customer_level": "B"}}]}
            for n in range(7)
        ]
        events = await played(services, tmp_path, *turns, {"content": "19.80"})
    ends = [event for event in events if isinstance(event, LoopEnd | LoopError)]
    assert len(ends) == 1
    assert isinstance(ends[0], LoopEnd)
    assert ends[0].answer == "19.80"


async def test_shortages_are_counted_over_days_and_a_viewer_registers_none(tmp_path: Path) -> None:
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        first = await call(services, "register_oos_from_text", product="PVC直通 DN75")
        twice = await call(services, "register_oos_from_text", product="ＰＶＣ直通 dn75")
        again = await call(services, "register_oos_from_text", product="PVC直通 DN75", again=True)
        assert first.data["records"][0]["times_reported"] == 1
        assert twice.error is not None
        assert twice.error.code == "DUPLICATE_TODAY"
        assert again.data["records"][0]["times_reported"] == 2
        quote = await call(services, "run_quotation_fill", text="PVC直通 DN75 ×20\n球阀 25 ×20", customer_level="B")
        run = quote.data["run_id"]
        registered = await call(services, "register_oos", run_id=run)
        assert [one["times_reported"] for one in registered.data["records"]] == [3, 1]
        repeated = await call(services, "register_oos", run_id=run)
        assert repeated.data["ids"] == []
        board = await call(services, "oos_stats", days=7)
        assert board.data["total"] == 4
        margin = await call(services, "get_margin", items=[{"code": "1001", "price": 3.5}])
        assert margin.error is not None
        assert margin.error.code == "DENIED"


async def test_levels_customers_and_rules_of_the_person_hold(tmp_path: Path) -> None:
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        await call(services, "define_level", level="VIP", base="B", minus_percent=5, aliases=["大客户"])
        await call(services, "define_customer", name="甲公司", customer_level="大客户", tax_rate=13)
        quote = await call(services, "run_quotation_fill", text="直接 DN50 ×100", customer="甲公司")
        # 3.50 less 5 % is 3.325, half up 3.33; 13 % of 333.00 is 43.29.
        assert (quote.data["subtotal"], quote.data["tax_amount"], quote.data["total"]) == ("333.00", "43.29", "376.29")
        await call(services, "remember_rule", kind="synonym", words=["球阀", "圆球开关"])
        known = await call(services, "match_price", keywords="圆球开关 DN25", customer_level="B")
        assert known.data["chosen"] == "1007"
        await call(services, "remember_rule", kind="forbid", words=["快装球阀", "球阀"])
        apart = await call(services, "match_price", keywords="快装球阀 DN25", customer_level="B")
        assert (apart.data["status"], apart.data["chosen"]) == ("unmatched", None)
        conflict = await call(services, "remember_rule", kind="forbid", words=["圆球开关", "球阀"])
        assert conflict.error is not None
        assert conflict.error.code == "CONFLICT"


async def test_a_viewer_is_denied_in_the_loop_and_the_run_goes_on_to_an_answer(tmp_path: Path) -> None:
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        viewer = {"domain_settings": {"role": "viewer"}}
        await services.settings.save_profile(services.settings.profile("quotation").model_copy(update=viewer))
        turns = [
            called("register_oos_from_text", product="PVC直通 DN75"),
            called("run_quotation_fill", text="球阀 DN25 ×20", customer_level="B"),
            called("match_price", keywords="球阀 DN25", customer_level="B"),
        ]
        events = await played(services, tmp_path, *turns, {"content": "19.80"})
        returned = [event for event in events if isinstance(event, ToolReturned)]
        assert [(one.error or {}).get("code") for one in returned] == ["DENIED", "DENIED", None]
        assert (await call(services, "list_oos")).data["records"] == []
    assert isinstance(events[-1], LoopEnd)
    assert events[-1].answer == "19.80"


async def test_a_question_with_choices_waits_and_its_answer_is_matched(tmp_path: Path) -> None:
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        ask = called("ask_user", question="球阀：价格还是库存？", options=["价格", "库存"])
        look = called("match_price", keywords="球阀 DN25", customer_level="B")
        run = await started(services, tmp_path, ask, look, {"content": "19.80"}, is_alone=False)
        events = []
        async for line in run.events():
            events.append(line.event)
            if isinstance(line.event, Question):
                assert line.event.options == ("价格", "库存")
                assert run.answer(line.event.id, "价格")
        await services.chat.recorded()
        asked, found = (event for event in events if isinstance(event, ToolReturned))
        assert "价格" in asked.text
        assert [piece for piece in ("1007", "19.80", "价格表") if piece not in found.text] == [], found.text
        alone = await played(services, tmp_path, ask, {"content": "?"})
        assert isinstance(alone[-1], LoopEnd)
        assert alone[-1].needs_clarification


async def test_a_cancelled_run_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped while the lines are matched: the filled copy is the last thing that is made."""
    begun = asyncio.Event()

    async def endless(*_args: Any) -> list[Any]:
        begun.set()
        await asyncio.Event().wait()
        return []

    monkeypatch.setattr(quotes, "match_all", endless)
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        before = workbooks(tmp_path)
        inquiry = str(DATA / "inquiry.xlsx")
        run = await started(services, tmp_path, called("run_quotation_fill", path=inquiry, customer_level="B"))
        await begun.wait()
        run.cancel()
        events = [line.event async for line in run.events()]
        await services.chat.recorded()
        assert workbooks(tmp_path) == before
        ends = [event for event in events if isinstance(event, LoopEnd | LoopError)]
        assert [getattr(end, "reason", "") for end in ends] == ["cancelled"]
        monkeypatch.undo()
        done = await call(services, "run_quotation_fill", path=inquiry, customer_level="B")
        assert {Path(done.data["file"])} == workbooks(tmp_path) - before
