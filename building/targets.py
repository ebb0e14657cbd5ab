"""What can be asked of `make`: each target, and the function that does it."""

from __future__ import annotations

import sys

from building import bundle, checks, chores, launch, lock, packages
from building.console import BuildError, say
from building.places import REPO

TARGETS = {
    # name: (what it does, function of the remaining arguments). To add a target, add a line here and in the Makefile.
    "run": ('set up what is missing and open the window; ARGS="…" goes to the program', launch.run),
    "test": ('lint, types, import contracts and all tests; ARGS="…" goes to pytest', checks.test),
    "soak": ("the long tests: kills, cuts, a million messages; TRIPTYCH_SOAK_HOURS=24 lengthens one", checks.soak),
    "bundle": ("build the program folder and start it once in a clean environment", bundle.bundle),
    "packages": (
        "make the installer of this system (.deb, setup program, .dmg) of the built folder",
        packages.packages,
    ),
    "lock": ("write requirements.lock and requirements-dev.lock anew from pyproject.toml", lock.lock),
    "texts": ("collect the strings a person reads into resources/i18n/*.po", chores.texts),
    "screenshots": ("paint the pictures of the documents, and forty scenes to look at", chores.screenshots),
    "docs": ("build the site of the documents, in English and Chinese, and check its links and words", chores.docs),
    "coverage": ("write tests/COVERAGE.md: which promises have a test named after them", chores.coverage),
    "clean": ('remove what was built; ARGS="--all" also removes the environment', chores.clean),
}


def main(argv: list[str]) -> int:
    name, arguments = (argv[0], argv[1:]) if argv else ("help", [])
    if name in ("help", "-h", "--help"):
        show_help()
        return 0
    if name not in TARGETS:
        say(f"There is no target '{name}'. These exist:", file=sys.stderr)
        show_help()
        return 2
    try:
        return TARGETS[name][1](arguments)
    except BuildError as error:
        say(f"make {name}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        say(f"make {name}: stopped.", file=sys.stderr)
        return 130


def show_help() -> None:
    for name, (purpose, _) in TARGETS.items():
        if name == "screenshots" and not (REPO / "tests" / "gallery.py").exists():
            continue
        say(f"  make {name:<12} {purpose}")
