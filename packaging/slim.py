"""What stays out of the bundle. Read by triptych.spec, at build time only.

The wheel of Qt brings plug-ins for televisions and cars, and one of them (the GTK theme) drags the whole desktop of
the build machine along. We drop such plug-ins by name, and then every shared library that nothing kept still needs.
"""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath

Entry = tuple[str, str, str]
"""Place in the bundle, place on this machine, kind: as PyInstaller lists what it collects."""

DROPPED_PLUGINS = {
    "egldeviceintegrations": "*",  # screens without a window system
    "generic": "*",  # raw input devices for those
    "imageformats": "icns tga tiff wbmp pdf",
    "networkinformation": "*",
    "platforminputcontexts": "qtvirtualkeyboard",  # GPL only
    "platforms": "eglfs linuxfb minimal minimalegl vkkhrdisplay vnc",
    "platformthemes": "gtk3",
    "qmltooling": "*",
    "sqldrivers": "*",  # apsw brings its own SQLite
    "tls": "*",  # requests go through Python's ssl; Qt's network library is there for the door of the first window
    "vectorimageformats": "*",
    "wayland-graphics-integration-server": "*",
}

EXCLUDED_MODULES = [
    "readline",  # libreadline is GPL
    "tkinter",
    "pydantic.v1",
    "pkg_resources",
    "setuptools",
    "pip",
    "pytest",
    "_pytest",
    "mypy",
    "hypothesis",
    "babel",
    "PySide6.QtQml",
    "PySide6.QtQuick",
    "PySide6.QtSql",
    "PySide6.QtTest",
]

_OPENED_BY_NAME = ("libpython", "libpdfium", "vec1")
"""Libraries that nothing links: the program opens them itself."""
KEPT_TRANSLATIONS = ("qtbase_zh", "qtbase_en", "qt_zh_CN", "qt_en")


def slim(binaries: list[Entry], datas: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    kept = [entry for entry in binaries if not is_dropped_plugin(entry[0])]
    if sys.platform.startswith("linux"):
        reached = reach(kept)
        kept = [entry for entry in kept if entry[0] in reached]
    places = {entry[0] for entry in kept}
    return kept, [entry for entry in datas if is_wanted_data(entry[0]) and not is_loose_link(entry, places)]


def is_dropped_plugin(place: str) -> bool:
    parts = PurePosixPath(place.replace("\\", "/")).parts
    if "plugins" not in parts[:-2]:
        return False
    kind, file = parts[-2], parts[-1]
    dropped = DROPPED_PLUGINS.get(kind, "").split()
    name = file.split(".")[0].removeprefix("lib").removeprefix("q").removesuffix("plugin")
    return "*" in dropped or name in dropped or f"q{name}" in dropped


def is_wanted_data(place: str) -> bool:
    path = PurePosixPath(place.replace("\\", "/"))
    if path.suffix == ".qm":
        return path.name.startswith(KEPT_TRANSLATIONS)
    return not ("PySide6" in path.parts and "qml" in path.parts)


def is_loose_link(entry: Entry, places: set[str]) -> bool:
    """PyInstaller links Qt's libraries into the top folder; without its library a link leads nowhere."""
    place, target, kind = entry
    return kind == "SYMLINK" and ".so" in place and str(PurePosixPath(place).parent / target) not in places


def is_bare_library(entry: Entry) -> bool:
    """A shared library that is there for others only: not a module Python imports, not a plug-in Qt looks for."""
    place, _, kind = entry
    return kind in ("BINARY", "SYMLINK") and "plugins" not in PurePosixPath(place).parts


def reach(entries: list[Entry]) -> set[str]:
    """The places of all modules and plug-ins, of Python, and of the libraries these link, directly or not."""
    by_file: dict[str, list[str]] = {}
    for place, _, _ in entries:
        by_file.setdefault(PurePosixPath(place).name, []).append(place)
    sources = {place: source for place, source, _ in entries}
    open_places = [entry[0] for entry in entries if not is_bare_library(entry)]
    open_places += [place for place in sources if PurePosixPath(place).name.startswith(_OPENED_BY_NAME)]
    reached: set[str] = set()
    while open_places:
        place = open_places.pop()
        if place in reached:
            continue
        reached.add(place)
        for library in wants(sources[place]):
            open_places += by_file.get(library, [])
    return reached


def wants(source: str) -> set[str]:
    """Names of the libraries a file links; for a link within the bundle, the name it leads to."""
    from PyInstaller.depend.bindepend import get_imports

    if not Path(source).is_file():
        return {PurePosixPath(source).name}
    return {PurePosixPath(name).name for name, _ in get_imports(source)}
