"""What `make bundle` measures of the built folder: size by part, what it asks of the system, starts, two builds."""

from __future__ import annotations

import importlib.util
import statistics
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Dict, List, Tuple

from building.console import BuildError, ask
from building.places import REPO, VENV, python

_SMALLEST = 1_000_000
_PAIRS = 5
_ZLIB = "compressed modules of Python"
NAMES = {
    "PySide6": "Qt and its bindings (LGPL)",
    "cryptography": "keys, encrypted backups, MCP sign-in (OpenSSL inside)",
    "pypdfium2_raw": "the text of PDF files",
    "lxml": "Word files, the readable text of web pages",
    "pydantic_core": "data of the protocols",
    "python_ripgrep": "search in a folder",
    "apsw": "SQLite",
    "resvg_py": "formulas in Word files",
    "justext": "the readable text of web pages: common words of 100 languages",
    "python_calamine": "workbooks",
    "ziamath": "formulas",
    "holidays": "public holidays",
    "asyncpg": "knowledge bases on a PostgreSQL server",
    "resources": "our own data, texts, fonts",
    "licenses": "licence texts and the bill of materials",
    "libpython": "Python",
    "python3": "Python",
    "base_library": "Python",
    "libcrypto": "Python's OpenSSL",
    "triptych": _ZLIB,
}
"""What for, by the first part of a name below the folder."""


def table(folder: Path) -> str:
    """Each part of a megabyte or more, the rest as one line."""
    sizes: Dict[str, int] = {}
    for file in folder.rglob("*"):
        if file.is_file() and not file.is_symlink():
            parts = file.relative_to(folder).parts
            part = parts[1] if parts[0] == "_internal" and len(parts) > 1 else parts[0]
            if part == "PySide6":
                part = f"PySide6 {'libraries' if 'lib' in parts else 'plug-ins' if 'plugins' in parts else 'bindings'}"
            sizes[part] = sizes.get(part, 0) + file.stat().st_size
    large = sorted(((size, part) for part, size in sizes.items() if size >= _SMALLEST), reverse=True)
    lines = [f"    {size / 1e6:6.1f} MB  {part:<28} {_purpose(part)}" for size, part in large]
    rest = sum(sizes.values()) - sum(size for size, _ in large)
    return "\n".join([*lines, f"    {rest / 1e6:6.1f} MB  {len(sizes) - len(large)} smaller parts"])


def _purpose(part: str) -> str:
    return next((words for name, words in NAMES.items() if part.startswith(name)), "")


def needed(folder: Path) -> Tuple[str, str]:
    """The newest glibc that a library of it names, and what else. Linux only.

    In the environment's Python: the reader of libraries is installed there, not where `make.py` runs.
    """
    code, answer = ask([python(VENV), REPO / "packaging" / "libraries.py", folder])
    if code != 0:
        raise BuildError(f"the libraries of the bundle could not be read: {answer}")
    versions = dict(line.split()[:2] for line in answer.splitlines() if not line.startswith("not inside"))
    outside = [line.split()[2] for line in answer.splitlines() if line.startswith("not inside")]
    return versions["GLIBC"], f"GLIBCXX_{versions['GLIBCXX']}, and of the system: {', '.join(outside)}"


def packaging_module(name: str) -> ModuleType:
    """`packaging` is no package: a distribution of that name exists."""
    spec = importlib.util.spec_from_file_location(f"triptych_{Path(name).name}", str(REPO / "packaging" / f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def starts(
    program: List[str], source: List[str], env: Dict[str, str], home: str, *, pairs: int = _PAIRS
) -> Tuple[float, float]:
    """Seconds of a whole `--smoke` (start, services, one answer, end): the bundle, and the checkout, in turn."""
    taken: Tuple[List[float], List[float]] = ([], [])
    for pair in range(pairs + 1):
        for command, seconds, folder in ((program, taken[0], home), (source, taken[1], str(REPO))):
            began = time.monotonic()
            subprocess.run([*command, "--smoke"], cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)
            if pair:  # the first of each warms the caches of the disk
                seconds.append(time.monotonic() - began)
    return statistics.median(taken[0]), statistics.median(taken[1])


def differences(one: Path, other: Path) -> List[str]:
    """Files that are not the same in two builds, with how many bytes differ and where the first one stands."""
    found = []
    names = {str(file.relative_to(root)) for root in (one, other) for file in root.rglob("*") if file.is_file()}
    for name in sorted(names):
        if not (one / name).exists() or not (other / name).exists():
            found.append(f"{name}: in one of them only")
            continue
        first, second = (one / name).read_bytes(), (other / name).read_bytes()
        if first == second:
            continue
        apart = [place for place, (a, b) in enumerate(zip(first, second)) if a != b]
        begin = f", from byte {apart[0]}" if apart else ""
        found.append(f"{name}: {len(apart) + abs(len(first) - len(second))} of {len(first)} bytes{begin}")
    return found
