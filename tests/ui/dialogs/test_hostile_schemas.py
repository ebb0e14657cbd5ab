"""Schemas written to do harm, where a person meets them: in the list of a server's tools, in the form of a call, in the
editor of an answer's schema. None of them keeps the window for long. Sampled here, whole under `soak`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.compose import build
from app.core.profile import AgentProfile
from app.core.setting import describe
from app.services.mcp.views import McpServerForm
from app.ui.dialogs.agents.limit_editors import SchemaEditor
from app.ui.dialogs.mcp.window import ServersPage
from app.ui.theme import Theme
from app.ui.widgets.fields.argument_form import ArgumentForm
from tests.floor import cost, slowness
from tests.rigs.hostile_schemas import SCHEMAS
from tests.ui.dialogs.work import Work

EVIL = str(Path(__file__).parents[2] / "rigs" / "evil_mcp.py")
STALL = 0.5
"""Seconds at once, on the machine the figures are meant for."""
SAMPLE = list(SCHEMAS)[::7]
TEXTS = {
    name: text.replace("@URL@", "http://127.0.0.1:9").replace("@FILE@", "/nowhere") for name, text in SCHEMAS.items()
}


async def tools_are_shown(names: list[str], work: Work, qtbot: QtBot, folder: Path) -> None:
    listed = folder / "schemas"
    listed.write_text("".join(f"{TEXTS[name]}\n" for name in names), "utf-8")
    services = build(folder / "data", {})
    await services.open()
    mcp = services.mcp
    id = await mcp.save_server(McpServerForm(name="s", command=sys.executable, args=(EVIL, "schemas", str(listed))))
    await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
    dialog = ServersPage(mcp, services.providers, services.settings, Theme(), spawn=work)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_server(id)
    await mcp.start(id)
    await work.settled()
    slow = {"the list": cost(lambda: dialog.page.turn_to("tools"), tries=1)}
    table = dialog.page.tools.table
    assert table.rowCount() > 1
    for row in range(table.rowCount()):
        slow[f"row {row}"] = cost(lambda row=row: table.setCurrentCell(row, 0), tries=1)  # type: ignore[misc]
    await mcp.reviews.accept_tools(id, mcp.reviews.tools(id).digest)
    for shown in mcp.reviews.tools(id).rows:
        tool = mcp.for_agents.tool(shown.local_name)
        assert tool is not None

        def fill(parameters: object = tool.parameters) -> None:
            assert isinstance(parameters, dict)
            form = ArgumentForm(Theme(), parameters, {})
            qtbot.addWidget(form)
            form.more.click()

        slow[f"form of {shown.name}"] = cost(fill, tries=1)
    assert {what: took for what, took in slow.items() if took > STALL * slowness()} == {}
    await services.close()


def editor_judges(names: list[str], qtbot: QtBot) -> None:
    info = next(one for one in describe(AgentProfile) if one.name == "output_schema")
    editor = SchemaEditor(info, Theme())
    qtbot.addWidget(editor.control)
    said, slow = dict[str, str](), dict[str, float]()
    for name in names:
        editor._field.setPlainText(TEXTS[name])
        slow[name] = cost(lambda name=name: said.update({name: editor.error()}), tries=1)  # type: ignore[misc]
    assert {what: took for what, took in slow.items() if took > STALL * slowness()} == {}
    assert "nothing is fetched" in said.get("an address", "nothing is fetched")
    assert "nothing is fetched" in said.get("a file", "nothing is fetched")


async def test_tools_with_hostile_schemas_are_looked_at(work: Work, qtbot: QtBot, tmp_path: Path) -> None:
    await tools_are_shown(SAMPLE, work, qtbot, tmp_path)


def test_hostile_schemas_are_typed_into_an_agents_form(qtbot: QtBot) -> None:
    editor_judges([*SAMPLE, "an address", "a file"], qtbot)


@pytest.mark.soak
async def test_every_hostile_schema_in_the_window(work: Work, qtbot: QtBot, tmp_path: Path) -> None:
    await tools_are_shown(list(SCHEMAS), work, qtbot, tmp_path)
    editor_judges(list(SCHEMAS), qtbot)
