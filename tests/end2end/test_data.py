"""What becomes of the data at the start and the end of a window."""

from __future__ import annotations

from pathlib import Path

from .conftest import Open


async def test_R08_a_window_makes_a_copy_of_what_changed_when_it_is_closed(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window({"content": "Yes."})
    await driver.asked("is it kept?")
    await driver.desk._services.backups.make()
    await driver.asked("and this as well?")
    await driver.application.close()
    assert len(list((tmp_path / "data" / "backups").glob("*.db"))) == 2
