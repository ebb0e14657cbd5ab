"""What holds for every test: no display, no key, no network, a data folder of its own – and no quiet trouble.

Warnings are errors (pyproject.toml); log records of level ERROR fail the test that caused them (`_no_log_errors`).
Skips are counted and printed at the end, because a skip is a promise that was not checked.
"""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import os
import signal
import socket
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import copy, deepcopy
from functools import cache, lru_cache, partial
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from hypothesis import HealthCheck
from hypothesis.internal import charmap
from hypothesis.internal.conjecture import providers

from app.core.text.i18n import set_language

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from _pytest.terminal import TerminalReporter
    from PySide6.QtCore import QCoreApplication
    from pytestqt.qtbot import QtBot

# Qt aborts the process when it finds no display, so this stands before anything can import it.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_API"] = "pyside6"

TESTS = Path(__file__).resolve().parent
STREAMS = TESTS.parent.parent / "shared" / "streams"

ON_THE_QT_LOOP = (TESTS / "ui", TESTS / "end2end")
"""The folders whose asynchronous tests run on the loop of the window; all others run without Qt."""

PRIVATE_PREFIXES = ("OPENAI_", "TRIPTYCH_")
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ftp_proxy")

PATIENCE_MS = 60_000
"""Only what hangs takes so long; a busy machine that stands still for seconds does not."""


def pytest_configure(config: pytest.Config) -> None:
    """Hypothesis: the same examples at every desk; `make soak` takes many more, and new ones each time."""
    _let_signals_reach_children()
    # How long an example takes says something of the machine only.
    usual: dict[str, Any] = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
    hypothesis.settings.register_profile("test", max_examples=25, derandomize=True, **usual)
    hypothesis.settings.register_profile("soak", max_examples=2_000, **usual)
    # It also tries numbers and texts found in all code that happens to be loaded: other examples in each worker and
    # each run, and half a minute of parsing. `derandomize` promises the same ones.
    patched = pytest.MonkeyPatch()
    patched.setattr(providers, "_get_local_constants", lambda: providers._local_constants)
    hypothesis.settings.load_profile("soak" if config.getoption("markexpr") == "soak" else "test")
    # Garbage is looked for between the tests, in the thread of the window: where another thread happens to begin it,
    # Qt's objects are destroyed there, and Qt's locks were seen to stay shut after that.
    gc.disable()
    patched.setattr("importlib.metadata.entry_points", _entry_points)
    patched.setattr("tomllib.loads", _toml)
    config.add_cleanup(patched.undo)


def _entry_points(**wanted: Any) -> EntryPoints:
    """What is installed does not change while the tests run, and hundreds of them build the whole program."""
    return _all_entry_points(tuple(sys.path)).select(**wanted)


@cache
def _all_entry_points(_path: tuple[str, ...], find: Callable[[], EntryPoints] = entry_points) -> EntryPoints:
    return find()


def _toml(text: str, /, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The shipped files are the same for every window that is opened; the reader is in Python, and slow."""
    return deepcopy(_read_toml(text, parse_float))


@lru_cache(maxsize=256)
def _read_toml(
    text: str, parse_float: Callable[[str], Any], read: Callable[..., dict[str, Any]] = tomllib.loads
) -> dict[str, Any]:
    return read(text, parse_float=parse_float)


LONG = ("benchmarks/", "end2end/test_hanging", "end2end/test_process", "end2end/test_kill", "end2end/test_travel_walk")
"""Tests that take, or wait for, many seconds: begun first, so that all workers end together."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.removeprefix("tests/").startswith(LONG))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Thousands of collected tests are no garbage: looking through them took a fifth of the whole run."""
    if session.config.option.collectonly:
        charmap.intervals_from_codec("utf-8")  # takes seconds, and is kept on disk for all workers
    gc.collect()
    gc.freeze()


_tests_done = 0


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    global _tests_done  # noqa: PLW0603 - one process, one count
    _tests_done += 1
    if _tests_done % 100 == 0:
        gc.collect()
        gc.freeze()  # what is left was imported or is kept by fixtures: no need to look through it again and again
    elif gc.get_count()[0] > 20_000:
        gc.collect(1)


def pytest_unconfigure() -> None:
    """What a test has copied stays in the clipboard. This platform's outlives Python, and what Python made (such as the
    plain words a selection gives) cannot be destroyed then: the process ended with a segmentation fault. Those of a
    desktop are taken down with the application, before."""
    gui = sys.modules.get("PySide6.QtGui")
    if gui is not None and gui.QGuiApplication.instance() is not None:
        gui.QGuiApplication.clipboard().clear()


def _let_signals_reach_children() -> None:
    """A shell starts what runs in the background with SIGINT ignored, which children inherit; a handler they do not."""
    for name in ("SIGINT", "SIGHUP", "SIGTERM"):
        one = getattr(signal, name, None)
        if one is not None and signal.getsignal(one) is signal.SIG_IGN:
            signal.signal(one, lambda *_: None)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A developer's keys, proxies and sessions are out of reach, and every test starts on an empty disk."""
    for name in list(os.environ):
        if name.startswith(PRIVATE_PREFIXES) or name.lower() in PROXIES:
            monkeypatch.delenv(name)
    monkeypatch.setenv("TRIPTYCH_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TRIPTYCH_LANG", "en")


PROCESS_STATE = (
    ("app.core.text.i18n", "_language"),
    ("app.core.run.mode", "_added"),
    ("app.core.wording.tools", "_sources"),
    ("app.ui.cards.plugin_cards", "_renderers"),
    ("app.ui.theme.fonts", "_chosen"),
)
"""What the program chooses once per process, as module and variable: the next test must not see this one's choice."""


@pytest.fixture(autouse=True, scope="module")
def _english() -> None:
    """Before the fixtures that a whole file shares."""
    set_language("en")


@pytest.fixture(autouse=True)
def _process_state() -> Iterator[None]:
    """Whatever a test chooses for the process – a program in Chinese, a tool of its own – ends with it. Without this
    a test's outcome depended on those that happened to run before it in the same worker."""
    before = {
        place: copy(getattr(sys.modules[place[0]], place[1])) for place in PROCESS_STATE if place[0] in sys.modules
    }
    yield
    for place in PROCESS_STATE:
        if place in before:
            module, name = place
            value = getattr(sys.modules[module], name)
            if isinstance(value, dict):
                value.clear()
                value.update(before[place])
            else:
                setattr(sys.modules[module], name, before[place])


def _refuse_the_network(event: str, arguments: tuple[object, ...]) -> None:
    """No test leaves this machine: every other host is unknown, as it would be without a cable."""
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    else:
        return
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name and name != "localhost" and not _is_loopback(str(name)):
        raise socket.gaierror(socket.EAI_NONAME, f"tests have no network, and {name} is not this machine")


def _is_loopback(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


# An audit hook sees every library alike and cannot be undone by a test; there is no way to remove it either.
sys.addaudithook(_refuse_the_network)


class _ErrorRecords(logging.Handler):
    def __init__(self) -> None:
        super().__init__(level=logging.ERROR)
        self.seen: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(record)


@pytest.fixture(autouse=True)
def _no_log_errors(request: pytest.FixtureRequest) -> Iterator[None]:
    """An ERROR in the log fails the test, unless `@pytest.mark.expects_log_errors("why")` says it is meant."""
    records = _ErrorRecords()
    root = logging.getLogger()
    root.addHandler(records)
    try:
        yield
    finally:
        root.removeHandler(records)
    if records.seen and not _expects_log_errors(request):
        told = "\n".join(f"  {record.name}: {record.getMessage()}" for record in records.seen)
        pytest.fail(f"unexpected errors in the log:\n{told}", pytrace=False)


def _expects_log_errors(request: pytest.FixtureRequest) -> bool:
    marker = request.node.get_closest_marker("expects_log_errors")
    if marker is None:
        return False
    if not (marker.args or marker.kwargs.get("reason")):
        pytest.fail("expects_log_errors needs its reason as argument", pytrace=False)
    return True


@pytest.fixture
def qtbot(qtbot: QtBot) -> QtBot:
    """The one of pytest-qt, which waits for five seconds only unless told otherwise."""
    for name in ("waitUntil", "waitSignal", "waitSignals", "waitCallback", "waitExposed", "waitActive"):
        setattr(qtbot, name, partial(getattr(qtbot, name), timeout=PATIENCE_MS))
    return qtbot


@pytest.fixture
def streams_dir() -> Path:
    """The recorded provider traffic beside the repository; a plain checkout does not have it."""
    if not STREAMS.is_dir():
        pytest.skip("no recorded streams beside this checkout (../shared/streams)")
    return STREAMS


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], AbstractEventLoop]]:
    """Asynchronous tests of the window run on the loop of the window, all others on the plain one."""
    if any(item.path.is_relative_to(folder) for folder in ON_THE_QT_LOOP):
        return {"qt": _qt_loop}
    return {"plain": asyncio.new_event_loop}


def _qt_loop() -> AbstractEventLoop:
    """Imported here, so that a run of the core's tests never loads Qt."""
    from app.ui.application import TriptychLoop

    return TriptychLoop(_qt_application())


@cache
def _qt_application() -> QCoreApplication:
    """One for the whole process: Qt does not survive a second one, and Python must not collect the first."""
    from PySide6.QtWidgets import QApplication

    return QApplication.instance() or QApplication([])


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Counts the skips by reason: `3 × no recorded streams …`."""
    reasons = Counter(_skip_reason(report.longrepr) for report in terminalreporter.stats.get("skipped", []))
    if not reasons:
        terminalreporter.write_line("skipped: none")
        return
    terminalreporter.section(f"skipped: {reasons.total()}")
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count:4d} × {reason}")


def _skip_reason(longrepr: object) -> str:
    if isinstance(longrepr, tuple) and len(longrepr) == 3:
        return str(longrepr[2]).removeprefix("Skipped: ")
    return str(longrepr)
