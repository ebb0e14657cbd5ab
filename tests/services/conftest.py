"""Real services on a data folder of the test's own; models are scripts, or whatever a test puts in."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.run.chat_model import ChatModel
from app.services.container import Services

Put = Callable[[ChatModel], None]


@pytest.fixture
async def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Services]:
    monkeypatch.setattr("app.services.runs.active_runs.STOP_WAIT", 60.0)  # a slow disk is no hanging one
    made = build(tmp_path / "data", {})
    await made.open()
    yield made
    await made.close()


@pytest.fixture
def answers(services: Services, monkeypatch: pytest.MonkeyPatch) -> Put:
    """`answers(model)`: from now on this model is chosen."""

    def put(model: ChatModel) -> None:
        async def choose(*_args: Any, **_named: Any) -> ChatModel:
            return model

        monkeypatch.setattr(services.models, "choose", choose)

    return put


def write_script(path: Path, *turns: Mapping[str, Any], repeat_last: bool = False) -> str:
    """The reference of a script in `path`."""
    path.write_text(json.dumps({"turns": list(turns), "repeat_last": repeat_last}), encoding="utf-8")
    return f"script/{path.as_posix()}"
