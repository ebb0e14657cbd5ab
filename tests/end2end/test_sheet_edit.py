"""Cells of a sheet changed in the window: shown one by one, one left out, written into a copy, taken back."""

from __future__ import annotations

import shutil
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.domains.quotation.reading.sheets import read_grids
from app.ui.cards import CardFrame
from app.ui.dialogs import ApprovalCard
from tests.domains.quotation.test_fill import SHEET
from tests.ui import screen

from .conftest import Open


async def test_a_cell_left_out_in_the_approval_is_not_written_and_the_copy_is_taken_back(
    open_window: Open, tmp_path: Path
) -> None:
    path = tmp_path / "inquiry.xlsx"
    shutil.copy(SHEET, path)
    cells = [
        {"sheet": "询价", "cell": "C2", "value": "101"},
        {"sheet": "询价", "cell": "C3", "value": "41"},
        {"sheet": "询价", "cell": "J2", "value": "=1+1"},
    ]
    edit = {"name": "edit_sheet", "arguments": {"path": str(path), "cells": cells}}
    driver = await open_window({"tool_calls": [edit]}, {"content": "done"}, agent="quotation")
    driver.chooses_mode("react")
    driver.ask("correct the quantities")
    await driver.until(lambda: driver.all_of(ApprovalCard), "the approval")
    card = driver.one(ApprovalCard)
    assert card.preview is not None
    boxes = list(card.preview.boxes.values())
    assert [box.text() for box in boxes] == ["询价!C2", "询价!C3", "询价!J2"]
    await driver.until(card.allow_once.isEnabled, "a card that listens")
    screen.click(boxes[1])
    screen.click(card.allow_once)
    await driver.done()
    (copy,) = list(tmp_path.rglob("inquiry-*.xlsx"))  # noqa: ASYNC240 - a folder of a test
    before, after = read_grids(path)[0], read_grids(copy)[0]
    wanted = {(1, 2): "101", (2, 2): before.at(2, 2), (1, 9): "=1+1"}
    assert {place: after.at(*place) for place in wanted} == wanted
    assert not (after.formulas - before.formulas)
    undo = [one.findChild(QWidget, "cardAction.undo") for one in driver.all_of(CardFrame)]
    button = next(button for button in undo if button is not None)
    screen.click(button)
    screen.click(button)  # a double click is one press
    await driver.until(lambda: not copy.exists(), "the copy gone")
    await driver.done()
    assert driver.notice() == ""
