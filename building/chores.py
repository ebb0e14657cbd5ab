"""The small targets: `texts`, `screenshots`, `docs`, `coverage`, `clean`."""

from __future__ import annotations

import shutil

from building import environment
from building.checks import headless_environment
from building.console import BuildError, ask, call, say
from building.places import BUILD, DIST, REPO, VENV

GENERATOR = "mkdocs==1.6.1"
CACHES = (".mypy_cache", ".ruff_cache", ".pytest_cache", ".import_linter_cache", ".hypothesis")


def texts(arguments: list[str]) -> int:
    python = environment.ensure(dev=True, x11=False)
    return call([python, "-m", "building.catalogues", *arguments], cwd=REPO)


def screenshots(arguments: list[str]) -> int:
    if not (REPO / "tests" / "gallery.py").exists():
        raise BuildError("tests/gallery.py is missing, so there is nothing to paint.")
    python = environment.ensure(dev=True, x11=False)
    command, env = [str(python), "-m", "tests.gallery"], headless_environment()
    if arguments:
        return call([*command, *arguments], cwd=REPO, env=env)
    return call(command, cwd=REPO, env=env) or call([*command, "--scenes"], cwd=REPO, env=env)


def docs(arguments: list[str]) -> int:
    """`--strict`: a link or an anchor that leads nowhere stops it. MkDocs is fetched when it is first wanted."""
    python = environment.ensure(dev=True, x11=False)
    if ask([python, "-m", "mkdocs", "--version"])[0] != 0:
        say(f"==> Installing {GENERATOR}")
        if call([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", GENERATOR]) != 0:
            raise BuildError("MkDocs is not installed and pip could not fetch it.")
    code = call([python, "-m", "mkdocs", "build", "--strict", "--quiet", *arguments], cwd=REPO)
    if code == 0:
        say(f"==> {(BUILD / 'site' / 'index.html').relative_to(REPO)}")
    return code


def coverage(_arguments: list[str]) -> int:
    python = environment.ensure(dev=True, x11=False)
    return call([python, "-m", "building.coverage"], cwd=REPO)


def clean(arguments: list[str]) -> int:
    """Only what the other targets made; `--all` includes the environment, which the next start fetches again."""
    folders = [BUILD, DIST, *(REPO / name for name in CACHES)]
    folders += [folder for root in ("app", "tests", "building") for folder in (REPO / root).rglob("__pycache__")]
    folders += [VENV] if "--all" in arguments else []
    for folder in folders:
        if folder.exists():
            say(f"==> Removing {folder.relative_to(REPO)}")
            shutil.rmtree(str(folder))
    return 0
