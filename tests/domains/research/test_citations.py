"""check_citations: reports of every form give the right figures, any text gives some, and long ones take no longer."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.core.sources import keep_source, new_source
from app.core.tools.tool import ToolContext
from app.domains.research.citations import NAMES, Retrieved, check
from app.domains.research.tools.citations import check_citations
from tests.domains.research.generated import STYLES, report
from tests.domains.research.reports import CASES, UNSEEN, A, Case
from tests.domains.travel.async_calls import MemoryDocuments

PIECES = (
    "[", "]", "[1]", "[1, ", "[1]: http://a ", "[^a]", "[^a]: x\n", "`", "```\n", '<a href="#', "](#x) ", "“aaaaaa",
    "1. ", "12% ", "百分之一", "http://", "# a\n", "**", "References:\n", "来源：[1] http://a [2] http://b ", "【1】",
    "|1|a|\n", "\n", "\r", "- ", "¹", "。", "[来源", "   ", "\ud800", "\x00", "<sup>1", "doi: 10.1234/", "(((", "> ",
)  # fmt: skip


def figures(case: Case) -> tuple[Any, ...]:
    report = check(case.text)
    codes = Counter(one.code for one in report.problems if case.counts_figures or one.code != "C07")
    return report.stats["sources"], report.stats["references"], report.stats["cited"], dict(codes)


def test_reports_of_every_form_give_the_right_figures() -> None:
    wrong = [
        f"{case.name}: {found} for {expected}"
        for case in (*CASES, *UNSEEN)
        if (found := figures(case)) != (expected := (case.sources, case.references, case.cited, case.codes))
    ]
    assert not wrong


def test_reports_as_products_write_them_are_judged_by_their_one_fault() -> None:
    wrong = []
    for seed in range(8 * len(STYLES)):
        one = report(seed)
        found = check(one.text)
        codes = Counter(problem.code for problem in found.problems)
        if codes != Counter([one.fault] if one.fault else []) or found.stats["sources"] != one.sources:
            wrong.append(f"{seed} {one.name} {one.fault}: {dict(codes)} {found.stats['sources']} of {one.sources}")
    assert not wrong


def test_every_problem_names_its_place_and_every_figure_counts_its_problems() -> None:
    for case in (*CASES, *UNSEEN):
        report = check(case.text)
        codes = Counter(one.code for one in report.problems)
        for one in report.problems:
            assert one.code in NAMES
            assert 0 <= one.at <= len(case.text)
            assert one.line == case.text.count("\n", 0, one.at) + 1
        for code, name in {"C01": "dangling", "C02": "unused", "C03": "gaps", "C04": "duplicates"}.items():
            assert report.stats[name] == codes[code], case.name


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=60).map("".join))
def test_any_text_is_checked(text: str) -> None:
    assert set(check(text).stats) >= {"sources", "references", "cited", "duplicates", "dangling", "unused", "gaps"}


def test_eight_times_the_text_takes_no_more_than_a_few_times_as_long_again() -> None:
    """A ratio of the same moment, the best of several: what is quadratic takes 64 times as long, every time."""
    slow = []
    for piece in PIECES:
        short, long = ("# References\n" + piece * (size // len(piece)) for size in (2_000, 16_000))
        if all((ratio := taken(long) / max(taken(short), 5e-3)) > 8 * 4 for _again in range(5)):
            slow.append(f"{piece!r}: {ratio:.0f}")
    assert not slow


def taken(text: str) -> float:
    began = time.perf_counter()
    check(text)
    return time.perf_counter() - began


def test_addresses_and_quotations_are_held_against_what_was_retrieved() -> None:
    draft = (
        f"He wrote “the tea of the hills is bitter” [1], and “nobody has ever said that here” [1].\n\n"
        f"## Sources\n[1] {A}\n[2] https://nowhere.org/x\n"
    )
    text = "Of old, THE TEA of the\nhills is bitter; so they say."
    from app.core.text.quoting import stands_in

    report = check(draft, Retrieved({"a.org/one": text}, stands_in))
    assert [one.code for one in report.problems] == ["C06", "C02", "C05"]
    assert report.stats["unchecked"] == 0
    alone = check(draft)
    assert not {"C05", "C06"} & {one.code for one in alone.problems}
    assert alone.stats["unchecked"] == 4


async def test_the_tool_takes_the_sources_of_its_session_and_of_no_other() -> None:
    documents = MemoryDocuments()
    await keep_source(documents, "one", new_source(A, "One", "page", "tea"))
    draft = f"So [1].\n\n## Sources\n[1] {A}\n[2] https://b.com/two\n"

    async def codes(session: str) -> list[str]:
        result = await check_citations.body(ToolContext(session=session, documents=documents), {"draft": draft})  # type: ignore[misc]
        assert len(result.summary) <= 600
        return [problem["code"] for problem in result.data["problems"]]

    assert await codes("one") == ["C02", "C05"]
    assert await codes("other") == ["C02"]
