"""What stays out of the bundle, by the lists of left_out.toml. Read by triptych.spec, at build time only.

Plug-ins, data and libraries of the system go by name, and then every shared library that nothing kept still needs.
"""

from __future__ import annotations

import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

Entry = tuple[str, str, str]
"""Place in the bundle, place on this machine, kind: as PyInstaller lists what it collects."""

LINUX = sys.platform.startswith("linux")
LISTS: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("left_out.toml").read_text("utf-8"))
EXCLUDED_MODULES = list(LISTS["modules"])

_OPENED_BY_NAME = ("libpython", "libpdfium", "vec1")
"""Libraries that nothing links: the program opens them itself."""
KEPT_METADATA = ("METADATA", "entry_points.txt")
"""What the program asks of installed packages: versions, and which plug-ins they bring."""


def slim(binaries: list[Entry], datas: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    kept = [entry for entry in binaries if not is_left_out(entry[0])]
    if LINUX:
        reached = reach(kept)
        kept = [entry for entry in kept if entry[0] in reached]
    places = {entry[0] for entry in kept}
    return kept, [entry for entry in datas if is_wanted_data(entry[0]) and not is_loose_link(entry, places)]


def is_left_out(place: str) -> bool:
    parts = PurePosixPath(place.replace("\\", "/")).parts
    if LINUX and parts[-1] in LISTS["system"]:
        return True
    if "plugins" not in parts[:-2]:
        return is_excluded_module(parts)
    stem = parts[-1].split(".")[0].removeprefix("lib").removeprefix("q").removesuffix("plugin")
    names = {f"{parts[-2]}/{stem}", f"{parts[-2]}/q{stem}"}
    return any(fnmatchcase(name, pattern) for name in names for pattern in LISTS["plugins"])


def is_excluded_module(parts: tuple[str, ...]) -> bool:
    """A compiled module that a hook collects as a file, whatever the list of modules says."""
    name = ".".join((*parts[:-1], parts[-1].split(".")[0]))
    return name in LISTS["modules"]


def is_wanted_data(place: str) -> bool:
    path = PurePosixPath(place.replace("\\", "/"))
    if LINUX and path.name in LISTS["system"]:
        return False
    if path.suffix == ".qm":
        return path.name.startswith(tuple(LISTS["translations"]))
    if path.parent.suffix == ".dist-info" and path.name in KEPT_METADATA:
        return True
    return not any(_matches(path, pattern) for pattern in LISTS["data"])


def _matches(path: PurePosixPath, pattern: str) -> bool:
    """`*` stands for anything, folders as well; what begins with `**/` holds at every depth."""
    return fnmatchcase(path.name, pattern[3:]) if pattern.startswith("**/") else fnmatchcase(str(path), pattern)


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


def wants(source: str) -> list[str]:
    """Names of the libraries a file links itself; for a link within the bundle, the name it leads to.

    Not PyInstaller's own list, which has what those link in turn, on the build machine.
    """
    from libraries import libraries

    return libraries(Path(source)) if Path(source).is_file() else [PurePosixPath(source).name]


def with_trimmed_icu(binaries: list[Entry], folder: Path) -> list[Entry]:
    """The same entries with ICU's data written anew into `folder`."""
    from icu import trimmed

    replaced: list[Entry] = []
    for place, source, kind in binaries:
        name = PurePosixPath(place).name
        if name.startswith("libicudata.so") and kind == "BINARY":
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(trimmed(Path(source), LISTS["icu"]))
            source = str(folder / name)  # noqa: PLW2901
        replaced.append((place, source, kind))
    return replaced
