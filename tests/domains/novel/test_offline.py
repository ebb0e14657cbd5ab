"""What the Novel studio answers without a language model: over the composed program, in the folder of a book."""

from __future__ import annotations

import sys

import pytest

from tests.domains.novel.studio import Studio, answer, outcomes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there")

CASES = (
    ("检查全书前后矛盾", "check_continuity", "断剑"),
    ("第3章有没有前后不一", "check_continuity", "断剑"),
    ("哪些伏笔没回收", "get_open_threads", "断剑"),
    ("which threads are open at chapter 3", "get_open_threads", "overdue"),
    ("小林是谁", "get_character_info", "主角"),
    ("全书多少字", "get_outline", "24 字"),
    ("how many words", "get_outline", "24 words"),
    ("在书里找右手的剑", "rag_query", "右手的剑还在"),
    ("有没有缺章", "check_outline", "没有缺漏"),
    ("上次写到哪了", "latest_content_get", "雨停了"),
    ("导出为docx", "export_novel", "夜航.docx"),
    ("export the book as Markdown", "export_novel", "夜航.md"),
    ("为第三章做一个写作计划", "", "需要语言模型"),
    ("write chapter 3", "", "need a language model"),
    ("什么都不懂的话", "", "没有语言模型时"),
)


async def test_questions_are_answered_by_the_tool_that_fits_or_say_what_they_need(studio: Studio) -> None:
    faults = []
    for question, tool, words in CASES:
        events = await studio.ask(question)
        ran = [name for name, state in outcomes(events) if state == "ok"]
        if ran != ([tool] if tool else []) or words not in answer(events):
            faults.append((question, ran, answer(events)))
    assert faults == []


async def test_a_file_is_shown_and_imported_by_the_button_only(studio: Studio) -> None:
    source = studio.place / "旧书.txt"
    source.write_text("第一章 起\n他走了。\n\n第三章 转\n她来了。\n", "utf-8")
    for question in (f"导入 {source}", f'please import "{source}"'):
        events = await studio.ask(question)
        assert outcomes(events) == [("import_novel", "ok")], question
        assert "旧书" in answer(events)
    assert [one.id for one in studio.desk.book().book.chapters] == ["ch-0001", "ch-0002", "ch-0003"]
