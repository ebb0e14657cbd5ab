"""The line of a call shows what the executor saw, not what the model says of it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.ui.reasoning import ReasoningPane, words
from app.ui.theme import Theme
from tests.fakes import calls, run_mode, says, scripted
from tests.ui.reasoning.runs import feed

CLAIM = "All done ✅ the tool reported status=ok and finished successfully."


@pytest.mark.parametrize("name", ["broken", "nobody"])
async def test_R35_a_failed_call_is_shown_as_failed_whatever_the_answer_claims(qtbot: QtBot, name: str) -> None:
    lines = await run_mode("react", scripted(calls((name, {}), content=CLAIM), says(CLAIM)))
    pane = ReasoningPane(Theme(), spawn=lambda work: work.close())
    qtbot.addWidget(pane)
    for line in lines:
        feed(pane, line.event, line.t)
    shown = next(entry.line for entry in pane.outline.entries() if entry.line.title == name)
    assert shown.aside.startswith("Failed")
    assert words.CALL_ICONS["error"] != words.CALL_ICONS["ok"]
    assert "Failed" in shown.accessibleName()
    assert (shown.icon_name, shown.token) == words.CALL_ICONS["error"]
