"""Findings, scores in any form, confidence by the evidence, and when it is enough."""

# ruff: noqa: E501 - tables: one case a line

from __future__ import annotations

from typing import Any

import pytest

from app.core.errors import ToolError
from app.core.sources import new_source, source_id
from app.domains.research.model.finding import findings_of
from app.domains.research.model.score import as_scores, is_true
from app.domains.research.rules.confidence import confidence_of
from app.domains.research.rules.sufficiency import EvidenceCount, decide
from tests.domains.research.rig import PAGES, Research

FAO, WIKI, BLOG, HIT = PAGES


async def test_a_quotation_is_kept_only_if_it_stands_in_the_source_as_it_was_fetched() -> None:
    rig = Research()
    for url in PAGES:
        await rig.keep(url)
    good = {
        "word for word": "at least 1,500 mm of rain",
        "other width, case and white space": "ＡＴ  least 1,500\u00a0mm of\nRAIN",
        "with something left out": "Tea needs … wettest in spring",
        "in marks": "“Tea needs at least 1,500 mm of rain a year.”",
    }
    for name, quote in good.items():
        result = await rig.call(
            "note_finding", claim=f"Tea is thirsty ({name})", source_ids=[source_id(FAO)], quote=quote
        )
        assert result.data["quote_verified"], name
    for quote in ("at least 1,600 mm of rain", "wettest in spring … Tea needs", "…", "I water my tea"):
        with pytest.raises(ToolError) as caught:
            await rig.call("note_finding", claim="x", source_ids=[source_id(FAO)], quote=quote)
        assert caught.value.tool_code == "QUOTE_NOT_FOUND", quote
    for unknown in ("s-00000000", "https://nowhere.org", "1"):
        with pytest.raises(ToolError) as caught:
            await rig.call("note_finding", claim="x", source_ids=[unknown])
        assert caught.value.tool_code == "UNKNOWN_SOURCE"
        assert source_id(WIKI) in caught.value.hint
    by_address = await rig.call(
        "note_finding", claim="Tea likes hills", source_ids=["http://en.wikipedia.org/wiki/Tea#x"]
    )
    assert by_address.data["sources"] == [source_id(WIKI)]
    again = await rig.call("note_finding", claim="Tea likes  HILLS", source_ids=[source_id(WIKI)])
    assert again.data["new"] is False
    assert len(await findings_of(rig.documents, "s1")) == len(good) + 1
    assert await findings_of(rig.documents, "another") == []


async def test_confidence_follows_from_the_evidence_and_a_conflict_is_shown_as_one() -> None:
    rig = Research()
    for url in PAGES:
        await rig.keep(url)

    async def note(claim: str, *urls: str, stance: str = "supports") -> str:
        ids = [source_id(url) for url in urls]
        return str((await rig.call("note_finding", claim=claim, source_ids=ids, stance=stance)).data["confidence"])

    assert await note("one hit", HIT) == "low"
    assert await note("one page", BLOG) == "medium"
    assert await note("two, one of them primary", FAO, BLOG) == "high"
    assert await note("at first", FAO, WIKI) == "high"
    assert await note("At first!", BLOG, stance="contradicts") == "low"
    result = await rig.call("note_finding", claim="last", source_ids=[source_id(FAO)])
    rows = {row["claim"].split(" ⚡")[0]: row for row in result.display.payload["rows"]}  # type: ignore[union-attr]
    assert "contradict" in next(row["claim"] for row in rows.values() if "⚡" in row["claim"])
    assert (rows["at first"][source_id(FAO)], rows["at first"][source_id(BLOG)]) == ("+", "−")
    old = [new_source(url, "t", "page", "x", published="2019-01-01") for url in ("https://a.gov/x", "https://b.org/y")]
    assert [confidence_of(old, False, since) for since in ("", "2025-11-20")] == ["high", "medium"]
    same_house = [new_source(url, "t", "page", "x") for url in ("https://a.who.int/x", "https://b.who.int/y")]
    assert confidence_of(same_house, False) == "medium"


def test_a_model_writes_its_scores_in_any_form() -> None:
    pairs = {
        (85, 70): (85, 70), ("85", "70%"): (85, 70), (0.85, 0.7): (85, 70), ("0.85", 0.7): (85, 70), (1.0, 0.9): (100, 90),
        (1, 1): (100, 100), ("8/10", "7 out of 10"): (80, 70), ("八十五", "七十分"): (85, 70), ("百分之八十", 60): (80, 60),
        ("high", "中等"): (85, 60), ("８５", "７０％"): (85, 70), (150, -3): (100, 0), (85, 0.7): (85, 70), ("85/100", "0.7"): (85, 70),
        (True, False): (100, 0), (0, 0): (0, 0), ("约 85 分", "about 70 percent"): (85, 70), ("0.5%", 85): (0.5, 85),
    }  # fmt: skip
    wrong = {given: found for given, expected in pairs.items() if tuple(found := as_scores(*given)) != expected}
    assert not wrong
    nothings: list[Any] = ["", "?", "unknown", float("nan"), float("inf"), None, [], {}]
    for nothing in nothings:
        assert as_scores(nothing) == [None]
    truths = {
        True: True,
        "是": True,
        "Yes": True,
        "false": False,
        "部分": False,
        "不足": False,
        "maybe": None,
    }
    assert {given: is_true(given) for given in truths} == truths


async def test_a_score_that_cannot_be_read_is_named_and_nothing_is_decided() -> None:
    rig = Research()
    with pytest.raises(ToolError) as caught:
        await rig.call("evaluate_sufficiency", is_resolved="perhaps", quality_score="good-ish", confidence=80)
    assert (caught.value.tool_code, "quality_score" in caught.value.message) == ("SCHEMA", True)
    assert "confidence" not in caught.value.message


def test_the_code_decides_by_thresholds_and_by_what_rounds_brought() -> None:
    none = EvidenceCount(frozenset(), 0)
    many = frozenset(f"d{n}.org" for n in range(20))
    cases = [
        ((True, 70, 60, [none]), {}, ("answer", "resolved")),
        ((True, 69.9, 60, [none]), {}, ("continue", "quality")),
        ((True, 70, 59, [none]), {}, ("continue", "confidence")),
        ((False, 99, 99, [none]), {}, ("continue", "not_resolved")),
        ((True, 99, 99, [none]), {"all_open": True}, ("continue", "open_questions")),
        ((False, 10, 10, [EvidenceCount(many, 3)] * 3), {}, ("answer", "saturated")),
        ((False, 10, 10, [EvidenceCount(many, 3)] * 2), {}, ("continue", "not_resolved")),
        ((False, 10, 10, [EvidenceCount(many, 3), EvidenceCount(many | {"x.org"}, 3), EvidenceCount(many | {"x.org", "y.org"}, 3)]), {}, ("answer", "saturated")),
        ((False, 10, 10, [EvidenceCount(many, 3), EvidenceCount(many, 4), EvidenceCount(many, 4)]), {}, ("continue", "not_resolved")),
        ((False, 10, 10, [EvidenceCount(frozenset({"a"}), 0), EvidenceCount(frozenset({"a", "b"}), 0), EvidenceCount(frozenset({"a", "b"}), 0)]), {}, ("continue", "not_resolved")),
    ]  # fmt: skip
    for args, more, expected in cases:
        decided = decide(*args, **more)  # type: ignore[arg-type]
        assert (decided.decision, decided.reason) == expected, args[:3]
