"""Thousands of bodies that are wrong: each gets a typed answer below 500, and those that are refused change nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable

import pytest

from .conftest import Served
from .malformed import replaced, unreadable


async def faults(served: Served, bodies: Iterable[tuple[str, bytes]], *, are_refused: bool) -> list[str]:
    """Eight at a time."""
    listed, turns = [], iter(bodies)

    async def one_after_the_other() -> None:
        for path, body in turns:
            answer = await served.http.post(path, content=body)
            if fault := _fault(path, answer.status_code, answer.text, are_refused):
                listed.append(f"{path} {body[:300]!r}: {answer.status_code} {answer.text[:300]} ({fault})")

    await asyncio.gather(*(one_after_the_other() for _ in range(8)))
    return listed


def _fault(path: str, status: int, text: str, is_refused: bool) -> str:
    if status == 200:
        return "taken" if is_refused else ""
    if status >= 500 and not (status in (502, 503) and not is_refused):
        return "server"
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        return "no error object"
    wanted = {"message", "type", "param", "code"} if path.startswith("/v1/") else {"code", "message"}
    return "" if wanted <= error.keys() else "form"


async def check(served: Served, count: int) -> None:
    assert not await faults(served, unreadable(18, count), are_refused=True)
    assert await served.services.sessions.rows() == []
    assert not served.services.chat.running_sessions()
    assert not await faults(served, replaced(18, count), are_refused=False)
    assert (await served.http.get("/api/health")).json()["running"] == 0


async def test_what_cannot_be_read_or_has_other_kinds_is_answered_in_type(served: Served) -> None:
    await check(served, 250)


@pytest.mark.soak
async def test_the_same_with_thousands(served: Served) -> None:
    await check(served, 4_000)


async def test_strange_addresses_are_answered_in_type(served: Served) -> None:
    strange = ("%00", "%ff%fe", "%F0%9F%98%80", "..%2f..", "a" * 4_000, "%22", "%0a", "-1", "²", "9" * 5_000)
    paths = ["/api/sessions/{}", "/api/sessions/{}/none", "/api/sessions?limit={}", "/api/sessions?q={}",
             "/api/tools?agent={}", "/v1/models/{}", "/api/{}", "/{}", "/api/sessions/{}/events"]  # fmt: skip
    listed = []
    for path in paths:
        for one in strange:
            answer = await served.http.get(path.format(one))
            if answer.status_code >= 500 or (answer.status_code >= 400 and "error" not in answer.json()):
                listed.append(f"{path.format(one)[:80]}: {answer.status_code} {answer.text[:200]}")
    assert listed == []
