"""`make lock`: one universal, hashed lock for all Pythons and systems we support, and one with the test tools.

Written by uv because pip cannot resolve for other systems. No line names an index: pip uses whatever it is set to.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Dict

from building import interpreter
from building.console import BuildError, ask, call, say
from building.places import DEV_LOCK, LOCK, REPO, VENV, python

HEADER = "# Written by `make lock` from pyproject.toml. make.py installs it with --require-hashes.\n"


def lock(arguments: list[str]) -> int:
    """`--upgrade` and the like go to uv; without them, versions in the present lock are kept where they still fit."""
    uv = find_uv()
    write(uv, LOCK, arguments)
    write(uv, DEV_LOCK, ["--extra", "dev", "--constraints", LOCK.name, *arguments])
    return 0


def find_uv() -> list[str]:
    on_path = shutil.which("uv")
    if on_path:
        return [on_path]
    base = str(python(VENV)) if python(VENV).exists() else sys.executable
    if ask([base, "-m", "uv", "--version"])[0] != 0:
        say("==> Installing uv")
        if call([base, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"]) != 0:
            raise BuildError("uv is not installed and pip could not fetch it.")
    return [base, "-m", "uv"]


def write(uv: list[str], target: Path, options: list[str]) -> None:
    say(f"==> Resolving {target.name}")
    oldest = "{}.{}".format(*interpreter.OLDEST)
    form = ["--universal", "--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate", "--quiet"]
    command = [*uv, "pip", "compile", "pyproject.toml", *form, "--python-version", oldest, *options, "-o", target.name]
    if call(command, cwd=REPO, env=with_index_of_pip(dict(os.environ))) != 0:
        raise BuildError(f"uv found no set of versions for {target.name}; its messages above say why.")
    pins = target.read_text("utf-8")
    if "://" in pins or "--index" in pins:
        raise BuildError(f"{target.name} names an index or a host; take it out before committing.")
    target.write_text(HEADER + pins.replace(HEADER, ""), "utf-8")
    say(f"    {sum('==' in line for line in pins.splitlines())} packages")


def with_index_of_pip(env: Dict[str, str]) -> Dict[str, str]:
    """uv does not read pip's settings, so a mirror that pip knows is handed over."""
    code, index = ask([sys.executable, "-m", "pip", "config", "get", "global.index-url"])
    if code == 0 and "://" in index and "UV_DEFAULT_INDEX" not in env:
        env["UV_DEFAULT_INDEX"] = index.splitlines()[-1]
    return env
