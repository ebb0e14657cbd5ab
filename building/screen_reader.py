"""What a screen reader gets of the program on Linux: `python -m building.screen_reader [PROGRAM ARGUMENT…]`.

A display and a session bus of their own, the real registry of AT-SPI, and a client of it in the system's Python
(`screen_reader_client.py`). Without arguments the checkout is read; a bundle is read by naming it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping

from building import system
from building.bundle import display
from building.console import BuildError, ask, say
from building.places import REPO

PACKAGES = "xvfb dbus at-spi2-core python3-pyatspi"
CLIENT = REPO / "building" / "screen_reader_client.py"
SYSTEM_PYTHON = "/usr/bin/python3"
SECONDS = 600


def missing() -> str:
    """Why it cannot be tried here, "" if it can."""
    if not system.LINUX:
        return "AT-SPI is Linux's"
    for program in ("Xvfb", "dbus-run-session", SYSTEM_PYTHON):
        if shutil.which(program) is None:
            return f"{program} is not installed ({PACKAGES})"
    load = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
    if ask([SYSTEM_PYTHON, "-c", load])[0] != 0:
        return f"the system's Python has no AT-SPI ({PACKAGES})"
    return ""


def moments(command: List[str], env: Mapping[str, str], *, seconds: float = SECONDS) -> List[Dict[str, Any]]:
    """Runs the program under the client: what there was to hear at each moment it stopped for."""
    with tempfile.TemporaryDirectory(prefix="triptych-heard-") as place, display() as shown:
        output = Path(place, "heard.json")
        runtime = Path(place, "runtime")
        runtime.mkdir(mode=0o700)
        bus = ["dbus-run-session", "--", SYSTEM_PYTHON, str(CLIENT), str(output)]
        whole = {
            **env,
            **shown,
            "XDG_RUNTIME_DIR": str(runtime),
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        }
        done = subprocess.run([*bus, *command], env=whole, timeout=seconds, check=False, stderr=subprocess.PIPE)
        if not output.exists():
            raise BuildError(f"the client of AT-SPI ended without a word: {done.stderr.decode()[-2000:]}")
        found = json.loads(output.read_text("utf-8"))
    if found["code"] not in (0, -15):
        raise BuildError(f"the program ended with {found['code']}: {done.stderr.decode()[-2000:]}")
    return list(found["moments"])


def main(arguments: List[str]) -> int:
    reason = missing()
    if reason:
        raise BuildError(reason)
    with tempfile.TemporaryDirectory(prefix="triptych-data-") as data:
        command = arguments or [sys.executable, "-m", "app", "--data-dir", data]
        for moment in moments(command, {**os.environ, "PYTHONPATH": str(REPO)}):
            for one in moment["objects"]:
                if "showing" in one["states"]:
                    told = " · ".join(str(one[key]) for key in ("name", "value", "text") if one.get(key))
                    say("  " * len(one["path"]) + f"{one['role']}: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
