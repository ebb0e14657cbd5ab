"""Plug-ins by entry points: what is good joins, what is broken is named."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from app.agent.modes import Mode
from app.agent.modes.react import react
from app.core.domain import Domain
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.services.tools.plugins import Plugins, load_plugins
from tests.every import looped


@tool("pure")
def shout(ctx: ToolContext, text: str) -> ToolResult:
    """Say it louder."""
    return ToolResult.success(text.upper())


class Levels:
    """A customer level in one form, and no prices for the model."""

    @staticmethod
    def before_tool_call(name: str, args: dict[str, Any]) -> dict[str, Any] | None:
        return None if name == "forbidden" else {**args, "level": "B"}

    @staticmethod
    def after_tool_call(name: str, args: dict[str, Any], observation: str) -> str:
        return observation.replace("9.99", "***")


SLOW_MODE = Mode("slow", react)
REACT_AGAIN = Mode("react", react)
GARDEN = Domain("garden", (shout,))
NOWHERE = Domain("nowhere", (), Path("no such folder"))


class Rude:
    """Whatever is looked at raises."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"no {name} here")

    def __iter__(self) -> Any:
        raise RuntimeError("nothing to go through")


RUDE = Rude()
TWICE = (shout, shout)
NAMELESS_MODE = Mode("", react)
ODD_MODE = Mode("Very Odd", react)
IDLE_MODE = Mode("idle", None)  # type: ignore[arg-type]
DEAF_HOOKS = type("Deaf", (), {"before_tool_call": "no function"})
ODD_DOMAIN = Domain("odd", (shout,), "a text, no path")  # type: ignore[arg-type]


def points(**named: str) -> Any:
    """Entry points of one group each: `tools="module:NAME"`."""

    def find(group: str) -> Iterable[EntryPoint]:
        return [EntryPoint(name, value, group) for name, value in named.items() if group.endswith(name.split("_")[0])]

    return find


def test_tools_hooks_and_modes_join() -> None:
    here = __name__
    found = load_plugins(points(tools=f"{here}:shout", hooks=f"{here}:Levels", modes=f"{here}:SLOW_MODE"))
    assert found.faults == []
    assert [each.name for each in found.tools] == ["shout"]
    assert [mode.id for mode in found.modes] == ["slow"]
    assert found.hooks.change_args("match", {"n": 1}) == {"n": 1, "level": "B"}
    assert found.hooks.change_args("forbidden", {}) is None
    assert found.hooks.change_observation("match", {}, "price 9.99") == "price ***"


def test_a_broken_plug_in_is_named_and_the_others_work() -> None:
    here = __name__
    found = load_plugins(
        points(tools_gone="no_such_package:TOOLS", tools_wrong=f"{here}:SLOW_MODE", tools_good=f"{here}:shout")
    )
    assert [each.name for each in found.tools] == ["shout"]
    assert sorted(fault.name for fault in found.faults) == ["tools_gone", "tools_wrong"]
    assert "ModuleNotFoundError" in next(fault.why for fault in found.faults if fault.name == "tools_gone")


def test_a_name_that_is_taken_is_left_out_whole() -> None:
    here = __name__
    found = load_plugins(points(tools_a=f"{here}:shout", tools_b=f"{here}:shout"), taken=["calculator"])
    assert [each.name for each in found.tools] == ["shout"]
    assert [(fault.name, fault.why) for fault in found.faults] == [
        ("tools_b", "ValueError: there is a tool shout already")
    ]
    assert load_plugins(points(tools=f"{here}:shout"), taken=["shout"]).tools == []
    assert load_plugins(points(modes=f"{here}:REACT_AGAIN")).faults[0].why.endswith("there is a mode react already")


def test_a_domain_brings_tools_and_a_folder_that_is_there() -> None:
    here = __name__
    given = {"domains_good": "GARDEN", "domains_gone": "NOWHERE", "domains_no": "shout"}
    found = load_plugins(points(**{name: f"{here}:{value}" for name, value in given.items()}))
    assert [domain.id for domain in found.domains] == ["garden"]
    assert [each.name for each in found.tools] == ["shout"]
    assert sorted(fault.name for fault in found.faults) == ["domains_gone", "domains_no"]


def test_cards_are_found_and_not_loaded() -> None:
    found = load_plugins(points(cards="no_such_package:gauge"))
    assert [point.name for point in found.cards] == ["cards"]
    assert found.faults == []


@looped(
    ("group", "what"),
    [
        ("tools", "RUDE"),
        ("tools", "TWICE"),
        ("tools", "NAMELESS_MODE"),
        ("modes", "NAMELESS_MODE"),
        ("modes", "ODD_MODE"),
        ("modes", "IDLE_MODE"),
        ("modes", "RUDE"),
        ("hooks", "RUDE"),
        ("hooks", "DEAF_HOOKS"),
        ("domains", "ODD_DOMAIN"),
        ("domains", "RUDE"),
        ("tools", "not_there"),
    ],
)
def test_a_plug_in_that_is_not_what_its_group_says_is_named_and_nothing_of_it_joins(group: str, what: str) -> None:
    found = load_plugins(points(**{f"{group}_bad": f"{__name__}:{what}"}))
    assert [(fault.group, fault.name) for fault in found.faults] == [(group, f"{group}_bad")]
    assert (found.tools, found.modes, found.domains) == ([], [], [])
    assert found.hooks.change_args("x", {"a": 1}) == {"a": 1}


def test_a_package_that_leaves_while_it_is_loaded_does_not_take_the_program_along(tmp_path: Path) -> None:
    (tmp_path / "leaves_at_once.py").write_text("raise SystemExit(3)", "utf-8")
    sys.path.insert(0, str(tmp_path))
    try:
        found = load_plugins(points(tools="leaves_at_once:TOOLS", hooks=f"{__name__}:Levels"))
    finally:
        sys.path.remove(str(tmp_path))
    assert [fault.why for fault in found.faults] == ["SystemExit: 3"]
    assert found.hooks.before


def test_a_list_of_plug_ins_that_cannot_be_read_is_told_and_the_program_starts() -> None:
    def broken(group: str) -> Iterable[EntryPoint]:
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")

    found = load_plugins(broken)
    assert [fault.name for fault in found.faults] == ["all plug-ins"]
    assert found.tools == []


def test_a_domain_whose_agents_cannot_join_is_left_out_with_its_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app import compose

    profiles = tmp_path / "resources" / "profiles"
    profiles.mkdir(parents=True)
    (profiles / "assistant.toml").write_text('id = "assistant"\n', "utf-8")
    domain = Domain("twin", (shout,), tmp_path / "resources")
    monkeypatch.setattr(compose, "load_plugins", lambda **_named: Plugins(tools=[shout], domains=[domain]))
    services = compose.build(tmp_path / "data", {})
    told = [notice for notice in services.settings.notices() if notice.code == "plugin_left_out"]
    assert [notice.params["name"] for notice in told] == ["twin"]
    assert services.tools.named("shout") is None
