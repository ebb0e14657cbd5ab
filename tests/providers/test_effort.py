"""Thinking and top_p on the wire: what a real server reads, for each service of the presets."""

from __future__ import annotations

from typing import Any

from app.core.run.chat_model import Effort, Finished, ModelRequest, UserTurn
from app.providers.registry.catalog import ProviderConfig, create_model
from app.providers.registry.model_list import list_models
from app.providers.registry.presets import PRESETS, preset_for
from tests.rigs.fault_server import Exchange, FaultServer
from tests.rigs.speaking_server import speaks

FIELDS = ("reasoning_effort", "thinking", "enable_thinking", "thinking_budget", "reasoning", "chat_template_kwargs")
Body = dict[str, Any]
WIRE: tuple[tuple[str, str, Effort, Body], ...] = (
    ("openai", "gpt-5", "auto", {}),
    ("openai", "gpt-5", "off", {"reasoning_effort": "minimal"}),
    ("openai", "gpt-5.1", "off", {"reasoning_effort": "none"}),
    ("openai", "o3", "off", {"reasoning_effort": "low"}),
    ("openai", "gpt-5", "high", {"reasoning_effort": "high"}),
    ("openai", "gpt-4.1", "high", {}),
    ("azure", "gpt-5-mini", "medium", {"reasoning_effort": "medium"}),
    ("anthropic", "claude-sonnet-4-5", "off", {"thinking": {"type": "disabled"}}),
    ("anthropic", "claude-sonnet-4-5", "low", {"thinking": {"type": "enabled", "budget_tokens": 2048}}),
    ("gemini", "gemini-2.5-flash", "off", {"reasoning_effort": "none"}),
    ("gemini", "gemini-2.5-pro", "off", {"reasoning_effort": "low"}),
    ("xai", "grok-3-mini", "high", {"reasoning_effort": "high"}),
    ("xai", "grok-4", "high", {}),
    ("qwen", "qwen-plus", "off", {"enable_thinking": False}),
    ("qwen", "qwen-plus", "medium", {"enable_thinking": True, "thinking_budget": 8192}),
    ("qwen", "qwen-max", "medium", {}),
    ("zhipu", "glm-4.6", "off", {"thinking": {"type": "disabled"}}),
    ("zhipu", "glm-4.6", "high", {"thinking": {"type": "enabled"}}),
    ("doubao", "doubao-seed-1-6-flash-250828", "high", {"thinking": {"type": "enabled"}}),
    ("doubao", "doubao-seed-1-8-251228", "low", {"thinking": {"type": "enabled"}, "reasoning_effort": "low"}),
    ("openrouter", "openai/gpt-5-mini", "high", {"reasoning": {"effort": "high"}}),
    ("openrouter", "qwen/qwen3-max", "off", {"reasoning": {"enabled": False}}),
    ("siliconflow", "Qwen/Qwen3-32B", "high", {"enable_thinking": True, "thinking_budget": 24576}),
    ("siliconflow", "Qwen/Qwen3-30B-A3B-Instruct-2507", "high", {}),
    ("groq", "qwen/qwen3-32b", "off", {"reasoning_effort": "none"}),
    ("ollama", "qwen3:8b", "off", {"reasoning_effort": "none"}),
    ("vllm", "Qwen/Qwen3-8B", "off", {"chat_template_kwargs": {"enable_thinking": False}}),
    ("deepseek", "deepseek-chat", "high", {}),
    ("custom", "somebody-7b", "high", {}),
)


async def said(config: ProviderConfig, model: str, request: ModelRequest) -> None:
    speaker = create_model(config, model, "sk-test")
    try:
        chunks = [chunk async for chunk in speaker.stream(request)]
        assert isinstance(chunks[-1], Finished)
    finally:
        await speaker.aclose()


async def test_thinking_and_top_p_are_written_as_each_service_reads_them() -> None:
    wrong: list[tuple[str, ...]] = []
    async with FaultServer(speaks([{"content": "hi"}], repeat_last=True)) as server:
        for service, model, effort, expected in WIRE:
            config = ProviderConfig(id="x", preset=service, base_url=server.url(""))
            await said(config, model, ModelRequest([UserTurn("hi")], temperature=0.7, top_p=0.5, effort=effort))
            body = server.requests[-1].json
            sent = {name: body[name] for name in FIELDS if name in body}
            if sent != expected:
                wrong.append((service, model, effort, str(sent)))
            # A model without sampling gets none; Claude gets none while it thinks.
            keeps = not (model.startswith(("gpt-5", "o3")) or (service == "anthropic" and effort == "low"))
            if [body.get("temperature"), body.get("top_p")] != ([0.7, 0.5] if keeps else [None, None]):
                wrong.append((service, model, "sampling", str(body.get("top_p"))))
    assert wrong == []


async def test_a_server_that_refuses_the_field_is_asked_again_without_it() -> None:
    good = speaks([{"content": "hi"}], repeat_last=True)

    async def refuse(exchange: Exchange) -> None:
        if "thinking_budget" in exchange.json or "enable_thinking" in exchange.json:
            name = "enable_thinking" if "enable_thinking" in exchange.json else "thinking_budget"
            await exchange.head(400, "application/json")
            await exchange.send(b'{"error": {"message": "Unrecognized request argument supplied: %s"}}' % name.encode())
        else:
            await good(exchange)

    async with FaultServer(refuse) as server:
        config = ProviderConfig(id="x", preset="qwen", base_url=server.url(""))
        await said(config, "qwen-plus", ModelRequest([UserTurn("hi")], effort="low"))
        assert [sorted(set(one.json) & set(FIELDS)) for one in server.requests] == [
            ["enable_thinking", "thinking_budget"], ["thinking_budget"], [],
        ]  # fmt: skip


async def test_every_preset_is_whole_and_a_customers_own_host_belongs_to_its_service() -> None:
    ids = [row.id for row in PRESETS]
    assert len(set(ids)) == len(ids)
    assert {"anthropic", "azure", "xai", "doubao"} <= set(ids)
    assert [row.id for row in PRESETS if row.id != "custom" and not row.base_url.startswith("http")] == []
    assert ids[-1] == "custom"
    assert preset_for("https://mine.openai.azure.com/openai/v1").id == "azure"
    assert preset_for("https://openai.azure.com.evil.example/v1").id == "custom"


async def test_the_list_of_models_is_asked_with_the_headers_of_its_service() -> None:
    async def listed(exchange: Exchange) -> None:
        await exchange.head(200, "application/json")
        await exchange.send(b'{"data": [{"id": "claude-sonnet-4-5"}]}')

    async with FaultServer(listed) as server:
        config = ProviderConfig(id="x", preset="anthropic", base_url=server.url(""))
        assert await list_models(config, "sk-test") == ("claude-sonnet-4-5",)
        headers = {name.lower(): value for name, value in server.requests[-1].headers.items()}
    assert headers["x-api-key"] == "sk-test"
    assert headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in headers
