"""A person's own workbook is filled: its lines repeated, its formulas moved with their cells, all else as it was.

`template.xlsx` has merged cells, a running sum, a sum over the lines, a tax rate below them, a condition, a check, a
name, a chart, a print area, and a second sheet that refers to the first.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from app.domains.quotation.export.formulas import RepeatedRows, copied, moved
from app.domains.quotation.reading.sheets import read_grids

from .rig import call, program, with_list

TEMPLATE = Path(__file__).parents[2] / "data" / "quotation" / "template.xlsx"
TEXT = "PVC直通 DN50 ×100\nPPR热水管 dn25 ×200\n球阀 25 ×20"


def formulas(path: Path, sheet: str) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        xml = archive.read(f"xl/worksheets/{sheet}.xml").decode()
    return dict(re.findall(r'<c r="([A-Z]+\d+)"[^>]*><f>([^<]*)</f></c>', xml))


async def test_the_persons_workbook_is_filled_and_its_formulas_follow(tmp_path: Path) -> None:
    before = TEMPLATE.read_bytes()
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        profile = services.settings.profile("quotation")
        own = {"template": str(TEMPLATE), "company": "=1+1 & <Co>", "terms": "30 days"}
        await services.settings.save_profile(profile.model_copy(update={"domain_settings": own}))
        quote = await call(services, "run_quotation_fill", text=TEXT, customer_level="B", customer="甲公司")
        written = await call(services, "export_quotation", run_id=quote.data["run_id"])
        assert written.ok, written.error
        begun = await call(services, "write_quotation_template")
        again = await call(services, "export_quotation", run_id=quote.data["run_id"], template=begun.data["file"])
        assert again.ok, again.error
        wrong = await call(
            services, "export_quotation", run_id=quote.data["run_id"], template=str(TEMPLATE.with_name("inquiry.xlsx"))
        )
        assert wrong.error is not None
        assert wrong.error.code == "TEMPLATE"
    path = Path(written.data["file"])
    rows = read_grids(path)[0].rows
    assert (rows[0][0], rows[2][0].split(",")[0]) == ("=1+1 & <Co>", "To: 甲公司")
    assert [row[:5] for row in rows[5:8]] == [
        ["1", "1001", "PVC直通 DN50 (个)", "100", "3.5"],
        ["2", "1005", "PPR热水管 dn25 (米)", "200", "8.5"],
        ["3", "1007", "球阀 DN25 (个)", "20", "19.8"],
    ]
    assert formulas(path, "sheet1") == {
        "F6": "D6*E6", "F7": "D7*E7", "F8": "D8*E8", "G6": "SUM(F$6:F6)", "G7": "SUM(F$6:F7)", "G8": "SUM(F$6:F8)",
        "C9": 'IF(F12&gt;1000,"over A6:B7","")', "F10": "SUM(F6:F8)", "F11": "F10*$B$14", "F12": "F10+F11",
    }  # fmt: skip
    assert formulas(path, "sheet2") == {"A1": "'报价 单'!F12", "A2": "SUM('报价 单'!D6:D8)"}
    with zipfile.ZipFile(TEMPLATE) as one, zipfile.ZipFile(path) as two:
        assert one.read("xl/styles.xml") == two.read("xl/styles.xml")
        sheet, chart, workbook = (
            two.read(f"xl/{name}.xml").decode() for name in ("worksheets/sheet1", "charts/chart1", "workbook")
        )
    for piece in ('ref="A16:G17"', 'sqref="F6:F8"', 'sqref="H6:H8"'):
        assert piece in sheet, piece
    assert "$F$6:$F$8" in chart
    assert "$F$12" in workbook
    assert "$A$1:$G$17" in workbook
    assert TEMPLATE.read_bytes() == before
    assert any(row[:4] == ["2", "1005", "PPR热水管", "dn25"] for row in read_grids(Path(again.data["file"]))[0].rows)


def test_references_move_with_the_rows_and_nothing_else_does() -> None:
    block = RepeatedRows(6, 7, 3)
    others = {"My sheet": block.outside}
    cases = {
        "SUM(F6:F7)": "SUM(F6:F11)", "F6*2": "F6*2", "$B$8+B9": "$B$12+B13", "LOG10(A9)": "LOG10(A13)",
        '"A9"&A5': '"A9"&A5', "'My sheet'!A9": "'My sheet'!A13", "Other!A9": "Other!A9", "SUM(8:8)": "SUM(12:12)",
        "SUM(F1:F20)": "SUM(F1:F24)", "Rate9*A8": "Rate9*A12", "SUM(F6:F6)": "SUM(F6:F6)",
    }  # fmt: skip
    assert {text: moved(text, block.outside, others) for text in cases} == cases
    inner = {"D6*E7": "D8*E9", "SUM(F$6:F6)": "SUM(F$6:F8)", "D6*$B$9": "D8*$B$13", "A1": "A1"}
    assert {text: moved(text, block.inside(1), others) for text in inner} == inner
    assert copied("A1+$A1+A$1+$A$1+LOG10(B2)", 2, 1) == "B3+$A3+B$1+$A$1+LOG10(C4)"
