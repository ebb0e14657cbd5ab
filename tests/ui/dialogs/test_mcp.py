from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.compose import build
from app.services.container import Services
from app.services.mcp.paste.found import PasteReading
from app.services.mcp.paste.reading import read_paste
from app.services.mcp.views import McpServerForm
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.mcp import review as mcp_review
from app.ui.dialogs.mcp.form import SecretRow
from app.ui.dialogs.mcp.list import NEW
from app.ui.dialogs.mcp.paste import SHORT, PasteBox
from app.ui.dialogs.mcp.review import McpReviewSheet
from app.ui.dialogs.mcp.window import ServersPage
from app.ui.theme import Theme
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel
from tests.rigs.evil_mcp_http import evil_http
from tests.ui import screen
from tests.ui.dialogs.work import Work

if TYPE_CHECKING:
    from app.services.mcp.pasting import ServerPasting

EVIL = str(Path(__file__).parents[2] / "rigs" / "evil_mcp.py")
CANARY = "tok-canary-0123456789"


@pytest.fixture
async def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Services]:
    monkeypatch.setattr("app.mcp.connection.GREETING_SECONDS", 60.0)  # other tests have the processor too
    made = build(tmp_path / "data", {})
    await made.open()
    made.providers.key_storage.choose("session")
    yield made
    await made.close()


@pytest.fixture
async def dialog(services: Services, work: Work, qtbot: QtBot) -> AsyncIterator[ServersPage]:
    made = open_dialog(services, work)
    yield made
    if shiboken6.isValid(made):
        made.deleteLater()


def open_dialog(services: Services, work: Work) -> ServersPage:
    made = ServersPage(services.mcp, services.providers, services.settings, Theme(), spawn=work)
    made.show()
    return made


def evil(mode: str = "good", **fields: Any) -> McpServerForm:
    return McpServerForm(name=mode, command=sys.executable, args=(EVIL, mode), **fields)


async def until(holds: Callable[[], bool]) -> None:
    """In seconds: a server is a process of its own."""
    for _ in range(3_000):
        if holds():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never came to hold")


def sheet(dialog: QWidget, kind: type[Any]) -> Any:
    return next(one for one in dialog.findChildren(kind) if one.isVisible())


async def agreed(services: Services, mode: str) -> str:
    mcp = services.mcp
    id = await mcp.save_server(evil(mode))
    await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
    await mcp.start(id)
    await mcp.reviews.accept_tools(id, mcp.reviews.tools(id).digest)
    return id


async def test_without_a_server_it_says_what_they_are_for(dialog: ServersPage) -> None:
    assert dialog._empty.isVisible()
    assert not dialog.page.isVisible()
    assert not dialog.list.delete_button.isEnabled()


async def test_the_whole_way_from_a_form_to_tools_that_may_be_used(
    dialog: ServersPage, services: Services, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_review, "WAIT_MS", 600_000)
    dialog.list.add_wanted.emit("form")
    dialog.page.form.name.setText("Echo")
    dialog.page.form.command.setText(sys.executable)
    dialog.page.form.args.setPlainText(f"{EVIL}\ngood")
    row = dialog.page.form.env.add(("TOKEN", None))
    assert isinstance(row, SecretRow)
    row.value_field.show_key(False)
    row.value_field.field.setText(CANARY)
    screen.click(dialog.page.add_button)
    await work.settled()
    assert [(one.id, one.enabled) for one in services.mcp.servers()] == [("echo", False)]
    assert all(CANARY not in field.text() for field in dialog.findChildren(QLineEdit))
    dialog.page.enabled.click()
    await work.settled()
    review = sheet(dialog, McpReviewSheet)
    assert not dialog.page.enabled.isChecked()
    assert not review.accept_button.isEnabled()
    shown = [view.text() for view in review.findChildren(PlainView)]
    assert {EVIL, "good", "TOKEN"} <= set(shown)
    assert CANARY not in str(shown)
    review._allow()
    review.accept_button.click()
    await until(lambda: services.mcp.server("echo").state == "tools")
    await until(lambda: dialog.page.tabs.currentIndex() == 1)
    assert dialog.page.tools.banner.isVisible()
    assert services.mcp.server("echo").is_usable is False
    dialog.page.tools.accept_button.click()
    await work.settled()
    assert services.mcp.server("echo").is_usable is True
    assert not dialog.page.tools.banner.isVisible()
    assert dialog.page.state.full_text() == "up and running"


async def test_what_a_server_gets_of_the_surroundings_is_seen_before_it_starts(
    dialog: ServersPage, services: Services, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_review, "WAIT_MS", 600_000)
    monkeypatch.setenv("HTTPS_PROXY", f"http://user:{CANARY}@proxy.example:3128")
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    dialog.show_server(await services.mcp.save_server(evil()))
    seen = []
    for is_ticked in (False, True):
        if is_ticked:
            tick = dialog.page.form.proxy_password
            screen.click(tick, QPoint(10, tick.height() // 2))
        screen.click(dialog.page.enabled)  # what was ticked is stored first
        await until(lambda: any(one.isVisible() for one in dialog.findChildren(McpReviewSheet)))
        review = sheet(dialog, McpReviewSheet)
        warnings = [label.full_text() for label in review.findChildren(SafeLabel)]
        lines = [view.text() for view in review.findChildren(PlainView)]
        seen.append((any("HTTPS_PROXY is not passed on" in text for text in warnings), "HTTP_PROXY" in str(lines)))
        assert "TZ" in review.findChild(SafeLabel, "mcpPassedOn").full_text()
        assert CANARY not in str(warnings + lines)
        review.reject()
    assert seen == [(True, False), (False, True)]


async def test_what_starts_can_be_agreed_to_after_a_moment(
    dialog: ServersPage, services: Services, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_review, "WAIT_MS", 50)
    dialog.show_server(await services.mcp.save_server(evil()))
    dialog.page.enabled.click()
    await work.settled()
    await until(sheet(dialog, McpReviewSheet).accept_button.isEnabled)


async def test_tools_that_wait_are_one_button_away_and_a_server_that_stands_still_can_be_started(
    dialog: ServersPage, services: Services, work: Work
) -> None:
    mcp, page = services.mcp, dialog.page
    id = await mcp.save_server(evil())
    await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
    dialog.show_server(id)
    assert (page.start_button.isVisible(), page.stop_button.isVisible()) == (True, False)
    assert not page.tools_button.isVisible()  # nobody has asked for them yet
    page.start_button.click()
    await work.settled()
    await until(page.tools_button.isVisible)
    assert (page.start_button.isVisible(), page.stop_button.isVisible()) == (False, True)
    page.tools_button.click()
    assert page.tools.banner.isVisible()
    assert not page.tools_button.isVisible()
    await mcp.stop(id)
    await until(page.start_button.isVisible)
    assert not page.stop_button.isVisible()
    assert not page.restart_button.isVisible()


async def test_an_argument_is_not_made_of_the_last_line_break(dialog: ServersPage) -> None:
    dialog.list.add_wanted.emit("form")
    form = dialog.page.form
    form.args.setPlainText("-y\nserver\n\n")
    made = form.form()
    assert made is not None
    assert made.args == ("-y", "server")
    form.args.setPlainText("-y\n\nserver")
    made = form.form()
    assert made is not None
    assert made.args == ("-y", "", "server")


async def test_an_empty_argument_at_the_end_is_kept_as_it_was_pasted(dialog: ServersPage, services: Services) -> None:
    id = await services.mcp.save_server(McpServerForm(name="odd", command=sys.executable, args=("-c", "")))
    dialog.show_server(id)
    assert not dialog.page.form.is_dirty


async def test_a_server_that_ended_says_first_how_and_then_what_to_do(dialog: ServersPage, services: Services) -> None:
    mcp = services.mcp
    code = "import sys; sys.stderr.write('no database'); sys.exit(3)"
    id = await mcp.save_server(McpServerForm(name="gone", command=sys.executable, args=("-c", code)))
    await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
    await mcp.start(id)
    dialog.show_server(id)
    lines = dialog.page.why.full_text().split("\n")
    assert lines[0].startswith("The server has ended (exit code 3)")
    assert "no database" in lines[0]
    assert lines[1] == "Its log may say why; the next call starts it again."


async def test_enter_does_not_start_a_server(dialog: ServersPage, services: Services, work: Work) -> None:
    id = await services.mcp.save_server(evil())
    dialog.show_server(id)
    dialog.page.review_button.click()
    await work.settled()
    review = sheet(dialog, McpReviewSheet)
    QTest.keyClick(review, Qt.Key.Key_Return)
    await work.settled()
    assert services.mcp.server(id).state == "off"


async def test_pasted_servers_are_shown_before_they_are_added(
    dialog: ServersPage, services: Services, work: Work
) -> None:
    dialog.list.add_button.click()
    paste = dialog.adding.box
    paste.field.setPlainText('{"mcpServers": {')
    assert "no JSON" in paste.outcome.full_text()
    assert not dialog.adding.add_button.isVisible()
    paste.field.setPlainText(
        '{"servers": {"<b>x</b>": {"command": "uvx", "args": ["mcp-server-time", "${input:zone}"]},'
        ' "y": {"type": "sse", "url": "https://y.example/sse"}}}'
    )
    assert "<b>x</b>: uvx mcp-server-time ${input:zone}" in paste.found.text()
    assert "✗ y: the old SSE transport is not supported" in paste.found.text()
    assert "zone" in paste.outcome.full_text()
    dialog.adding.add_button.click()
    await work.settled()
    assert [(one.id, one.enabled) for one in services.mcp.servers()] == [("b-x-b", False)]
    assert "switched off" in dialog.page.told.full_text()


async def test_a_value_that_a_text_left_open_is_an_empty_field_until_it_is_given(
    dialog: ServersPage, services: Services, work: Work
) -> None:
    dialog.list.add_button.click()
    paste = dialog.adding.box
    paste.field.setPlainText('{"x": {"command": "uvx", "env": {"TOKEN": "<YOUR_TOKEN>", "MODE": "fast"}}}')
    dialog.adding.add_button.click()
    await work.settled()
    shown = {row.name.text(): row.value_field.field.isHidden() for row in dialog.page.form.findChildren(SecretRow)}
    assert shown == {"TOKEN": False, "MODE": True}
    assert not dialog.page.form.is_dirty
    row = next(row for row in dialog.page.form.findChildren(SecretRow) if row.name.text() == "TOKEN")
    row.value_field.field.setText(CANARY)
    dialog._saving.now()
    await work.settled()
    assert row.value_field.field.isHidden()
    assert services.mcp.form("x").env == {"TOKEN": None, "MODE": None}


async def test_a_long_text_is_read_beside_the_window(
    dialog: ServersPage, services: Services, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, may_read, texts = services.mcp.pasting.read_paste, threading.Semaphore(0), list[str]()

    def read_when_allowed(text: str) -> PasteReading:
        if len(text) > SHORT:
            may_read.acquire()
        texts.append(text)
        return read(text)

    monkeypatch.setattr(services.mcp.pasting, "read_paste", read_when_allowed)
    dialog.list.add_button.click()
    paste = dialog.adding.box
    servers = {f"s{number}": {"command": "uvx", "args": ["x" * 200]} for number in range(40)}
    paste.field.setPlainText(json.dumps({"mcpServers": servers}))
    assert not dialog.adding.add_button.isEnabled()
    may_read.release()
    await until(dialog.adding.add_button.isEnabled)
    assert dialog.adding.add_button.text() == "Add 40 servers"
    paste.field.setPlainText(json.dumps({"mcpServers": servers}) + "}")
    paste.field.setPlainText("uvx mcp-server-time")  # what is read last counts, whatever comes later
    assert paste.found.text() == "time: uvx mcp-server-time"
    may_read.release()
    await until(lambda: len(texts) == 3)
    await asyncio.sleep(0.05)
    assert paste.found.text() == "time: uvx mcp-server-time"
    await work.settled()


async def test_what_a_server_writes_stays_literal(dialog: ServersPage, services: Services) -> None:
    id = await services.mcp.save_server(evil("hidden"))
    await services.mcp.reviews.accept_start(id, (await services.mcp.reviews.review(id)).fingerprint)
    await services.mcp.start(id)
    dialog.show_server(id)
    dialog.page.turn_to("tools")
    detail = dialog.page.tools.detail.text()
    assert "⟦U+202E⟧" in detail
    assert "<b>tool</b>" in detail
    assert "re⟦U+200B⟧ad" in dialog.page.tools.left_out.full_text()
    assert dialog.page.tools.left_out.textFormat() is Qt.TextFormat.PlainText


async def test_changed_tools_are_laid_beside_the_old_ones(dialog: ServersPage, services: Services, work: Work) -> None:
    id = await agreed(services, "rug")
    profile = services.settings.profile("assistant").model_copy(update={"id": "tester", "mcp_servers": (id,)})
    await services.settings.save_profile(profile)
    await services.tools.call("rug__echo", {"text": "a"}, "tester")
    await services.tools.call("rug__echo", {"text": "b"}, "tester")
    await until(lambda: services.mcp.server(id).state == "tools")
    dialog.show_server(id)
    dialog.page.turn_to("tools")
    assert dialog.page.tools.banner.isVisible()
    before, _sep, after = dialog.page.tools.detail.text().partition("as it is now")
    assert "loudly" in after
    assert "loudly" not in before


async def test_the_word_of_a_tool_is_chosen_in_the_table(dialog: ServersPage, services: Services, work: Work) -> None:
    id = await agreed(services, "good")
    dialog.show_server(id)
    combo: Any = dialog.page.tools.table.cellWidget(0, 2)
    combo.setCurrentIndex(combo.findData("allow"))
    combo.activated.emit(combo.currentIndex())
    await work.settled()
    assert services.mcp.reviews.tools(id).rows[0].word == "allow"


async def test_a_failure_says_what_happened_and_what_to_do(dialog: ServersPage, services: Services, work: Work) -> None:
    id = await services.mcp.save_server(evil("crash"))
    await services.mcp.reviews.accept_start(id, (await services.mcp.reviews.review(id)).fingerprint)
    dialog.show_server(id)
    dialog.page.start_button.click()
    await work.settled()
    await until(lambda: services.mcp.server(id).state == "failed")
    await until(lambda: "configuration file is missing" in dialog.page.why.full_text())
    dialog.page.turn_to("log")
    assert "configuration file is missing" in dialog.page.log.text()


async def test_T15_a_server_that_wants_a_sign_in_is_told_with_the_way_there_is(
    dialog: ServersPage, services: Services
) -> None:
    async with evil_http("auth", elsewhere="http://127.0.0.1:1") as server:
        id = await services.mcp.save_server(McpServerForm(name="far", transport="http", url=server.url))
        await services.mcp.reviews.accept_start(id, (await services.mcp.reviews.review(id)).fingerprint)
        await services.mcp.start(id)
    dialog.show_server(id)
    assert dialog.page.state.full_text() == "not running"
    assert "wants a sign-in" in dialog.page.why.text()
    assert "header: Authorization" in dialog.page.why.text()


async def test_starting_stopping_and_switching_off(dialog: ServersPage, services: Services, work: Work) -> None:
    id = await agreed(services, "good")
    dialog.show_server(id)
    dialog.page.stop_button.click()
    await work.settled()
    assert services.mcp.server(id).state == "stopped"
    dialog.page.start_button.click()
    await work.settled()
    assert services.mcp.server(id).state == "running"
    dialog.page.restart_button.click()
    await work.settled()
    assert services.mcp.server(id).state == "running"
    dialog.page.enabled.click()
    await work.settled()
    assert services.mcp.server(id).state == "off"
    dialog.page.enabled.click()
    await work.settled()
    assert services.mcp.server(id).state == "stopped"  # it was looked at before: no second look


async def test_deleting_asks_first(dialog: ServersPage, services: Services, work: Work) -> None:
    id = await services.mcp.save_server(evil())
    dialog.show_server(id)
    dialog.list.delete_button.click()
    sheet(dialog, AskDialog).buttons["yes"].click()
    await work.settled()
    assert services.mcp.servers() == []
    assert dialog._empty.isVisible()


async def test_leaving_stores_what_was_changed(dialog: ServersPage, services: Services, work: Work) -> None:
    id = await services.mcp.save_server(evil())
    dialog.show_server(id)
    dialog.page.form.name.setText("Other")
    dialog.leave(dialog.close)
    await work.settled()
    assert services.mcp.server(id).name == "Other"
    assert not shiboken6.isValid(dialog) or not dialog.isVisible()


async def test_changes_are_stored_when_their_field_is_left_and_taken_back_one_by_one_with_their_values(
    dialog: ServersPage, services: Services, work: Work
) -> None:
    mcp, form, saved = services.mcp, dialog.page.form, dialog.page.saved
    id = await mcp.save_server(evil(env={"TOKEN": CANARY, "MODE": "fast"}))
    dialog.show_server(id)
    dialog.activateWindow()
    await until(dialog.isActiveWindow)
    seen = []

    async def stored() -> None:
        await work.settled()
        config = mcp.registry.stored(id).config
        values, _headers, _missing = await mcp._secrets.values(config)
        seen.append((config.name, config.command, values))

    screen.click(form.name)
    form.name.selectAll()
    QTest.keyClicks(form.name, "Other")
    screen.click(form.command)
    await stored()
    form.command.selectAll()
    QTest.keyClicks(form.command, "elsewhere")  # another program never gets the values
    screen.click(form.cwd)
    await stored()
    QTest.keyClick(dialog.page.tabs, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    await stored()
    screen.click(form.env.rows[0].remove)
    await until(lambda: "TOKEN" not in mcp.form(id).env)
    await stored()
    for _undo in range(2):
        screen.click(saved.button)
        await stored()
    both = {"TOKEN": CANARY, "MODE": "fast"}
    assert seen == [
        ("Other", sys.executable, both),
        ("Other", "elsewhere", {}),
        ("Other", sys.executable, both),
        ("Other", sys.executable, {"MODE": "fast"}),
        ("Other", sys.executable, both),
        ("good", sys.executable, both),
    ]
    assert not saved.button.isVisible()
    assert all(CANARY not in field.text() for field in dialog.findChildren(QLineEdit))


async def test_without_a_keyring_it_asks_where_values_may_be_kept(
    tmp_path: Path, work: Work, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.storage.config.secrets.find_keyring", lambda: None)
    services = build(tmp_path / "other", {})
    await services.open()
    dialog = open_dialog(services, work)
    dialog.list.add_wanted.emit("form")
    assert dialog._shown == NEW
    dialog.page.form.show_form(evil(env={"TOKEN": CANARY}))
    screen.click(dialog.page.add_button)
    await until(lambda: any(one.isVisible() for one in dialog.findChildren(AskDialog)))
    assert services.mcp.servers() == []
    sheet(dialog, AskDialog).buttons["session"].click()
    await work.settled()
    assert [one.id for one in services.mcp.servers()] == ["good"]
    dialog.deleteLater()
    await services.close()


async def test_only_the_fields_of_its_kind_are_shown(dialog: ServersPage) -> None:
    dialog.list.add_wanted.emit("form")
    assert dialog.page.form.command.isVisible()
    assert not dialog.page.form.url.isVisible()
    dialog.page.form.kind.setCurrentIndex(1)
    assert dialog.page.form.url.isVisible()
    assert not dialog.page.form.command.isVisible()


async def test_a_warning_for_a_package_without_a_version(
    dialog: ServersPage, services: Services, work: Work, tmp_path: Path
) -> None:
    npx = tmp_path / "npx"
    npx.write_text("#!/bin/sh\n", "ascii")
    npx.chmod(0o755)
    id = await services.mcp.save_server(McpServerForm(name="x", command=str(npx), args=("-y", "some-server")))
    dialog.show_server(id)
    dialog.page.review_button.click()
    await work.settled()
    told = [label.full_text() for label in sheet(dialog, McpReviewSheet).findChildren(SafeLabel)]
    assert any("some-server has no fixed version" in text for text in told)


class Reading:
    """What the service reads of a text, without any server."""

    def read_paste(self, text: str) -> PasteReading:
        return read_paste(text)


def test_the_form_that_was_pasted_lights_up(qtbot: QtBot) -> None:
    box = PasteBox(cast("ServerPasting", Reading()), Theme())
    qtbot.addWidget(box)
    box.show()
    cases = {
        '{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}': "config",
        "https://example.com/mcp": "address",
        "uvx mcp-server-time": "command",
        "claude mcp add notes --env A=1 -- npx -y @example/notes-mcp": "add",
        "just some words": "",
        "": "",
    }
    wrong = []
    for text, kind in cases.items():
        box.field.setPlainText(text)
        lit = [one for one, label in box.kinds.labels.items() if label.full_text().startswith("✓")]
        if lit != ([kind] if kind else []):
            wrong.append((text, lit))
    assert wrong == []
