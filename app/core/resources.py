"""Where the files shipped with the program are: the same call in a checkout and in a bundle."""

from __future__ import annotations

import sys
from pathlib import Path


def resource_dir() -> Path:
    """The `resources` folder: beside the unpacked modules of a bundle, inside an installed package,
    else beside `app` in a checkout."""
    if bundle := getattr(sys, "_MEIPASS", None):
        return Path(bundle) / "resources"
    package = Path(__file__).resolve().parents[1]
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"


def domain_dir(id: str) -> Path:
    """All that a built-in domain brings beside code: profiles, offline rules, data."""
    return resource_dir() / id
