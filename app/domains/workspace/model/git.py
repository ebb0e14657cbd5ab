"""git asked about a folder whose settings may be somebody else's: nothing that they name is ever run.

A repository can name programs of its own: filters, hooks, monitors, pagers, signers. All of them are switched off by
name in each call, links to other folders (`.git` as a file, `core.worktree`) are refused, and no server is asked.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from app.core.errors import ToolError
from app.core.text.i18n import N_

from .commands import run

SECONDS = 30.0
_OFF = (
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.editor=true", "core.askPass=true",
    "core.sshCommand=false", "core.attributesFile=/dev/null", "credential.helper=", "gpg.program=false",
    "commit.gpgSign=false", "diff.external=", "protocol.allow=never", "submodule.recurse=false", "core.quotePath=false",
    "core.untrackedCache=false",
)  # fmt: skip
_PROGRAM = re.compile(r"(filter|diff|merge)\.(.+)\.(clean|smudge|process|required|textconv|command|driver)")


async def ask(root: Path, words: Sequence[str]) -> tuple[int, str]:
    """Exit code and output. Raises ToolError NO_REPOSITORY, NOT_INSTALLED, TIMEOUT."""
    program = await asyncio.to_thread(shutil.which, "git")
    if program is None:
        raise ToolError("NOT_INSTALLED", N_("git is not installed"))
    place = root / ".git"
    if not await asyncio.to_thread(_is_own, place):
        raise ToolError("NO_REPOSITORY", N_("the folder is no git repository of its own"))
    base = [program, f"--git-dir={place}", f"--work-tree={root}", *(word for one in _OFF for word in ("-c", one))]
    env = _environment(root)
    listed = await run(
        [*base, "config", "--local", "--no-includes", "--list", "--name-only"], root, env, SECONDS, _silent
    )
    named = [name for line in listed.output.splitlines() if (name := line.strip()) and _PROGRAM.fullmatch(name)]
    more = [word for name in named for word in ("-c", f"{name}={'false' if name.endswith('required') else ''}")]
    person = await _person(program, root)
    done = await run([*base, *more, *words], root, {**env, **person}, SECONDS, _silent)
    if done.code is None:
        raise ToolError("TIMEOUT", N_("git took longer than {n} s"), values={"n": round(SECONDS)})
    return done.code, done.output


def _is_own(place: Path) -> bool:
    return place.is_dir() and not place.is_symlink() and not (place / "commondir").exists()


def _environment(root: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(root), "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1", "GIT_CEILING_DIRECTORIES": str(root.parent),
    }  # fmt: skip


async def _person(program: str, root: Path) -> dict[str, str]:
    """Who commits, as the person has told git outside this folder."""
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(Path.home())}
    found: dict[str, str] = {}
    for key, names in (("user.name", "NAME"), ("user.email", "EMAIL")):
        result = await run([program, "config", "--global", key], root.parent, env, SECONDS, _silent)
        value = result.output.strip() if result.code == 0 else ""
        for who in ("AUTHOR", "COMMITTER"):
            found[f"GIT_{who}_{names}"] = value or ("Triptych" if names == "NAME" else "triptych@localhost")
    return found


def _silent(_text: str) -> bool:
    """Nobody follows what git says."""
    return False
