"""`make packages`: what a person installs, made of the folder that `make bundle` built; each system makes its own."""

from __future__ import annotations

import os
import re
import sys

from building import bundle, bundle_figures
from building.console import BuildError, ask, call, say
from building.places import REPO, VENV, WINDOWS, python

RESERVED = re.compile(r"\.(example|invalid|test|localhost|local)$|[@.]example\.(com|net|org)$")
"""Addresses that reach nobody (RFC 2606)."""


def packages(_arguments: list[str]) -> int:
    if not bundle.PROGRAM.exists():
        raise BuildError("there is no bundle yet; `make bundle` builds it.")
    env = {**os.environ, "SOURCE_DATE_EPOCH": str(bundle.commit_time())}
    say(f"==> Making the package of {version()}")
    if call(command(version()), cwd=REPO, env=env) != 0:
        raise BuildError("the package could not be made; the messages above say why.")
    return 0


def command(number: str) -> list[str]:
    if WINDOWS:
        return ["iscc", "/Qp", f"/DVersion={number}", str(REPO / "packaging" / "windows" / "triptych.iss")]
    if sys.platform == "darwin":
        return ["sh", str(REPO / "packaging" / "macos" / "dmg.sh"), number]
    glibc, _ = bundle_figures.needed(bundle.FOLDER)
    return [str(python(VENV)), str(REPO / "packaging" / "linux" / "deb.py"), number, glibc, maintainer()]


def maintainer() -> str:
    """Who answers for a package: DEBFULLNAME and DEBEMAIL, as Debian's own tools ask for it, else the last author."""
    _, author = ask(["git", "-C", str(REPO), "log", "-1", "--format=%ae"])
    address = os.environ.get("DEBEMAIL") or author.strip()
    if not re.fullmatch(r"[^\s<>@]+@[^\s<>@]+\.[a-z]{2,}", address) or RESERVED.search(address):
        raise BuildError("a package names somebody who can be reached: set DEBEMAIL to your address (and DEBFULLNAME).")
    return f"{os.environ.get('DEBFULLNAME') or 'The Triptych authors'} <{address}>"


def version() -> str:
    found = re.search('^version = "(.*)"$', (REPO / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise BuildError("pyproject.toml has no version.")
    return found[1]
