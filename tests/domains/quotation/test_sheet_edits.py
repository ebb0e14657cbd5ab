"""Cells set in a copy: asked first with what changes, nothing but these cells different, every trap refused whole.

`guarded.xlsx` has a formula, an array formula, a merged cell, and a protected sheet with one unlocked cell.
"""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from pathlib import Path
from typing import Any

from app.core.tools.tool import ToolResult
from app.domains.quotation.reading.sheets import read_grids

from .rig import call, program
from .test_fill import SHEET, TARGET, cells

HOSTILE = ("=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "＝1+1")


def code(result: ToolResult) -> str:
    return result.error.code if result.error is not None else ""


async def test_only_the_cells_named_are_changed_in_a_copy_that_can_be_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "询价单.xlsx"
    shutil.copy(SHEET, path)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    wanted = [
        {"sheet": "询价", "cell": "B2", "value": "直通 <&> DN50", "expect_old": read_grids(path)[0].at(1, 1)},
        {"cell": "询价!$C$3", "value": 12.5}, {"cell": "询价!h30", "value": "007"}, {"cell": "询价!B4", "value": None},
        *({"cell": f"询价!J{n}", "value": text} for n, text in enumerate(HOSTILE, 2)),
    ]  # fmt: skip
    async with program(tmp_path) as services:
        made = await call(services, "edit_sheet", path=str(path), cells=wanted)
        assert made.ok, made.error
        copy = Path(made.data["file"])
        old, new = cells(path), cells(copy)
        assert sorted(f"询价!{one}" for one in {*old, *new} if new.get(one) != old.get(one)) == sorted(
            made.data["changed"]
        )
        assert len(made.data["changed"]) == len(wanted)
        with zipfile.ZipFile(path) as one, zipfile.ZipFile(copy) as two:
            assert [name for name in one.namelist() if one.read(name) != two.read(name)] == [TARGET]
            assert one.read(TARGET).count(b"<f") == two.read(TARGET).count(b"<f")
        sheet = read_grids(copy)[0]
        assert [sheet.at(*place) for place in ((1, 1), (2, 2), (29, 7), (3, 1))] == ["直通 <&> DN50", "12.5", "007", ""]
        assert all(b't="inlineStr"' in new[f"J{n}"] for n in range(2, 2 + len(HOSTILE)))
        again = await call(services, "edit_sheet", path=str(copy), cells=wanted[:1] + wanted[2:3])
        assert code(again) == "EXPECT_MISMATCH"
        nothing = await call(services, "edit_sheet", path=str(copy), cells=wanted[1:3])
        assert nothing.ok
        assert nothing.data["file"] == ""
        gone = await call(services, "undo_sheet_edit", edit_id=made.data["edit_id"])
        assert gone.ok, gone.error
        assert not copy.exists()  # noqa: ASYNC240 - a small file of a test
        kept = await call(services, "edit_sheet", path=str(path), cells=wanted[1:2])
        Path(kept.data["file"]).write_bytes(b"the person's own now")  # noqa: ASYNC240 - a small file of a test
        assert code(await call(services, "undo_sheet_edit", edit_id=kept.data["edit_id"])) == "STALE_FILE"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


async def test_what_must_not_be_written_refuses_the_whole_edit_and_names_the_cells(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    shutil.copy(SHEET.with_name("guarded.xlsx"), path)
    cases = {
        "FORMULA": ["Open!C1", "Open!D2"], "MERGED_PART": ["Open!B3", "Open!A4"], "PROTECTED": ["Form!A1", "Form!Z9"],
        "EXPECT_MISMATCH": ["Open!B1"], "FORMAT": ["B1", "Nowhere!B1"],
        "BAD_ARGUMENTS": ["Open!1B", "Open!A0", "Open!ZZZ1", "Open!A9999999", "Open!B2\nB3"],
    }  # fmt: skip
    async with program(tmp_path) as services:
        for wanted, places in cases.items():
            for place in places:
                edits: list[dict[str, Any]] = [{"cell": "Open!B9", "value": 1}, {"cell": place, "value": "x"}]
                if wanted == "EXPECT_MISMATCH":
                    edits[1]["expect_old"] = 4
                refused = await call(services, "edit_sheet", path=str(path), cells=edits)
                assert code(refused) == wanted, (place, refused.error)
        free = await call(services, "edit_sheet", path=str(path), cells=[{"cell": "Form!B1", "value": "x"}])
        assert free.data["changed"] == ["Form!B1"]
        both = [{"cell": f"{sheet}!B{row}", "value": row} for sheet, row in (("Open", 9), ("Form", 1), ("Open", 1))]
        filled = await call(services, "fill_quotation_sheet", path=str(path), cells=both)
        assert (filled.data["changed"], filled.data["left"][0]["cell"]) == (["Open!B9"], "Form!B1")
        old = await call(services, "edit_sheet", path=str(tmp_path / "list.xls"), cells=both)
        assert code(old) == "FORMAT"
    assert [each.name for each in tmp_path.glob("*.xlsx")] == ["book.xlsx"]  # noqa: ASYNC240 - a test


async def test_a_table_keeps_its_bytes_and_no_program_takes_a_text_for_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "表.csv"
    path.write_bytes('品名;数量;备注\r\n"直接; DN50";100;\r\n球阀;20;x\r\n'.encode("gb18030"))
    edits = [{"cell": f"C{n}", "value": text} for n, text in ((2, HOSTILE[1]), (3, '两;"行"\n=2'))]
    async with program(tmp_path) as services:
        made = await call(services, "edit_sheet", path=str(path), cells=[*edits, {"cell": "B3", "value": "21"}])
        assert made.ok, made.error
        beyond = await call(services, "edit_sheet", path=str(path), cells=[{"cell": "A9", "value": "x"}])
        assert code(beyond) == "BAD_ARGUMENTS"
    written = Path(made.data["file"]).read_bytes().decode("gb18030")  # noqa: ASYNC240 - a small file of a test
    rows = ["品名;数量;备注", f'"直接; DN50";100;\'{HOSTILE[1]}', '球阀;21;"两;""行""\n=2"', ""]
    assert written == "\r\n".join(rows)
