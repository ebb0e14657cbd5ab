# ruff: noqa: E501 (lines of other files, quoted as they are)
"""Follows the rows of "Where to add" in docs/house.md, in a scratch copy of the program: each row is the whole way."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]

NEW_FILES = {
    "app/agent/modes/echo.py": '''"""Answers with the question."""
from collections.abc import AsyncGenerator

from app.core.run.events import RunEvent

from ..context import RunContext
from .base import Mode


async def echo(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    for event in ctx.enter("answering", "echo"):
        yield event
    ctx.conclude(ctx.request.query, "answered")


ECHO = Mode("echo", echo, "Echo")
''',
    "app/tools/shout.py": '''"""A tool of one line."""
from app.core.tools.tool import ToolContext, ToolResult, tool


@tool("pure")
def shout(ctx: ToolContext, text: str) -> ToolResult:
    """The text in capitals."""
    return ToolResult.success({"text": text.upper()}, text.upper())
''',
    "app/cli/hello.py": '''"""`triptych hello`."""


def add(commands) -> None:
    commands.add_parser("hello", help="says hello").set_defaults(handler=lambda args, services: 0)
''',
}
"""What a row adds as a file of its own."""

NEW_LINES = {
    # file: [(text that is there, text that takes its place)]
    "app/agent/modes/__init__.py": [
        ("from .direct import DIRECT\n", "from .direct import DIRECT\nfrom .echo import ECHO\n"),
        ("(AUTO, DIRECT, REACT, PLAN)", "(AUTO, DIRECT, REACT, PLAN, ECHO)"),
    ],
    "app/tools/__init__.py": [
        ("from .clock import current_time\n", "from .clock import current_time\nfrom .shout import shout\n"),
        ("    ask_user,\n    calculator,", "    ask_user,\n    shout,\n    calculator,"),
    ],
    "app/providers/registry/presets.py": [
        ("    Preset(\n", '    Preset("acme", "Acme", "Acme", "https://api.acme.example/v1"),\n    Preset(\n'),
    ],
    "app/core/preferences.py": [
        ("    reduced_motion: bool", '    lucky: bool = setting(False, title=N_("Lucky"), group=N_("Appearance"))\n    reduced_motion: bool'),
    ],
    "app/core/profile.py": [
        ("    max_steps: int", '    patient: bool = setting(False, title=N_("Patient"), group=N_("Mode"))\n    max_steps: int'),
    ],
    "app/cli/parser.py": [('"doctor",', '"doctor", "hello",')],
    "app/core/tools/card.py": [('    "progress",\n', '    "progress",\n    "badge",\n')],
    "app/core/tools/card_markdown.py": [
        ('    "timeline": _timeline,\n', '    "timeline": _timeline,\n    "badge": lambda payload: [str(payload["word"])],\n'),
    ],
    "app/ui/cards/__init__.py": [
        ('    "timeline": timeline,\n', '    "timeline": timeline,\n    "badge": lambda payload, theme: SafeLabel(payload["word"]),\n'),
        ("from app.ui.theme import Theme\n", "from app.ui.theme import Theme\nfrom app.ui.widgets.safe_text import SafeLabel\n"),
    ],
    "app/ui/actions.py": [
        ('    WindowCommand("quit"', '    WindowCommand("wave", N_("Wave"), ("Ctrl+Alt+W",), "hand.wave", "", "view"),\n    WindowCommand("quit"'),
    ],
}  # fmt: skip
"""What a row adds as a line."""

PROBE = """
import asyncio, json, sys
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget

from app.cli.parser import make_parser
from app.compose import build
from app.core.run.mode import mode_ids, mode_name
from app.core.setting import describe
from app.core.preferences import Preferences
from app.core.profile import AgentProfile
from app.core.tools.card_markdown import card_markdown

found = {}
Path("turns.json").write_text('{"turns": [{"content": "never asked"}]}')
services = build(Path(sys.argv[1]))


async def ask():
    await services.open()
    row = await services.sessions.create("assistant", "echo", "script/turns.json")
    handle = await services.chat.send(row.id, "say it back", "echo")
    events = [line.event async for line in handle.events()]
    await services.close()
    return getattr(events[-1], "answer", "")


found["mode is offered"] = "echo" in mode_ids() and mode_name("echo") == "Echo"
found["tool is offered"] = any(entry.name == "shout" for entry in services.tools.all_tools())
found["provider is offered"] = any(preset.id == "acme" for preset in services.providers.presets())
found["preference is in the form"] = any(info.name == "lucky" for info in describe(Preferences))
found["profile field is in the form"] = any(info.name == "patient" for info in describe(AgentProfile))
found["sub-command answers"] = make_parser().parse_args(["hello"]).command == "hello"
found["card is written"] = card_markdown("badge", {"word": "gold"}).strip() == "gold"
application = QApplication([])
from app.ui.actions import WindowActions
from app.ui.cards import make_card
from app.ui.theme import Theme

theme = Theme("light")
card = make_card({"card": "badge", "payload": {"word": "gold"}}, theme)
found["card is drawn"] = card is not None and any("gold" in label.text() for label in card.findChildren(QWidget) if hasattr(label, "text"))


class Target(QWidget):
    waved = 0

    def wave(self):
        self.waved += 1


target = Target()
actions = WindowActions(target)
actions.bind(hand=target)
actions["wave"].trigger()
found["window command runs"] = target.waved == 1
found["mode runs"] = asyncio.run(ask()) == "say it back"
print(json.dumps(found))
"""


def test_each_row_is_the_whole_way(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    for folder in ("app", "resources"):
        shutil.copytree(REPO / folder, scratch / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in NEW_FILES.items():
        (scratch / name).write_text(text, "utf-8")
    for name, changes in NEW_LINES.items():
        text = (scratch / name).read_text("utf-8")
        for old, new in changes:
            assert old in text, f"{name} has changed: {old!r}"
            text = text.replace(old, new, 1)
        (scratch / name).write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROBE, str(tmp_path / "data")],
        cwd=scratch,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "TRIPTYCH_OFFLINE": "1", "PYTHONPATH": str(scratch)},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert [row for row, works in found.items() if not works] == []
    assert len(found) == 10
