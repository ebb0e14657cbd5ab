"""P7 and P14 of the quality page: does the window keep answering while text comes, and while hostile text is shown.

    python -m tests.benchmarks.ui_beats p7 [--json] [--short]

A timer of 5 ms beats in the GUI thread. A beat is late by what the process itself worked since the one
before it: on a shared machine the clock alone would count what others do. P7: 20,000 tokens at 200 a
second, beats late by more than 16 ms after the first flush (0), and the longest at full speed (50 ms).
P14: the longest stall (100 ms) with the texts of `HOSTILE`, each loaded, scrolled, left and streamed.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.ui.application.garbage import GarbageCollection
from app.ui.chat.rows.items import AssistantRow, TextPart, UserRow
from app.ui.chat.view import ChatView
from app.ui.theme import Theme
from tests.benchmarks.program import figure
from tests.benchmarks.ui_stream import RATE, SIZE, TOKEN, application, markdown, settle

LATE_MS, FULL_SPEED_MS, STALL_MS = 16.0, 50.0, 100.0
_BEAT = 0.005
_PIECE = 4_000
_FIRST = 0.5
"""Seconds that belong to the first flush: imports and the first letters of each font."""

HOSTILE: dict[str, Callable[[], str]] = {
    "line": lambda: "A" * 200_000,
    "words": lambda: "word " * 40_000,
    "table": lambda: "| a | b | c |\n|---|---|---|\n" + "".join(f"| {n} | row | text |\n" for n in range(5_000)),
    "quotes": lambda: ">" * 10_000 + " deep",
    "list": lambda: "".join("  " * n + "- x\n" for n in range(400)),
    "brackets": lambda: "[" * 50_000,
    "stars": lambda: "**a *b " * 20_000,
    "entities": lambda: "&amp;" * 100_000,
    "strikes": lambda: "~~a" * 117_000,
    "million brackets": lambda: "[" * 1_000_000,
    "backticks": lambda: "`" * 200_000,
    "ligatures": lambda: "ﬁ" * 100_000,
    "arabic ligatures": lambda: "ﷺ" * 100_000,
    "fences": lambda: "```\nx\n```\n" * 10_000,
    "empty fences": lambda: "```\n```\n" * 30_000,
    "formulas": lambda: "$\\sqrt{" * 500 + "x" + "}$" * 500 + " $\\frac{1}{2}$" * 500,
}


class Beats:
    """Between `start` and `stop`: how much each beat was late, by our own work and by the clock."""

    def __init__(self) -> None:
        self.own: list[float] = []
        self.clock: list[float] = []
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(int(_BEAT * 1000))
        self._timer.timeout.connect(self._beat)
        self._cpu = self._at = 0.0

    def start(self) -> None:
        self._cpu, self._at = time.process_time(), time.perf_counter()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _beat(self) -> None:
        cpu, at = time.process_time(), time.perf_counter()
        clock = at - self._at - _BEAT
        # Late is only who was busy: others may have had the processor, and threads of ours another one.
        self.own.append(min(cpu - self._cpu, clock) * 1000)
        self.clock.append(clock * 1000)
        self._cpu, self._at = cpu, at


def _chat(rows: bool = True) -> ChatView:
    view = ChatView(Theme("light"))
    view.resize(*SIZE)
    view.show()
    if rows:
        view.set_rows([UserRow("u", "Question"), AssistantRow("a", "Assistant", busy=True)])
    settle()
    return view


def _drop(view: ChatView) -> None:
    view.close_down()
    view.close()
    view.deleteLater()
    settle()


def _streamed(pieces: list[str], rate: float | None) -> Beats:
    """Beats while the pieces come at that rate; None: as fast as they are taken."""
    view, beats, loop = _chat(), Beats(), QEventLoop()
    began, fed = time.perf_counter(), 0

    def feed() -> None:
        nonlocal fed
        due = len(pieces) if rate is None else min(len(pieces), int((time.perf_counter() - began) * rate) + 1)
        for piece in pieces[fed : min(due, fed + 50)]:
            view.stream_text("a", piece)
            fed += 1
        if fed == len(pieces):
            source.stop()
            view.finish("a", stop_reason="answered")
            QTimer.singleShot(300, loop.quit)

    source = QTimer()
    source.setInterval(0 if rate is None else 5)
    source.timeout.connect(feed)
    QTimer.singleShot(int(_FIRST * 1000) if rate else 0, beats.start)
    source.start()
    loop.exec()
    beats.stop()
    _drop(view)
    return beats


def p7(tokens: int) -> dict[str, Any]:
    application()
    _streamed([markdown(6_000, seed=9)], None)
    # As the window does once it is loaded: what is there is not looked through again.
    gc.freeze()
    GarbageCollection(application())
    text = markdown(tokens * TOKEN)
    pieces = [text[at : at + TOKEN] for at in range(0, len(text), TOKEN)]
    steady, full = _streamed(pieces, RATE), _streamed(pieces, None)
    late = sum(own > LATE_MS for own in steady.own)
    fastest = max(full.own, default=0.0)
    return {
        "name": "P7",
        "ours": late,
        "floor": 0,
        "ratio": late,
        "goal": 0,
        "ok": late == 0 and fastest <= FULL_SPEED_MS,
        "worst_ms": round(max(steady.own, default=0.0), 1),
        "late_by_clock": sum(clock > LATE_MS for clock in steady.clock),
        "full_speed_ms": round(fastest, 1),
    }


def p14(kinds: list[str], patience: float) -> dict[str, Any]:
    application()
    _streamed([markdown(6_000, seed=9)], None)
    worst, found = 0.0, {}
    for kind in kinds:
        text = HOSTILE[kind]()
        loaded = _loaded(text, patience)
        streamed = max(_streamed([text[at : at + _PIECE] for at in range(0, len(text), _PIECE)], None).own, default=0.0)
        found[kind] = {"loaded": round(loaded, 1), "streamed": round(streamed, 1)}
        worst = max(worst, loaded, streamed)
    ratio = worst / STALL_MS
    shown = {"name": "P14", "ours": round(worst, 1), "floor": STALL_MS, "ratio": round(ratio, 3), "goal": 1.0}
    return shown | {"ok": ratio <= 1.0, "stalls_ms": found}


def _loaded(text: str, patience: float) -> float:
    """The longest stall while a session with this message is opened, scrolled through and left.

    `patience` is the share of the usual pauses between these three.
    """

    def later(ms: int, act: Callable[[], object]) -> None:
        QTimer.singleShot(int(ms * patience), act)

    view, beats, loop = _chat(rows=False), Beats(), QEventLoop()
    answer = AssistantRow("a", "Assistant", parts=(TextPart("t", text),))

    def scroll() -> None:
        bar = view.list.verticalScrollBar()
        bar.setValue(bar.value() - bar.pageStep() * 3)

    mover = QTimer()
    mover.setInterval(40)
    mover.timeout.connect(scroll)
    beats.start()
    QTimer.singleShot(10, lambda: view.set_rows([UserRow("u", "Question"), answer]))
    later(1_000, mover.start)
    later(1_600, mover.stop)
    later(1_650, lambda: view.set_rows([]))
    later(1_900, loop.quit)
    loop.exec()
    beats.stop()
    _drop(view)
    QApplication.processEvents()
    return max(beats.own, default=0.0)


def measure(name: str, *, short: bool = False) -> dict[str, Any]:
    if name == "p7":
        return p7(500 if short else 20_000)
    return p14(["line", "table", "quotes"], 0.4) if short else p14(list(HOSTILE), 1.0)


def main() -> int:
    return figure(__doc__, ["p7", "p14"], lambda name, short: measure(name, short=short))


if __name__ == "__main__":
    raise SystemExit(main())
