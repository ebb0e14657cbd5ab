from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.compose import build
from app.ui.dialogs.data.compare_modes import CompareModesDialog
from app.ui.theme import Theme
from tests.ui.dialogs.work import Work

CALL = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}


async def test_a_question_is_answered_in_each_mode_side_by_side(
    tmp_path: Path, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"turns": [CALL, {"content": "It is **42**."}], "repeat_last": True}))
    monkeypatch.setenv("TRIPTYCH_MODEL", f"script/{script.as_posix()}")
    services = build(tmp_path / "data")
    await services.open()
    opened: list[str] = []
    dialog = CompareModesDialog(services.compare, "assistant", Theme(), spawn=work)
    dialog.open_asked.connect(opened.append)
    dialog.open()
    assert not dialog.start.isEnabled()
    dialog.question.setPlainText("what is 6*7?")
    dialog.modes["plan"].setChecked(False)
    dialog.start.click()
    await work.settled()

    assert list(dialog.columns) == ["direct", "react"]
    react = dialog.columns["react"]
    assert react.answer.body.source() == "It is **42**."
    assert react.figures["Tools"].text() == "1"
    assert react.state.text() == "Answered"
    assert dialog.columns["direct"].state.text() == "Answered\nDirect could not answer, so ReAct takes over."
    assert dialog.start.isEnabled()
    react.open.click()
    assert [(await services.sessions.row(id)).mode for id in opened] == ["react"]
    dialog.close()
    await services.close()


async def test_nobody_who_could_answer_is_told_in_words(tmp_path: Path, work: Work) -> None:
    services = build(tmp_path / "data", {})
    await services.open()
    dialog = CompareModesDialog(services.compare, "assistant", Theme(), spawn=work, text="hello")
    dialog.open()
    dialog.start.click()
    await work.settled()
    assert {column.state.text().partition(".")[0] for column in dialog.columns.values()} == {"No model can answer yet"}
    dialog.close()
    await services.close()
