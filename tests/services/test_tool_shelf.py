"""Which domains are imported for which name of a tool."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from app.core.domain import Domain, DomainByName
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.services.settings.settings import SettingsService
from app.services.tools.shelf import ToolShelf
from app.storage.config.profiles import ProfileFiles
from app.storage.config.settings import SettingsFiles


@tool("pure")
def depth_of(ctx: ToolContext, lake: str) -> ToolResult:
    """How deep it is."""
    return ToolResult.success({"lake": lake}, lake)


@tool("pure")
def count_of(ctx: ToolContext, things: str) -> ToolResult:
    """How many there are."""
    return ToolResult.success({"things": things}, things)


class Loaded(ModuleType):
    """The module of a domain, which notes that it was asked for its DOMAIN."""

    def __init__(self, name: str, domain: Domain, seen: list[str]) -> None:
        super().__init__(name)
        self._domain, self._seen = domain, seen

    def __getattr__(self, name: str) -> Any:
        if name != "DOMAIN":
            raise AttributeError(name)
        self._seen.append(self.__name__)
        return self._domain


async def test_a_domain_is_imported_for_a_tool_its_agents_have_and_for_no_tool_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    settings = SettingsService(SettingsFiles(tmp_path), ProfileFiles(tmp_path / "own"), tmp_path / "none")
    domains = []
    for id, tools, named in (("hill", (), "height_of"), ("lake", (depth_of,), "depth_of")):
        profiles = tmp_path / id / "profiles"
        profiles.mkdir(parents=True)
        (profiles / f"{id}.toml").write_text(f'id = "{id}"\n[tools]\n{named} = "allow"\ncount_of = "allow"\n', "utf-8")
        monkeypatch.setitem(sys.modules, f"of_{id}", Loaded(f"of_{id}", Domain(id, tools, tmp_path / id), seen))
        domains.append(DomainByName.at(id, tmp_path / id, f"of_{id}"))
        settings.add_domain(domains[-1])
    shelf = ToolShelf((count_of,), domains, settings, {})
    for name in ("read_result", "task", "server__depth_of"):
        assert name not in shelf
    assert list(shelf.some(())) == ["count_of"]
    await shelf.loaded(["count_of"])
    assert seen == []
    await shelf.loaded(["count_of", "depth_of"])
    assert seen == ["of_lake"]
    assert shelf["depth_of"].name == "depth_of"
    assert list(shelf.some(["depth_of"])) == ["count_of", "depth_of"]
    assert seen == ["of_lake"]
    assert list(shelf) == ["count_of", "depth_of"]
    assert seen == ["of_lake", "of_hill"]
