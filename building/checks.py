"""`make test` and `make soak`: one recipe, the same at the desk and on the server."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

from building import environment
from building.console import ask, call, say
from building.places import REPO

Step = Tuple[str, List[str]]

LINT_IMPORTS = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_logo=True))"

FAILED_TESTS = REPO / ".pytest_cache" / "v" / "cache" / "lastfailed"

FEW = 5
"""At most so many failed tests get a second try: more than that is not a busy machine."""

UNSTEADY = REPO / "tests" / "unsteady.json"
"""Tests that may need a second try in CI: `{"tests/…::name": "2026-12-31"}`, each until its date; `*` is any test."""

MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
ROOM_BYTES = 2 * 1024**3
"""Much more than the folders of two tests at a time need; where there is less, they stay on the disk."""

SHARED = ["--dist", "load", "--maxschedchunk", "1"]
"""One test after the other to whoever is free; the other ways stop for ever, or start a long test last."""

TIDY = ["-o", "tmp_path_retention_policy=failed"]
"""Together the folders of all tests take 4 GB: that of a test that passed is removed with it."""

TYPES = ["-m", "mypy", "--num-workers", "2"]
"""Takes most of a minute without its cache, so it runs beside the steps before the tests."""

BESIDE_SECONDS = 1800.0

COMPILE = ["-m", "pytest", "-m", "not soak", "--collect-only", "-qqqq"]
"""In a fresh checkout: otherwise each worker of the tests would rewrite the assertions of all files for itself."""

KEPT = {"TRIPTYCH_SOAK_HOURS"}
HIDDEN = ("OPENAI_", "TRIPTYCH_", "PYTHONDONTWRITEBYTECODE")
PROXIES = {"http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "no_proxy"}


def test(arguments: list[str]) -> int:
    first: list[Step] = [
        ("Lint (ruff)", ["-m", "ruff", "check", "."]),
        ("Format (ruff)", ["-m", "ruff", "format", "--check", "."]),
        ("Import contracts (import-linter)", ["-c", LINT_IMPORTS]),
    ]
    if not is_compiled():
        first.append(("Compile the tests", COMPILE))
    tests = ("Tests (pytest)", ["-m", "pytest", "-m", "not soak", *SHARED, *TIDY, "-n", workers(), *arguments])
    return carry_out([*first, tests], beside=("Types (mypy, strict)", TYPES))


def is_compiled() -> bool:
    """Whether files of tests with rewritten assertions are kept here from an earlier run."""
    return any((REPO / "tests").glob("__pycache__/*-pytest-*.pyc"))


def soak(arguments: list[str]) -> int:
    return carry_out([("Long tests (pytest)", ["-m", "pytest", "-m", "soak", "--timeout", "7200", *arguments])])


def workers() -> str:
    """One more than processors: tests often wait, for a timer, a child process or the disk."""
    return str(min(4, max(2, os.cpu_count() or 2)) + 1)


def carry_out(steps: list[Step], *, beside: Step | None = None) -> int:
    """Every step runs even after one failed: one look then shows all there is to mend.

    `beside` runs while the steps before the last one do, and says what it has to say after them.
    """
    python = environment.ensure(dev=True, x11=False)
    outcomes: list[tuple[str, int, float]] = []
    with ThreadPoolExecutor(1) as background:
        started = background.submit(quiet_outcome, python, beside) if beside else None
        for number, step in enumerate(steps, 1):
            if started and beside and number == len(steps):
                code, seconds, words = started.result()
                say(f"\n==> {beside[0]}\n{words}")
                outcomes.append((beside[0], code, seconds))
            outcomes.append((step[0], *outcome(python, step)))
    say("\n==> Summary")
    for title, code, seconds in outcomes:
        say("    {:<6} {:<36} {:6.1f} s".format("ok" if code == 0 else "FAILED", title, seconds))
    failed = sum(code != 0 for _, code, _ in outcomes)
    say("    {}".format("All steps passed." if not failed else f"{failed} of {len(outcomes)} steps failed."))
    return 1 if failed else 0


def quiet_outcome(python: Path, step: Step) -> tuple[int, float, str]:
    started = time.monotonic()
    code, words = ask([python, *step[1]], timeout=BESIDE_SECONDS, cwd=REPO, env=headless_environment())
    return code, time.monotonic() - started, words


def outcome(python: Path, step: Step) -> tuple[int, float]:
    title, arguments = step
    say(f"\n==> {title}")
    started = time.monotonic()
    quick_tests = "not soak" in arguments
    with in_memory(wanted=quick_tests) as folders:
        code = call([python, *arguments], cwd=REPO, env={**headless_environment(), **folders})
    if code == 1 and quick_tests:
        code = second_try(python)
    return code, time.monotonic() - started


@contextlib.contextmanager
def in_memory(*, wanted: bool) -> Iterator[Dict[str, str]]:
    """The temporary folders of the tests in memory where there is room: half of their time was waiting for the disk."""
    try:
        roomy = wanted and shutil.disk_usage(str(MEMORY)).free >= ROOM_BYTES
        # A short name: a socket's path has 108 bytes. Open to others: some tests act as another user.
        folder = tempfile.mkdtemp(prefix="tests-", dir=str(MEMORY)) if roomy else ""
        if folder:
            Path(folder).chmod(0o711)
    except OSError:  # none on this system, or not ours to write
        folder = ""
    try:
        yield {"TMPDIR": folder} if folder else {}
    finally:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def second_try(python: Path) -> int:
    """Runs the few tests that failed once more, one at a time, with the machine to themselves.

    Names those that fail among thousands and pass alone. At the desk the run then counts as passed; in CI it fails,
    unless each of them is listed in `tests/unsteady.json` with a date that has not passed.
    """
    failed = failed_tests()
    if not 0 < len(failed) <= FEW:
        return 1
    say("\n==> Once more, alone")
    again = ["-m", "pytest", "-m", "", "-n", "0", *failed]
    if call([python, *again], cwd=REPO, env=headless_environment()) != 0:
        return 1
    say("    Failed in the full run and passed alone; they depend on something they should not:")
    for name in failed:
        say(f"      {name}")
    unlisted = [name for name in failed if not may_be_unsteady(name)]
    if os.environ.get("CI") and unlisted:
        say("    In CI a second try fails the run, unless tests/unsteady.json lists the test.")
        return 1
    return 0


def may_be_unsteady(name: str) -> bool:
    try:
        listed = json.loads(UNSTEADY.read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return str(listed.get(name, "")) >= time.strftime("%Y-%m-%d")


def failed_tests() -> List[str]:
    """What the last run of pytest noted; nothing where it could not even collect, or its note cannot be read."""
    try:
        noted = json.loads(FAILED_TESTS.read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return sorted(noted) if all("::" in name for name in noted) else []


def headless_environment() -> Dict[str, str]:
    """No display, nobody's keys, no way out through a proxy; compiled files are kept for the many child processes."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in KEPT or (not name.startswith(HIDDEN) and name.lower() not in PROXIES)
    }
    return {**kept, "QT_QPA_PLATFORM": "offscreen", "PYTHONUTF8": "1"}
