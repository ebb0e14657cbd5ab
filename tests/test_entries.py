"""What a person types first, with whatever Python the machine has."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]
ENTRIES = {"make.py": ["make.py", "help"], "app/__main__.py": ["-m", "app", "--version"]}
PRETENDS = "import runpy, sys; sys.version_info = {version}; runpy.run_{how}(sys.argv[1], run_name='__main__')"


def started(python: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([python, *arguments], cwd=REPO, capture_output=True, text=True, timeout=120, check=False)


def old_pythons() -> list[str]:
    """Those of this machine, if any; a name on PATH may be a shim that leads nowhere."""
    named = [shutil.which(f"python{version}") for version in ("2.7", "3.4", "3.5", "3.6")]
    stored = (Path.home() / ".pyenv" / "versions").glob("*/bin/python")
    found = [p for p in named if p] + [str(p) for p in stored if p.parents[1].name.startswith(("2.7.", "3.5.", "3.6."))]
    return [python for python in found if started(python, "-c", "").returncode == 0]


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_old_python_is_told_so_in_a_sentence(entry: str) -> None:
    told: dict[str, tuple[int, str]] = {}
    how, what = ("module", "app") if entry.startswith("app") else ("path", "make.py")
    for version in ((2, 7, 18), (3, 6, 15)):
        code = PRETENDS.format(version=version, how=how)
        done = started(sys.executable, "-c", code, what)
        told[f"pretended {version}"] = (done.returncode, done.stderr)
    for python in old_pythons():
        done = started(python, *ENTRIES[entry])
        told[python] = (done.returncode, done.stderr)
    wrong = {name: it for name, it in told.items() if it[0] != 1 or "Python 3.11" not in it[1] or "Traceback" in it[1]}
    assert wrong == {}


@pytest.mark.parametrize("entry", [*ENTRIES, "app/__init__.py"])
def test_an_old_python_can_read_the_entries(entry: str) -> None:
    text = (REPO / entry).read_text("ascii")
    tree = ast.parse(text, feature_version=(3, 4))
    newer = (ast.AnnAssign, ast.JoinedStr, ast.NamedExpr, ast.AsyncFunctionDef)
    futures = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    annotated = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.returns]
    assert [node for node in ast.walk(tree) if isinstance(node, newer)] + futures + annotated == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
def test_without_a_display_the_program_says_so_and_ends_in_order(tmp_path: Path) -> None:
    """In each case a sentence and exit code 1, where Qt would abort with 134."""
    deaf = r"does not answer|A library that windows need is missing: \S+\.so"
    cases: dict[str, dict[str, str]] = {
        "There is no display to open a window on": {},
        f"(127.0.0.1:4711 )?({deaf})": {"DISPLAY": "127.0.0.1:4711"},
        f"(:4711 )?({deaf})": {"DISPLAY": ":4711"},
        r"There is no display\b": {"QT_QPA_PLATFORM": "xcb"},
        f"(wayland-4711 )?({deaf})": {"WAYLAND_DISPLAY": "wayland-4711"},
        "Qt cannot open a window here: .*nonsense": {"QT_QPA_PLATFORM": "nonsense"},
    }
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR", "TRIPTYCH_DATA_DIR")
    own = {"TRIPTYCH_DATA_DIR": str(tmp_path / "data"), "XDG_RUNTIME_DIR": str(tmp_path), "TRIPTYCH_LANG": "en"}
    plain = {name: value for name, value in os.environ.items() if name not in hidden} | own
    wrong: list[str] = []
    for sentence, display in cases.items():
        done = subprocess.run(
            [sys.executable, "-m", "app"],
            cwd=REPO, env=plain | display, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        if (
            done.returncode != 1
            or not re.match(f"triptych: (The display )?{sentence}", done.stderr)
            or done.stderr.count("\n") != 1
        ):
            wrong.append(f"{display}: {done.returncode} {done.stderr}")
    assert wrong == []
    assert not (tmp_path / "data" / "starts.json").exists(), "no start that failed: nothing of the program is at fault"


BARE = """
import importlib.abc, sys

class Gone(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "PySide6.QtWidgets":
            # As Qt's own packages import their parts: under a name without the package.
            missing = "libEGL.so.1: cannot open shared object file: No such file or directory"
            raise ImportError(missing, name="QtWidgets", path="/x/PySide6/QtWidgets.abi3.so")

sys.meta_path.insert(0, Gone())
from app.entry import main
sys.exit(main([]))
"""


def test_a_library_that_qt_itself_lacks_is_named(tmp_path: Path) -> None:
    env = {**os.environ, "TRIPTYCH_DATA_DIR": str(tmp_path), "TRIPTYCH_LANG": "en"}
    done = subprocess.run(
        [sys.executable, "-c", BARE], cwd=REPO, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert done.stderr.startswith("triptych: A library that windows need is missing: libEGL.so.1")
