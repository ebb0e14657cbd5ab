"""P5 and P6 of the quality page: what a token costs while an answer is painted.

    python -m tests.benchmarks.ui_stream p5 [--json] [--short]

P5: 5,000 tokens of Markdown at 200 a second into the chat view, against the same tokens appended to
a plain text view; a 5 ms heartbeat runs in both. P6: one message, the cost of a token at 15,000 to
20,000 over that at 500 to 1,000. Costs are CPU seconds of the process, ours and the floor in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QEventLoop, Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from app.ui.chat.rows.items import AssistantRow, UserRow
from app.ui.chat.view import ChatView
from app.ui.theme import Theme, apply

TOKEN = 4
"""Characters that count as a token."""

RATE = 200
SIZE = (900, 800)
_WORDS = (
    "the plan keeps every step in the open and a reader sees what was asked which tool answered how long it took "
    "and why the run ended while older turns stay where they are and the window never waits for a layout"
).split()
_HAN = "每一步都看得见规划可以修改运行可以停止继续和重放长对话在小窗口里依然流畅结果附有来源"
_CODE = '''def total(prices: list[int], *, rate: float = 0.1) -> int:
    """Sum with tax, in cents."""
    net = sum(prices)
    return round(net * (1 + rate))  # rounded once
'''


def markdown(characters: int, seed: int = 1) -> str:
    """Mixed text: prose, lists, code, tables, headings, quotes, some Chinese."""
    chance, blocks, size = random.Random(seed), [], 0
    while size < characters:
        blocks.append(_block(chance))
        size += len(blocks[-1]) + 2
    return ("\n\n".join(blocks) + "\n")[:characters]


def _sentence(chance: random.Random, words: int) -> str:
    picked = [chance.choice(_WORDS) for _ in range(words)]
    picked[words // 4] = f"**{picked[words // 4]}**"
    picked[words // 2] = f"`{picked[words // 2]}`"
    if chance.random() < 0.4:
        picked.append("".join(chance.choice(_HAN) for _ in range(40)) + "。")
    return " ".join(picked) + "."


def _block(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.1:
        return "#" * chance.randint(2, 4) + " " + " ".join(chance.choice(_WORDS) for _ in range(5))
    if kind < 0.6:
        return _sentence(chance, chance.randint(20, 80))
    if kind < 0.76:
        return "\n".join("- " + _sentence(chance, 12) for _ in range(chance.randint(3, 7)))
    if kind < 0.9:
        return "```python\n" + _CODE * chance.randint(1, 3) + "```"
    if kind < 0.96:
        rows = (f"| {chance.choice(_WORDS)} | {chance.randrange(9999)} |" for _ in range(chance.randint(3, 8)))
        return "\n".join(["| name | value |", "|---|---:|", *rows])
    return "> " + _sentence(chance, 25)


def _tokens(text: str) -> Iterator[str]:
    return (text[at : at + TOKEN] for at in range(0, len(text), TOKEN))


def application() -> QApplication:
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    apply(app, Theme("light"))
    return app


def _paced(text: str, rate: int, sink: Callable[[str], None]) -> float:
    """CPU seconds to feed the text at that rate, the heartbeat included."""
    loop, pieces, began = QEventLoop(), list(_tokens(text)), time.perf_counter()
    fed = 0

    def beat() -> None:
        nonlocal fed
        due = min(len(pieces), int((time.perf_counter() - began) * rate) + 1)
        for piece in pieces[fed:due]:
            sink(piece)
        fed = due
        if fed == len(pieces):
            QTimer.singleShot(100, loop.quit)
            timer.stop()

    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(beat)
    started = time.process_time()
    timer.start(5)
    loop.exec()
    return time.process_time() - started


def _plain(text: str, rate: int) -> float:
    view = QPlainTextEdit()
    view.setReadOnly(True)
    view.setUndoRedoEnabled(False)
    view.resize(*SIZE)
    view.show()
    settle()

    def add(piece: str) -> None:
        cursor = QTextCursor(view.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(piece)
        view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())

    spent = _paced(text, rate, add)
    view.close()
    view.deleteLater()
    return spent


def _chat() -> ChatView:
    view = ChatView(Theme("light"))
    view.resize(*SIZE)
    view.show()
    view.set_rows([UserRow("u", "Question"), AssistantRow("a", "Assistant", busy=True)])
    settle()
    return view


def _drop(view: ChatView) -> None:
    view.close_down()
    view.close()
    view.deleteLater()
    settle()


def _streamed(text: str, rate: int) -> float:
    view = _chat()
    spent = _paced(text, rate, lambda piece: view.stream_text("a", piece))
    _drop(view)
    return spent


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


def p5(tokens: int = 5_000, pairs: int = 5, rate: int = RATE) -> tuple[float, float]:
    """CPU seconds per token: ours and the plain view, medians of pairs."""
    application()
    _warm()
    text = markdown(tokens * TOKEN)
    ours, floor = [], []
    for _ in range(pairs):
        floor.append(_plain(text, rate) / tokens)
        ours.append(_streamed(text, rate) / tokens)
    return statistics.median(ours), statistics.median(floor)


def p6(tokens: int = 20_000, rounds: int = 3) -> tuple[float, float]:
    """CPU seconds per token late and early in one message, medians; each flush carries seven tokens."""
    application()
    _warm()
    late, early = [], []
    for number in range(rounds):
        spent = _flush_costs(markdown(tokens * TOKEN, seed=number + 1), tokens)
        early.append(_mean(spent, 500, 1_000))
        late.append(_mean(spent, tokens * 3 // 4, tokens))
    return statistics.median(late), statistics.median(early)


def _flush_costs(text: str, tokens: int) -> list[tuple[int, float]]:
    """Position in tokens and CPU seconds per token of every flush, painting included."""
    del tokens
    view, per_flush, spent = _chat(), 7, []
    for at in range(0, len(text), TOKEN * per_flush):
        started = time.process_time()
        view.stream_text("a", text[at : at + TOKEN * per_flush])
        view.row("u")  # makes it hand on what it has gathered
        QApplication.processEvents()
        # Outside a running loop Qt keeps what was deleted later.
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        spent.append((at // TOKEN, (time.process_time() - started) / per_flush))
    _drop(view)
    return spent


def _mean(spent: list[tuple[int, float]], start: int, end: int) -> float:
    return statistics.fmean(cost for at, cost in spent if start <= at < end)


def _warm() -> None:
    """The first code block imports the lexers, the first letters fill the glyph cache."""
    view = _chat()
    view.stream_text("a", markdown(6_000, seed=9))
    view.finish("a")
    end = time.perf_counter() + 0.5
    while time.perf_counter() < end:
        QApplication.processEvents()
    _drop(view)


def measure(name: str, *, short: bool = False) -> dict[str, Any]:
    if name == "p5":
        ours, floor = p5(tokens=400, pairs=3) if short else p5()
        goal = 1.5
    else:
        ours, floor = p6(tokens=8_000, rounds=3) if short else p6()
        goal = 1.2
    ratio = ours / floor
    return {"name": name.upper(), "ours": ours, "floor": floor, "ratio": ratio, "goal": goal, "ok": ratio <= goal}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("name", choices=["p5", "p6"])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--short", action="store_true")
    wanted = parser.parse_args()
    result = measure(wanted.name, short=wanted.short)
    if wanted.json:
        print(json.dumps(result))
    else:
        print(f"{result['name']}: {result['ours'] * 1e3:.3f} ms per token, floor {result['floor'] * 1e3:.3f} ms,")
        print(f"ratio {result['ratio']:.2f}, goal {result['goal']}: {'reached' if result['ok'] else 'missed'}")
    return 0 if result["ok"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
