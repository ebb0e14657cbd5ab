"""Coroutines started from a click are kept, told about when they fail, and ended with their owner."""

from __future__ import annotations

import asyncio
import logging

import pytest

from app.ui.tasks import Tasks
from tests.fakes import until


async def fail() -> None:
    raise ValueError("on purpose")


async def test_a_failure_is_handed_on() -> None:
    told: list[BaseException] = []
    tasks = Tasks(asyncio.get_running_loop(), told.append)
    tasks.spawn(fail())
    await until(lambda: bool(told))
    assert [type(error) for error in told] == [ValueError]


@pytest.mark.expects_log_errors("the failure of a task nobody watches is logged")
async def test_without_a_listener_a_failure_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    tasks = Tasks(asyncio.get_running_loop())
    with caplog.at_level(logging.ERROR):
        tasks.spawn(fail(), "my work")
        await until(lambda: "my work failed" in caplog.text)


async def test_settling_ends_all_and_is_no_failure() -> None:
    told: list[BaseException] = []
    tasks = Tasks(asyncio.get_running_loop(), told.append)
    started = [tasks.start(asyncio.sleep(60)) for _ in range(3)]
    await asyncio.sleep(0)
    await tasks.settle()
    assert all(task.cancelled() for task in started)
    assert told == []


async def test_who_settles_goes_on() -> None:
    tasks = Tasks(asyncio.get_running_loop())
    other = tasks.start(asyncio.sleep(60))
    said: list[str] = []

    async def leave() -> None:
        await tasks.settle()
        await asyncio.sleep(0)
        said.append("goodbye")

    await tasks.start(leave())
    assert other.cancelled()
    assert said == ["goodbye"]


async def test_writes_of_a_name_can_be_waited_for() -> None:
    tasks = Tasks(asyncio.get_running_loop())
    done: list[str] = []

    async def write() -> None:
        await asyncio.sleep(0.01)
        done.append("written")

    tasks.spawn(write(), "keep draft")
    await tasks.finish("keep draft")
    await tasks.finish("nobody")
    assert done == ["written"]
    await tasks.settle()
