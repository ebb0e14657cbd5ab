"""A report: faulty citations refused once (C5), kept with its evidence, exported, and looked up again."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import ToolError
from app.core.run.events import ToolReturned
from app.core.sources import source_id
from app.core.tools.card import Card
from app.core.tools.card_markdown import card_markdown
from app.core.tools.tool import ToolContext, ToolResult
from app.domains.research.tools.report import check_report, export_report
from app.services.exchange.export_docx import to_docx
from tests.domains.research.rig import PAGES, Research
from tests.fakes import call, calls, end_of, of, says, scripted

FAO, WIKI, BLOG, HIT = PAGES
GOOD = f"""# Tea and rain

Tea needs at least 1,500 mm of rain a year [1]; another source says 1,270 mm [2]. <b>x</b>

## Sources
[1] Tea and rain, {FAO}
[2] Tea, {WIKI}
"""
BAD = f"""# Tea and rain

Tea needs rain [1][3]. It grew by 12% in 2024.

## Sources
[1] {FAO}
[2] {FAO}#again
[4] https://nobody.example/x
"""


async def with_evidence() -> Research:
    rig = Research()
    for url in PAGES:
        await rig.keep(url)
    claim = "Tea needs 1,500 mm of rain"
    await rig.call("note_finding", claim=claim, source_ids=[source_id(FAO)], quote="at least 1,500 mm of rain")
    await rig.call(
        "note_finding", claim=claim, source_ids=[source_id(WIKI)], stance="contradicts", quote="about 1,270 mm of rain"
    )
    await rig.call("note_finding", claim="Tea grows on hills", source_ids=[source_id(FAO), source_id(WIKI)])
    return rig


async def test_C5_faulty_citations_are_refused_once_and_the_mended_report_is_kept() -> None:
    rig = Research([FAO])
    model = scripted(
        calls(("web_search", {"query": "tea"})),
        call("note_finding", claim="x", source_ids=[FAO], quote="an invented quotation"),
        call("finish_report", title="Tea", markdown=BAD),
        call("finish_report", title="Tea", markdown=GOOD.replace(f"[2] Tea, {WIKI}\n", "").replace("[2]", "[1]")),
        says("Kept."),
    )  # fmt: skip
    lines = await rig.run(model)
    _search, quote, refused, kept = of(lines, ToolReturned)
    assert quote.error["code"] == "QUOTE_NOT_FOUND"
    assert refused.error["code"] == "CITATION_ERRORS"
    assert all(code in refused.error["message"] for code in ("C01", "C04", "C05", "C07"))
    assert kept.ok
    assert kept.display["card"] == "report"
    assert end_of(lines).answer == "Kept."


async def test_when_it_is_enough_the_report_can_still_be_handed_in_and_nothing_else_is_done() -> None:
    rig = Research([FAO], [WIKI])
    text = GOOD.replace(f"[2] Tea, {WIKI}\n", "").replace("[2]", "[1]")
    enough = call("evaluate_sufficiency", is_resolved=True, quality_score=90, confidence=90)
    model = scripted(
        call("web_search", query="tea"), enough, call("finish_report", title="Tea", markdown=text),
        call("web_search", query="more"), says("Kept."),
    )  # fmt: skip
    lines = await rig.run(model)
    assert [one.name for one in of(lines, ToolReturned)] == ["web_search", "evaluate_sufficiency", "finish_report"]
    assert [[tool.name for tool in request.tools] for request in model.requests[2:4]] == [["finish_report"]] * 2
    assert (end_of(lines).answer, end_of(lines).stop_reason) == ("Kept.", "enough")


async def test_a_second_faulty_report_is_kept_with_what_is_wrong_beside_it() -> None:
    rig = await with_evidence()
    with pytest.raises(ToolError) as caught:
        await rig.call("finish_report", title="Tea", markdown=BAD)
    assert caught.value.tool_code == "CITATION_ERRORS"
    kept = await rig.call("finish_report", title="Tea", markdown=BAD)
    assert {"C01", "C04", "C05"} <= {problem["code"] for problem in kept.data["problems"]}
    assert kept.display is not None
    assert "faulty" in kept.display.summary


async def report(rig: Research) -> tuple[str, Card]:
    result = await rig.call("finish_report", title="Tea and rain", markdown=GOOD, open_questions=["And in winter?"])
    assert result.display is not None
    return result.data["id"], result.display


async def test_the_card_has_the_passage_of_every_number_and_shows_a_conflict_as_one() -> None:
    _id, card = await report(await with_evidence())
    first, second = card.payload["sources"]
    assert (first["n"], first["passage"], first["quality"]) == (1, "at least 1,500 mm of rain", "primary")
    assert (second["passage"], second["kind"], len(second["sha256"])) == ("about 1,270 mm of rain", "wikipedia", 64)
    conflict, sure = card.payload["claims"]
    assert (conflict["conflict"], conflict["confidence"], conflict["supports"], conflict["contradicts"]) == (
        True,
        "low",
        [1],
        [2],
    )
    assert (sure["conflict"], sure["confidence"]) == (False, "high")
    assert "[[1]](#source-1)" in card.payload["linked"]
    assert FAO not in card.payload["linked"]
    assert {action.tool for action in card.actions} == {"export_report", "check_report"}
    written = card_markdown("report", card.payload)
    assert "at least 1,500 mm" in written
    json.dumps(card.to_json(), allow_nan=False)


async def test_it_is_exported_with_its_evidence_as_a_new_file_each_time(tmp_path: Path) -> None:
    rig = await with_evidence()
    id, _card = await report(rig)
    ctx = ToolContext(
        language="zh_CN", session="s1", documents=rig.documents, resources={"exports": tmp_path, "docx": to_docx}
    )

    async def export(form: str) -> bytes:
        result: ToolResult = await export_report.body(ctx, {"id": id, "format": form})  # type: ignore[misc]
        return file_bytes(result.data["file"])

    text = (await export("md")).decode()
    page = (await export("html")).decode()
    for found in (text, page):
        assert "at least 1,500 mm of rain" in found
        assert FAO in found
    assert '<a href="#source-1">[1]</a>' in page
    assert 'id="source-2"' in page
    assert "<b>x</b>" not in page
    assert "src=" not in page
    with zipfile.ZipFile(io.BytesIO(await export("docx"))) as word:
        assert "1,270" in word.read("word/document.xml").decode()
    await export("md")
    assert sorted(names(tmp_path)) == [
        "Tea and rain (2).md",
        "Tea and rain.docx",
        "Tea and rain.html",
        "Tea and rain.md",
    ]
    with pytest.raises(ToolError, match="窗口"):
        await export("pdf")


def file_bytes(path: str) -> bytes:
    return Path(path).read_bytes()


def names(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


@dataclass(frozen=True)
class Page:
    url: str
    text: str
    title: str = ""
    published: str = ""


class Web:
    """Pages as they are now; one that is missing cannot be reached."""

    def __init__(self, pages: dict[str, str]) -> None:
        self.pages = pages

    async def fetch(self, url: str) -> Page:
        if url not in self.pages:
            raise ToolError("NOT_FOUND", "there is no such page")
        return Page(url, self.pages[url])


async def test_looked_up_again_what_changed_is_marked() -> None:
    rig = await with_evidence()
    id, _card = await report(rig)

    async def states(pages: dict[str, str]) -> Any:
        ctx = ToolContext(session="s1", documents=rig.documents, resources={"web": Web(pages)})
        result: ToolResult = await check_report.body(ctx, {"id": id})  # type: ignore[misc]
        assert result.display is not None
        assert [row["state"] for row in result.display.payload["sources"]] == list(result.data["states"].values())
        return list(result.data["states"].values())

    fao, wiki = PAGES[FAO][2], PAGES[WIKI][2]
    assert await states({FAO: fao, WIKI: f"Menu {wiki} Footer"}) == ["same", "same"]
    assert await states({FAO: f"{fao} More.", WIKI: wiki}) == ["changed", "same"]
    assert await states({FAO: "Tea needs less.", WIKI: "Coffee."}) == ["quote_lost", "quote_lost"]
    assert await states({}) == ["gone", "gone"]
