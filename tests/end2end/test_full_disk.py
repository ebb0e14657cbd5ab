"""The disk is full while somebody works in the window: what was not stored is told, and goes well with room again."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog

from app.core.preferences import Preferences
from app.services.container import Services
from app.services.providers.service import ProviderEntry
from app.ui.main_window.session.error_notices import save_text
from tests.end2end.conftest import Driver, Open
from tests.rigs.read_only import small_disk

Act = Callable[[Driver, str], Awaitable[object]]
Holds = Callable[[Services, str], Awaitable[object]]
LONG = "long text " * 9_000
"""More than what is left in the pages that the database has already."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "data", 32) as disk:
        if not disk.is_mounted:
            pytest.skip("only root can mount a small disk")
        yield disk.place


def fill(place: Path) -> None:
    with (place / "filler").open("ab", buffering=0) as file:
        while free := shutil.disk_usage(place).free:
            file.write(b"x" * free)


def services_of(driver: Driver) -> Services:
    assert driver.application.services is not None
    return driver.services


async def _draft(driver: Driver, _id: str) -> None:
    driver.window.composer.field.setPlainText(LONG)
    driver.saves_draft()
    await driver.desk.conversation.drafts.written()


async def _question(driver: Driver, _id: str) -> None:
    await driver.desk.questions.send(LONG, typed=False)
    await driver.until(lambda: not driver.is_running(), "the end of the run")


async def _attach(driver: Driver, _id: str) -> None:
    await driver.desk.conversation.files.add_paste(LONG + "attached")


async def _preferences(driver: Driver, _id: str) -> None:
    settings = services_of(driver).settings
    await settings.save_preferences(settings.preferences.model_copy(update={"approval_minutes": 17}))


async def _profile(driver: Driver, _id: str) -> None:
    settings = services_of(driver).settings
    profile = settings.profile("assistant")
    await settings.save_profile(profile.model_copy(update={"system_prompt": LONG}))


async def _settings_of(services: Services, name: str) -> object:
    return getattr(services.settings.preferences, name)


def _row(name: str, value: object) -> Holds:
    async def holds(services: Services, id: str) -> bool:
        return bool(getattr(await services.sessions.row(id), name) == value)

    return holds


def _update(**fields: Any) -> Act:
    return lambda driver, session: services_of(driver).sessions.update(session, **fields)


async def _has_question(services: Services, id: str) -> bool:
    return any(message.text == LONG for message in await services.sessions.messages(id))


async def _has_minutes(services: Services, _id: str) -> bool:
    return services.settings.preferences.approval_minutes == 17 != Preferences().approval_minutes


async def _has_prompt(services: Services, _id: str) -> bool:
    return services.settings.profile("assistant").system_prompt == LONG


async def _provider(driver: Driver, _id: str) -> None:
    entry = ProviderEntry("mine", base_url="http://127.0.0.1:9/v1", models=("m",))
    await services_of(driver).providers.save_provider(entry)


async def _has_provider(services: Services, _id: str) -> bool:
    return any(entry.id == "mine" and entry.models == ("m",) for entry in services.providers.providers())


async def _elsewhere(driver: Driver, _id: str) -> None:
    path = services_of(driver).data_dir / "elsewhere.txt"
    driver.window.composer.field.setPlainText("short")
    save_text(driver.window.column)
    chooser = driver.window.findChild(QFileDialog, "saveTextDialog")
    assert isinstance(chooser, QFileDialog)
    chooser.fileSelected.emit(str(path))
    chooser.close()
    driver.window.composer.field.setPlainText(LONG)
    driver.saves_draft()
    await driver.desk.conversation.drafts.written()
    chooser.deleteLater()


async def _is_elsewhere(services: Services, _id: str) -> bool:
    path = services.data_dir / "elsewhere.txt"
    return path.exists() and path.read_text("utf-8") == "short"


async def _rating(driver: Driver, id: str) -> None:
    answer = (await services_of(driver).sessions.messages(id))[1]
    await services_of(driver).ratings.rate(answer.id, 1, agent="assistant", mode="direct", query=LONG)


async def _has_rating(services: Services, id: str) -> bool:
    return bool(await services.ratings.of_session(id))


async def _grant(driver: Driver, _id: str) -> None:
    await services_of(driver).grants.add("assistant", "calculator", "1+*")


async def _has_grant(services: Services, _id: str) -> bool:
    return bool(services.grants.grants())


async def _has_queue(services: Services, id: str) -> bool:
    return await services.sessions.notes.queue(id) == [LONG]


async def _leave_out(driver: Driver, id: str) -> None:
    await services_of(driver).sessions.notes.set_left_out(id, [LONG])


async def _has_left_out(services: Services, id: str) -> bool:
    return await services.sessions.notes.left_out(id) == {LONG}


async def _keys(driver: Driver, _id: str) -> None:
    settings = services_of(driver).settings
    await settings.save_preferences(settings.preferences.model_copy(update={"shortcuts": {"find": "Ctrl+Alt+X"}}))


async def _has_keys(services: Services, _id: str) -> bool:
    return services.settings.preferences.shortcuts == {"find": "Ctrl+Alt+X"}


async def _fork(driver: Driver, id: str) -> None:
    sessions = services_of(driver).sessions
    await sessions.edits.fork(id, (await sessions.messages(id))[1].id)


async def _has_fork(services: Services, _id: str) -> bool:
    rows = await services.sessions.rows()
    texts = [[message.text for message in await services.sessions.messages(row.id)] for row in rows]
    return sum("the first answer" in text for text in texts) >= 2


async def _has_copy(services: Services, _id: str) -> bool:
    return bool(services.backups.rows())


async def _export(driver: Driver, id: str) -> None:
    transfer = services_of(driver).transfer
    await transfer.export_to([id], "md", services_of(driver).data_dir / "mine.md")


async def _exported(services: Services, _id: str) -> bool:
    path = services.data_dir / "mine.md"
    return path.exists() and "the first answer" in path.read_text("utf-8")


async def _has_attachment(services: Services, _id: str) -> bool:
    found = await services.database.read(lambda cursor: cursor.execute("SELECT count(*) FROM attachment").fetchall())
    return bool(found[0][0])


CASES: dict[str, tuple[Act, Holds]] = {
    "a draft": (_draft, _row("draft", LONG)),
    "a question": (_question, _has_question),
    "a pasted text": (_attach, _has_attachment),
    "a preference": (_preferences, _has_minutes),
    "an agent's prompt": (_profile, _has_prompt),
    "a provider": (_provider, _has_provider),
    "a copy of everything": (lambda d, _id: services_of(d).backups.make(), _has_copy),
    "an export": (_export, _exported),
    "another title": (_update(title=LONG[:20_000]), _row("title", LONG[:20_000])),
    "a pin": (lambda d, session: d.desk.sessions.pin([session], True), _row("pinned", True)),
    "a folder": (lambda d, session: d.desk.sessions.move([session], "Trips"), _row("folder", "Trips")),
    "a rating": (_rating, _has_rating),
    "a permission": (_grant, _has_grant),
    "a waiting message": (lambda d, session: services_of(d).sessions.notes.set_queue(session, [LONG]), _has_queue),
    "what is left out": (_leave_out, _has_left_out),
    "keys": (_keys, _has_keys),
    "a session of its own": (_fork, _has_fork),
    "a text kept elsewhere": (_elsewhere, _is_elsewhere),
    "another mode": (_update(mode="plan"), _row("mode", "plan")),
    "another agent": (_update(agent="travel"), _row("agent", "travel")),
}


async def acted(driver: Driver, act: Act, id: str) -> None:
    """As the window does it: in a task of its own, whose failure it hears of."""
    task = driver.start(_run(act, driver, id))
    await asyncio.wait([task], timeout=60)
    assert task.done(), "it hangs"
    await asyncio.sleep(0)


async def _run(act: Act, driver: Driver, id: str) -> None:
    await act(driver, id)


@pytest.mark.expects_log_errors("what nobody handled is logged and told")
async def test_R05_on_a_full_disk_nothing_is_lost_in_silence(
    open_window: Open, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = await open_window({"content": "the first answer"})
    await driver.asked("the first question")
    id = driver.session
    said: list[str] = []
    tell = driver.window.notice.tell

    def heard(text: str, *args: Any, **named: Any) -> None:
        said.append(text)
        tell(text, *args, **named)

    monkeypatch.setattr(driver.window.notice, "tell", heard)
    wrong: list[str] = []
    for name, (act, holds) in CASES.items():
        said.clear()
        fill(disk)
        await acted(driver, act, id)
        was_stored, was_told = await holds(services_of(driver), id), list(said)
        (disk / "filler").unlink()
        if was_stored:
            continue
        if not was_told:
            wrong.append(f"{name}: not stored, and nobody was told")
        await acted(driver, act, id)
        if not await holds(services_of(driver), id):
            wrong.append(f"{name}: not stored with room again, said {said}")
    await services_of(driver).chat.recorded()
    await driver.closes()
    again = await open_window({"content": "the second answer"}, session=id)
    for name, (_act, holds) in CASES.items():
        if not await holds(services_of(again), id):
            wrong.append(f"{name}: gone after a new start")
    assert not wrong, "\n".join(wrong)
    assert "the first answer" in again.answers()[0]
    assert await services_of(again).checks.verify() == []
