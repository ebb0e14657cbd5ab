"""Where the files shipped with the program are: the same call in a checkout and in a bundle."""

from __future__ import annotations

import sys
from pathlib import Path


def resource_dir() -> Path:
    """The `resources` folder. In a frozen bundle it lies beside the unpacked modules."""
    bundle = getattr(sys, "_MEIPASS", None)
    root = Path(bundle) if bundle else Path(__file__).resolve().parents[2]
    return root / "resources"
