"""The keyring is locked when a question is sent: the window says so, nothing is lost, and the way out is a click."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from app.ui.dialogs.providers.window import ProvidersPage
from tests.end2end.conftest import Open
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks


class Locked:
    def get_password(self, service: str, username: str) -> str:
        raise RuntimeError("locked")


async def test_a_question_is_not_asked_without_the_key_that_was_set(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.storage.config.secrets.find_keyring", Locked)
    async with FaultServer(speaks([{"content": "42"}], repeat_last=True)) as server:
        entry = f'id = "mine"\nname = "Mine"\nbase_url = "{server.base_url}"\nmodels = ["m"]\nhas_key = true\n'
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / "providers.toml").write_text(f"[[provider]]\n{entry}", "utf-8")
        driver = await open_window(model="mine/m")
        driver.ask("What is 6*7?")
        await driver.until(lambda: "The stored key of Mine cannot be read" in driver.notice(), "a sentence")
        assert server.requests == []
        assert driver.draft() == "What is 6*7?"
        button = driver.window.notice.findChild(QPushButton, "noticeAction")
        assert button is not None
        button.click()
        await driver.until(lambda: driver.all_of(ProvidersPage), "the providers")
