from __future__ import annotations

import json
from pathlib import Path

from app.compose import build
from app.services.runs.run_options import RunOptions
from app.ui.dialogs.data.compare_runs import CompareRunsDialog
from app.ui.theme import Theme
from tests.ui.dialogs.work import Work

CALL = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}


def model(path: Path, answer: str) -> str:
    path.write_text(json.dumps({"turns": [CALL, {"content": answer}]}))
    return f"script/{path.as_posix()}"


async def test_where_two_runs_part_is_marked(tmp_path: Path, work: Work) -> None:
    services = build(tmp_path / "data", {})
    await services.open()
    row = await services.sessions.create("assistant")
    for answer in ("It is 42.", "It is forty-two."):
        options = RunOptions(model=model(tmp_path / f"{len(answer)}.json", answer))
        run = await services.chat.send(row.id, "6*7?", "react", options=options)
        await run.result()
        await services.chat.recorded()
    dialog = CompareRunsDialog(services.runs, Theme(), spawn=work, title_of=lambda run: run.id, session=row.id)
    dialog.open()
    await work.settled()
    items = [(dialog.moves.item(n, 0), dialog.moves.item(n, 1)) for n in range(dialog.moves.rowCount())]
    texts = [(left.text(), right.text()) for left, right in items if left and right]
    different = [n for n, (left, right) in enumerate(texts) if left != right]
    assert dialog.told.text() == f"First difference: move {different[0] + 1} of {len(texts)}"
    assert "42" in texts[different[0]][0]
    assert "forty-two" in texts[different[0]][1]
    assert not dialog.grab().isNull()

    dialog.right.setCurrentIndex(dialog.left.currentIndex())
    await work.settled()
    assert dialog.told.text() == "The two runs did the same."
    dialog.close()
    await services.close()


async def test_one_run_alone_is_told(tmp_path: Path, work: Work) -> None:
    services = build(tmp_path / "data", {})
    await services.open()
    dialog = CompareRunsDialog(services.runs, Theme(), spawn=work, title_of=lambda run: run.id)
    dialog.open()
    await work.settled()
    assert dialog.told.text() == "There are not two runs to compare yet."
    dialog.close()
    await services.close()
