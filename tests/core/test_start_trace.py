"""What a start took is named: moments in order, modules by what they cost themselves."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from app.core.system.start_trace import StartTrace


def test_a_module_is_charged_with_its_own_time_and_not_with_what_it_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "traced_outer.py").write_text("import traced_inner\n")
    (tmp_path / "traced_inner.py").write_text("import time\ntime.sleep(0.2)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    finders, trace = list(sys.meta_path), StartTrace()
    trace.begin()
    try:
        outer = importlib.import_module("traced_outer")
    finally:
        trace.end()
        for name in ("traced_outer", "traced_inner"):
            sys.modules.pop(name, None)
    trace.mark("both")
    assert outer.traced_inner
    cost = {room: seconds for room, seconds, _count in trace.by_room()}
    assert cost["traced_inner"] >= 0.2 > 10 * cost["traced_outer"]
    assert [name for name, _seconds in trace.moments] == ["both"]
    assert sys.meta_path == finders
