"""Cells of a quotation typed by a person: in the sums, the record and the filled copy, and taken back."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from app.domains.quotation.reading.sheets import read_grids
from app.domains.quotation.tools import choices, quotes
from app.storage.stores import documents

from .rig import call, program, with_list

SHEET = Path(__file__).parents[2] / "data" / "quotation" / "inquiry.xlsx"


def typed(line: int, cell: str, value: str) -> dict[str, Any]:
    return {"line": line, "cell": cell, "value": value}


async def test_a_typed_cell_is_in_the_sums_the_record_and_the_filled_copy(tmp_path: Path) -> None:
    path = tmp_path / "inquiry.xlsx"
    shutil.copy(SHEET, path)
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        first = await call(services, "run_quotation_fill", path=str(path), customer_level="B")
        run = first.data["run_id"]
        edits = [typed(1, "qty", "50"), typed(3, "price", "8.00"), typed(6, "price", "￥9.90"),
                 typed(2, "name", "PVC 弯头（加厚）"), typed(4, "amount", "100")]  # fmt: skip
        edited = await call(services, "select_match", run_id=run, choices=[{"line": 5, "code": "1004"}], edits=edits)
        assert edited.ok, edited.error
        # 50×3.50 + 40×4.40 + 200×8.00 + 100.00 + 10×4.50 + 6×9.90 + 20×19.80
        assert edited.data["total"] == "2551.40"
        assert edited.data["unmatched"] == []
        record = [(one["line"], one["cell"], one["before"], one["after"]) for one in edited.data["record"]]
        assert record[:3] == [(1, "qty", "100", "50"), (3, "price", "8.5", "8.00"), (6, "price", "", "9.90")]
        assert record[4] == (4, "amount", "112.00", "100.00")
        other = await call(services, "resume_fill", run_id=run, customer_level="A")
        # the typed price and amount stay, the others are those of level A
        assert other.data["total"] == "2480.40"
        assert {"50", "3.2", "160"} <= set(read_grids(Path(other.data["file"]))[0].rows[1])
        bad = await call(services, "edit_cells", run_id=run, edits=[typed(1, "price", "cheap")])
        assert bad.error is not None
        assert bad.error.code == "BAD_ARGUMENTS"
        cleared = await call(services, "edit_cells", run_id=run, edits=[typed(3, "price", ""), typed(4, "amount", "")])
        assert [cleared.data["lines"][n]["amount"] for n in (2, 3)] == ["1560.00", "102.00"]
        undone = [(await call(services, "undo_selection", run_id=run)).data["total"] for _step in range(3)]
        assert undone[-1] == first.data["total"]


async def test_a_request_that_is_typed_anew_is_matched_anew(tmp_path: Path) -> None:
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        quote = await call(services, "run_quotation_fill", text="弯管 DN50 ×10\n球阀 25 ×20", customer_level="B")
        assert quote.data["lines"][0]["code"] == ""
        run = quote.data["run_id"]
        again = await call(services, "edit_cells", run_id=run, edits=[typed(1, "name", "PVC直通 DN75")])
        assert (again.data["lines"][0]["code"], again.data["lines"][0]["amount"]) == ("1002", "56.00")


async def test_what_is_long_for_hundreds_of_lines_is_not_done_in_the_thread_of_the_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards, results and stored texts of 300 lines held the window for half a second."""
    here: list[str] = []

    def watched(module: ModuleType, name: str) -> None:
        work = getattr(module, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            if threading.current_thread() is threading.main_thread():
                here.append(name)
            seen.add(name)
            return work(*args, **kwargs)

        monkeypatch.setattr(module, name, call)

    seen: set[str] = set()
    for module in (choices, quotes):
        watched(module, "quotation_card")
    watched(documents, "to_text")
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        quote = await call(services, "run_quotation_fill", text="弯头 DN50 ×3\n直接 DN50 ×2", customer_level="B")
        chosen = await call(
            services, "select_match", run_id=quote.data["run_id"], choices=[{"line": 1, "code": "1003"}]
        )
        assert chosen.ok, chosen.error
    assert (here, seen) == ([], {"quotation_card", "to_text"})
