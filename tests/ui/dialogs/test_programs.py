"""The pages of other agents and of webhooks: added, agreed to, tested, switched, removed; what is wrong is told."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytest_httpserver import HTTPServer
from pytestqt.qtbot import QtBot

from app.compose import build
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.programs.agents import AgentRow, OtherAgentsPage
from app.ui.dialogs.programs.webhooks import WebhookRow, WebhooksPage
from app.ui.theme import Theme

PLAYER = Path(__file__).resolve().parents[2] / "acp" / "agent.py"


class Work:
    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[Any]] = []

    def spawn(self, work: Coroutine[Any, Any, Any]) -> Any:
        self._tasks.append(asyncio.ensure_future(work))
        return self._tasks[-1]

    async def until(self, true: Callable[[], object]) -> None:
        for _ in range(3_000):
            if true():
                return
            await asyncio.sleep(0.01)
        raise AssertionError("it never was")

    async def settled(self) -> None:
        while any(not task.done() for task in self._tasks):
            await asyncio.gather(*self._tasks)


def visible_questions(page: QWidget) -> list[AskDialog]:
    return [one for one in page.findChildren(AskDialog) if one.isVisible()]


def press(button: Any) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


async def test_an_agent_is_added_agreed_to_tested_and_removed(qtbot: QtBot, tmp_path: Path) -> None:
    services = build(tmp_path / "data", {"TRIPTYCH_LANG": "en"})
    services.providers.key_storage.choose("session")
    work = Work()
    page = OtherAgentsPage(services.acp_agents, services.providers, services.settings, Theme(), spawn=work.spawn)
    qtbot.addWidget(page)
    page.resize(800, 700)
    page.show()
    page.form.preset.setCurrentIndex(4)
    assert (page.form.name.text(), page.form.line.text()) == ("OpenCode", "opencode acp")
    script = tmp_path / "script.json"
    script.write_text("[]", "utf-8")
    page.form.name.setText("Played")
    page.form.line.setText(f"{sys.executable} {PLAYER} {script}")
    page.form.variables.setText("nonsense")
    press(page.form.add)
    await work.settled()
    assert "NAME=VALUE" in page.told.text()
    page.form.variables.setText("PLAYED_KEY=secret")
    press(page.form.add)
    await work.settled()
    (row,) = page.rows.values()
    assert isinstance(row, AgentRow)
    assert (page.told.text(), page.form.variables.text()) == ("", "")
    assert "agent.py" in row.facts.text()
    assert all(line.partition(":")[0] in ("Program", "Argument", "Variable", "File", "Folder")
               for line in row.facts.full_text().splitlines()), "words, not codes"  # fmt: skip
    assert "secret" not in row.facts.text()
    assert (row.agree.isVisible(), row.test.isVisible()) == (True, False)
    press(row.agree)
    await work.settled()
    (row,) = page.rows.values()
    assert isinstance(row, AgentRow)
    assert (row.agree.isVisible(), row.test.isVisible()) == (False, True)
    press(row.test)
    await work.settled()
    (row,) = page.rows.values()
    assert isinstance(row, AgentRow)
    assert row.told.text() == "It works: played 1"
    press(row.remove)
    await work.settled()
    assert not page.rows
    assert not services.acp_agents.profiles()
    await services.acp_agents.close()


async def test_a_webhook_is_added_tested_switched_and_removed(qtbot: QtBot, tmp_path: Path) -> None:
    services = build(tmp_path / "data", {"TRIPTYCH_LANG": "en"})
    services.providers.key_storage.choose("session")
    work = Work()
    page = WebhooksPage(services.webhooks, services.providers, services.settings, Theme(), spawn=work.spawn)
    qtbot.addWidget(page)
    page.resize(800, 700)
    page.show()
    page.form.url.setText("nonsense")
    press(page.form.add)
    await work.settled()
    assert "http" in page.told.text()
    with HTTPServer(host="127.0.0.1") as server:
        server.expect_ordered_request("/hook", method="POST").respond_with_data("no", status=404)
        server.expect_ordered_request("/hook", method="POST").respond_with_data("ok")
        page.form.url.setText(server.url_for("/hook"))
        page.form.events["approval"].click()
        press(page.form.add)
        await work.settled()
        assert len(page.form.secret.text()) > 30
        for wanted in ("404", "taken"):
            (row,) = page.rows.values()
            assert isinstance(row, WebhookRow)
            press(row.test)
            await work.settled()
            (row,) = page.rows.values()
            assert isinstance(row, WebhookRow)
            assert wanted in row.told.text()
    (hook,) = services.webhooks.hooks.all.values()
    assert hook.events == ("loop_end", "loop_error")
    (switched,) = page.rows.values()
    assert isinstance(switched, WebhookRow)
    switched.box.click()
    await work.settled()
    assert not services.webhooks.hooks.get(hook.id).enabled
    (row,) = page.rows.values()
    assert isinstance(row, WebhookRow)
    press(row.remove)
    await work.settled()
    assert not services.webhooks.hooks.all


async def test_where_a_secret_goes_is_asked_where_no_keyring_answers(qtbot: QtBot, tmp_path: Path) -> None:
    services = build(tmp_path / "data", {"TRIPTYCH_LANG": "en"})
    assert await services.providers.key_storage.kind() == "none"
    work = Work()
    page = WebhooksPage(services.webhooks, services.providers, services.settings, Theme(), spawn=work.spawn)
    qtbot.addWidget(page)
    page.resize(800, 700)
    page.show()
    for answer, count in (("", 0), ("session", 1)):
        page.form.url.setText("http://127.0.0.1:9/hook")
        press(page.form.add)
        await work.until(lambda: visible_questions(page))
        press(visible_questions(page)[0].buttons[answer])
        await work.settled()
        assert len(services.webhooks.hooks.all) == count
        assert bool(page.form.secret.text()) is bool(count)
