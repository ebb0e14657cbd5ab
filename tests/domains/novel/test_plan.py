"""A plan of a chapter: all faults at once, and one that always stands by (scenario D2)."""

from __future__ import annotations

from app.domains.novel.model.project import Book, Chapter, ChapterOutline, Character, Foreshadow
from app.domains.novel.planning.plan import ChapterPlan, ChapterStep, faults_of, minimal_plan

CHAPTER = Chapter(
    "ch-0003", "追", 3, 3, outline=ChapterOutline("过江", ["林舟在渡口遇见苏晚", "船在江心漏水"], hook="有人在岸上")
)
BOOK = Book(
    chapters=[CHAPTER], characters=[Character("林舟", ["小林"]), Character("苏晚")], foreshadows=[Foreshadow("断剑")]
)


def test_every_fault_of_a_plan_is_named_at_once() -> None:
    bad = ChapterPlan("过江", "ch-0003", 2000, [ChapterStep("渡口", "小林在渡口遇见苏晚", 400, ["小林", "何三"]),
                      ChapterStep("路", "走路", 500)], pay=["玉佩"])  # fmt: skip
    assert [(one.code, one.found) for one in faults_of(bad, BOOK, CHAPTER)] == [
        ("SCHEMA", "2"), ("WORDS_MISMATCH", "900"), ("UNKNOWN_CHARACTER", "何三"), ("BEAT_MISSING", "船在江心漏水"),
        ("UNKNOWN_FORESHADOW", "玉佩"),
    ]  # fmt: skip
    good = ChapterPlan(
        "过江", "ch-0003", 2000,
        [ChapterStep("渡口", "林舟在渡口遇见苏晚", 700, ["小林"]), ChapterStep("江心", "船到江心漏水", 700, ["何三"]),
         ChapterStep("岸", "上岸", 500)], pay=["断剑"], new_characters=["何三"],
    )  # fmt: skip
    assert faults_of(good, BOOK, CHAPTER) == []


def test_the_plan_that_stands_by_has_no_fault() -> None:
    cases = [[], ["一"], ["一", "二"], ["甲", "乙", "丙"], [f"事{n}" for n in range(13)]]
    faults = []
    for beats in cases:
        chapter = Chapter("ch-0009", "末", 9, 9, outline=ChapterOutline(beats=beats))
        plan = minimal_plan(BOOK, chapter, 2000)
        if found := faults_of(plan, BOOK, chapter):
            faults.append((beats, found))
        assert sum(step.goal_words for step in plan.steps) == 2000
    assert faults == []
