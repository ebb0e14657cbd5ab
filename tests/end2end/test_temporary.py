"""A temporary session in the window: answered like any other, and nowhere on the disk."""

from __future__ import annotations

from pathlib import Path

from tests.end2end.conftest import Open
from tests.end2end.test_messages import act

CANARY = "canary-7f3a-word"


def files_with(folder: Path, word: str) -> list[str]:
    forms = [word.encode(), word.encode("utf-16-le")]
    found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [str(path) for path in found if any(form in path.read_bytes() for form in forms)]


async def test_nothing_of_a_temporary_session_is_ever_in_the_data_folder(open_window: Open, tmp_path: Path) -> None:
    """Question, answer, reasoning, a tool's result, draft, attachment and rating: looked for in every file."""
    call = {"name": "calculator", "arguments": {"expression": "6*7"}}
    driver = await open_window(
        {"reasoning": f"{CANARY} thought", "tool_calls": [call]}, {"content": f"{CANARY} answered: 42"}
    )
    driver.command("temporary")
    await driver.until(lambda: driver.desk.conversation.row is not None, "a temporary session")
    row = driver.desk.conversation.row
    assert row.is_temporary
    assert driver.window.header.temporary.isVisible()
    driver.type(f"{CANARY} half a question")
    driver.saves_draft()
    await driver.desk.conversation.files.add_paste(f"{CANARY} pasted")
    await driver.asked(f"{CANARY} what is six times seven?")
    assert any(CANARY in text for text in driver.answers())
    act(driver, driver.last().id, "Good answer")
    await driver.until(lambda: driver.desk.conversation.messages.ratings, "the rating")
    services = driver.services
    assert services is not None
    await services.backups.make()
    assert files_with(tmp_path / "data", CANARY) == []
    assert [one.id for one in await driver.listed()] == [row.id]
    await driver.closes()
    assert files_with(tmp_path / "data", CANARY) == []
    again = await open_window({"content": "yes"})
    assert again.sessions() == []
    assert not again.window.header.temporary.isVisible()


async def test_a_temporary_session_can_be_kept_after_all(open_window: Open) -> None:
    driver = await open_window({"content": "noted"})
    driver.command("temporary")
    await driver.until(lambda: driver.desk.conversation.row is not None, "a temporary session")
    await driver.asked("worth keeping")
    driver.window.sessions.keep_asked.emit([driver.session])
    await driver.until(lambda: [row.is_temporary for row in driver.sessions()] == [False], "a stored session")
    await driver.until(lambda: not driver.window.header.temporary.isVisible(), "the stored session open")
    assert driver.questions() == ["worth keeping"]
