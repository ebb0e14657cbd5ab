"""P9 and P13 of the quality page: a session of 10,000 messages is opened, and scrolled by the wheel.

    python -m tests.benchmarks.ui_session p9 [--json] [--short]

P9: from the store to the last message painted, against a QListView over as many rows plus the read of
their bodies; CPU seconds of the process, ours and the floor in turn; beside it the memory that stays.
P13: CPU milliseconds of one wheel step over the whole session, 95th percentile; the same with a
QListView of plain rows for comparison.
"""

from __future__ import annotations

import asyncio
import gc
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import apsw
from PySide6.QtCore import QEvent, QPoint, QPointF, QStringListModel, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QApplication, QListView, QWidget

from app.core.run.events import LoopEnd, LoopStart
from app.core.run.messages import Message, Text, user_message
from app.core.session.branches import Tree
from app.core.session.summary import SessionRow
from app.storage.db.database import Database
from app.storage.stores import message_rows as bodies
from app.storage.stores import session_rows
from app.storage.stores.sessions import SessionStore
from app.ui.chat.view import ChatView
from app.ui.run_presenter.stored import AgentLabel, rows_of
from app.ui.theme import Theme
from tests.benchmarks.program import figure
from tests.benchmarks.ui_stream import SIZE, application, markdown, settle

MESSAGES, SHORT_MESSAGES = 10_000, 2_000
P9_GOAL, P9_MEMORY = 2.0, 30.0
P13_GOAL = 16.0
_CHARACTERS = 1_000
_STEPS, _SHORT_STEPS, _TURN = 600, 200, 20
_V = TypeVar("_V", bound=QWidget)
_FACES = {"assistant": AgentLabel("Assistant")}


async def fill(folder: Path, count: int) -> Path:
    """One session, questions and answers in turn; returns the path of the database."""
    db = Database(folder / "sessions.db")
    texts = [markdown(_CHARACTERS, seed) for seed in range(40)]

    def work(cursor: apsw.Cursor) -> None:
        session_rows.insert_row(cursor, SessionRow("s", "Long", "assistant", "", "", 1.0, 2.0), {})
        number = cursor.connection.last_insert_rowid()
        for place in range(count):
            text = texts[place % len(texts)]
            asked = user_message(f"m{place}", text[:200], created=float(place))
            message = replace(
                asked if place % 2 == 0 else _answer(place, text), parent=f"m{place - 1}" if place else None
            )
            bodies.insert(cursor, number, message)

    await db.write(work)
    await db.close()
    return db.path


def _answer(place: int, text: str) -> Message:
    start = LoopStart(agent="assistant", mode="direct", model="m", query="")
    end = LoopEnd(answer=text, stop_reason="answered")
    return Message(f"m{place}", "assistant", (Text(text, 1),), float(place), start=start, end=end)


def _read(path: Path) -> list[Message]:
    async def read() -> list[Message]:
        db = Database(path)
        try:
            return await SessionStore(db).messages("s")
        finally:
            await db.close()

    return asyncio.run(read())


def _open_ours(view: ChatView, path: Path) -> None:
    line = Tree(_read(path)).line()
    view.set_rows(rows_of(line.messages, _FACES, line.variants))
    settle()


def _open_floor(view: QListView, path: Path) -> None:
    model = view.model()
    assert isinstance(model, QStringListModel)
    model.setStringList([message.text for message in _read(path)])
    view.scrollToBottom()
    settle()


def p9(count: int, pairs: int) -> dict[str, Any]:
    application()
    with tempfile.TemporaryDirectory(prefix="triptych-p9-") as folder:
        path = asyncio.run(fill(Path(folder), count))
        _warm(path)
        ours, floor, memory = [], [], []
        for _pair in range(pairs):
            spent, plain = _cost(_plain_list(), _open_floor, path)
            floor.append(spent)
            spent, grown = _cost(_chat(), _open_ours, path)
            ours.append(spent)
            memory.append(grown - plain)
    result = _figure("P9", statistics.median(ours), statistics.median(floor), P9_GOAL)
    more = statistics.median(memory)
    return result | {"ok": result["ok"] and more <= P9_MEMORY, "more_mib": round(more, 1), "more_mib_goal": P9_MEMORY}


def _warm(path: Path) -> None:
    view = _chat()
    _open_ours(view, path)
    _drop(view)


def _cost(view: _V, work: Callable[[_V, Path], None], path: Path) -> tuple[float, float]:
    """CPU seconds, and MiB by which the process has grown while the view stands."""
    gc.collect()
    before = resident()
    started = time.process_time()
    work(view, path)
    spent = time.process_time() - started
    gc.collect()
    grown = resident() - before
    _drop(view)
    return spent, grown


def p13(count: int, steps: int) -> dict[str, Any]:
    application()
    with tempfile.TemporaryDirectory(prefix="triptych-p13-") as folder:
        path = asyncio.run(fill(Path(folder), count))
        _warm(path)
        view, plain = _chat(), _plain_list()
        _open_ours(view, path)
        _open_floor(plain, path)
        plain.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        ours: list[float] = []
        floor: list[float] = []
        for _turn in range(0, steps, _TURN):  # in turn: what else the machine does then costs both alike
            ours += wheel(view.list, _TURN)
            floor += wheel(plain, _TURN)
        _drop(view)
        _drop(plain)
    figure = _figure("P13", _p95(ours) * 1e3, _p95(floor) * 1e3, P13_GOAL)
    # The goal is the time of a frame, not a multiple of rows without any text to lay out.
    return figure | {"ok": figure["ours"] <= P13_GOAL, "worst_ms": round(max(ours) * 1e3, 1)}


def wheel(area: QAbstractScrollArea, steps: int) -> list[float]:
    """CPU seconds of each step: upwards through what was not in sight yet, painting included."""
    spent = []
    target = area.viewport()
    for _step in range(steps):
        at = QPointF(target.rect().center())
        event = QWheelEvent(
            at,
            QPointF(target.mapToGlobal(at.toPoint())),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        started = time.process_time()
        QApplication.sendEvent(target, event)
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        spent.append(time.process_time() - started)
    return spent


def _p95(values: list[float]) -> float:
    return sorted(values)[round(len(values) * 0.95) - 1]


def _chat() -> ChatView:
    view = ChatView(Theme("light"))
    view.resize(*SIZE)
    view.show()
    settle()
    return view


def _plain_list() -> QListView:
    view = QListView()
    view.setModel(QStringListModel([], view))
    view.setUniformItemSizes(True)
    view.resize(*SIZE)
    view.show()
    settle()
    return view


def _drop(view: QWidget) -> None:
    if isinstance(view, ChatView):
        view.close_down()
    view.close()
    view.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    settle()


def resident() -> float:
    """MiB of this process; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _figure(name: str, ours: float, floor: float, goal: float) -> dict[str, Any]:
    ratio = ours / floor
    return {"name": name, "ours": ours, "floor": floor, "ratio": ratio, "goal": goal, "ok": ratio <= goal}


def measure(name: str, *, short: bool = False) -> dict[str, Any]:
    if name == "p9":
        return p9(SHORT_MESSAGES, 3) if short else p9(MESSAGES, 5)
    return p13(SHORT_MESSAGES, _SHORT_STEPS) if short else p13(MESSAGES, _STEPS)


def main() -> int:
    return figure(__doc__, ["p9", "p13"], lambda name, short: measure(name, short=short))


if __name__ == "__main__":
    raise SystemExit(main())
