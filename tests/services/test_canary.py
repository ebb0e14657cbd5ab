"""A key that can be recognised goes through everything that can fail; it is in nothing we wrote."""

from __future__ import annotations

import base64
import logging
from pathlib import Path
from urllib.parse import quote

import pytest

from app.compose import build
from app.core.run.events import LoopError
from app.services.runs.run_options import RunOptions
from tests.rigs.fault_server import Exchange, FaultServer, Scenario

CANARY = "sk-CANARY-7f3a9/b+c=d0e5f6a7b8c9"


async def echoes_refusal(exchange: Exchange) -> None:
    await exchange.reply(401, f'{{"error": {{"message": "Incorrect API key provided: {CANARY}"}}}}')


async def echoes_page(exchange: Exchange) -> None:
    await exchange.reply(502, f"<html>Authorization: Bearer {CANARY}</html>")


async def echoes_in_the_stream(exchange: Exchange) -> None:
    await exchange.head()
    await exchange.delta(role="assistant", content="so far")
    await exchange.event({"error": {"message": f"bad key {CANARY}", "code": "invalid_api_key"}})
    await exchange.done()


async def answers(exchange: Exchange) -> None:
    await exchange.head()
    await exchange.delta(role="assistant", content="All is well.")
    await exchange.delta(finish="stop")
    await exchange.done()


def forms() -> list[bytes]:
    texts = [CANARY, quote(CANARY, safe=""), base64.b64encode(CANARY.encode()).decode()[:-4]]
    return [form for text in texts for form in (text.encode(), text.encode("utf-16-le"))]


def holding_the_key(folder: Path) -> list[Path]:
    written = [path for path in folder.rglob("*") if path.is_file()]
    assert len(written) >= 5
    return [path for path in written if any(form in path.read_bytes() for form in forms())]


@pytest.mark.parametrize("scenario", [echoes_refusal, echoes_page, echoes_in_the_stream, answers])
async def test_T33_a_key_is_in_no_file_no_export_no_backup_and_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, scenario: Scenario
) -> None:
    caplog.set_level(logging.DEBUG)
    async with FaultServer(scenario) as server:
        environ = {"OPENAI_API_KEY": CANARY, "OPENAI_BASE_URL": server.base_url, "OPENAI_MODEL": "m"}
        services = build(tmp_path / "data", environ=environ)
        await services.open()
        session = (await services.sessions.create("assistant")).id
        options = RunOptions(mode="direct", interactive=False, overrides={"max_retries": 0})
        run = await services.chat.send(session, "hello", options=options)
        end = await run.result()
        await services.chat.recorded()
        assert isinstance(end, LoopError) == (scenario is not answers)
        for format in ("json", "md", "html"):
            await services.transfer.export_to([session], format, tmp_path / f"out.{format}")
        await services.backups.make()
        await services.close()
        assert any(CANARY in str(one.headers) for one in server.requests), "the key went out: no empty test"
    assert holding_the_key(tmp_path) == []
    assert CANARY not in caplog.text
