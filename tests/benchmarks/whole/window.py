"""P5w of the quality page: what a token costs in the whole program, from the connection to the painted window.

    python -m tests.benchmarks.whole.window p5w [--json] [--short]

5,000 tokens of Markdown at 200 a second from a server in a process of its own. Ours is the composed window: reader,
run, recorder, panes, a 5 ms heartbeat. The floor is the same reader and heartbeat on the same loop, every piece
appended to a plain text view. Processes in turn; CPU from the question to the end of the answer; median of the ratios.
A beat is late where the process itself worked more than 16 ms since the one before.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import statistics
import tempfile
from multiprocessing.connection import Connection
from typing import Any

from tests.benchmarks.program import figure
from tests.benchmarks.start import run
from tests.benchmarks.ui_stream import RATE, TOKEN, markdown

TOKENS, SHORT_TOKENS = 5_000, 600
GOAL = 1.5
_KEY = "sk-bench-0123456789"

_BEATS = """
import json, sys, time
from PySide6.QtCore import Qt, QTimer
class Beats:
    def __init__(self):
        self.late, self.worst, self.timer = 0, 0.0, QTimer()
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.setInterval(5)
        self.timer.timeout.connect(self.beat)
        self.cpu = self.at = self.began = 0.0
    def start(self):
        self.began = self.cpu = time.process_time(); self.at = time.perf_counter(); self.timer.start()
    def beat(self):
        cpu, at = time.process_time(), time.perf_counter()
        own = min(cpu - self.cpu, at - self.at - 0.005) * 1000
        self.late += own > 16; self.worst = max(self.worst, own); self.cpu, self.at = cpu, at
    def tell(self):
        self.timer.stop()
        print(json.dumps({"cpu": time.process_time() - self.began, "late": self.late, "worst": self.worst}))
"""

OURS = (
    """
import sys
from app.main import build
application = build(["--data-dir", sys.argv[1]])
from PySide6.QtTest import QTest
from app.ui.chat.rows.items import AssistantRow, answer_of
"""
    + _BEATS
    + """
window, state, beats = application.window, {"turn": 0}, Beats()
def ask(text):
    window.composer.fill(text)
    QTest.keyClick(window.composer.field, Qt.Key.Key_Return)
def look():
    if not window.is_ready:
        return
    desk = application._desk
    rows, is_over = desk.chat.rows(), desk.conversation.run.handle is None
    answers = [row for row in rows if isinstance(row, AssistantRow)]
    if state["turn"] == 0:
        window.modes.set_mode("direct"); ask("warm"); state["turn"] = 1
    elif state["turn"] == 1 and is_over and len(answers) == 1 and not answers[0].busy:
        ask("measured"); beats.start(); state["turn"] = 2
    elif state["turn"] == 2 and is_over and len(answers) == 2 and not answers[1].busy:
        assert len(answer_of(answers[1])) == int(sys.argv[2]), len(answer_of(answers[1]))
        timer.stop(); beats.tell(); window.close()
timer = QTimer()
timer.timeout.connect(look)
timer.start(50)
application.run()
"""
)

FLOOR = (
    """
import asyncio, os
from app.ui.application.loop import TriptychLoop
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from app.core.run.chat_model import ModelRequest, TextDelta, UserTurn
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat
"""
    + _BEATS
    + """
app = QApplication([])
view = QPlainTextEdit(); view.setReadOnly(True); view.setUndoRedoEnabled(False); view.resize(900, 800); view.show()
async def read(model, question):
    size = 0
    async for chunk in model.stream(ModelRequest([UserTurn(question)])):
        if isinstance(chunk, TextDelta):
            size += len(chunk.text)
            cursor = QTextCursor(view.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(chunk.text)
            view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    return size
async def main():
    model, beats = OpenAIChat(ModelEndpoint("bench", os.environ["OPENAI_BASE_URL"], "k"), "bench-model"), Beats()
    await read(model, "warm")
    beats.start()
    assert await read(model, "measured") == int(sys.argv[2])
    beats.tell()
    await model.aclose()
with asyncio.Runner(loop_factory=lambda: TriptychLoop(app)) as runner:
    runner.run(main())
"""
)


def _serve(pipe: Connection, text: str) -> None:
    asyncio.run(_serve_forever(pipe, text))


async def _serve_forever(pipe: Connection, text: str) -> None:
    pieces = [text[at : at + TOKEN] for at in range(0, len(text), TOKEN)]

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                at = head.index(b"content-length:") + 15
                body = await reader.readexactly(int(head[at : head.index(b"\r\n", at)]))
                is_measured = json.loads(body)["messages"][-1]["content"] == "measured"
                await _answer(writer, pieces if is_measured else pieces[:100])
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=1 << 24)
    pipe.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


async def _answer(writer: asyncio.StreamWriter, pieces: list[str]) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    clock = asyncio.get_running_loop().time
    began = clock()
    for number, piece in enumerate(pieces):
        _send(writer, json.dumps(_frame({"content": piece})))
        await asyncio.sleep(max(0.0, began + (number + 1) / RATE - clock()))
    _send(writer, json.dumps(_frame({}, "stop")))
    _send(writer, "[DONE]")
    writer.write(b"0\r\n\r\n")
    await writer.drain()


def _send(writer: asyncio.StreamWriter, data: str) -> None:
    event = f"data: {data}\n\n".encode()
    writer.write(b"%x\r\n%s\r\n" % (len(event), event))


def _frame(delta: dict[str, str], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "bench-model",
            "choices": [choice]}  # fmt: skip


def measure(*, short: bool = False) -> dict[str, Any]:
    tokens, pairs = (SHORT_TOKENS, 3) if short else (TOKENS, 5)
    text = markdown(tokens * TOKEN).strip()
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe()
    server = context.Process(target=_serve, args=(theirs, text), daemon=True)
    server.start()
    try:
        address = f"http://127.0.0.1:{pipe.recv()}/v1"
        both = [(_one(OURS, address, len(text)), _one(FLOOR, address, len(text))) for _pair in range(pairs)]
    finally:
        server.terminate()
        server.join()
    ratio = statistics.median(ours["cpu"] / floor["cpu"] for ours, floor in both)
    ours, floor = (statistics.median(one["cpu"] for one in column) / tokens for column in zip(*both, strict=True))
    return {
        "name": "P5W", "ours": ours, "floor": floor, "ratio": round(ratio, 3), "goal": GOAL, "ok": ratio <= GOAL,
        "late": statistics.median(one["late"] for one, _ in both),
        "worst_ms": round(statistics.median(one["worst"] for one, _ in both), 1),
    }  # fmt: skip


def _one(script: str, address: str, characters: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="triptych-p5w-") as folder:
        variables = {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": _KEY, "OPENAI_MODEL": "bench-model"}
        found: dict[str, float] = json.loads(run(script, folder, str(characters), **variables))
        return found


def main() -> int:
    return figure(__doc__, ["p5w"], lambda _name, short: measure(short=short))


if __name__ == "__main__":
    raise SystemExit(main())
