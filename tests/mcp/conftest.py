"""A hub on a thread of its own, and servers that misbehave."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from app.mcp import Hub, ServerConfig
from app.mcp.connection import StartPlan
from app.mcp.facts import start_facts

EVIL = str(Path(__file__).parents[1] / "rigs" / "evil_mcp.py")

Plan = Callable[..., StartPlan]


def plan_of(mode: str = "good", *more: str, **fields: Any) -> StartPlan:
    """The plan of an evil server; `fields` of its config, of which `env` and `headers` are mappings."""
    env, headers = fields.pop("env", {}), fields.pop("headers", {})
    offline = fields.pop("offline", False)
    usual: dict[str, Any] = {
        "id": mode.replace("_", "-"),
        "enabled": True,
        "env": tuple(env),
        "headers": tuple(headers),
    }
    if "url" not in fields and "command" not in fields:
        usual |= {"command": sys.executable, "args": (EVIL, mode, *more)}
    elif "url" in fields:
        usual["transport"] = "http"
    config = ServerConfig(**{**usual, **fields})
    return StartPlan(config, start_facts(config).fingerprint, env, headers, offline)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A good server may take its time to start, and any to end, where many processes share a core."""
    monkeypatch.setattr("app.mcp.connection.GREETING_SECONDS", 60.0)
    monkeypatch.setattr("app.mcp.hub.CLOSE_SECONDS", 60.0)


@pytest.fixture
def changed() -> list[str]:
    """The ids the hub has told of, in order."""
    return []


@pytest.fixture
async def hub(changed: list[str]) -> AsyncIterator[Hub]:
    made = Hub(on_change=changed.append)
    yield made
    await made.close()


async def call(hub: Hub, plan: StartPlan, tool: str = "echo", **args: Any) -> dict[str, Any]:
    listing = await hub.start(plan)
    listed = next(one for one in listing.tools if one.name == tool)
    return await hub.call(plan, tool, args, listed.fingerprint)
