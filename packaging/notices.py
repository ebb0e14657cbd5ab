"""Licence texts of the operating system's libraries that go along in the bundle. Read by triptych.spec.

Qt links some (Kerberos and Brotli by its network library, GLib, fonts, X11); Debian and Ubuntu keep the terms of each
package in one place. Elsewhere there is no such place, and nothing is found.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

Entry = tuple[str, str, str]
"""As in slim.py: place in the bundle, place on this machine, kind."""
DOCUMENTS = Path("/usr/share/doc")


def notices(binaries: Iterable[Entry], documents: Path = DOCUMENTS) -> list[Entry]:
    """The texts as data files, each in a folder of its package's name."""
    ours = Path(sys.prefix).resolve()
    sources = {Path(source).resolve() for _, source, kind in binaries if kind in ("BINARY", "EXTENSION")}
    found: list[Entry] = []
    for package in sorted({owner(file) for file in sources if not file.is_relative_to(ours)} - {""}):
        text = documents / package / "copyright"
        if text.is_file():
            found.append((f"licenses/{package}/copyright", str(text.resolve()), "DATA"))
    return found


def owner(file: Path) -> str:
    """The Debian package a file belongs to, "" for none. Some are listed below `/lib`, which is `/usr/lib` today."""
    for place in (str(file), str(file).removeprefix("/usr")):
        try:
            asked = subprocess.run(["dpkg-query", "-S", place], capture_output=True, text=True, timeout=60, check=False)
        except OSError:
            return ""
        if asked.returncode == 0:
            return asked.stdout.partition(":")[0]
    return ""
