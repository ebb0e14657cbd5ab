"""Presets, settings of a provider, the environment's provider, the list of models, the test button, discovery."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from app.core import errors
from app.providers.http.proxies import proxy_for
from app.providers.http.timeouts import limits_for
from app.providers.registry.catalog import (
    PRESETS,
    ProviderConfig,
    create_model,
    preset,
    provider_from_environment,
    traits_for,
)
from app.providers.registry.discovery import discover
from app.providers.registry.model_list import check_connection, list_models, read_model_list
from tests.local_network import OFFLINE
from tests.rigs.fault_server import Exchange, FaultServer, Scenario
from tests.rigs.speaking_server import speaks

KEY = "sk-test-0123456789abc"


def _config(url: str = "", **more: Any) -> ProviderConfig:
    return ProviderConfig(id="mine", base_url=url, **more)


# ---------------------------------------------------------------- rows


def test_every_preset_makes_a_model() -> None:
    assert len({row.id for row in PRESETS}) == len(PRESETS)
    for row in PRESETS:
        config = ProviderConfig(id=row.id, preset=row.id)
        for name in (*row.models, "anything"):
            model = create_model(config, name, KEY)
            assert model.ref == f"{row.id}/{name}"
        assert row.local or not row.base_url or row.base_url.startswith("https://")
        assert row.needs_key == bool(row.key_page)


@pytest.mark.parametrize(
    ("preset_id", "model", "trait", "value"),
    [
        ("openai", "gpt-5", "system_role", "developer"),
        ("openai", "gpt-4.1", "system_role", "system"),
        ("openai", "gpt-4.1", "max_tokens_name", "max_completion_tokens"),
        ("deepseek", "deepseek-reasoner", "local", True),
        ("deepseek", "deepseek-chat", "reasoning_field", "reasoning_content"),
        ("mistral", "mistral-large-latest", "id_style", "mistral9"),
        ("moonshot", "kimi-k2-thinking", "tool_choice", False),
        ("ollama", "qwen3:8b", "local", True),
        ("openrouter", "deepseek/deepseek-r1", "local", True),
        ("siliconflow", "deepseek-ai/DeepSeek-V3.2-Exp", "echo_reasoning", "always"),
    ],
)
def test_traits_follow_provider_and_name(preset_id: str, model: str, trait: str, value: object) -> None:
    assert getattr(traits_for(ProviderConfig(id="x", preset=preset_id), model), trait) == value


def test_the_persons_word_wins_over_the_catalogue() -> None:
    config = ProviderConfig(id="x", preset="openai", traits={"system_role": "user", "drop_params": ["top_p"]})
    traits = traits_for(config, "gpt-5")
    assert traits.system_role == "user"
    assert traits.drop_params == ("top_p",)


def test_a_known_address_brings_its_habits_without_a_preset() -> None:
    assert traits_for(_config("https://api.mistral.ai/v1"), "m").id_style == "mistral9"


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://127.0.0.1:9999/v1", True), ("http://192.168.1.20:8000/v1", True), ("http://workstation:8000/v1", True),
        ("https://models.example/v1", False), ("", False),
    ],
)  # fmt: skip
def test_a_server_of_ones_own_has_time_to_load_a_model(address: str, local: bool) -> None:
    assert traits_for(_config(address), "m").local is local
    assert limits_for(traits_for(_config(address), "m")).first_byte == (300.0 if local else 60.0)


@pytest.mark.parametrize(
    "bad",
    [
        {"base_url": "ftp://x"},
        {"base_url": "x.example"},
        {"base_url": "https://user:pass@x.example"},
        {"base_url": "https://x:99999"},
        {"traits": {"tools": "banana"}},
        {"traits": {"nonsense": 1}},
        {"headers": {"Host": "x"}},
        {"headers": {"X-A": "ä"}},
        {"headers": {"X\nY": "a"}},
        {"id": "Two Words"},
    ],
)
def test_settings_that_cannot_work_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ProviderConfig(**{"id": "mine", **bad})


def test_settings_survive_json() -> None:
    config = _config("https://x.example/v1/", headers={"X-Team": "a"}, traits={"local": True}, models=("m",))
    assert ProviderConfig.model_validate_json(config.model_dump_json()) == config


def test_T32_a_key_belongs_to_an_origin() -> None:
    same = [_config(u).origin for u in ("https://x.example/v1", "https://x.example:443/other")]
    assert len(set(same)) == 1
    others = [_config(u).origin for u in ("http://x.example/v1", "https://x.example:444", "https://y.example")]
    assert len({*same, *others}) == 4


def test_plain_http_is_called_insecure_outside_the_own_network() -> None:
    assert _config("http://model.example.com/v1").is_insecure
    for url in ("https://model.example.com", "http://192.168.1.5:8000", "http://localhost:1", "http://nas.local/v1"):
        assert not _config(url).is_insecure


# ---------------------------------------------------------------- the environment


def test_the_environment_makes_a_provider() -> None:
    found = provider_from_environment({"OPENAI_API_KEY": "k", "OPENAI_MODEL": "gpt-4.1"})
    assert found is not None
    assert (found.config.id, found.config.address, found.model, found.key) == (
        "env",
        "https://api.openai.com/v1",
        "gpt-4.1",
        "k",
    )


def test_an_address_of_the_environment_brings_its_preset() -> None:
    found = provider_from_environment({"OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"})
    assert found is not None
    assert found.config.preset == "ollama"


def test_an_environment_without_key_and_address_makes_none() -> None:
    assert provider_from_environment({"OPENAI_MODEL": "x"}) is None
    assert provider_from_environment({"OPENAI_BASE_URL": "nonsense"}) is None


# ---------------------------------------------------------------- proxies


@pytest.mark.parametrize(
    ("setting", "proxy"),
    [("direct", None), ("http://10.0.0.1:3128", "http://10.0.0.1:3128"), ("10.0.0.1:3128", "http://10.0.0.1:3128")],
)
def test_the_setting_decides_about_the_proxy(setting: str, proxy: str | None) -> None:
    assert proxy_for("https://x.example/v1", setting) == proxy


def test_the_system_names_a_proxy_and_exceptions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:8080")
    monkeypatch.setenv("NO_PROXY", "inside.example")
    assert proxy_for("https://x.example/v1") == "http://proxy.example:8080"
    assert proxy_for("https://a.inside.example/v1") is None
    assert proxy_for("http://127.0.0.1:1/v1", "http://proxy.example:8080") is None


@pytest.mark.parametrize("bad", ["ftp://x:1", "http://", "http://x:y", "socks5://u:secret@h:1"])
def test_a_proxy_that_cannot_be_used_is_named_without_its_password(bad: str) -> None:
    with pytest.raises(errors.ProxyFailed) as caught:
        proxy_for("https://x.example", bad)
    assert caught.value.params["source"] == "app"
    assert "secret" not in f"{caught.value} {caught.value.params}"


# ---------------------------------------------------------------- lists of models


@pytest.mark.parametrize(
    ("document", "names"),
    [
        ({"data": [{"id": "a"}, {"id": "b"}, {"id": "a"}]}, ("a", "b")),
        ({"models": [{"name": "models/gemini-x"}, {"model": "y"}]}, ("gemini-x", "y")),
        (["a", {"id": "b"}, 7, None, {"id": 5}], ("a", "b")),
        ({"data": []}, ()),
        ({"data": "x"}, None),
        ("x", None),
        (None, None),
    ],
)
def test_lists_of_many_shapes_are_read(document: Any, names: tuple[str, ...] | None) -> None:
    assert read_model_list(document) == names


def test_N34_a_huge_list_is_cut() -> None:
    assert len(read_model_list({"data": [{"id": f"m{n}"} for n in range(100_000)]}) or ()) == 5_000


async def test_the_list_is_fetched_with_the_key() -> None:
    async with FaultServer(speaks([], models=["a", "b"])) as server:
        assert await list_models(_config(server.base_url), KEY) == ("a", "b")
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


# ---------------------------------------------------------------- the test button


def _refusing(status: int, message: str) -> Scenario:
    async def scenario(exchange: Exchange) -> None:
        given = exchange.headers.get("authorization", "")
        await exchange.reply(status, {"error": {"message": f"{message} {given}"}})

    return scenario


async def test_a_working_connection_says_so() -> None:
    async with FaultServer(speaks([{"content": "ok"}], models=["a"])) as server:
        report = await check_connection(_config(server.base_url), KEY, "a")
    assert report.ok
    assert (report.models, report.model_listed, report.host) == (("a",), True, "127.0.0.1")


async def test_a_wrong_key_is_found_although_the_list_is_public() -> None:
    turn = {"status": 401, "content": "wrong key", "code": "invalid_api_key"}
    async with FaultServer(speaks([turn], models=["a"])) as server:
        report = await check_connection(_config(server.base_url), KEY, "a")
    assert isinstance(report.error, errors.KeyRefused)


async def test_a_missing_list_is_no_failure_where_the_model_answers() -> None:
    answer = speaks([{"content": "ok"}])

    async def scenario(exchange: Exchange) -> None:
        await (exchange.reply(404, "") if exchange.path.endswith("/models") else answer(exchange))

    async with FaultServer(scenario) as server:
        report = await check_connection(_config(server.base_url), KEY, "typed-by-hand")
    assert report.ok
    assert report.model_listed is None


async def test_N07_the_report_does_not_show_the_key() -> None:
    async with FaultServer(_refusing(401, "no such key")) as server:
        report = await check_connection(_config(server.base_url), KEY)
    assert isinstance(report.error, errors.KeyRefused)
    assert KEY not in f"{report!r} {report.error}"


async def test_N08_a_missing_v1_is_suggested() -> None:
    async with FaultServer({"v1": speaks([], models=["a"])}) as server:
        short = server.base_url.removesuffix("/v1")
        report = await check_connection(_config(short), KEY)
    assert not report.ok
    assert report.suggested_url == f"{short}/v1"


async def test_N06_a_web_page_is_named_by_its_title() -> None:
    async def page(exchange: Exchange) -> None:
        await exchange.reply(200, "<html><title>Hotel</title><body>secret</body></html>")

    async with FaultServer(page) as server:
        report = await check_connection(_config(server.base_url), KEY)
    assert isinstance(report.error, errors.NotAStream)
    assert report.error.params["title"] == "Hotel"


async def test_a_closed_port_a_bad_proxy_and_offline_are_reports_too() -> None:
    async with FaultServer(speaks([])) as server:
        url = server.base_url
    assert isinstance((await check_connection(_config(url))).error, errors.NetworkFailed)
    far = _config("https://model.example/v1", proxy="ftp://x:1")
    assert isinstance((await check_connection(far)).error, errors.ProxyFailed)
    report = await check_connection(_config("https://model.example/v1"), network=OFFLINE)
    assert isinstance(report.error, errors.BlockedOffline)


async def test_an_unreachable_proxy_is_blamed_and_not_the_provider() -> None:
    async with FaultServer(speaks([])) as server:
        proxy = f"http://127.0.0.1:{server.port}"
    report = await check_connection(_config("https://model.example/v1", proxy=proxy), KEY)
    assert isinstance(report.error, errors.ProxyFailed)
    assert report.proxy == proxy


# ---------------------------------------------------------------- local servers


async def test_running_servers_are_found_and_recognised_by_their_models() -> None:
    async def llama(exchange: Exchange) -> None:
        await exchange.reply(200, json.dumps({"data": [{"id": "phi", "owned_by": "llamacpp"}]}))

    async def website(exchange: Exchange) -> None:
        await exchange.reply(200, "<html>my blog</html>")

    async def silent(exchange: Exchange) -> None:
        await exchange.until_gone()

    async with (
        FaultServer(speaks([], models=["qwen3:8b"])) as ollama,
        FaultServer(llama) as other,
        FaultServer(website) as blog,
        FaultServer(silent) as mute,
    ):
        places = [("ollama", ollama.port), ("vllm", other.port), ("llamacpp", blog.port)]
        found = await discover(places, seconds=60)
        assert await discover([("lmstudio", mute.port)], seconds=0.2) == ()
    assert [(f.preset, f.models) for f in found] == [("ollama", ("qwen3:8b",)), ("llamacpp", ("phi",))]
    assert found[0].base_url == f"http://127.0.0.1:{ollama.port}/v1"


def test_an_unknown_preset_is_a_custom_one() -> None:
    assert preset("taken-away").id == "custom"


@pytest.mark.parametrize(
    ("model", "sees"),
    [
        ("gpt-5-mini", True),
        ("openai/gpt-4o", True),
        ("qwen3-vl-plus", True),
        ("Qwen/Qwen2.5-VL-72B-Instruct", True),
        ("deepseek-chat", False),
        ("gpt-oss-120b", False),
        ("o3-mini", False),
        ("qwen3:8b", False),
        ("glm-4.6", False),
    ],
)
def test_which_models_see_images(model: str, sees: bool) -> None:
    assert traits_for(ProviderConfig(id="p", base_url="https://api.example.test/v1"), model).vision is sees
