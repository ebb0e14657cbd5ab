"""D1 to D5 of the specification: whole runs over the composed program; a script stands for both agents' model."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from app.core.run.events import LoopEnd, LoopError, PlanMade, PlanStepChanged, RunEvent, ToolReturned, ToolText
from app.core.run.run_handle import RunHandle
from app.domains.kit.folder.root import open_root
from app.domains.novel.store.folder import read_folder
from app.domains.novel.store.plans import read_plan
from app.domains.novel.store.versions import versions_of
from app.services.runs.run_options import RunOptions
from tests.domains.novel.studio import Studio, answer, calls, outcomes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there")

STEPS: list[dict[str, Any]] = [
    {"title": "渡口", "content": "小林在渡口遇见苏晚", "goal_words": 500, "characters": ["小林", "苏晚"]},
    {"title": "上船", "content": "两人上船", "goal_words": 500},
    {"title": "江心", "content": "船在江心漏水", "goal_words": 500},
    {"title": "上岸", "content": "两人游上岸", "goal_words": 500},
]
PLAN = {"goal": "追", "chapter_id": "3", "target_words": 2000, "steps": STEPS}


def result(events: list[RunEvent], name: str) -> ToolReturned:
    return next(event for event in reversed(events) if isinstance(event, ToolReturned) and event.name == name)


def written(events: list[RunEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, ToolText))


async def plan_of(studio: Studio) -> str:
    events = await studio.say(calls(("submit_plan", PLAN)), {"content": "ok"})
    assert result(events, "submit_plan").ok
    [path] = (studio.desk.root / "plans").iterdir()
    return path.stem


async def test_d1_two_lookups_at_once_then_a_plan_and_nothing_in_the_chapter(studio: Studio) -> None:
    events = await studio.say(
        calls(("latest_content_get", {"chapter_id": "3"}), ("get_character_info", {"name": "小林"})),
        calls(("latest_content_get", {"chapter_id": "3"}), ("submit_plan", PLAN)),
        {"content": "计划好了。"},
    )
    assert [name for name, state in outcomes(events) if state == "ok"][-1] == "submit_plan"
    texts = [event.text for event in events if isinstance(event, ToolReturned)]
    assert any('"is_previous": true' in text for text in texts)
    assert any("林舟" in text for text in texts)
    again = [one for one in events if isinstance(one, ToolReturned) and one.name == "latest_content_get"]
    assert [one.repeat is not None for one in again] == [False, True]
    assert studio.desk.book().book.chapters[2].text == ""
    assert studio.approvals == []
    [shown] = [event for event in events if isinstance(event, PlanMade)]
    assert (shown.goal, [step.action for step in shown.steps]) == ("追", ["write_step"] * 4), "in the one plan surface"
    assert all("500" in step.description and step.params["title"] in step.description for step in shown.steps)


async def test_d2_a_bad_plan_is_told_all_its_faults_and_the_second_is_taken(studio: Studio) -> None:
    bad = {**PLAN, "steps": [{"title": "一", "content": "走", "goal_words": 450, "characters": ["张三"]}] * 2}
    events = await studio.say(calls(("submit_plan", bad)), calls(("submit_plan", PLAN)), {"content": "ok"})
    first, second = (one for one in events if isinstance(one, ToolReturned))
    assert all(code in first.text for code in ("SCHEMA", "WORDS_MISMATCH", "UNKNOWN_CHARACTER"))
    assert second.ok


async def test_d3_a_stopped_draft_goes_on_where_it_was_and_is_accepted(studio: Studio) -> None:
    plan = await plan_of(studio)
    chapter = "第二步写"

    def stop(event: RunEvent, run: RunHandle) -> None:
        if isinstance(event, ToolText) and chapter in event.text:
            run.cancel()

    first = "林舟在渡口等了一夜，苏晚才来。" * 3
    half = [f"{chapter}，船慢慢离岸，雾散了一些，江上只有桨声", "。" * 2]
    events = await studio.say(
        calls(("write_chapter", {"plan_id": plan})), {"content": first}, {"chunks": half, "delay": 0.05}, watch=stop
    )  # fmt: skip
    assert isinstance(events[-1], LoopError)
    with open_root(studio.desk.root) as root:
        [draft] = versions_of(root, "ch-0003")
        assert read_folder(root).book.chapters[2].text == ""
    assert not draft.complete
    assert draft.text == written(events)
    assert draft.text.startswith(f"{first}\n{chapter}")
    stopped = result(events, "write_chapter")
    assert stopped.status == "interrupted"
    assert stopped.display is not None
    assert stopped.display["payload"]["text"] == draft.text, "the partial draft is there as a card"
    assert [one["id"] for one in stopped.display["actions"]] == ["continue", "accept", "parts", "reject"]
    assert studio.approvals[0].name == "write_chapter"

    rest = "，他们上了岸。"
    events = await studio.say(
        calls(("write_chapter", {"plan_id": plan, "mode": "continue"})),
        {"content": rest}, {"content": "第三步。"}, {"content": "第四步。"},
        calls(("accept_version", {"chapter_id": "3", "version_id": draft.id})), {"content": "写好了。"},
    )  # fmt: skip
    assert outcomes(events) == [("write_chapter", "ok"), ("accept_version", "ok")]
    text = f"{draft.text}{rest}\n第三步。\n第四步。"
    book = studio.desk.book().book
    assert (book.chapters[2].text, book.chapters[2].status) == (text, "completed")
    card = result(events, "write_chapter").display
    assert card is not None
    assert (card["card"], card["payload"]["complete"]) == ("manuscript", True)
    assert isinstance(events[-1], LoopEnd)
    assert answer(events) == "写好了。"


async def test_a_plan_is_changed_in_the_plan_card_and_written_step_by_step(studio: Studio) -> None:
    """One step is left out, two change places, one is told otherwise: that is written, and stored as the plan."""

    def changed(shown: PlanMade) -> list[Mapping[str, Any]]:
        first, second, _third, fourth = (step.to_json() for step in shown.steps)
        second["params"] |= {"content": "两人不上船", "goal_words": 1000}
        return [{**one, "step": n} for n, one in enumerate((second, first, fourth), 1)]

    texts = ["第一段。", "第二段。", "第三段。"]
    events = await studio.say(calls(("submit_plan", PLAN)), *({"content": text} for text in texts), plan=changed)
    assert outcomes(events) == [("submit_plan", "ok"), *[("write_step", "ok")] * 3]
    done = [(one.step, one.status) for one in events if isinstance(one, PlanStepChanged)]
    assert done == [(n, status) for n in (1, 2, 3) for status in ("running", "done")]
    assert studio.approvals == [], "the plan was accepted; its steps ask no more"
    with open_root(studio.desk.root) as root:
        [draft] = versions_of(root, "ch-0003")
        stored = read_plan(root, draft.plan)
        assert read_folder(root).book.chapters[2].text == ""
    assert (draft.text, draft.complete) == ("\n".join(texts), True)
    assert [(one.title, one.goal_words) for one in stored.steps] == [("上船", 1000), ("渡口", 500), ("上岸", 500)]
    assert stored.steps[0].content == "两人不上船"
    card = result(events, "write_step").display
    assert card is not None
    assert [one["id"] for one in card["actions"]] == ["accept", "parts", "reject"]


async def test_a_stopped_step_goes_on_in_the_run_that_repeats_it_and_no_step_is_written_unasked(studio: Studio) -> None:
    def stop(event: RunEvent, run: RunHandle) -> None:
        if isinstance(event, ToolText) and "第二步" in event.text:
            run.cancel()

    def as_it_is(shown: PlanMade) -> list[Mapping[str, Any]]:
        return [step.to_json() for step in shown.steps]

    half = {"chunks": ["第二步写到一半，江上起了雾，桨声越来越远", "。"], "delay": 0.05}
    first = (calls(("submit_plan", PLAN)), {"content": "第一步。"}, half)
    events = await studio.say(*first, watch=stop, plan=as_it_is)
    assert isinstance(events[-1], LoopError)
    with open_root(studio.desk.root) as root:
        [draft] = versions_of(root, "ch-0003")
    assert (draft.complete, len(draft.marks)) == (False, 1)
    assert (result(events, "write_step").display or {})["actions"][0]["id"] == "continue"

    script = studio.place / "rest.json"
    turns = [{"content": text} for text in ("，上岸。", "三。", "四。")]
    script.write_text(json.dumps({"turns": turns}), "utf-8")
    message = (await studio.services.sessions.messages(studio.session))[-1]
    assert message.run is not None
    options = RunOptions(model=f"script/{script}")
    run = await studio.services.chat.repeats.run_again(message.run, from_plan_step=2, options=options)
    seen = [line.event async for line in run.events()]
    await studio.services.chat.recorded()
    assert isinstance(seen[-1], LoopEnd), seen[-1]
    with open_root(studio.desk.root) as root:
        [whole] = versions_of(root, "ch-0003")
    assert (whole.complete, whole.text) == (True, f"{draft.text}，上岸。\n三。\n四。")

    broken = {"raise": "401"}
    events = await studio.say(calls(("submit_plan", PLAN)), {"content": "一。"}, broken, plan=as_it_is)
    assert [state for _name, state in outcomes(events)][1] == "ok"
    assert [state for _name, state in outcomes(events)][-2:] == ["STEP_BEFORE", "STEP_BEFORE"], "no gap in the text"

    step = {"plan_id": draft.plan, "title": "渡口", "content": "等", "goal_words": 100}
    events = await studio.say(calls(("write_step", step)), {"content": "ok"})
    assert outcomes(events) == [("write_step", "PLAN_NOT_APPROVED")]


async def test_d4_patches_are_found_once_or_not_at_all_and_taken_back(studio: Studio) -> None:
    file = studio.desk.root / "chapters" / "ch-0001.md"
    old = studio.desk.book().book.chapters[0].text
    edits = [
        {"find": "右手", "replace": "左手"},
        {"find": "左手空着", "replace": "x"},
        {"find": "没有的", "replace": "x"},
    ]
    events = await studio.say(calls(("propose_patch", {"chapter_id": "1", "edits": edits})), {"content": "看卡片"})
    text = result(events, "propose_patch").text
    assert all(state in text for state in ("pending", "AMBIGUOUS", "NOT_FOUND"))
    with open_root(studio.desk.root) as root:
        [patch] = versions_of(root, "ch-0001")
    await studio.say(calls(("accept_version", {"chapter_id": "1", "version_id": patch.id})), {"content": "ok"})
    assert studio.desk.book().book.chapters[0].text == old.replace("右手", "左手")
    events = await studio.say(calls(("propose_patch", {"chapter_id": "1", "edits": edits, "base_version": patch.base})),
                              {"content": "ok"})  # fmt: skip
    assert outcomes(events) == [("propose_patch", "STALE_BASE")]
    await studio.say(calls(("restore_version", {"chapter_id": "1"})), {"content": "ok"})
    assert file.read_text("utf-8").endswith(old)


async def test_a_draft_is_accepted_by_paragraph_and_two_quick_accepts_are_one(studio: Studio) -> None:
    plan = await plan_of(studio)
    await studio.say(
        calls(("write_chapter", {"plan_id": plan})),
        *({"content": text} for text in ("一。\n二。", "三。", "四。", "五。", "写好了。")),
    )  # fmt: skip
    with open_root(studio.desk.root) as root:
        [draft] = versions_of(root, "ch-0003")
    whole = {"chapter_id": "3", "version_id": draft.id}
    for part in ("n4", "n1", "n1"):
        await studio.say(calls(("accept_version", {**whole, "hunks": [part]})), {"content": "ok"})
    chapter = studio.desk.book().book.chapters[2]
    assert (chapter.text, chapter.status) == ("一。\n四。", "in-progress")
    with open_root(studio.desk.root) as root:
        before = len(versions_of(root, "ch-0003"))
    await studio.say(calls(("accept_version", whole), ("accept_version", whole)), {"content": "ok"})
    await studio.say(calls(("accept_version", {**whole, "anyway": True})), {"content": "ok"})
    await studio.say(calls(("accept_version", {**whole, "anyway": True})), {"content": "ok"})
    assert studio.desk.book().book.chapters[2].text == draft.text
    with open_root(studio.desk.root) as root:
        assert len(versions_of(root, "ch-0003")) <= before + 1


async def test_a_passage_is_rewritten_as_a_change_to_accept(studio: Studio) -> None:
    args = {"mode": "rewrite_selection", "chapter_id": "2", "selection": "雨停了。", "instruction": "短一点"}
    events = await studio.say(calls(("write_chapter", args)), {"content": "雨歇。"}, {"content": "看卡片"})
    assert outcomes(events) == [("write_chapter", "ok")]
    card = result(events, "write_chapter").display
    assert card is not None
    assert (card["card"], card["payload"]["hunks"][0]["new"]) == ("diff", "雨歇。")
    assert studio.desk.book().book.chapters[1].text == "船靠了岸。\n雨停了。"


async def test_a_button_writes_with_the_model_of_the_session_and_says_what_it_needs_without_one(studio: Studio) -> None:
    events = await studio.say(calls(("submit_plan", PLAN)), {"content": "ok"})
    call = result(events, "submit_plan").id
    message = (await studio.services.sessions.messages(studio.session))[-1]
    path = studio.place / "writes.json"
    path.write_text(json.dumps({"turns": [{"content": "写。"}], "repeat_last": True}), "utf-8")
    seen: list[RunEvent] = []
    for model, expected in (("offline/rules", "NO_MODEL"), (f"script/{path}", "ok")):
        await studio.services.sessions.update(studio.session, model=model)
        run = await studio.services.chat.press(studio.session, message.id, call, "write")
        seen = [line.event async for line in run.events()]
        await studio.services.chat.recorded()
        assert outcomes(seen) == [("write_chapter", expected)]
    assert "写。" in written(seen)


def thinks(enough: bool, *wanted: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    wishes = [{"toolName": name, "purpose": "to know", "parameters": args} for name, args in wanted]
    thought = {"hasEnoughInfo": enough, "toolsToCall": wishes, "reasoning": "因为"}
    return {"content": json.dumps(thought, ensure_ascii=False)}


async def test_the_planning_agent_looks_up_in_at_most_three_rounds_and_mends_its_plan(studio: Studio) -> None:
    latest = ("latest_content_get", {"chapter_id": "3"})
    bad = {**PLAN, "steps": STEPS[:2]}
    events = await studio.say(
        calls(("plan_chapter", {"chapter_id": "3"})),
        thinks(False, latest, ("get_character_info", {"name": "小林"})),
        thinks(False, latest, ("rag_query", {"query": "船"})),
        thinks(False, ("get_outline", {})),
        {"content": json.dumps(bad, ensure_ascii=False)},
        {"content": f"好的：\n```json\n{json.dumps(PLAN, ensure_ascii=False)}\n```"},
        {"content": "计划好了。"},
    )
    assert outcomes(events) == [("plan_chapter", "ok")]
    text = result(events, "plan_chapter").text
    assert text.count("hasEnoughInfo") == 3
    assert '"minimal": false' in text
    assert "因为" in written(events)
    [path] = (studio.desk.root / "plans").iterdir()
    assert "get_character_info" in path.read_text("utf-8")
    assert studio.desk.book().book.chapters[2].text == ""


async def test_where_no_plan_comes_the_outline_makes_a_minimal_one_and_it_says_so(studio: Studio) -> None:
    events = await studio.say(
        calls(("plan_chapter", {"chapter_id": "3"})),
        {"content": "我想想。"}, {"content": "没有计划。"}, {"content": "还是没有。"}, {"content": "看卡片"},
    )  # fmt: skip
    assert '"minimal": true' in result(events, "plan_chapter").text
    [path] = (studio.desk.root / "plans").iterdir()
    assert "林舟在渡口遇见苏晚" in path.read_text("utf-8")


async def test_records_of_a_chapter_are_proposed_and_settled_one_by_one(studio: Studio) -> None:
    answer = {
        "summary": "船靠岸，雨停。",
        "facts": [
            {"subject": "船", "attribute": "状态", "value": "靠岸", "quote": "船靠了岸"},
            {"subject": "船", "attribute": "颜色", "value": "红", "quote": "红船"},
        ],
        "foreshadows": [{"title": "断剑", "note": "露了一次", "status": "advanced"}, {"title": "桨声", "note": "远处"}],
    }
    body = json.dumps(answer, ensure_ascii=False)
    events = await studio.say(
        calls(("propose_records", {"chapter_id": "2"})), {"content": body}, {"content": "请过目。"}
    )
    display = result(events, "propose_records").display
    assert display is not None
    items = display["payload"]["items"]
    assert [one["state"] for one in items] == ["todo"] * 4, "the fact whose quote stands nowhere is not among them"
    book = studio.desk.book().book
    assert (book.chapters[1].summary, book.facts, len(book.foreshadows)) == ("过江", [], 1), "nothing is in yet"

    settled = [("1", "take"), ("2", "take"), ("3", "leave"), ("4", "take")]
    for id, decision in settled:
        args = {"chapter_id": "ch-0002", "id": id, "decision": decision}
        events = await studio.say(calls(("settle_record", args)), {"content": "好。"})
    book = studio.desk.book().book
    assert book.chapters[1].summary == "船靠岸，雨停。"
    assert [(one.subject, one.value, one.quote) for one in book.facts] == [("船", "靠岸", "船靠了岸")]
    assert [(one.title, one.status) for one in book.foreshadows] == [("断剑", "planted"), ("桨声", "planted")]
    display = result(events, "settle_record").display
    assert display is not None
    assert [one["state"] for one in display["payload"]["items"]] == ["ok", "ok", "warn", "ok"]
    assert not display.get("actions"), "everything is settled"
