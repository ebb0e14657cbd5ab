"""Starts that crash are counted; after two of them the next one is careful."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.storage.folder.start_log import NAME, StartLog


def test_R14_after_two_failed_starts_within_a_minute_the_next_is_careful(tmp_path: Path) -> None:
    log = StartLog(tmp_path)
    assert [log.begin(now=now) for now in (1000.0, 1010.0, 1020.0)] == [False, False, True]
    assert log.begin(now=1030.0), "as long as it goes on failing"
    log.went_well()
    assert not log.begin(now=1040.0)


@pytest.mark.parametrize("third", [1075.0, 1000.0 - 10 * 365 * 86_400])
def test_R14_failures_long_ago_by_any_clock_do_not_count(tmp_path: Path, third: float) -> None:
    log = StartLog(tmp_path)
    log.begin(now=1000.0)
    log.begin(now=1010.0)
    assert not log.begin(now=third)


@pytest.mark.parametrize("text", ["", "[]", '{"starts": "x"}', '{"starts": [null]}', "[" * 100_000])
def test_R14_a_damaged_log_stands_in_nobodys_way(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text)
    assert not StartLog(tmp_path).begin(now=1000.0)


def test_R14_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert not StartLog(tmp_path / "gone").begin(now=1000.0)
    assert not (tmp_path / "gone").exists()
