"""Worker threads give results and errors back, and a hung one does not hold the goodbye."""

from __future__ import annotations

import threading

import pytest

from app.ui.application.workers import Workers


def test_results_and_errors_reach_who_asked() -> None:
    workers = Workers(2)
    assert [future.result(5) for future in [workers.submit(pow, 2, n) for n in range(20)]] == [2**n for n in range(20)]
    with pytest.raises(ZeroDivisionError):
        workers.submit(lambda: 1 // 0).result(5)
    workers.shutdown()
    with pytest.raises(RuntimeError):
        workers.submit(print)


def test_no_more_threads_than_the_limit() -> None:
    workers = Workers(2)
    gate = threading.Event()
    futures = [workers.submit(gate.wait, 5) for _ in range(6)]
    assert len(workers._threads) == 2
    gate.set()
    assert all(future.result(5) for future in futures)
    workers.shutdown()


def test_R36_a_hung_call_does_not_hold_the_goodbye() -> None:
    workers = Workers(1)
    gate = threading.Event()
    hung = workers.submit(gate.wait)
    workers.shutdown()
    assert not hung.done()
    gate.set()
