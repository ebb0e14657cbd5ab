"""What the program and its libraries load by name, so that no import tells PyInstaller of it. Read by triptych.spec."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

Pairs = list[tuple[str, str]]
"""A file, and the folder of the bundle it belongs into."""

VECTORS = "vec1"
"""The extension of SQLite that compares vectors; without it the program counts by itself, slowly."""


def sqlite_extension() -> tuple[Pairs, Pairs]:
    """Binaries and data of the one extension of apsw that is used; its thirty others stay out."""
    folder = Path(_place("apsw"))
    binaries = [(str(file), "apsw/sqlite_extra_binaries") for file in folder.glob(f"sqlite_extra_binaries/{VECTORS}.*")]
    if not binaries:
        raise FileNotFoundError(f"apsw has no {VECTORS}")
    return binaries, [(str(folder / "sqlite_extra.json"), "apsw")]


def optional_modules() -> list[str]:
    """Of extras that are installed here: their own modules, which compiled code imports."""
    from PyInstaller.utils.hooks import collect_submodules

    return [name for name in collect_submodules("asyncpg") if "_testbase" not in name] if find_spec("asyncpg") else []


def _place(package: str) -> str:
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec is not None else None
    if not places:
        raise ModuleNotFoundError(package)
    return places[0]
