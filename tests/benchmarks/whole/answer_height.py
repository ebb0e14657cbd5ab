"""P18 of the quality page: how much of the window README's question and its answer take.

    python -m tests.benchmarks.whole.answer_height p18 [--json]

The whole program at 1440 × 900, offline rules, the work folded; in heights of the conversation's view, at most two.
"""

from __future__ import annotations

import json
import tempfile
from typing import Any

from tests.benchmarks.program import figure
from tests.benchmarks.start import run

GOAL = 2.0

SCRIPT = """
import json, sys
from app.main import build
application = build(["--data-dir", sys.argv[1], "--agent", "travel"])
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from app.ui.chat.rows.items import AssistantRow
window, state = application.window, {"last": None, "same": 0}
window.resize(1440, 900)
def look():
    if not window.is_ready:
        return
    desk = application._desk
    if "asked" not in state:
        state["asked"] = True
        window.composer.fill("帮我规划北京3日游，包括景点和美食")
        QTest.keyClick(window.composer.field, Qt.Key.Key_Return)
        return
    rows, chat = desk.chat.rows(), desk.chat.list
    views = [chat.widget(row.id) for row in rows]
    is_over = len(rows) > 1 and isinstance(rows[-1], AssistantRow) and desk.conversation.run.handle is None
    if not is_over or None in views:
        return
    heights = [view.height() for view in views]
    state["same"] = state["same"] + 1 if heights == state["last"] and not views[-1].is_work_open else 0
    state["last"] = heights
    if state["same"] == 20:
        timer.stop()
        print(json.dumps({"rows": heights, "view": chat.viewport().height()}))
        window.close()
timer = QTimer()
timer.timeout.connect(look)
timer.start(50)
application.run()
"""


def measure() -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="triptych-p18-") as folder:
        seen = json.loads(run(SCRIPT, folder, TRIPTYCH_MODEL="offline/rules"))
    ours, floor = sum(seen["rows"]), seen["view"]
    ratio = ours / floor
    return {
        "name": "P18", "ours": ours, "floor": floor, "ratio": round(ratio, 3), "goal": GOAL, "ok": ratio <= GOAL
    }  # fmt: skip


def main() -> int:
    return figure(__doc__, ["p18"], lambda _name, _short: measure())


if __name__ == "__main__":
    raise SystemExit(main())
