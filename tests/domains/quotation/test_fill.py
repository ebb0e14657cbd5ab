"""A whole sheet quoted, chosen in, filled: to the cent, and nothing of the copy is changed but the target cells."""

from __future__ import annotations

import hashlib
import re
import shutil
import zipfile
from pathlib import Path

from app.core.tools.tool import ToolResult
from app.domains.quotation.filling.workbook import CellChange, fill_workbook
from app.domains.quotation.reading.sheets import read_grids

from .rig import INQUIRY, call, program, with_list

SHEET = Path(__file__).parents[2] / "data" / "quotation" / "inquiry.xlsx"
"""Seven lines, a sum, a formula beside them, a chart, a second sheet that refers to the first."""
TARGET = "xl/worksheets/sheet1.xml"
CELL = re.compile(rb'<c r="([A-Z]+\d+)"[^>]*?(?:/>|>.*?</c>)')


def cells(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {found[1].decode(): found[0] for found in CELL.finditer(archive.read(TARGET))}


def sums(result: ToolResult) -> tuple[str, list[int], list[int], list[int], list[tuple[int, str]]]:
    assert result.ok, result.error
    data = result.data
    short = [(one["line"], one["shortfall"]) for one in data["shortage"]]
    return data["subtotal"], data["pending"], data["unmatched"], data["oos"], short


async def test_the_sheet_is_filled_resumed_and_reckoned_at_other_levels(tmp_path: Path) -> None:
    path = tmp_path / "询价单.xlsx"
    shutil.copy(SHEET, path)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        first = await call(services, "run_quotation_fill", path=str(path), customer_level="b档")
        assert sums(first) == ("2734.00", [5], [6], [4], [(7, "5")])
        pending = first.data["lines"][4]["candidates"]
        assert {one["code"] for one in pending[:2]} == {"1003", "1004"}
        run = first.data["run_id"]
        choice = [{"line": 5, "code": "1004"}]
        totals = {
            level: await call(services, "resume_fill", run_id=run, choices=choice, customer_level=level)
            for level in ("B", "A", "C")
        }
        assert {level: result.data["total"] for level, result in totals.items()} == {
            "B": "2779.00", "A": "2543.00", "C": "3080.00",
        }  # fmt: skip
        copy = Path(totals["B"].data["file"])
        stale = tmp_path / "changed.xlsx"
        shutil.copy(SHEET, stale)
        other = await call(services, "run_quotation_fill", path=str(stale), customer_level="B")
        stale.write_bytes(stale.read_bytes() + b" ")
        refused = await call(services, "resume_fill", run_id=other.data["run_id"])
        assert refused.error is not None
        assert refused.error.code == "STALE_FILE"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    old, new = cells(path), cells(copy)
    assert sorted(place for place in new if new[place] != old.get(place)) == sorted(totals["B"].data["changed"])
    assert new["G9"] == old["G9"]
    assert b"<f>SUM(G2:G8)</f>" in new["G9"]
    with zipfile.ZipFile(path) as one, zipfile.ZipFile(copy) as two:
        assert [name for name in one.namelist() if one.read(name) != two.read(name)] == [TARGET]
    rows = {tuple(row[5:7]) for row in read_grids(copy)[0].rows[1:8]}
    assert {("3.5", "350"), ("4.5", "45"), ("", "")} <= rows


async def test_what_is_chosen_holds_for_the_rest_of_the_sheet_and_for_ever_and_can_be_taken_back(
    tmp_path: Path,
) -> None:
    text = "\n".join([*(f"{name} ×{qty}" for name, qty in INQUIRY), "弯头 DN50 ×3"])
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        quote = await call(services, "run_quotation_fill", text=text, customer_level="B")
        assert quote.data["pending"] == [5, 8]
        run = quote.data["run_id"]
        chosen = await call(services, "select_match", run_id=run, choices=[{"line": 5, "code": "1003"}], remember=True)
        assert (chosen.data["pending"], chosen.data["total"]) == ([], "2791.20")
        assert [line["source"] for line in chosen.data["lines"]][4::3] == ["person", "correction"]
        again = await call(services, "match_price", keywords="弯头 DN50", customer_level="B")
        assert (again.data["chosen"], again.data["source"]) == ("1003", "correction")
        back = await call(services, "undo_selection", run_id=run)
        assert (back.data["pending"], back.data["total"]) == ([5, 8], "2734.00")
        wrong = await call(services, "select_match", run_id=run, choices=[{"line": 5, "code": "no such"}])
        assert wrong.error is not None
        assert wrong.error.code == "NOT_A_CANDIDATE"


def test_a_text_never_becomes_a_formula_and_what_is_not_empty_stays() -> None:
    texts = ["=1+1", "+SUM(A1)", "-2", "@cmd", "<b>&"]
    changes = [CellChange(20 + n, "C", text) for n, text in enumerate(texts)]
    changes += [CellChange(9, "G", "x"), CellChange(2, "B", "x")]
    filled = fill_workbook(SHEET, "询价", changes)
    assert filled.left == [("B2", "filled"), ("G9", "formula")]
    with zipfile.ZipFile(SHEET) as archive:
        formulas = archive.read(TARGET).count(b"<f>")
    import io

    with zipfile.ZipFile(io.BytesIO(filled.content)) as archive:
        sheet = archive.read(TARGET)
    assert sheet.count(b"<f>") == formulas
    assert sheet.count(b'<c r="C2') >= len(texts)
    assert b"&lt;b&gt;&amp;" in sheet


async def test_a_csv_keeps_every_other_byte(tmp_path: Path) -> None:
    path = tmp_path / "询价.csv"
    rows = ["品名;数量;单价", '"直接 DN50";100;', "合计;;", ""]
    path.write_bytes("\r\n".join(rows).encode("gb18030"))
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        result = await call(services, "run_quotation_fill", path=str(path), customer_level="B")
    assert result.ok, result.error
    rows[1] += "3.5"
    written = Path(result.data["file"]).read_bytes()  # noqa: ASYNC240 - a small file of a test
    assert written == "\r\n".join(rows).encode("gb18030")


async def test_prices_stand_in_their_own_rows_however_a_program_writes_the_sheet(tmp_path: Path) -> None:
    """Cells that are empty but have a style (`<c …/>`), as most programs write them; a csv that names its separator."""
    book = tmp_path / "form.xlsx"
    shutil.copy(SHEET.with_name("inquiry_blank_cells.xlsx"), book)
    lines = ("1,PVC直通,DN50,个,100,,", "2,PPR热水管,dn25,米,200,,", "3,球阀,DN25,个,20,,")
    text = "\r\n".join(("序号,品名,规格,单位,数量,单价,金额", *lines))
    files = {
        "sep.csv": "sep=;\r\n" + text.replace(",", ";"),
        "plain.csv": text,
        "gap.csv": text.replace("\r\n2", "\r\n\r\n2"),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content.encode("utf-8-sig"))
    (tmp_path / "gbk.csv").write_bytes(text.encode("gbk"))
    prices = {}
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        for name in (*files, "gbk.csv", "form.xlsx"):
            quote = await call(services, "run_quotation_fill", path=str(tmp_path / name), customer_level="B")
            assert quote.ok, (name, quote.error)
            rows = read_grids(Path(quote.data["file"]))[0].rows
            prices[name] = {
                row[1]: (row[5], float(row[6])) for row in rows if len(row) > 6 and row[0] in ("1", "2", "3")
            }
    wanted = {"PVC直通": ("3.5", 350.0), "PPR热水管": ("8.5", 1700.0), "球阀": ("19.8", 396.0)}
    assert prices == dict.fromkeys(prices, wanted)
