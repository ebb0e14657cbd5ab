"""The tools of the Novel studio on a book in a folder: scenarios D1, D2 and D4 of the specification, and the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.errors import ToolError
from app.domains.novel.store.versions import sha_of
from tests.domains.novel.rig import BY_NAME, Desk

STEPS = [
    {"title": "渡口", "content": "小林在渡口遇见苏晚", "goal_words": 500, "characters": ["小林", "苏晚"]},
    {"title": "上船", "content": "两人上船", "goal_words": 500},
    {"title": "江心", "content": "船到江心漏水", "goal_words": 500},
    {"title": "上岸", "content": "两人游上岸", "goal_words": 500},
]


def test_the_tools_have_the_names_others_lean_on() -> None:
    more = {
        "find_contradictions",
        "review_version",
        "plan_chapter",
        "write_step",
        "show_board",
        "propose_records",
        "settle_record",
    }
    assert set(BY_NAME) - more == {
        "latest_content_get", "get_character_info", "rag_query", "get_outline", "get_open_threads", "submit_plan",
        "write_chapter", "propose_patch", "accept_version", "reject_version", "restore_version", "upsert_card",
        "record_facts", "check_continuity", "check_outline", "import_novel", "export_novel",
    }  # fmt: skip


async def test_planning_reads_the_chapter_before_and_writes_nothing_into_the_chapter(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    latest = (await desk.call("latest_content_get", chapter_id="3")).data
    assert (latest["from_chapter"], latest["is_previous"], latest["text"]) == ("ch-0002", True, "船靠了岸。\n雨停了。")
    assert (await desk.call("latest_content_get", chapter_id="ch-0002", word_count=3)).data["text"] == "雨停了。"
    who = (await desk.call("get_character_info", name="小林", as_of_chapter=3)).data
    assert (who["name"], who["state"]["place"]) == ("林舟", "江边")
    assert await desk.code("get_character_info", name="何三") == "NOT_FOUND"
    plan = (await desk.call("submit_plan", goal="追", chapter_id="3", target_words=2000, steps=STEPS)).data
    assert (plan["state"], plan["steps"]) == ("COMPLETED", 4)
    assert (desk.root / "plans" / f"{plan['plan_id']}.toml").is_file()
    assert desk.book().book.chapters[2].text == ""
    assert await desk.code("latest_content_get", chapter_id="99") == "NO_CHAPTER"


async def test_a_bad_plan_is_refused_with_all_its_faults(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    steps = [{"title": "路", "content": "何三走路", "goal_words": 450, "characters": ["何三"]}] * 2
    with pytest.raises(ToolError) as refused:
        await desk.call("submit_plan", goal="追", chapter_id="3", target_words=2000, steps=steps)
    for code in ("SCHEMA", "WORDS_MISMATCH", "UNKNOWN_CHARACTER", "BEAT_MISSING"):
        assert code in refused.value.message
    assert not (desk.root / "plans").exists()


async def test_patches_are_proposed_accepted_one_by_one_and_taken_back_byte_for_byte(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    file = desk.root / "chapters" / "ch-0001.md"
    old = desk.book().book.chapters[0].text
    edits = [
        {"find": "右手", "replace": "左手"},
        {"find": "左手空着", "replace": "x"},
        {"find": "没有的", "replace": "x"},
    ]
    patch = (await desk.call("propose_patch", chapter_id="1", edits=edits)).data
    assert [row["state"] for row in patch["hunks"]] == ["pending", "AMBIGUOUS", "NOT_FOUND"]
    assert desk.book().book.chapters[0].text == old
    for _ in range(2):
        await desk.call("accept_version", chapter_id="1", version_id=patch["version"])
    assert desk.book().book.chapters[0].text == old.replace("右手", "左手")
    await desk.call("restore_version", chapter_id="1")
    assert desk.book().book.chapters[0].text == old
    assert file.read_bytes().endswith(old.encode())
    await desk.call("restore_version", chapter_id="1")
    assert await desk.code("propose_patch", chapter_id="1", edits=edits, base_version=sha_of(old)) == "STALE_BASE"
    two = [{"find": "他走了", "replace": "她走了"}, {"find": "还在", "replace": "不在"}]
    patch = (await desk.call("propose_patch", chapter_id="1", edits=two)).data
    for hunk in ("2", "1"):
        await desk.call("accept_version", chapter_id="1", version_id=patch["version"], hunks=[hunk])
    assert desk.book().book.chapters[0].text == "她走了。\n左手的剑不在。左手空着。左手空着。"


async def test_facts_bring_their_quote_and_cards_change_only_what_they_name(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    fact = {"subject": "小林", "attribute": "惯用手", "value": "右", "chapter": "1", "quote": "右手的剑还在"}
    assert await desk.code("record_facts", facts=[{**fact, "quote": "左手的剑"}]) == "QUOTE_NOT_FOUND"
    assert (await desk.call("record_facts", facts=[fact])).data["added"][0]["subject"] == "林舟"
    again = (await desk.call("record_facts", facts=[fact, {**fact, "value": "左"}])).data
    assert (again["added"], [row["held"] for row in again["conflicts"]]) == ([], ["右"])
    await desk.call("upsert_card", kind="character", data={"name": "小林", "age": "19"})
    await desk.call("upsert_card", kind="chapter", data={"id": "ch-0003", "outline": {"hook": "有人"}})
    book = desk.book().book
    assert (book.characters[0].role, book.characters[0].age, len(book.characters)) == ("主角", "19", 2)
    assert (book.chapters[2].outline.hook, len(book.chapters[2].outline.beats)) == ("有人", 2)
    assert await desk.code("upsert_card", kind="chapter", data={"id": "ch-0003", "text": "x"}) == "SCHEMA"


async def test_open_threads_search_and_checks_need_no_model(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    threads = (await desk.call("get_open_threads", chapter_id="3")).data
    assert [(one["title"], one["phase"]) for one in threads["foreshadows"]] == [("断剑", "overdue")]
    found = (await desk.call("rag_query", query="船靠岸", before_chapter="2")).data["passages"]
    assert all(one["chapter"] != "ch-0002" for one in found)
    assert (await desk.call("rag_query", query="船靠岸")).data["passages"][0]["chapter"] == "ch-0002"
    checked = await desk.call("check_continuity", chapter_id="3", text="林舟推开门，走")
    assert {row["code"] for row in checked.data["findings"]} >= {"N07", "N09", "N12", "N15"}
    assert (await desk.call("check_outline")).data["missing"] == [
        {"chapter": "ch-0003", "title": "转", "missing": ["characters"]}
    ]
    (desk.root / "chapters" / "ch-0002.md").write_text("改过了。", "utf-8")
    assert "ch-0002.md" in (await desk.call("get_outline", chapter_id="2")).data["changed_outside"]


async def test_a_book_is_shown_then_imported_then_written_out(tmp_path: Path) -> None:
    desk = Desk(tmp_path, with_book=False)
    source = tmp_path / "旧书.txt"
    source.write_bytes("第一章 起\n他走了。\n第三章 转\n她来了。\n".encode("gb18030"))
    shown = await desk.call("import_novel", path=str(source))
    assert ([fault["code"] for fault in shown.data["faults"]], list(desk.root.iterdir())) == (["GAP"], [])
    assert shown.display is not None
    action = shown.display.actions[0]
    for _ in range(2):
        assert (await desk.call(action.tool, **action.args)).data["imported"] == 2
    assert [(one.number, one.title, one.text) for one in desk.book().book.chapters] == [
        (1, "起", "他走了。"), (3, "转", "她来了。"),
    ]  # fmt: skip
    assert await desk.code("import_novel", path=str(tmp_path / "none.txt")) == "NOT_FOUND"
    for format in ("txt", "md", "docx", "epub"):
        data = (await desk.call("export_novel", format=format)).data
        assert (data["chapters"], data["file"]) == (2, str(desk.root.resolve() / f"旧书.{format}"))
        assert data["bytes"] > 30
