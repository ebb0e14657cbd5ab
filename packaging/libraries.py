"""What the shared libraries of a built bundle ask of the system, read from their symbols. Linux only.

`python packaging/libraries.py FOLDER` prints it: the newest glibc and libstdc++ any of them names, and the libraries
that are linked but not inside.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

Version = tuple[int, ...]


@dataclass
class Needs:
    versions: dict[str, tuple[Version, str]] = field(default_factory=dict)
    """By family (GLIBC, GLIBCXX): the newest version, and a file that names it."""
    missing: dict[str, str] = field(default_factory=dict)
    """Libraries that are linked and not in the bundle, with a file that links each."""

    def text(self, family: str) -> str:
        version, _ = self.versions.get(family, ((), ""))
        return ".".join(map(str, version))


def needs(folder: Path) -> Needs:
    found, linked = Needs(), dict[str, str]()
    inside: set[str] = set()
    for file in sorted(folder.rglob("*")):
        inside.add(file.name)
        if file.is_symlink() or not file.is_file():
            continue
        place = str(file.relative_to(folder))
        for family, version in versions(file):
            if version > found.versions.get(family, ((), ""))[0]:
                found.versions[family] = version, place
        linked.update({name: place for name in libraries(file) if name not in linked})
    found.missing = {name: place for name, place in sorted(linked.items()) if name not in inside}
    return found


def versions(file: Path) -> Iterator[tuple[str, Version]]:
    """Family and version of each versioned symbol of another library that the file needs."""
    with file.open("rb") as raw:
        if raw.read(4) != b"\x7fELF":
            return
        for section in ELFFile(raw).iter_sections():
            if isinstance(section, GNUVerNeedSection):
                for _, needed in section.iter_versions():
                    for one in needed:
                        if match := re.fullmatch(r"([A-Z]+)_([0-9.]+)", one.name):
                            yield match[1], tuple(map(int, match[2].split(".")))


def libraries(file: Path) -> list[str]:
    with file.open("rb") as raw:
        if raw.read(4) != b"\x7fELF":
            return []
        sections = [one for one in ELFFile(raw).iter_sections() if isinstance(one, DynamicSection)]
        return [tag.needed for one in sections for tag in one.iter_tags() if tag.entry.d_tag == "DT_NEEDED"]


if __name__ == "__main__":
    result = needs(Path(sys.argv[1]))
    for family, (version, where) in sorted(result.versions.items()):
        print(family, ".".join(map(str, version)), where)
    for name, where in result.missing.items():
        print("not inside:", name, "for", where)
