from __future__ import annotations

from typing import Any

import pytest

from app.providers.registry.catalog import ProviderConfig
from app.providers.registry.tool_probe import ToolUse, try_tools
from tests.local_network import OFFLINE
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks

CALL = {"name": "report_ready", "arguments": {"word": "ok"}}
WRITTEN = '<tool_call>{"name": "report_ready", "arguments": {"word": "ok"}}</tool_call>'


def _config(url: str, **more: Any) -> ProviderConfig:
    return ProviderConfig.model_validate({"id": "mine", "base_url": url, **more})


@pytest.mark.parametrize(
    ("turns", "found"),
    [
        ([{"tool_calls": [CALL]}], "native"),
        ([{"content": WRITTEN}], "text"),
        ([{"status": 400, "content": "this model does not support tools"}, {"content": WRITTEN}], "text"),
        ([{"status": 400, "content": "this model does not support tools"}, {"content": "ok"}], "unused"),
        ([{"content": "I am ready."}], "unused"),
        ([{"content": "thinking about it", "finish": "length"}], ""),
        ([{"status": 401, "content": "wrong key"}], ""),
        ([], ""),
    ],
)
async def test_how_a_model_calls_a_tool_is_found_and_a_failure_is_no_finding(
    turns: list[dict[str, Any]], found: ToolUse
) -> None:
    async with FaultServer(speaks(turns)) as server:
        assert await try_tools(_config(server.base_url), "sk-test", "test-model") == found


async def test_a_model_that_is_known_to_take_no_tools_is_not_asked() -> None:
    async with FaultServer(speaks([{"tool_calls": [CALL]}])) as server:
        config = _config(server.base_url, model_traits={"test-model": {"tools": "none"}})
        assert await try_tools(config, "sk-test", "test-model") == "unused"
        assert server.requests == []


async def test_offline_nobody_is_asked() -> None:
    assert await try_tools(_config("https://model.example/v1"), "sk-test", "a", network=OFFLINE) == ""
