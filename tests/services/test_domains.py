"""The one door for a trade: what it brings is used, and changes no agent but its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from app.compose import build
from app.core.domain import Domain, Hook
from app.core.errors import BadInput
from app.core.setting import setting
from app.core.tools.endpoint import Endpoint
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from app.services.tools.plugins import Plugins
from tests.fakes import call, says, scripted

WATER = Endpoint("pond.water", "https://water.example/v1", "Water", formerly="water_url")


class PondSettings(BaseModel):
    depth: int = setting(2, ge=1, le=9, title="Depth")


@tool("pure")
def depth_of(ctx: ToolContext, name: str) -> ToolResult:
    """How deep a pond is."""
    return ToolResult.success({"name": name, "depth": ctx.settings.depth if ctx.settings else None})


@tool("net", endpoint=WATER)
def water_of(ctx: ToolContext) -> ToolResult:
    """Where the water comes from."""
    return ToolResult.success({"address": WATER.at(ctx.addresses)})


def upper_case(name: str, args: dict[str, Any]) -> dict[str, Any]:
    return {**args, "name": args["name"].upper()} if "name" in args else args


def pond(resources: Path) -> Domain:
    profiles = resources / "profiles"
    profiles.mkdir(parents=True, exist_ok=True)
    (profiles / "aaa.toml").write_text('id = "aaa"\n[tools]\ndepth_of = "allow"\nwater_of = "allow"\n')
    return Domain(
        "pond", (depth_of, water_of), resources, settings=PondSettings, endpoints=(WATER,), hooks=(Hook(upper_case),)
    )


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Services:
    monkeypatch.setattr(
        "app.compose.load_plugins", lambda **_: Plugins(tools=[depth_of, water_of], domains=[pond(tmp_path / "pond")])
    )
    return build(tmp_path / "data", {})


def start_again(services: Services) -> Services:
    return build(services.data_dir, {})


async def test_its_settings_are_the_agents_own_and_reach_its_tools(services: Services) -> None:
    agent = services.settings.profile("aaa")
    assert agent.domain == "pond"
    assert (await services.tools.call("depth_of", {"name": "a"}, "aaa")).data["depth"] == 2
    await services.settings.save_profile(agent.model_copy(update={"domain_settings": {"depth": 7}}))
    assert (await services.tools.call("depth_of", {"name": "a"}, "aaa")).data["depth"] == 7
    copy = await services.settings.duplicate_profile("aaa")
    assert (await services.tools.call("depth_of", {"name": "a"}, copy.id)).data["depth"] == 7
    broken = agent.model_copy(update={"domain_settings": {"depth": "deep"}})
    await services.settings.save_profile(broken)
    assert (await services.tools.call("depth_of", {"name": "a"}, "aaa")).data["depth"] == 2
    assert (await services.tools.call("depth_of", {"name": "a"})).data["depth"] is None, "by hand, without an agent"


async def test_its_hooks_stand_around_the_calls_of_its_own_agents(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    await services.open()
    plain = services.settings.profile("assistant").model_copy(update={"tools": {"depth_of": "allow"}})
    await services.settings.save_profile(plain)
    read: dict[str, str] = {}
    for agent in ("aaa", "assistant"):
        model = scripted(call("depth_of", name="lily"), says("done"))
        monkeypatch.setattr(services.models, "choose", choosing(model))
        session = await services.sessions.create(agent)
        run = await services.chat.send(session.id, "how deep?", "react", options=RunOptions(interactive=False))
        await run.result()
        read[agent] = " ".join(turn.text for turn in model.requests[1].turns)
    await services.close()
    assert "LILY" in read["aaa"]
    assert "lily" in read["assistant"]


def choosing(model: Any) -> Any:
    async def choose(*_args: Any, **_named: Any) -> Any:
        return model

    return choose


async def test_another_address_is_asked_and_named_in_the_permission(services: Services) -> None:
    assert (await services.tools.call("water_of", {}, "aaa")).data == {"address": "https://water.example/v1"}
    settings = services.settings
    chosen = {"pond.water": "https://well.example/here"}
    await settings.save_preferences(settings.preferences.model_copy(update={"endpoints": chosen}))
    assert (await services.tools.call("water_of", {}, "aaa")).data == {"address": "https://well.example/here"}
    assert services.tools.rule_subject("water_of", {}) == "well.example"


async def test_an_address_of_an_older_preferences_file_is_read_on(services: Services) -> None:
    (services.data_dir / "preferences.toml").write_text('water_url = "https://old.example/"\n', encoding="utf-8")
    later = start_again(services).settings
    assert later.preferences.endpoints == {"pond.water": "https://old.example/"}
    assert later.notices() == []
    await later.save_preferences(later.preferences.model_copy(update={"endpoints": {"pond.water": ""}}))
    assert WATER.at(start_again(services).settings.preferences.endpoints) == WATER.address, "taken back stays so"


def test_the_agent_that_answers_where_nothing_is_set_up_is_named_and_not_the_first_of_the_alphabet(
    services: Services, tmp_path: Path
) -> None:
    rules = next(domain.rules for domain in services.settings.domains() if domain.rules)
    (tmp_path / "pond" / "offline.toml").write_text(rules.read_text(encoding="utf-8"), encoding="utf-8")
    assert [profile.id for profile in services.settings.profiles() if profile.flagship] == ["travel"]
    assert services.models.default_agent() == "travel"


async def test_a_copy_of_an_agent_keeps_its_rules_and_is_no_second_flagship(services: Services) -> None:
    copy = await services.settings.duplicate_profile("travel")
    assert not copy.flagship
    assert services.models.reference(copy) == "offline/rules"


def test_two_domains_of_one_name_are_refused(services: Services) -> None:
    with pytest.raises(BadInput):
        services.settings.add_domain(Domain("pond"))
