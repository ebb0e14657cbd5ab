"""The acceptance scenarios as cases of `triptych eval`: each with the script of its model and what must hold.

A scenario stands here where its conditions can be seen from an answer, its calls and the files it changed. What a
person does in between (choosing in a card, undoing) is tested with the domains.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.domains.kit.folder.root import open_root
from app.domains.novel.model.project import Chapter, Character, CharacterState, StoryFact
from app.domains.novel.planning.plan import ChapterPlan, ChapterStep
from app.domains.novel.store.folder import read_folder
from app.domains.novel.store.plans import plan_id
from tests.domains.novel.rig import Desk as Book
from tests.domains.play.rig import CHILD, PLAN, final
from tests.domains.quotation.rig import INQUIRY, LIST
from tests.domains.travel.fixture_city import fixture_route
from tests.domains.travel.test_check import faulty, two_days

Turn = dict[str, Any]
Case = dict[str, Any]
Check = dict[str, Any]
DONE: Turn = {"content": "That is it."}
FOUND = {"url": "https://fao.example.org/tea", "title": "Tea and rain", "content": "Tea needs 1,500 mm of rain."}
"""What the search service of the test finds."""
A4 = {"city": "测试城", "days": 3, "adults": 2, "children": [8], "attractions": ["A", "D"]}


def calls(*listed: tuple[str, Mapping[str, Any]]) -> Turn:
    return {"tool_calls": [{"name": name, "arguments": dict(args)} for name, args in listed]}


def planned(*steps: tuple[str, Mapping[str, Any]]) -> Turn:
    """As a planner writes it: in a fence."""
    listed = [
        {"step": n, "action": name, "params": params, "description": f"step {n}", "needs": list(range(1, n))}
        for n, (name, params) in enumerate(steps, 1)
    ]
    return {"content": f"```json\n{json.dumps({'goal': 'done', 'steps': listed}, ensure_ascii=False)}\n```"}


class Cases:
    def __init__(self, place: Path) -> None:
        self._place = place
        self.listed: list[Case] = []

    def add(self, id: str, agent: str, turns: list[Turn], checks: list[Check], **more: Any) -> None:
        """`id` begins with that of the scenario."""
        script = self.script(id, turns)
        query = more.pop("query", "please")
        case = {"id": id, "agent": agent, "mode": "react", "query": query, "model": script, "checks": checks, **more}
        self.listed.append(case)

    def script(self, name: str, turns: list[Turn]) -> str:
        path = self._place / f"{name.replace(' ', '-')}.json"
        path.write_text(json.dumps({"turns": turns, "repeat_last": True}, ensure_ascii=False), "utf-8")
        return f"script/{path.as_posix()}"

    def folder(self, name: str, files: Mapping[str, str]) -> str:
        folder = self._place / name
        folder.mkdir()
        for path, text in files.items():
            (folder / path).write_bytes(text.encode())
        return str(folder)


def all_cases(place: Path) -> list[Case]:
    cases = Cases(place)
    for add in (_travel, _play, _research, _novel, _quotation, _workspace):
        add(cases)
    return cases.listed


def _travel(cases: Cases) -> None:
    for n, (query, mode, turns) in enumerate((
        ("你好！", "direct", [{"content": "你好！"}]),
        ("你好，帮我规划北京三日游", "plan", [planned(("get_city_info", {"city": "北京"})), DONE]),
        ("推荐几个美食城市", "react", [calls(("search_cities", {"interests": ["美食"]})), DONE]),
    )):  # fmt: skip
        cases.add(f"A1 {n}", "travel", turns, [{"mode": mode}, {"stop": "answered"}], query=query, mode="auto")
    steps = (
        ("get_city_info", {"city": "北京"}), ("query_attractions", {"cities": ["$1.data.city.id"]}),
        ("search_food", {"city": "$1.data.city.id"}), ("generate_route", {"city": "$1.data.city.id", "days": 3}),
    )  # fmt: skip
    names = [name for name, _params in steps]
    ran: list[Check] = [
        {"tools": names},
        {"tool": "generate_route", "args": {"city": "beijing", "days": 3}, "result": "ok"},
    ]
    cases.add("A2 plan", "travel", [planned(*steps), DONE], [*ran, {"mode": "plan"}], mode="plan")
    wrong = planned(steps[0], ("no_such_tool", {}), *steps[2:])
    cases.add("A2 repair", "travel", [wrong, planned(*steps), DONE], [*ran, {"mode": "plan"}], mode="plan")
    for day, date, order, minutes in (("Tuesday", "2026-11-24", "BDAC", 85), ("Monday", "2026-11-23", "ADC", 75)):
        route = calls(("generate_route", fixture_route(start_date=date)))
        places = [f'"travel_min": {minutes}', '"optimal": true'] + ([] if "B" in order else ["CLOSED_DAY"])
        checks: list[Check] = [{"tool": "generate_route", "result": "ok", "shows": places}]
        cases.add(f"A3 {day}", "travel", [route, DONE], checks, settings={"tool_result_max_length": 20_000})
    between = [{"from": "上海", "to": "测试城", "price_per_person": 200}]
    for name, more, total in (("with", {"intercity": between}, 2605), ("without", {}, 1945)):
        shows = [f'"total": {total}', '"tickets"']
        checks = [{"tool": "calculate_budget", "result": "ok", "shows": shows}]
        cases.add(f"A4 {name}", "travel", [calls(("calculate_budget", {**A4, **more})), DONE], checks)
    calendar = calls(("export_trip", {"format": "ics", "itinerary": two_days()}))
    cases.add("A5 export", "travel", [calendar, DONE], [{"tool": "export_trip", "result": "ok", "shows": ".ics"}])
    found = ["V02", "V03", "V04", "V07", "V12"]
    check = calls(("check_itinerary", {"itinerary": faulty()}))
    cases.add("A5 check", "travel", [check, DONE], [{"tool": "check_itinerary", "result": "ok", "shows": found}])


def _play(cases: Cases) -> None:
    seen = [
        ("visual", 0.8, 0.9), ("visual", 0.4, 0.3), ("tactile", 0.6, -0.8),
        ("motor", 1, 0.5), ("motor", 1, 0.7), ("motor", 1, 0.6), ("motor", 1, 0.6),
    ]  # fmt: skip
    observed = [
        ("record_observation", {"text": f"看到第 {n} 次", "matches": [{"dimension": d, "weight": w, "intensity": i}]})
        for n, (d, w, i) in enumerate(seen)
    ]
    steps = [("save_child_profile", CHILD), *observed, ("compute_interest_metrics", {})]
    shows = ['"strength": 85, "exploration": 12', '"strength": 80, "exploration": 40']
    checks: list[Check] = [{"tool": "compute_interest_metrics", "result": "ok", "shows": shows}]
    cases.add("B1 metrics", "play", [*(calls(one) for one in steps), DONE], checks, settings={"max_steps": 20})
    looks = calls(("fetch_memory", {"query": "积木"}), ("fetch_knowledge", {"query": "construction turn taking"}))
    more = [calls(("fetch_memory", {"query": text})) for text in ("球", "再来")]
    turns = [looks, *more, {"content": final(PLAN)}, {"content": '{"unsafe": []}'}]
    checks = [
        {"tools": ["fetch_knowledge", "fetch_memory", "save_game_plan"]},
        {"tool": "fetch_memory", "result": "CALL_LIMIT"}, {"tool": "save_game_plan", "result": "ok"},
    ]  # fmt: skip
    cases.add("B2 loop", "play", turns, checks, query="想一个今晚的游戏")
    five = [calls(("fetch_knowledge", {"query": f"ball {n}"})) for n in range(5)]
    short = {name: value for name, value in PLAN.items() if name != "stop_signs"}
    turns = [*five, {"content": final(short)}, {"content": final(PLAN)}, {"content": '{"unsafe": []}'}]
    cases.add("B3 limit and repair", "play", turns, [{"tool": "save_game_plan", "result": "ok"}], query="想一个游戏")
    sly = {**PLAN, "materials": [{"name": "弹珠"}, {"name": "花生酱"}, {"name": "频闪灯"}]}
    sly["steps"] = [*PLAN["steps"][:3], {"title": "等", "instruction": "按住他直到他回答。"}]
    turns = [{"content": final(sly)}, {"content": final(PLAN)}, {"content": '{"unsafe": []}'}]
    checks = [
        {"tool": "save_game_plan", "result": "ok"}, {"tool": "save_game_plan", "shows": ["S01", "S11"]},
    ]  # fmt: skip
    cases.add("B4 safety", "play", turns, checks, query="想一个游戏")
    flag: list[Check] = [{"contains": "120"}, {"max_tokens": 0}]
    cases.add("B5 red flag", "play", [DONE], flag, query="他突然不会说话了，还抽搐")
    private = calls(("fetch_knowledge", {"query": "乐乐 自闭症 积木", "web": True}))
    cases.add("B5 privacy", "play", [private, DONE], [{"tool": "fetch_knowledge", "result": "PII_BLOCKED"}])


def _research(cases: Cases) -> None:
    def judged(resolved: bool, **more: Any) -> Turn:
        values = {"is_resolved": resolved, "quality_score": 85 if resolved else 40, "confidence": 80, **more}
        return calls(("evaluate_sufficiency", values))

    looks = [calls(("web_search", {"query": query})) for query in ("tea", "rain")]
    answer = {"content": f"Tea needs 1,500 mm of rain [1].\n\n## Sources\n[1] {FOUND['url']}\n"}
    enough: list[Check] = [
        {"stop": "enough"},
        {"contains": ["1,500 mm of rain [1]", FOUND["url"]]},
        {"not_contains": "⚠"},
    ]
    once: list[Check] = [{"tools": ["web_search", "evaluate_sufficiency"]}, {"max_steps": 3}]
    cases.add("C1 one round", "research", [looks[0], judged(True), answer], [*enough, *once])
    more = judged(False, missing="how much rain", next_queries=["rain"])
    twice = {"tools": ["web_search", "evaluate_sufficiency", "web_search", "evaluate_sufficiency"]}
    cases.add("C2 two rounds", "research", [looks[0], more, looks[1], judged(True), answer], [*enough, twice])
    settings = {"max_reflection_iterations": 2}
    limit: list[Check] = [{"stop": "max_rounds"}, {"contains": ["About 1,500 mm.", "⚠"]}]
    cases.add("C3 limit", "research", [*looks, {"content": "About 1,500 mm."}], limit, settings=settings)
    double = [calls(("web_search", {"query": query})) for query in ("故宫门票价格", "故宫 门票的价格")]
    cases.add("C4 duplicates", "research", [*double, {"content": "不知道。"}], [{"contains": "不知道"}])
    draft = "茶需要 1,500 毫米雨水 [1]，也长在山上 [3]。南方下雨 70%。\n\n## 参考资料\n[1] http://a.org/x\n[2] http://a.org/x\n"
    cited = calls(("check_citations", {"draft": draft}))
    checks: list[Check] = [{"tool": "check_citations", "result": "ok", "shows": ["C01", "C04", "C07"]}]
    cases.add("C5 citations", "research", [cited, {"content": "改好了。"}], checks)
    cases.add("C4 nothing said", "research", [cited, {"content": ""}], [{"stop": "fallback"}])


def _novel(cases: Cases) -> None:
    book = str(Book(cases._place / "novel").root)
    steps = [{"title": title, "content": title, "goal_words": 500} for title in ("渡口", "上船", "江心", "上岸")]
    steps[0]["content"], steps[2]["content"] = "小林在渡口遇见苏晚", "船在江心漏水"
    plan = {"goal": "追", "chapter_id": "3", "target_words": 2000, "steps": steps}
    looks = calls(("latest_content_get", {"chapter_id": "3"}), ("get_character_info", {"name": "小林"}))
    checks: list[Check] = [
        {"tool": "latest_content_get", "shows": '"is_previous": true'}, {"tool": "get_character_info", "shows": "林舟"},
        {"tool": "submit_plan", "result": "ok"},
    ]  # fmt: skip
    cases.add("D1 planning", "novel", [looks, calls(("submit_plan", plan)), DONE], checks, folder=book)
    bad = {**plan, "steps": [{"title": "一", "content": "走", "goal_words": 450, "characters": ["张三"]}] * 2}
    faults = ["SCHEMA", "WORDS_MISMATCH", "UNKNOWN_CHARACTER"]
    checks = [{"tool": "submit_plan", "shows": faults}, {"tool": "submit_plan", "result": "ok"}]
    cases.add("D2 bad plan", "novel", [calls(("submit_plan", bad)), calls(("submit_plan", plan)), DONE], checks,
              folder=book)  # fmt: skip
    _stopped_draft(cases, book, plan)
    edits = [
        {"find": "右手", "replace": "左手"},
        {"find": "左手空着", "replace": "x"},
        {"find": "没有的", "replace": "x"},
    ]
    patch = calls(("propose_patch", {"chapter_id": "1", "edits": edits}))
    checks = [{"tool": "propose_patch", "shows": ["pending", "AMBIGUOUS", "NOT_FOUND"]}]
    cases.add("D4 patches", "novel", [patch, DONE], checks, folder=book)
    draft = "老周笑着说：“走吧。”\n苏晚右手持剑，走在前面，忽然回过"
    check = calls(("check_continuity", {"chapter_id": "ch-0003", "text": draft}), ("check_outline", {}))
    found = ["N02", "N03", "N09", "N15"]
    checks = [
        {"tool": "check_continuity", "result": "ok", "shows": found},
        {"tool": "check_outline", "shows": ["N05", "N06"]},
    ]
    _contradict(Path(book))
    cases.add("D5 continuity", "novel", [check, DONE], checks, folder=book)


def _stopped_draft(cases: Cases, book: str, plan: dict[str, Any]) -> None:
    """D3: the person stops in the second step, goes on, and accepts."""
    first, half = "小林站在渡口，看见苏晚从雾里走来。", "他们上了船，船夫解开缆绳，一句话也没有说，只是慢慢地把船"
    rest = ["撑离了岸。", "船到江心，水从板缝里涌上来。", "天亮的时候，他们上了岸。"]
    fields = {**plan, "chapter": "ch-0003", "steps": [ChapterStep(**step) for step in plan["steps"]]}
    id = plan_id(ChapterPlan(**{name: value for name, value in fields.items() if name != "chapter_id"}))
    drafted = [
        calls(("write_chapter", {"plan_id": id, "mode": "draft"})),
        {"chunks": [first]},
        {"chunks": [half], "raise": "hang_after:1"},
    ]
    before = [
        {"query": "plan it", "mode": "react", "model": cases.script("D3-plan", [calls(("submit_plan", plan)), DONE])}
    ]
    checks: list[Check] = [
        {"stop": "cancelled"},
        {"files": [".novel/index.json", "plans/*.toml", "versions/ch-0003/*.md"]},
        {"file": "versions/ch-0003/*.md", "contains": ["complete = false", f"\n{first}\n{half}"]},
    ]
    cases.add("D3 stopped", "novel", drafted, checks, folder=book, before=before, stop_at=half[-9:])
    stopped = {"query": "write it", "mode": "react", "model": cases.script("D3-draft", drafted), "stop_at": half[-9:]}
    goes_on = planned(
        ("write_chapter", {"plan_id": id, "mode": "continue"}),
        ("accept_version", {"chapter_id": "3", "version_id": "$1.data.version"}),
    )
    whole = "\n".join((first, half + rest[0], *rest[1:]))
    checks = [
        {"tool": "write_chapter", "result": "ok"}, {"tool": "accept_version", "result": "ok"},
        {"file": "chapters/*.md", "contains": [whole, 'status = "completed"']},
    ]  # fmt: skip
    turns = [goes_on, *({"content": text} for text in rest), DONE]
    cases.add("D3 resumed", "novel", turns, checks, folder=book, before=[*before, stopped], mode="plan")


def _contradict(folder: Path) -> None:
    """What the draft of D5 goes against."""
    with open_root(folder) as root:
        novel = read_folder(root)
        second = novel.book.chapters[1]
        novel.save_chapter(root, replace(second, text=f"{second.text}\n天亮以前，老周死了。"))
        for place in (4, 5):
            novel.save_chapter(root, Chapter(f"ch-{place:04}", "合", 5, place))
        state = CharacterState(2, "dead", "江边")
        novel.save_card(root, Character("老周", state_by_chapter=[state]))
        novel.book.facts = [StoryFact("苏晚", "惯用手", "左", 1, quote="左手空着")]
        novel.save_list(root, "facts.toml")
        novel.save_index(root)


def _quotation(cases: Cases) -> None:
    folder = cases._place / "prices"
    folder.mkdir()
    (folder / "价格表.csv").write_text(LIST, "utf-8")
    listed = ("import_price_list", {"path": str(folder / "价格表.csv")})
    text = "\n".join(f"{name} ×{count}" for name, count in INQUIRY)
    fill = ("run_quotation_fill", {"text": text, "customer_level": "B"})
    sums = ['"subtotal": "2734.00"', '"pending": [5]', '"unmatched": [6]', '"oos": [4]']
    checks: list[Check] = [{"tool": "run_quotation_fill", "result": "ok", "shows": sums}]
    cases.add("E1 whole sheet", "quotation", [calls(listed), calls(fill), DONE], checks,
              settings={"tool_result_max_length": 40_000, "tool_results_total_length": 40_000})  # fmt: skip
    choose = {"run_id": "$1.data.run_id", "choices": [{"line": 5, "code": "1004"}]}
    for level, total in (("B", "2779.00"), ("A", "2543.00"), ("C", "3080.00")):
        steps = planned(fill, ("resume_fill", {**choose, "customer_level": level}))
        checks = [{"tool": "resume_fill", "result": "ok", "shows": f'"total": "{total}"'}]
        cases.add(f"E2 resume {level}", "quotation", [steps, DONE], checks, mode="plan",
                  settings={"tool_result_max_length": 40_000, "tool_results_total_length": 40_000})  # fmt: skip
    for level, result in (("b档", "ok"), ("Z", "INVALID_LEVEL")):
        ask = calls(("match_price", {"keywords": "弯头 DN50", "customer_level": level}))
        cases.add(f"E3 level {result}", "quotation", [ask, DONE], [{"tool": "match_price", "result": result}])
    matched = calls(("match_price", {"keywords": "球阀", "customer_level": "B"}))
    which = calls(("ask_user", {"question": "价格还是库存？", "options": ["价格", "库存"]}))
    before = [{"query": "查一下球阀", "mode": "react", "model": cases.script("E4-before", [which])}]
    checks = [{"tool": "match_price", "result": "ok", "shows": "19.80"}, {"stop": "answered"}]
    cases.add("E4 clarified", "quotation", [matched, DONE], checks, before=before, query="价格")
    cases.add("E4 asks", "quotation", [which], [{"stop": "clarification"}], query="查一下球阀")
    missing = calls(("register_oos_from_text", {"product": "PVC直通 DN75"}))
    checks = [
        {"tool": "register_oos_from_text", "result": "ok"},
        {"tool": "register_oos_from_text", "result": "DUPLICATE_TODAY"},
    ]  # fmt: skip
    again = calls(("register_oos_from_text", {"product": "ＰＶＣ直通 dn75"}))
    cases.add("E5 out of stock", "quotation", [missing, again, DONE], checks)
    endless = [calls(("match_price", {"keywords": f"球阀 {n}", "customer_level": "B"})) for n in range(7)]
    cases.add("E5 endless", "quotation", [*endless, {"content": "19.80"}], [{"contains": "19.80"}, {"max_steps": 8}])


def _workspace(cases: Cases) -> None:
    edit = ("edit_file", {"path": "a.md", "old": "two", "new": "zwei"})
    folder = cases.folder("f1", {"a.md": "# One\r\ntwo\r\n"})
    checks: list[Check] = [
        {"tools": ["read_file", "edit_file"]},
        {"files": ["a.md"]},
        {"file": "a.md", "contains": "zwei\r\n"},
    ]
    cases.add(
        "F1 edit", "workspace", [calls(("read_file", {"path": "a.md"})), calls(edit), DONE], checks, folder=folder
    )
    outside = calls(("read_file", {"path": "../x"}), ("write_file", {"path": "/tmp/x/new.txt", "content": "x"}))
    checks = [
        {"tool": "read_file", "result": "OUTSIDE"}, {"tool": "write_file", "result": "OUTSIDE"}, {"files": []},
    ]  # fmt: skip
    cases.add("F2 escape", "workspace", [outside, DONE], checks, folder=folder)
    lines = cases.folder("f3", {"a.txt": "one\ntwo\none\n"})
    tries = [
        ("edit_file", {"path": "a.txt", "old": "two", "new": "2"}), ("read_file", {"path": "a.txt"}),
        ("edit_file", {"path": "a.txt", "old": "one", "new": "1"}),
        ("edit_file", {"path": "a.txt", "old": "one\ntwo", "new": "1\n2"}),
    ]  # fmt: skip
    checks = [
        {"tool": "edit_file", "result": "STALE"}, {"tool": "edit_file", "result": "AMBIGUOUS"},
        {"tool": "edit_file", "result": "ok"}, {"file": "a.txt", "contains": "1\n2\none\n"},
    ]  # fmt: skip
    cases.add("F3 stale", "workspace", [*(calls(one) for one in tries), DONE], checks, folder=lines)
    helper = calls(("task", {"agent": "explore", "prompt": "where is one?"}))
    cases.add("F4 helper", "workspace", [helper, {"content": "It stands in a.txt."}],
              [{"tool": "task", "result": "ok"}, {"files": []}], folder=lines)  # fmt: skip
    same = calls(("list_dir", {}))
    last: list[Check] = [{"max_steps": 4}, {"files": []}, {"contains": "That is it."}]
    cases.add("F5 limit", "workspace", [same, same, same, DONE], last, folder=lines,
              settings={"max_steps": 4, "enable_reflection": False})  # fmt: skip
