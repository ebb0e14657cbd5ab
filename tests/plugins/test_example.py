"""The example package, installed as a person would install it, and used: tool, mode, hook, domain, card."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import Distribution, EntryPoint, EntryPoints, distributions
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QProgressBar
from pytestqt.qtbot import QtBot

from app.compose import build
from app.core.run import mode as modes
from app.core.run.events import LoopEnd
from app.core.tools.tool import ToolResult
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from app.services.tools import plugins
from app.ui.cards import RENDERERS, make_card
from app.ui.cards import plugin_cards as added
from app.ui.texts import mode_title
from app.ui.theme import Theme
from tests.fakes import call, says, scripted

EXAMPLE = Path(__file__).parent / "example"
PACKAGE = "triptych_garden"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package in it, as `pip install --target` leaves it."""
    target = tmp_path_factory.mktemp("site")
    if all(importlib.util.find_spec(name) for name in ("pip", "setuptools")):
        source = tmp_path_factory.mktemp("source") / "garden"
        shutil.copytree(EXAMPLE, source)  # a build leaves its things beside the source
        options = ["--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check", "--quiet"]
        command = [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
        assert done.returncode == 0, done.stderr
    else:
        _by_hand(target)
    return target


def _by_hand(target: Path) -> None:
    """Where there is no pip: what it would have written, as far as it is read."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shutil.copytree(EXAMPLE / PACKAGE, target / PACKAGE)
    info = target / f"{PACKAGE}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = (
        "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in points.items())])
        for group, points in project["entry-points"].items()
    )
    (info / "entry_points.txt").write_text("\n".join(groups))


def of_package(folder: Path) -> list[EntryPoint]:
    found: list[Distribution] = list(distributions(path=[str(folder)]))
    assert [one.name for one in found] == ["triptych-garden"]
    return list(found[0].entry_points)


@pytest.fixture
def offered(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """The program finds these entry points and no others; afterwards it has forgotten them."""
    monkeypatch.syspath_prepend(str(installed))
    points = of_package(installed)
    monkeypatch.setattr(plugins, "entry_points", lambda: EntryPoints(points))
    monkeypatch.setattr(modes, "_added", {})
    yield points
    added.forget()
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


@pytest.fixture
async def services(offered: list[EntryPoint], tmp_path: Path) -> AsyncIterator[Services]:
    made = build(tmp_path / "data", {})
    await made.open()
    yield made
    await made.close()


def test_its_five_entry_points_are_found(installed: Path) -> None:
    groups = {point.group.removeprefix("triptych.") for point in of_package(installed)}
    assert groups == {*plugins.GROUPS, "cards"}


async def test_its_tool_is_called_and_its_hook_acts(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    result = await services.tools.call("frost_risk", {"degrees": 0})
    assert isinstance(result, ToolResult)
    assert result.data == {"risk": 0.5}
    model = scripted(call("care_of", plant="ROSE"), says("Sun."))

    async def choose(*_args: Any, **_named: Any) -> Any:
        return model

    monkeypatch.setattr(services.models, "choose", choose)
    session = await services.sessions.create("gardener")
    run = await services.chat.send(session.id, "a rose?", "react", options=RunOptions(interactive=False))
    await run.result()
    read = model.requests[1].turns[-1].text
    assert "full sun" in read  # the hook before brought the name into the form the tool knows
    assert "***" in read  # and the one after masked a place
    assert "secret bed" not in read


async def test_its_mode_runs_and_has_its_name(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    async def choose(*_args: Any, **_named: Any) -> Any:
        return scripted(says("never asked"))

    monkeypatch.setattr(services.models, "choose", choose)
    assert modes.mode_ids()[-1] == "echo"
    assert mode_title("echo") == "Echo"
    session = await services.sessions.create("assistant")
    run = await services.chat.send(session.id, "hello", "echo", options=RunOptions(interactive=False))
    end = await run.result()
    assert isinstance(end, LoopEnd)
    assert end.answer == "You said: hello"


async def test_its_agent_is_listed_and_answers_offline(services: Services) -> None:
    profile = services.settings.profile("gardener")
    assert profile.title == "Gardener"
    assert services.settings.is_builtin("gardener")
    assert [tool.name for tool in await services.tools.tools("gardener")] == ["frost_risk", "care_of"]
    session = await services.sessions.create("gardener")
    run = await services.chat.send(session.id, "How do I care for a rose?", options=RunOptions(interactive=False))
    end = await run.result()
    assert isinstance(end, LoopEnd)
    assert end.answer == "A rose needs full sun, water deeply once a week."


def test_its_card_is_painted(offered: list[EntryPoint], qtbot: QtBot) -> None:
    cards = [point for point in offered if point.group == "triptych.cards"]
    assert added.load(cards, RENDERERS) == []
    made = make_card({"card": "gauge", "payload": {"title": "Frost", "share": 0.25}}, Theme())
    assert made is not None
    qtbot.addWidget(made)
    bar = made.findChild(QProgressBar, "gardenGauge")
    assert isinstance(bar, QProgressBar)
    assert bar.value() == 25
    assert not made.grab().isNull()


def test_a_card_that_raises_is_named_and_its_payload_listed(offered: list[EntryPoint], qtbot: QtBot) -> None:
    added.load([point for point in offered if point.group == "triptych.cards"], RENDERERS)
    named: list[plugins.PluginFault] = []
    stop = added.listen(named.append)
    for _again in range(2):
        made = make_card({"card": "gauge", "payload": {"title": "Frost", "share": "a lot"}}, Theme())
        assert made is not None
        qtbot.addWidget(made)
        assert made.findChild(QProgressBar) is None
    stop()
    assert [(fault.group, fault.name) for fault in named] == [("cards", "gauge")]


def test_in_safe_mode_nothing_of_it_is_there(offered: list[EntryPoint], tmp_path: Path) -> None:
    services = build(tmp_path / "data", {}, safe_mode=True)
    assert "frost_risk" not in {tool.name for tool in services.tools.all_tools()}
    assert services.card_plugins == ()
    assert modes.mode_ids() == modes.MODE_IDS


def test_a_domain_whose_agent_exists_already_is_named_and_left_out(
    offered: list[EntryPoint], installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import triptych_garden.domain as garden  # type: ignore[import-not-found]

    resources = tmp_path / "resources"
    (resources / "profiles").mkdir(parents=True)
    (resources / "profiles" / "a.toml").write_text('id = "assistant"')
    monkeypatch.setattr(garden, "DOMAIN", garden.Domain("bad", (), resources))
    services = build(tmp_path / "data", {})
    told = [notice for notice in services.settings.notices() if notice.code == "plugin_left_out"]
    assert [notice.params["name"] for notice in told] == ["bad"]
    assert "assistant" in told[0].text
    assert services.settings.profile("assistant").title == "Assistant"
