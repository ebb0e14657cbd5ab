"""Whole conversations over a real connection: the loop and its end, what is refused, and that no name leaves."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from app.core.run.events import Approval, ToolReturned
from app.core.run.messages import Reasoning
from app.core.run.transcript import fold
from app.domains.play.model.session import PlayEvent, PlaySession
from app.domains.play.model.vocabulary import DIMENSIONS
from app.services.knowledge.models import PrivateEmbedder, PrivateReranker
from app.services.tools.domains import names_to_keep
from tests.domains.play.rig import CHILD, FINE, PLAN, answer_of, final, home, results

SECRETS = ("乐乐", "阳光幼儿园", "自闭", "2024-05", "sk-1")


def calls(*named: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "arguments": args} for name, args in named]}


def memory(query: str) -> tuple[str, dict[str, Any]]:
    return "fetch_memory", {"query": query}


async def test_a_game_is_looked_up_planned_and_kept_and_a_third_look_is_refused(tmp_path: Path) -> None:
    turns = [
        calls(memory("积木"), ("fetch_knowledge", {"query": "construction turn taking"})),
        calls(memory("球")), calls(memory("再来")), {"content": final(PLAN)}, FINE,
    ]  # fmt: skip
    async with home(tmp_path, turns) as at_home:
        await at_home.call(
            "record_observation",
            text="乐乐搭积木",
            matches=[{"dimension": "construction", "weight": 1, "intensity": 1}],
        )
        lines = await at_home.say("给乐乐想一个今晚的游戏")
        assert sorted(results(lines)[:2]) == [("fetch_knowledge", True), ("fetch_memory", True)]
        assert results(lines)[2:] == [("fetch_memory", True), ("fetch_memory", False), ("save_game_plan", True)]
        refused = [line.event for line in lines if isinstance(line.event, ToolReturned) and not line.event.ok]
        assert "CALL_LIMIT" in refused[0].text
        games = (await at_home.call("list_game_plans")).data["games"]
        assert [game["title"] for game in games] == ["滚球对话"]
        shown = [line.event.display for line in lines if isinstance(line.event, ToolReturned)][-1]
        assert shown is not None
        assert (shown["card"], shown["role"], shown["actions"][0]["tool"]) == ("activity", "answer", "start_session")
        assert [secret for secret in SECRETS if secret in at_home.sent] == []
        assert "搭积木" in at_home.sent


async def test_after_five_rounds_the_json_is_asked_for_and_a_missing_field_is_repaired_once(tmp_path: Path) -> None:
    asked: list[dict[str, Any]] = []
    short = {name: value for name, value in PLAN.items() if name != "stop_signs"}

    def turn(body: dict[str, Any]) -> dict[str, Any]:
        asked.append(body)
        if len(asked) <= 5:
            return calls(("fetch_knowledge", {"query": f"ball {len(asked)}"}))
        return {"content": final(short if len(asked) == 6 else PLAN)} if len(asked) < 8 else dict(FINE)

    async with home(tmp_path, turn) as at_home:
        lines = await at_home.say("想一个游戏")
        assert len(asked) == 8
        assert not asked[5].get("tools")
        assert "JSON" in json.dumps(asked[5]["messages"][-1], ensure_ascii=False)
        assert "stop_signs" in json.dumps(asked[6]["messages"][-1], ensure_ascii=False)
        assert results(lines)[-1] == ("save_game_plan", True)


async def test_an_analysis_ends_in_its_json_repaired_once_with_the_numbers_that_were_computed(tmp_path: Path) -> None:
    judged: list[dict[str, Any]] = [
        {
            "dimension": name, "strength": 99, "exploration": 99, "category": "neutral", "specificObjects": [],
            "reasoning": "",
        }
        for name in DIMENSIONS
    ]  # fmt: skip
    advice = {
        "targetDimension": "motor", "strategy": "leverage", "suggestion": "来回推大球", "rationale": "他喜欢推",
        "exampleActivities": ["滚球对话"],
    }  # fmt: skip
    whole = {
        "summary": "他最喜欢动", "dimensions": judged, "leverageDimensions": ["motor"], "exploreDimensions": [],
        "avoidDimensions": [], "interventionSuggestions": [advice] * 3,
    }  # fmt: skip
    short = {**whole, "interventionSuggestions": [advice]}
    sharp = {**whole, "interventionSuggestions": [{**advice, "suggestion": "按住他直到他看你"}] * 3}
    asked: list[dict[str, Any]] = []

    def turn(body: dict[str, Any]) -> dict[str, Any]:
        asked.append(body)
        if len(asked) <= 5:
            return calls(("compute_interest_metrics", {"half_life_days": 30 + len(asked)}))
        return {"content": final([short, sharp, whole][len(asked) - 6])}

    async with home(tmp_path, turn) as at_home:
        await at_home.call(
            "record_observation", text="推球笑了", matches=[{"dimension": "motor", "weight": 1, "intensity": 0.6}]
        )
        lines = await at_home.say("他现在喜欢什么？")
        assert len(asked) == 8
        assert not asked[5].get("tools")
        assert "interventionSuggestions" in json.dumps(asked[6]["messages"][-1], ensure_ascii=False)
        assert "S11" in json.dumps(asked[7]["messages"][-1], ensure_ascii=False)
        assert results(lines)[-2:] == [("show_interests", False), ("show_interests", True)]
        shown = [line.event.display for line in lines if isinstance(line.event, ToolReturned)][-1]
        assert shown is not None
        assert (shown["card"], shown["role"]) == ("interests", "answer")
        strengths = {one["label"]: one["strength"] for one in shown["payload"]["dimensions"]}
        assert sorted(strengths.values()) == [50] * 7 + [80], "what was computed, not what the model wrote"
        assert len(shown["payload"]["suggestions"]) == 3
        assert "推球笑了" in shown["payload"]["evidence"][0]["text"]


async def test_a_dangerous_game_is_not_kept_and_a_revision_names_every_code(tmp_path: Path) -> None:
    steps = [
        {"title": "弹珠", "instruction": "把弹珠倒进盘子，一颗一颗捏起来。"},
        {"title": "Snack", "instruction": "A spoon of peanut butter for every marble."},
        {"title": "Lights", "instruction": "Turn on the strobe lamp."},
        {"title": "Answer", "instruction": "Hold him until he answers."},
    ]
    child = {**CHILD, "allergies": ["花生"], "medical_cautions": ["癫痫"]}
    turns = [{"content": final({**PLAN, "steps": steps})}, {"content": final(PLAN)}, FINE]
    async with home(tmp_path, turns, child) as at_home:
        lines = await at_home.say("想一个游戏")
        assert results(lines) == [("save_game_plan", False), ("save_game_plan", True)]
        revision = json.dumps(at_home.server.chats[1]["messages"][-1], ensure_ascii=False)
        assert [code for code in ("S01", "S06", "S07", "S11") if code not in revision] == []
    async with home(tmp_path / "b", [turns[0], turns[0]], child) as at_home:
        lines = await at_home.say("想一个游戏", asks=True)
        assert "S11，步骤 4）。" in answer_of(lines), "a place in words, not steps[3].instruction"
        assert [line for line in lines if isinstance(line.event, Approval)] == [], "nobody is asked to keep a danger"
        assert (await at_home.call("list_game_plans")).data["games"] == []


async def test_what_was_handed_in_and_refused_is_told_in_sentences(tmp_path: Path) -> None:
    """Not in JSON: that, and what is wrong with it, is among the thoughts."""
    short = {name: value for name, value in PLAN.items() if name != "stop_signs"}
    sly = {**PLAN, "materials": [{"name": "弹珠"}]}
    for plan, said in ((short, "不完整"), (sly, "所以没有保存：")):
        async with home(tmp_path / said[:2], [{"content": final(plan)}, {"content": final(plan)}, FINE]) as at_home:
            lines = await at_home.say("想一个游戏")
            assert said in answer_of(lines)
            assert results(lines) == ([] if plan is short else [("save_game_plan", False)]), "unchanged: not again"
            assert "{" not in answer_of(lines)
            message = fold([line.event for line in lines], "m")
            assert "{" not in message.text
            thoughts = "".join(part.text for part in message.parts if isinstance(part, Reasoning))
            assert "calm_down_plan" in thoughts
            assert ("stop_signs: Field required" in thoughts) == (plan is short)
            assert ("“弹珠”" in answer_of(lines)) == (plan is sly)


async def test_what_words_do_not_see_the_model_is_asked_about(tmp_path: Path) -> None:
    words = "The bear goes back into its box for ever, says dad."
    sly = {**PLAN, "steps": [*PLAN["steps"][:3], {"title": "Look", "instruction": words}]}
    judged = {"unsafe": [
        {"code": "S11", "words": "into its box for ever"}, {"code": "S09", "words": "The bear goes back"},
        {"code": "S11", "words": "made up"},
    ]}  # fmt: skip
    turns = [{"content": final(sly)}, {"content": json.dumps(judged)}, {"content": final(PLAN)}, FINE]
    async with home(tmp_path, turns) as at_home:
        lines = await at_home.say("想一个游戏")
        assert results(lines) == [("save_game_plan", False), ("save_game_plan", True)]
        revision = json.dumps(at_home.server.chats[2]["messages"][-1], ensure_ascii=False)
        assert "into its box for ever" in revision
        assert "S09" in revision
        assert "months" in str(at_home.server.chats[1]["messages"])
        assert "made up" not in revision


async def test_a_red_flag_asks_no_model_and_a_query_that_names_the_child_stays(tmp_path: Path) -> None:
    async with home(tmp_path, []) as at_home:
        for mode in ("direct", "react", "plan", "auto"):
            assert "120" in answer_of(await at_home.say("他突然不会说话了，还抽搐", mode=mode)), mode
        assert at_home.server.chats == []
        refused = await at_home.call("fetch_knowledge", query="乐乐 自闭症 积木", web=True)
        assert refused.error is not None
        assert refused.error.code == "PII_BLOCKED"


async def test_nothing_of_the_child_leaves_by_any_other_way(tmp_path: Path) -> None:
    """Another agent that goes on in the session, a title, vectors and rankings, and what is noted of the wire."""
    async with home(tmp_path, lambda _body: {"content": "孩子A 笑了"}) as at_home:
        row = await at_home.services.sessions.create("play")
        assert answer_of(await at_home.say("乐乐在阳光幼儿园笑了", session=row.id, mode="direct")) == "乐乐 笑了"
        await at_home.say("乐乐还会做什么", session=row.id, agent="assistant", mode="direct")
        assert len(at_home.server.chats) == 2
        assert [secret for secret in SECRETS if secret in at_home.sent] == []
        for run in await at_home.services.run_store.rows(row.id):
            noted = repr(await at_home.services.run_store.model_calls(run.id))
            assert [secret for secret in SECRETS if secret in noted] == []

        class Heard:
            ref = "a/b"

            def __init__(self) -> None:
                self.texts: list[str] = []

            async def embed(self, texts: Any, **_more: Any) -> list[bytes]:
                self.texts += texts
                return [b""] * len(texts)

            async def order(self, query: str, texts: Any) -> list[int]:
                self.texts += [query, *texts]
                return []

        heard = Heard()
        documents = at_home.services.tools._tool_seams["documents"]
        scrubs = await names_to_keep(at_home.services.settings, documents)
        await PrivateEmbedder(heard, scrubs).embed(["乐乐的积木"])
        await PrivateReranker(heard, scrubs).order("乐乐", ["阳光幼儿园的一天"])
        assert len(heard.texts) == 3
        assert [secret for secret in SECRETS if secret in "".join(heard.texts)] == []


async def test_a_game_is_played_reviewed_shown_exported_and_all_is_deleted(tmp_path: Path) -> None:
    async with home(tmp_path, []) as at_home:
        game = (await at_home.call("save_game_plan", plan=PLAN)).data["id"]
        session = (await at_home.call("start_session", plan_id=game)).data["id"]
        again = await at_home.call("start_session", plan_id=game)
        assert again.error is not None
        assert again.error.code == "BAD_STATE"
        for kind in ("smile", "circle", "circle"):
            await at_home.call("log_event", session_id=session, kind=kind)
        done = await at_home.call("finish_session", session_id=session, scores={"childEngagement": 80}, notes="笑了")
        assert done.data["circles"] == 2
        progress = (await at_home.call("get_progress")).data
        assert (progress["sessions"], progress["circles"], progress["mean_scores"]) == (1, 2, {"childEngagement": 80})
        remembered = (await at_home.call("fetch_memory", query="滚球", kinds=["review"])).data["facts"]
        assert [one["kind"] for one in remembered] == ["review"]
        text = ""
        for form in ("json", "md"):
            file = await at_home.call("export_child_data", format=form)
            text = await asyncio.to_thread(Path(file.data["file"]).read_text, "utf-8")
            assert "乐乐" in text
        assert "{" not in text
        assert [
            words for words in ("## 滚球对话", "张开等着", "80 / 100", "笑了", "阳光幼儿园") if words not in text
        ] == []
        wrong = await at_home.call("delete_child_data", confirm_text="乐")
        assert wrong.error is not None
        gone = (await at_home.call("delete_child_data", confirm_text="乐乐")).data["deleted"]
        assert gone == {"child": 1, "observation": 0, "game": 1, "playtime": 1}
        documents = at_home.services.tools._tool_seams["documents"]
        assert [kind for kind in gone if await documents.list(kind)] == []


async def test_the_form_of_a_kept_profile_exports_and_deletes(tmp_path: Path) -> None:
    async with home(tmp_path, []) as at_home:
        form = (await at_home.call("open_child_profile")).display
        by_id = {action.id: action for action in form.actions}
        assert "confirm_text" not in by_id["save"].fills
        assert (by_id["export"].tool, by_id["delete"].tool) == ("export_child_data", "delete_child_data")
        assert (by_id["delete"].fills, by_id["delete"].style) == (("confirm_text",), "danger")
        assert {"sensory.auditory", "play_space", "confirm_text"} <= {one["name"] for one in form.payload["fields"]}
        await at_home.call("delete_child_data", confirm_text="乐乐")
        again = (await at_home.call("open_child_profile")).display
        assert [action.id for action in again.actions] == ["save"]


async def test_a_session_is_paused_and_a_game_says_what_it_rests_on_and_is_asked_how_it_was(tmp_path: Path) -> None:
    async with home(tmp_path, []) as at_home:
        seen = await at_home.call(
            "record_observation", text="推球", matches=[{"dimension": "motor", "weight": 1, "intensity": 1}]
        )
        named = [{"id": seen.data["id"], "why": "喜欢推"}, {"id": "a04", "why": "来回"}, {"id": "nobody", "why": "?"}]
        game = (await at_home.call("save_game_plan", plan={**PLAN, "evidence": named})).data["id"]
        playing = await at_home.call("start_session", plan_id=game)
        card = playing.display.payload
        assert [one["id"] for one in card["evidence"]] == [seen.data["id"], "a04"]
        assert "推球" in card["evidence"][0]["text"]
        assert card["timer"]["planned"] == 15 * 60
        id = playing.data["id"]
        paused = (await at_home.call("log_event", session_id=id, kind="pause")).display
        assert paused.payload["timer"]["since"] is None
        assert "resume" in [action.id for action in paused.actions]
        assert (await at_home.call("show_game", plan_id=game)).data["session"] == id
        done = await at_home.call("finish_session", session_id=id, steps_done=[1, 2])
        assert done.display.kind == "form"
        assert {"engagement", "notes", "recommendation"} <= set(done.display.actions[0].fills)
        await at_home.call("review_session", session_id=id, engagement="75", notes="笑了", recommendation="continue")
        assert (await at_home.call("get_progress")).data["mean_scores"] == {"childEngagement": 75}


def test_pauses_do_not_count() -> None:
    began = datetime(2026, 11, 20, 10, tzinfo=UTC)
    events = (PlayEvent(60, "pause"), PlayEvent(90, "pause"), PlayEvent(180, "resume"), PlayEvent(240, "pause"))
    session = PlaySession("s", "g", began, ended=began + timedelta(seconds=300), log=events)
    assert session.minutes == 2
    assert session.is_paused


async def test_without_a_model_the_week_and_the_interests_stand_in_the_answer(tmp_path: Path) -> None:
    async with home(tmp_path, []) as at_home:
        seen = [{"dimension": "motor", "weight": 1, "intensity": 0.6}]
        assert (await at_home.call("record_observation", text="推球笑了", matches=seen)).ok
        for question, kind in (("这周我们玩得怎么样？", "table"), ("他现在喜欢什么？", "interests")):
            lines = await at_home.say(question, model="offline/rules")
            cards = [line.event.display for line in lines if isinstance(line.event, ToolReturned)]
            assert [(card["card"], card["role"]) for card in cards if card is not None] == [(kind, "answer")], question
        assert at_home.server.chats == []
