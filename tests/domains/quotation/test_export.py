"""A quotation as files for the customer, read back by readers that are not ours to trust it."""

from __future__ import annotations

import csv
from pathlib import Path

from app.domains.quotation.export.offer import offer_of
from app.domains.quotation.export.page import page_of
from app.domains.quotation.model.quotation import Line, Quotation, QuotedLine
from app.domains.quotation.settings import QuotationSettings
from app.domains.quotation.tools.store import BOOK

from .rig import call, program, with_list


async def test_files_hold_the_lines_the_sums_and_no_formula(tmp_path: Path) -> None:
    import python_calamine

    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        text = "直接 DN50 ×100\n=cmd DN1 ×2\n球阀 25 ×20"
        quote = await call(services, "run_quotation_fill", text=text, customer_level="B", customer="=1+1")
        run = quote.data["run_id"]
        files = {}
        for form in ("xlsx", "csv", "html", "pdf"):
            result = await call(services, "export_quotation", run_id=run, format=form)
            files[form] = result.data["file"] if result.ok else result.error and result.error.code
    assert files["pdf"] == "UNAVAILABLE", "a PDF is printed by the window"
    rows = python_calamine.CalamineWorkbook.from_path(str(files["xlsx"])).get_sheet_by_index(0).to_python()
    cells = [cell for row in rows for cell in row]
    assert {350.0, 396.0, 746.0, "=cmd DN1", "=1+1"} <= set(cells)
    with Path(str(files["csv"])).open(encoding="utf-8-sig", newline="") as file:  # noqa: ASYNC230 - a small file
        table = list(csv.reader(file))
    assert table[1][-2:] == ["3.50", "350.00"]
    assert not any(cell.startswith("=") for row in table for cell in row)
    assert BOOK.kind == "pricebook"


def test_the_page_has_letterhead_terms_and_validity_and_escapes_what_is_not_ours() -> None:
    from datetime import date

    line = QuotedLine(
        Line(1, 1, "<b>x</b>", qty="2"), chosen="1", product="<script>", unit_price="1.5", status="single"
    )
    quote = Quotation("quote-0123456789", "t", "B", [line], customer="A & B", tax_rate="13")
    settings = QuotationSettings(company="ACME", company_lines="Street 1\nTel 2", terms="30 days net", valid_days=14)
    page = page_of(offer_of(quote, settings, date(2026, 11, 23), "en"), "en")
    for text in ("ACME", "Street 1<br>Tel 2", "30 days net", "2026-12-07", "A &amp; B", "&lt;script&gt;", "3.39"):
        assert text in page, text
    assert "<script>" not in page
