"""Webhooks on the wire: a real server that takes or refuses them, and what is left of them on the disk."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import importlib.util
import json
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.errors import BadInput, UnknownName
from app.core.run.events import Approval
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from app.services.webhooks import deliveries

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "webhook_to_chat.py"


@dataclass
class Taker:
    """A server that answers with the next of `statuses`, then with 200."""

    url: str = ""
    statuses: list[int] = field(default_factory=list)
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _headers, body in self.got]


@pytest.fixture
def taker() -> Iterator[Taker]:
    one = Taker()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            one.got.append((dict(self.headers), body))
            self.send_response(one.statuses.pop(0) if one.statuses else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    one.url = f"http://127.0.0.1:{server.server_port}/hook"
    yield one
    server.shutdown()
    thread.join()
    server.server_close()


def plays(services: Services, folder: Path, *turns: dict[str, Any]) -> None:
    path = folder / f"script{len(list(folder.glob('script*')))}.json"
    path.write_text(json.dumps({"turns": turns}), "utf-8")
    services.models._wanted = f"script/{path.as_posix()}"


async def opened(folder: Path) -> Services:
    services = build(folder / "data", {})
    services.providers.key_storage.choose("file")
    await services.open()
    return services


@pytest.fixture
async def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Services]:
    monkeypatch.setattr(deliveries, "WAITS", (0.01, 0.01))
    one = await opened(tmp_path)
    plays(one, tmp_path, {"content": "It is 42."})
    yield one
    await one.close()


async def ask(services: Services, text: str = "go", choice: str = "once") -> str:
    row = await services.sessions.create("workspace")
    run = await services.chat.send(row.id, text, mode="react", options=RunOptions())
    async for stamped in run.events():
        if isinstance(stamped.event, Approval):
            run.approve(stamped.event.id, choice)
    await services.chat.recorded()
    return run.id


async def until(true: Any, what: str) -> None:
    for _ in range(3_000):
        if true():
            return
        await asyncio.sleep(0.01)
    pytest.fail(f"never happened: {what}")


async def all_sent(services: Services) -> None:
    """The answer of whoever was told is noted a moment after it was told."""
    for _ in range(3_000):
        if not await services.webhooks._deliveries.waiting():
            return
        await asyncio.sleep(0.01)
    pytest.fail("never happened: an empty queue")


async def test_the_end_of_a_run_is_told_signed_and_tried_again(services: Services, taker: Taker) -> None:
    hook, secret = await services.webhooks.hooks.add(taker.url)
    taker.statuses = [500, 503]
    run = await ask(services)
    await until(lambda: len(taker.got) == 3, "three tries")
    headers, body = taker.got[-1]
    stamp, _comma, signature = headers["X-Triptych-Signature"].removeprefix("t=").partition(",v1=")
    assert signature == hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    assert headers["X-Triptych-Delivery"] == f"{run}.loop_end.{hook.id}"
    assert len({one["X-Triptych-Delivery"] for one, _body in taker.got}) == 1
    assert (json.loads(body)["answer"], json.loads(body)["stop_reason"]) == ("It is 42.", "answered")
    await until(lambda: services.webhooks.last[hook.id] == "", "it was taken")
    await all_sent(services)


async def test_failures_and_approvals_are_told_to_those_who_want_them(
    services: Services, taker: Taker, tmp_path: Path
) -> None:
    await services.webhooks.hooks.add(taker.url, events=("loop_error", "approval"))
    off, _secret = await services.webhooks.hooks.add(taker.url + "/off")
    await services.webhooks.hooks.set_enabled(off.id, False)
    await services.webhooks.hooks.add(taker.url + "/other", agents=("travel",))
    plays(services, tmp_path, {"raise": "401"})
    await ask(services)
    await until(lambda: len(taker.got) == 1, "a failure")
    assert (taker.messages()[0]["event"], taker.messages()[0]["error"]["code"]) == ("loop_error", "AUTH")
    call = {"name": "write_file", "arguments": {"path": "secret.txt", "content": "private"}}
    plays(services, tmp_path, {"tool_calls": [call]}, {"content": "done"})
    row = await services.sessions.create("workspace")
    (tmp_path / "project").mkdir()
    await services.workspace.pick(row.id, tmp_path / "project")
    run = await services.chat.send(row.id, "write", mode="react", options=RunOptions())
    await until(lambda: len(taker.got) == 2, "an approval")
    message = taker.messages()[1]
    assert (message["event"], message["tool"], "private" in str(message)) == ("approval", "write_file", False)
    run.cancel()
    await until(lambda: len(taker.got) == 3, "the stop")
    assert taker.messages()[2]["reason"] == "cancelled"


async def test_what_a_killed_process_left_is_sent_by_the_next(taker: Taker, tmp_path: Path) -> None:
    first = await opened(tmp_path)
    plays(first, tmp_path, {"content": "It is 42."})
    await first.webhooks.hooks.add(taker.url)
    first.webhooks._begin_sending = lambda: None  # type: ignore[method-assign]  # killed before it could send
    done = await ask(first)
    await first.webhooks._deliveries.expect("gone", (await first.runs.rows())[0].session, "workspace")
    first.webhooks.hooks._hooks = {}
    await first.close()
    second = await opened(tmp_path)
    await until(lambda: len(taker.got) == 2, "both are told")
    await all_sent(second)
    await second.close()
    assert {(one["run"], one["event"]) for one in taker.messages()} == {(done, "loop_end"), ("gone", "loop_error")}
    third = await opened(tmp_path)
    assert not await third.webhooks._deliveries.waiting()
    await third.close()
    assert len(taker.got) == 2


async def test_the_queue_is_bounded_and_gives_up_at_last(
    services: Services, taker: Taker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "MOST", 3)
    store = services.webhooks._deliveries
    lost = [await store.add("nobody", str(n), {"event": "loop_end"}) for n in range(5)]
    assert lost == [0, 0, 0, 1, 1]
    assert [one.id for one in await store.waiting()] == ["2", "3", "4"]
    first, *_others = await store.waiting()
    assert await store.claim(first)
    assert not await store.claim(first), "two processes send it"
    hook, _secret = await services.webhooks.hooks.add(taker.url)
    taker.statuses = [500] * 9
    await ask(services)
    await until(lambda: len(taker.got) == 3, "it is given up after three tries")
    await until(lambda: "500" in services.webhooks.last[hook.id], "why")


async def test_nobody_waits_for_a_slow_one_and_private_sessions_are_not_told(services: Services, taker: Taker) -> None:
    await services.webhooks.hooks.add("http://127.0.0.1:9/closed")
    run = await ask(services)
    assert [stamped.event.type for stamped in await services.runs.events(run)][-1] == "loop_end"
    await services.webhooks.hooks.add(taker.url)
    row = await services.sessions.create("workspace", temporary=True)
    private = await services.chat.send(row.id, "go", mode="react", options=RunOptions())
    await private.result()
    await ask(services, "second")
    await until(lambda: taker.got, "the stored one is told")
    assert [one["run"] for one in taker.messages()].count(private.id) == 0


async def test_addresses_are_checked_and_tests_say_why(services: Services, taker: Taker) -> None:
    for url in ("", "ftp://x", "https://", "https://a b", "javascript:x", "https://u:p@host/", "x" * 3_000):
        with pytest.raises(BadInput):
            await services.webhooks.hooks.add(url)
    with pytest.raises(UnknownName):
        await services.webhooks.hooks.add(taker.url, events=("dance",))
    hook, _secret = await services.webhooks.hooks.add(taker.url)
    assert await services.webhooks.test(hook.id) == ""
    taker.statuses = [404]
    assert "404" in await services.webhooks.test(hook.id)
    await services.webhooks.hooks.remove(hook.id)
    with pytest.raises(UnknownName):
        await services.webhooks.test(hook.id)


def test_the_example_checks_signatures_and_speaks_each_platform() -> None:
    spec = importlib.util.spec_from_file_location("webhook_to_chat", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    from app.services.webhooks.messages import body_of, headers_of

    message = {"event": "loop_end", "agent": "a", "answer": "四十二"}
    header = headers_of(message, "d", "secret", 1_000.0)["X-Triptych-Signature"]
    body = body_of(message)
    assert example.is_signed(body, header, "secret", 1_010.0)
    wrong = [(body + b" ", header, "secret", 1_010.0), (body, header, "other", 1_010.0), (body, header, "secret", 9e9),
             (body, "", "secret", 1_010.0), (body, "t=x,v1=y", "secret", 1_010.0)]  # fmt: skip
    assert [example.is_signed(*case) for case in wrong] == [False] * len(wrong)
    text = example.text_of(message)
    assert example.request_of("slack", "u", text, "", 1.0) == ("u", {"text": "a: 四十二"})
    assert example.request_of("wecom", "u", text, "", 1.0)[1] == {"msgtype": "text", "text": {"content": "a: 四十二"}}
    assert example.request_of("feishu", "u", text, "s", 1.0)[1]["timestamp"] == "1"
    assert "timestamp=1000&sign=" in example.request_of("dingtalk", "u?a=b", text, "s", 1.0)[0]
