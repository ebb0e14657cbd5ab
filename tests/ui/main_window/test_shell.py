"""The shell is painted before anything heavy is loaded."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HEAVY = (
    "asyncio",
    "qasync",
    "pydantic",
    "openai",
    "httpx2",
    "apsw",
    "keyring",
    "tomlkit",
    "jsonschema",
    "markdown_it",
    "pygments",
    "app.core.run.events",
    "app.core.run.messages",
    "app.core.profile",
    "app.agent",
    "app.providers",
    "app.compose",
    "app.services.container",
    "app.core.wording.errors",
    "app.ui.widgets.selectors.selector",
)
MANY_NAMES = ("QStyle", "QKeySequence")
"""Kinds with hundreds of names, each of which becomes an object of Python when the kind is asked for."""
AT_FIRST_PAINT, WHEN_READY = 120, 950
"""Modules of ours: a tenth more than there are. Whoever gets here imports in the function what only it needs."""
SCRIPT = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from app.ui.application import Application
from app.core.session.summary import SessionRow
from app.services.data.first_look import FirstLook

def start():
    raise RuntimeError("not reached: the window is closed first")

rows = tuple(SessionRow(f"s{n}", "Trip", "assistant", "", "", 1.0, 2.0, pinned=n == 1) for n in range(3))
application = Application(FirstLook(Path(sys.argv[1]), language="en", sessions=rows), start)
application.window.painted.disconnect()
import PySide6.QtGui, PySide6.QtWidgets
seen, kinds = [], []

def painted():
    seen.extend(sorted(sys.modules))
    for module in (PySide6.QtGui, PySide6.QtWidgets):
        kinds.extend(sorted(name for name in vars(module) if name.startswith("Q")))
    application.window.composer.field.insertPlainText("typed")
    assert application.window.composer.text() == "typed"
    application.window.close()

application.window.painted.connect(painted)
code = application.run()
print(json.dumps({"code": code, "modules": seen, "kinds": kinds}))
"""


def of_ours(modules: list[str]) -> list[str]:
    return [name for name in modules if name.partition(".")[0] == "app"]


def test_nothing_heavy_is_loaded_before_the_first_paint(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["code"] == 0
    assert "app.ui.main_window.window" in told["modules"]
    assert [name for name in HEAVY if name in told["modules"]] == []
    ours = of_ours(told["modules"])
    assert len(ours) <= AT_FIRST_PAINT
    # Asked for a widget that Qt has made (`viewport()`), the binding loads every kind there is: see `viewport_of`.
    assert "QLabel" in told["kinds"]
    assert [name for name in told["kinds"] if name in ("QWizard", "QMdiArea", "QProxyStyle", *MANY_NAMES)] == []


NOT_FOR_A_START = ("openai", "mcp", "httpx2", "docx", "trafilatura", "asyncpg", "holidays", "jinja2", "pygments",
                   "app.providers.rules.model", "app.services.mcp.paste.reading", "app.core.text.encodings",
                   "app.services.exchange.formula_drawing")  # fmt: skip
"""What only some questions, answers or dialogs need."""
READY = """
import sys
from PySide6.QtCore import QTimer
from app.main import build

application, beat = build(["--data-dir", sys.argv[1]]), QTimer()

def look():
    if application.window.is_ready:
        beat.stop()
        print(*sys.modules)
        application.window.close()

beat.timeout.connect(look)
beat.start(5)
sys.exit(application.run())
"""


def test_a_window_that_can_send_has_loaded_no_trade_and_nothing_that_only_some_questions_need(tmp_path: Path) -> None:
    from app.compose import build

    async def a_session_of_an_agent_without_a_domain() -> None:
        services = build(tmp_path / "data", {})
        await services.open()
        await services.sessions.create("assistant")
        await services.close()

    asyncio.run(a_session_of_an_agent_without_a_domain())
    done = subprocess.run(
        [sys.executable, "-c", READY, str(tmp_path / "data")],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)},
    )
    modules = done.stdout.splitlines()[-1].split()
    assert "app.services.runs.chat" in modules
    assert [name for name in modules if name in NOT_FOR_A_START or name.startswith("app.domains.")] == []
    assert len(of_ours(modules)) <= WHEN_READY
