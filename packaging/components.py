"""What of others is in the bundle: found in what PyInstaller collected, never typed by hand. Read by triptych.spec.

From the one list come the licence texts (a component without one stops the build) and the bill of materials.
"""

from __future__ import annotations

import platform
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

Entry = tuple[str, str, str]
"""As in slim.py: place in the bundle, place on this machine, kind."""

HERE = Path(__file__).parent
DEBIAN_TEXTS = Path("/usr/share/doc")
QT = ("pyside6-essentials", "shiboken6")
_TEXT = ("licen", "copying", "notice", "author")


@dataclass(frozen=True)
class Component:
    name: str
    version: str
    purl: str
    """Package URL: how tools that look for known faults call it."""
    license: str
    """As its makers declare it, "" if only the texts say so."""
    texts: tuple[tuple[str, str], ...]
    """Name below `licenses/<name>/`, and the file."""


class NoLicence(Exception):
    """Of something that goes along no licence text was found."""


def components(modules: Iterable[Entry], files: Iterable[Entry]) -> list[Component]:
    """Of the modules in the archive and the files beside it. Raises NoLicence."""
    sources = {Path(source).resolve() for _, source, kind in (*modules, *files) if source and kind != "SYMLINK"}
    found = [_python()]
    for distribution in distributions():
        if _is_used(distribution, sources):
            found.append(_of_distribution(distribution))
    found += _of_system({Path(source).resolve() for _, source, kind in files if kind in ("BINARY", "EXTENSION")})
    without = sorted(one.name for one in found if not one.texts)
    if without:
        raise NoLicence(f"no licence text for: {', '.join(without)}; put it into packaging/licenses/NAME")
    return sorted({one.name: one for one in found}.values(), key=lambda one: one.name)


def _is_used(distribution: Distribution, sources: set[Path]) -> bool:
    root = Path(str(distribution.locate_file(""))).resolve()
    return any(root / str(file) in sources for file in distribution.files or () if ".dist-info" not in str(file))


def _of_distribution(distribution: Distribution) -> Component:
    name = re.sub(r"[-_.]+", "-", distribution.metadata["Name"]).lower()
    kept = HERE / "licenses" / name
    texts = [(file.name, str(file)) for file in sorted(kept.glob("*"))] if kept.is_dir() else []
    for file in sorted(distribution.files or (), key=str):
        _, is_inside, inner = str(file).partition(".dist-info/")
        if is_inside and (inner.startswith("licenses/") or inner.lower().startswith(_TEXT)):
            texts.append((inner.removeprefix("licenses/"), str(distribution.locate_file(file))))
    if name in QT:
        texts = [(text, str(HERE / "licenses" / text)) for text in ("LGPL-3.0.txt", "GPL-3.0.txt", "NOTICE.txt")]
    declared = distribution.metadata.get("License-Expression") or distribution.metadata.get("License") or ""
    purl = f"pkg:pypi/{name}@{distribution.version}"
    return Component(name, distribution.version, purl, declared if len(declared) < 80 else "", tuple(texts))


def _python() -> Component:
    """On Windows the text lies in the folder of the installation, elsewhere beside the standard library."""
    places = (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix), *map(Path, _debian_python()))
    texts = [place / name for place in places for name in ("LICENSE.txt", "LICENSE", "copyright")]
    text = next(((("LICENSE.txt", str(file)),) for file in texts if file.is_file()), ())
    version = platform.python_version()
    return Component("python", version, f"pkg:generic/python@{version}", "PSF-2.0", text)


def _debian_python() -> list[str]:
    return [str(DEBIAN_TEXTS / f"python{sys.version_info[0]}.{sys.version_info[1]}")]


def _of_system(files: set[Path]) -> list[Component]:
    """Libraries of the operating system: Debian and Ubuntu keep the terms of each package in one place."""
    ours = [Path(place).resolve() for place in (sys.prefix, sys.base_prefix)]
    found: dict[str, Component] = {}
    for file in sorted(files):
        if any(file.is_relative_to(place) for place in ours) or HERE.parent in file.parents:
            continue
        package, version = owner(file)
        text = DEBIAN_TEXTS / package / "copyright"
        if package:
            texts = (("copyright", str(text.resolve())),) if text.is_file() else ()
            found[package] = Component(package, version, f"pkg:deb/debian/{package}@{version}", "", texts)
    return list(found.values())


def owner(file: Path) -> tuple[str, str]:
    """The Debian package a file belongs to and its version; empty for none. Some are listed below `/lib`."""
    for place in (str(file), str(file).removeprefix("/usr")):
        package = _ask("dpkg-query", "-S", place).partition(":")[0]
        if package:
            return package, _ask("dpkg-query", "-W", "-f", "${Version}", package)
    return "", ""


def _ask(*command: str) -> str:
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except OSError:
        return ""
    return asked.stdout.strip() if asked.returncode == 0 else ""


def notices(found: Iterable[Component]) -> list[Entry]:
    """The texts as data files, each in a folder of its component's name; `licenses/README.txt` lists them."""
    return [(f"licenses/{one.name}/{name}", file, "DATA") for one in found for name, file in one.texts]


def bill(found: Iterable[Component], version: str) -> dict[str, object]:
    """The bill of materials, CycloneDX 1.6. Without a time or a serial number: the same parts, the same bytes."""
    reference = f"pkg:generic/triptych@{version}"
    parts = list(found)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": reference,
                "name": "triptych",
                "version": version,
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": [
            {
                "type": "library",
                "bom-ref": one.purl,
                "name": one.name,
                "version": one.version,
                "purl": one.purl,
                **({"licenses": [{"license": {"name": one.license}}]} if one.license else {}),
            }
            for one in parts
        ],
        "dependencies": [{"ref": reference, "dependsOn": [one.purl for one in parts]}],
    }
