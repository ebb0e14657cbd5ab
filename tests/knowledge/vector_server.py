"""A real HTTP server that speaks `/embeddings` and `/rerank`, with the limits and faults of real ones.

Its vectors know a little: words of one subject, in both languages, point the same way.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SUBJECTS = (
    "holiday vacation leave 年假 休假 假期", "car automobile vehicle 汽车 轿车", "doctor physician 医生 大夫",
    "nuts allergy eat food restaurant 花生 过敏 吃饭 餐厅", "salary pay wage 工资 薪水", "dog puppy pet 狗 小狗 宠物",
)  # fmt: skip


class VectorServer:
    """`most`: texts of one request; `dimension` may be changed at any time; `broken` answers 500."""

    def __init__(self) -> None:
        self.dimension, self.most, self.broken, self.busy = 32, 2048, False, 0
        self.changes_after = -1
        """Requests after which the vectors are half as long again; -1 = never."""
        self.is_blind = False
        """Its vectors are chance: what a model gives that does not know the language."""
        self.texts: list[str] = []
        self.requests: list[str] = []
        self.address = ""

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
        self.requests.append(path)
        if self.busy:
            self.busy -= 1
            return 429, {"Retry-After": "0"}, {"error": {"message": "slow down"}}
        if self.broken:
            return 500, {}, {"error": {"message": "out of order"}}
        if path.endswith("/rerank"):
            wanted = set(body["query"].lower().split())
            scored = [(len(wanted & set(text.lower().split())), n) for n, text in enumerate(body["documents"])]
            ranked = sorted(scored, reverse=True)[: body["top_n"]]
            return 200, {}, {"results": [{"index": n, "relevance_score": score / 10} for score, n in ranked]}
        if len(body["input"]) > self.most:
            return 400, {}, {"error": {"message": f"batch size is invalid, it should not be larger than {self.most}"}}
        if self.changes_after == 0:
            self.dimension += self.dimension // 2
        self.changes_after -= 1
        self.texts += body["input"]
        vectors = [(chance if self.is_blind else vector)(text, self.dimension) for text in body["input"]]
        # Some answer out of order.
        return 200, {}, {"data": [{"index": n, "embedding": one} for n, one in enumerate(vectors)][::-1]}


def vector(text: str, dimension: int) -> list[float]:
    numbers = [0.0] * dimension
    plain = text.lower()
    for n, words in enumerate(SUBJECTS):
        numbers[n] += 4.0 * any(word in plain for word in words.split())
    for word in re.findall(r"[a-z]+|\d+|[一-鿿]", plain):
        place = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % (dimension - len(SUBJECTS))
        numbers[len(SUBJECTS) + place] += 0.3
    numbers[-1] += 0.01
    return numbers


def chance(text: str, dimension: int) -> list[float]:
    source = random.Random(text)
    return [source.gauss(0, 1) for _ in range(dimension)]


@contextmanager
def vector_server() -> Iterator[VectorServer]:
    state = VectorServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, headers, answer = state.answer(self.path, body)
            data = json.dumps(answer).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Type": "application/json", "Content-Length": len(data)}.items():
                self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.address = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
