"""An inquiry that comes as a PDF is read by the reading process of the knowledge bases, and quoted to the cent."""

from __future__ import annotations

from pathlib import Path

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
