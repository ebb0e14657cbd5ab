"""A new domain is a folder and one line: in a scratch copy it works everywhere, and no other agent changes."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from app.compose import build
from app.services.container import Services

REPO = Path(__file__).resolve().parents[2]
TALLY = REPO / "tests" / "domains" / "tally"
NEEDED = ("conftest.py", "fakes.py", "grammar.py", "floor.py", "end2end/conftest.py", "domains/test_new_domain.py",
          "ui/screen.py", "rigs/domain_imports.py")  # fmt: skip


async def other_agents(services: Services, domain: str) -> dict[str, Any]:
    """All that another domain could change of the agents that are not its own."""
    agents = [profile for profile in services.settings.profiles() if profile.domain != domain]
    tools = {profile.id: await services.tools.tools(profile.id) for profile in agents}
    return {
        "default": services.models.default_agent(),
        "agents": {
            profile.id: [
                profile.model_dump(mode="json"),
                [[tool.name, tool.description, dict(tool.parameters)] for tool in tools[profile.id]],
                services.models.reference(profile),
            ]
            for profile in agents
        },
    }


def test_a_folder_and_a_line_are_a_domain(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    for folder in ("app", "resources"):
        shutil.copytree(REPO / folder, scratch / folder)  # compiled files too: they are good for the copy
    for name in NEEDED:
        (scratch / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPO / "tests" / name, scratch / "tests" / name)
    shutil.copy(REPO / "pyproject.toml", scratch)
    shutil.copy(TALLY / "walk.py", scratch / "tests" / "end2end" / "test_walk.py")

    (scratch / "app/domains/tally").mkdir()
    shutil.copy(TALLY / "domain.py", scratch / "app/domains/tally/__init__.py")
    (scratch / "resources/tally/profiles").mkdir(parents=True)
    shutil.copy(TALLY / "profile.toml", scratch / "resources/tally/profiles/tally.toml")
    shutil.copy(TALLY / "offline.toml", scratch / "resources/tally/offline.toml")
    line = scratch / "app/domains/__init__.py"
    line.write_text(line.read_text("utf-8").replace("NAMES = (", 'NAMES = ("tally", ', 1), "utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "tests/end2end/test_walk.py"],
        cwd=scratch,
        env={**os.environ, "PYTHONPATH": str(scratch), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    before = json.loads(json.dumps(asyncio.run(other_agents(build(tmp_path / "data", {}), "tally"))))
    assert json.loads((scratch / "others.json").read_text("utf-8")) == before
