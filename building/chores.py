"""The small targets: `texts`, `screenshots`, `docs`, `coverage`, `clean`."""

from __future__ import annotations

import shutil
from pathlib import Path

from building import environment
from building.checks import headless_environment
from building.console import BuildError, ask, call, say
from building.places import BUILD, DIST, REPO, VENV

GENERATOR, SPELLING = "mkdocs==1.6.1", "codespell==2.4.3"
"""Fetched when they are first wanted: neither is part of the program or of its tests."""
SPELLED = ("docs", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
NAMES = "bund"
"""What is no word and no mistake either, in small letters: the bank of a river in Shanghai."""
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
    """`--strict`: a link or an anchor that leads nowhere stops it, and so does a word that is spelled wrongly."""
    python = environment.ensure(dev=True, x11=False)
    for module, pinned in (("mkdocs", GENERATOR), ("codespell_lib", SPELLING)):
        fetch(python, module, pinned)
    if call(
        [python, "-m", "codespell_lib", "--ignore-words-list", NAMES, "--skip", "*.zh.md,*.png", *SPELLED], cwd=REPO
    ):
        raise BuildError("words of the documents are spelled wrongly; the lines above say which.")
    code = call([python, "-m", "mkdocs", "build", "--strict", "--quiet", *arguments], cwd=REPO)
    if code == 0:
        say(f"==> {(BUILD / 'site' / 'index.html').relative_to(REPO)}")
    return code


def fetch(python: Path, module: str, pinned: str) -> None:
    if ask([python, "-c", f"import {module}"])[0] == 0:
        return
    say(f"==> Installing {pinned}")
    if call([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", pinned]) != 0:
        raise BuildError(f"{pinned} is not installed and pip could not fetch it.")


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
