"""The loop of the window keeps asyncio's promises with two timers."""

from __future__ import annotations

import asyncio
import sys
import threading

import pytest
from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app.ui.application import TriptychLoop


def running() -> TriptychLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, TriptychLoop)
    return loop


async def test_callbacks_run_in_the_order_they_were_given() -> None:
    seen: list[int] = []
    for number in range(5):
        running().call_soon(seen.append, number)
    await asyncio.sleep(0)
    assert seen == [0, 1, 2, 3, 4]


async def test_later_callbacks_run_in_the_order_of_their_time() -> None:
    seen: list[str] = []
    loop = running()
    done = loop.create_future()
    loop.call_later(0.02, seen.append, "second")
    loop.call_later(0.01, seen.append, "first")
    loop.call_later(0.03, done.set_result, None)
    await done
    assert seen == ["first", "second"]


async def test_a_timer_never_fires_early() -> None:
    loop = running()
    for wait in (0.001, 0.0105, 0.02):
        start = loop.time()
        await asyncio.sleep(wait)
        assert loop.time() - start >= wait - 0.001


async def test_cancelled_timeouts_leave_a_bounded_number_of_handles() -> None:
    loop = running()
    for _ in range(2_000):
        loop.call_later(600, print).cancel()
    assert len(loop._later) <= 210


async def test_a_cancelled_callback_does_not_run() -> None:
    seen: list[int] = []
    running().call_soon(seen.append, 1).cancel()
    running().call_later(0.001, seen.append, 2).cancel()
    await asyncio.sleep(0.01)
    assert seen == []


async def test_a_failing_callback_reaches_the_handler_and_the_next_one_still_runs() -> None:
    loop = running()
    caught: list[BaseException] = []
    loop.set_exception_handler(lambda _loop, context: caught.append(context["exception"]))
    seen: list[int] = []

    def fail() -> None:
        raise ValueError("on purpose")

    loop.call_soon(fail)
    loop.call_soon(seen.append, 1)
    await asyncio.sleep(0.005)
    loop.set_exception_handler(None)
    assert [type(error) for error in caught] == [ValueError]
    assert seen == [1]


async def test_structured_tasks_timeouts_threads_and_sockets_work() -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(asyncio.sleep(0.001, number)) for number in range(100)]
    assert [task.result() for task in tasks] == list(range(100))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await asyncio.Event().wait()
    assert await asyncio.to_thread(lambda: 7) == 7

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write("三联\n".encode())
    assert await reader.readline() == "三联\n".encode()
    writer.close()
    await writer.wait_closed()
    server.close()
    await server.wait_closed()


async def test_a_child_process_talks_over_its_pipes() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "print(input().upper())", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate(b"plan\n")
    assert out.strip() == b"PLAN"


def test_callbacks_know_their_loop_when_somebody_else_drives_qt() -> None:
    app: QCoreApplication = QApplication.instance() or QApplication([])
    loop = TriptychLoop(app)
    results: list[str] = []

    async def work() -> None:
        await asyncio.sleep(0.001)
        assert asyncio.get_running_loop() is loop
        results.append("done")

    driver = QEventLoop()
    task = loop.create_task(work())
    task.add_done_callback(lambda _task: driver.quit())
    QTimer.singleShot(60_000, driver, driver.quit)
    driver.exec()
    assert results == ["done"]
    loop.close()


def test_what_a_thread_said_before_the_end_is_dropped_after_it() -> None:
    app: QCoreApplication = QApplication.instance() or QApplication([])
    loop = TriptychLoop(app)
    seen: list[int] = []
    thread = threading.Thread(target=lambda: loop.call_soon_threadsafe(seen.append, 1))
    thread.start()
    thread.join()
    loop.close()
    QCoreApplication.processEvents()
    assert seen == []
