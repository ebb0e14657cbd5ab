"""The real server on a port of its own, with services on a data folder of the test's; models are scripts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.compose import build
from app.services.api.serving import LocalApiService
from app.services.container import Services

TOKEN = "a token of the tests"


@dataclass
class Served:
    services: Services
    http: httpx2.AsyncClient
    address: str
    folder: Path

    def script(self, *turns: dict[str, Any], repeat_last: bool = True) -> str:
        """The reference of a model that plays these turns."""
        path = self.folder / f"script{len(list(self.folder.glob('script*')))}.json"
        path.write_text(json.dumps({"turns": turns, "repeat_last": repeat_last}), "utf-8")
        return f"script/{path.as_posix()}"

    def plays(self, *turns: dict[str, Any], repeat_last: bool = True) -> None:
        """From now on every run that names no model."""
        self.services.models._wanted = self.script(*turns, repeat_last=repeat_last)

    async def frames(self, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        async with self.http.stream("POST", path, json=body) as response:
            assert response.status_code == 200, await response.aread()
            return [json.loads(line[6:]) async for line in response.aiter_lines() if line.startswith("data: {")]


async def until(true: Callable[[], object], what: str) -> None:
    for _ in range(6_000):
        if true():
            return
        await asyncio.sleep(0.01)
    pytest.fail(f"never happened: {what}")


@pytest.fixture
async def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    monkeypatch.setattr("app.services.runs.active_runs.STOP_WAIT", 60.0)
    services = build(tmp_path / "data", {"TRIPTYCH_API_TOKEN": TOKEN})
    async with serving(services) as server:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx2.AsyncClient(base_url=server.address, headers=headers, timeout=60.0) as client:
            one = Served(services, client, server.address, tmp_path)
            one.plays({"content": "yes"})
            yield one
    await services.close()


@asynccontextmanager
async def serving(services: Services) -> AsyncIterator[LocalApiService]:
    await services.open()
    await services.local_api.start(0)
    try:
        yield services.local_api
    finally:
        await services.local_api.stop()


Wait = Callable[[], Awaitable[None]]
