"""Faults are told once per kind and minute, and every one is counted."""

from __future__ import annotations

import logging
from types import SimpleNamespace

import pytest

from app.ui.application.faults import Faults


def fault(message: str) -> ValueError:
    try:
        raise ValueError(message)
    except ValueError as error:
        return error


@pytest.mark.expects_log_errors("the last net logs what it catches")
def test_R32_the_same_kind_is_told_once_a_minute_and_counted(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    told: list[str] = []
    monkeypatch.setattr("app.ui.application.faults.time", SimpleNamespace(monotonic=lambda: now[0]))
    faults = Faults()
    faults.reported.connect(told.append)
    with caplog.at_level(logging.ERROR):
        for _ in range(5):
            faults.report(fault("again"))
        faults.report(KeyError("another kind"))
        now[0] = 61.0
        faults.report(fault("again"))
    assert told == ["ValueError", "KeyError", "ValueError"]
    assert "4 more like it" in caplog.records[-1].getMessage()


@pytest.mark.expects_log_errors("the last net logs what it catches")
def test_R32_a_failure_without_an_exception_is_no_fault() -> None:
    told: list[str] = []
    faults = Faults()
    faults.reported.connect(told.append)
    faults.from_loop(None, {"message": "a transport was not closed"})
    faults.from_loop(None, {"message": "a task failed", "exception": fault("x")})
    assert told == ["ValueError"]
