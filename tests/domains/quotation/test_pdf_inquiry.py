"""An inquiry that comes as a PDF is read by the reading process of the knowledge bases, and quoted to the cent."""

from __future__ import annotations

from pathlib import Path

from app.domains.quotation.reading.inquiry import of_text
from tests.knowledge.formats import make_text_pdf

from .rig import INQUIRY, call, program, with_list


async def test_a_pdf_is_quoted_and_what_is_no_line_is_named(tmp_path: Path) -> None:
    rows = ["询价单", *(f"{name} ×{amount}" for name, amount in INQUIRY), "合计"]
    width = max(map(len, rows))
    pages = ["".join(row.ljust(width) for row in part) for part in (rows[:5], rows[5:])]
    path = make_text_pdf(tmp_path / "inquiry.pdf", pages, width=width)
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(path.read_bytes()[:200])
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        read = await call(services, "parse_inquiry", path=str(path))
        assert [(line["name"], line["qty"]) for line in read.data["lines"]] == [(n, str(q)) for n, q in INQUIRY]
        assert [(one["raw"], one["reason"]) for one in read.data["skipped"]] == [
            ("询价单", "no_line"),
            ("合计", "total"),
        ]
        quote = await call(services, "run_quotation_fill", path=str(path), customer_level="B")
        assert quote.data["subtotal"] == "2734.00"
        refused = [await call(services, "parse_inquiry", path=str(each)) for each in (broken, tmp_path / "none.pdf")]
    assert [one.error.code for one in refused if one.error] == ["FORMAT", "NOT_FOUND"]


def test_a_table_of_which_only_single_spaces_are_left_keeps_its_columns() -> None:
    """As the page of a printed sheet is read: the words of a row, one space between them."""
    text = """询价单 2026-11
序号 品名 规格 数量 单位
1 PVC 直通 DN50 100 个
2 三角阀 1/2 6 个
合计 106
请于周五前报价"""
    read = of_text(text)
    assert [(line.name, line.spec, line.qty, line.unit) for line in read.lines] == [
        ("PVC 直通", "DN50", "100", "个"), ("三角阀", "1/2", "6", "个"),
    ]  # fmt: skip
    assert [one.reason for one in read.skipped] == ["total", "heading"]
    english = of_text("Item Qty\nBall valve DN25 20\nPVC elbow 90° DN50 40\nGate valve 3")
    assert [(line.name, line.qty) for line in english.lines] == [
        ("Ball valve DN25", "20"), ("PVC elbow 90° DN50", "40"), ("Gate valve", "3"),
    ]  # fmt: skip
    plain = of_text("产品 数量 要求\n球阀 DN25 20个\n直接 DN50 ×100")
    assert [(line.name, line.qty) for line in plain.lines] == [("球阀 DN25", "20"), ("直接 DN50", "100")]
