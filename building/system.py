"""What the operating system must bring: the libraries Qt links, a way to install them, a Chinese font.

Debian and Ubuntu are served by apt-get when we are root or may use sudo; elsewhere the missing thing is named.
Nothing here is asked twice: `environment.py` remembers that a machine was found complete.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path

from building.console import BuildError, ask, call, say

LINUX = sys.platform.startswith("linux")

# Qt6Gui itself links these; without them `import PySide6.QtGui` fails, offscreen or not.
QT_PACKAGES = ["libglib2.0-0", "libgl1", "libegl1", "libdbus-1-3", "libfontconfig1", "libxkbcommon0"]
# Qt6Network links these; without them a second start opens a second window.
NETWORK_PACKAGES = ["libgssapi-krb5-2", "libbrotli1", "libzstd1"]
# What the X11 plug-in links on top.
X11_PACKAGES = [
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-render-util0",
    "libxcb-shape0",
    "libxcb-xkb1",
    "libxkbcommon-x11-0",
]
FONT_PACKAGE = "fonts-noto-cjk"

# Newer Debian and Ubuntu renamed packages when time_t grew to 64 bits.
RENAMED = {"libglib2.0-0": "libglib2.0-0t64"}

LOAD_QT = "import PySide6.QtGui, PySide6.QtWidgets"
LOAD_X11 = (
    "import ctypes, pathlib, PySide6.QtGui;"
    "ctypes.CDLL(str(pathlib.Path(PySide6.__file__).parent / 'Qt/plugins/platforms/libqxcb.so'))"
)


def need_qt(python: Path, *, x11: bool) -> None:
    """Makes sure Qt loads (with `x11` also its plug-in for X11), installing packages if that is what it takes."""
    problem = qt_problem(python, x11=x11)
    if problem is None:
        return
    say(f"==> Qt does not load yet ({problem})")
    packages = QT_PACKAGES + (X11_PACKAGES if x11 else [])
    if LINUX and may_install():
        install(packages + NETWORK_PACKAGES)
        problem = qt_problem(python, x11=x11)
        if problem is None:
            return
    raise BuildError(
        "Qt cannot load ({}); please install these libraries and try again: {}.".format(problem, ", ".join(packages))
    )


def qt_problem(python: Path, *, x11: bool) -> str | None:
    """None if Qt loads; else the last line of the complaint, which names the first missing library."""
    for probe in [LOAD_QT, LOAD_X11] if x11 else [LOAD_QT]:
        code, answer = ask([python, "-c", probe])
        if code != 0:
            return answer.splitlines()[-1] if answer else f"exit code {code}"
    return None


def may_install() -> bool:
    return shutil.which("apt-get") is not None and privilege() is not None


def privilege(*, may_ask: bool = True) -> list[str] | None:
    """What to put before apt-get: nothing for root, sudo if it works (it may ask at a terminal), None if neither."""
    if not hasattr(os, "geteuid"):
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    if ask(["sudo", "-n", "true"], timeout=20)[0] == 0:
        return ["sudo", "-n"]
    return ["sudo"] if may_ask and sys.stdin.isatty() else None


def install(packages: list[str], *, may_ask: bool = True) -> bool:
    """apt-get, after one look at the package lists; True if it said all went well."""
    before = privilege(may_ask=may_ask)
    if before is None:
        return False
    quiet = [*before, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    say("==> Installing with apt-get: {}".format(" ".join(packages)))
    if call([*quiet, "update", "-qq"]) != 0:
        say("    the package lists could not be refreshed; trying with the old ones")
    wanted = [current_name(package) for package in packages]
    command = [*quiet, "install", "-y", "-q", "--no-install-recommends", *wanted]
    return call(command, counted=("Setting up ", 0)) == 0


def current_name(package: str) -> str:
    renamed = RENAMED.get(package)
    if renamed is not None and ask(["apt-cache", "show", "--no-all-versions", renamed])[0] == 0:
        return renamed
    return package


def offer_chinese_font() -> None:
    """Chinese text without such a font is a row of boxes; that is said, but it never stops the start."""
    if not LINUX or has_chinese_font():
        return
    say("==> No Chinese font was found")
    if shutil.which("apt-get") and install([FONT_PACKAGE], may_ask=False):
        return
    say(f"    Chinese text will show as boxes until one is installed, for example {FONT_PACKAGE}.")


def has_chinese_font() -> bool:
    if shutil.which("fc-list"):
        code, answer = ask(["fc-list", ":lang=zh", "family"])
        return code == 0 and bool(answer)
    names = ("cjk", "wqy", "notosanssc", "sourcehan", "droidsansfallback", "simsun", "simhei", "msyh", "uming", "ukai")
    folders = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts"]
    files = (file for folder in folders for file in folder.rglob("*.[to]t[cf]"))
    return any(name in file.name.lower().replace("-", "") for file in files for name in names)


def label() -> str:
    """As in `linux-x86_64`: for the names of archives."""
    return f"{platform.system().lower()}-{platform.machine().lower()}"
