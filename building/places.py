"""Where things lie in the checkout. The only module that knows the layout of a virtual environment."""

from __future__ import annotations

import os
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
VENV = REPO / ".venv"
LOCK = REPO / "requirements.lock"
DEV_LOCK = REPO / "requirements-dev.lock"
DIST = REPO / "dist"
BUILD = REPO / "build"

WINDOWS = os.name == "nt"


def scripts(venv: Path) -> Path:
    return venv / ("Scripts" if WINDOWS else "bin")


def python(venv: Path) -> Path:
    return scripts(venv) / ("python.exe" if WINDOWS else "python")
