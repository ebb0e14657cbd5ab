"""git asked about a folder whose settings may be somebody else's: nothing that they name is ever run.

A repository can name programs of its own: filters, hooks, monitors, pagers, signers, ways to a server. All of them are
switched off in each call, those that it names itself by the very names that git reads, from every file it reads. What
would lead to another repository (`.git` as a file, links below it, alternates, `core.worktree`) is refused, and no
server is asked. Where there is a sandbox git runs inside it as well.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.core.errors import ToolError
from app.core.text.i18n import N_

from .commands import CommandOutcome, run, sandbox, sandboxed, unheard

SECONDS = 30.0
_OFF = (
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.editor=true", "core.askPass=true",
    "core.sshCommand=false", "core.attributesFile=/dev/null", "credential.helper=", "gpg.program=false",
    "commit.gpgSign=false", "diff.external=", "protocol.allow=never", "submodule.recurse=false", "core.quotePath=false",
    "core.untrackedCache=false", "diff.ignoreSubmodules=all", "status.submoduleSummary=false", "maintenance.auto=false",
)  # fmt: skip
_PROGRAM = re.compile(r"(filter|diff|merge)\.(.+)\.(clean|smudge|process|required|textconv|command|driver)", re.DOTALL)
_MOST_PROGRAMS = 500
_ELSEWHERE = ("commondir", "objects/info/alternates", "objects/info/http-alternates")
"""Files that say where another repository is."""
_NOT_READ = ("hooks", "annex", "lfs")
"""Folders of `.git` that these calls do not touch: links are usual there."""


async def ask(root: Path, words: Sequence[str]) -> tuple[int, str]:
    """Exit code and output. Raises ToolError NO_REPOSITORY, NOT_INSTALLED, TIMEOUT."""
    program = await asyncio.to_thread(shutil.which, "git")
    if program is None:
        raise ToolError("NOT_INSTALLED", N_("git is not installed"))
    place = root / ".git"
    if not await asyncio.to_thread(_is_own, place):
        raise ToolError("NO_REPOSITORY", N_("the folder is no git repository of its own"))
    bwrap = await asyncio.to_thread(sandbox)
    base = [program, f"--git-dir={place}", f"--work-tree={root}", *(word for one in _OFF for word in ("-c", one))]
    env = _environment(root)

    async def said(more: Sequence[str], env: Mapping[str, str]) -> CommandOutcome:
        line = [*base, *more]
        done = await run(sandboxed(line, root, root, bwrap) if bwrap else line, root, env, SECONDS, unheard)
        if done.code is None:
            raise ToolError("TIMEOUT", N_("git took longer than {n} s"), values={"n": round(SECONDS)})
        return done

    listed = await said(["config", "--includes", "--list", "--name-only", "-z"], env)
    named = [name for name in dict.fromkeys(listed.output.split("\0")) if _PROGRAM.fullmatch(name)]
    if listed.code or listed.cut or len(named) > _MOST_PROGRAMS:
        raise ToolError("NO_REPOSITORY", N_("the settings of the git repository cannot be read"))
    done = await said(words, {**env, **_switched_off(named), **await _person(program, root)})
    assert done.code is not None
    return done.code, done.output


def _switched_off(names: Sequence[str]) -> dict[str, str]:
    """The programs a repository names, each set to nothing: by the environment, which takes every name as it is."""
    env = {"GIT_CONFIG_COUNT": str(len(names))}
    for number, name in enumerate(names):
        env[f"GIT_CONFIG_KEY_{number}"] = name
        env[f"GIT_CONFIG_VALUE_{number}"] = "false" if name.endswith(".required") else ""
    return env


def _is_own(place: Path) -> bool:
    """Whether everything git reads of it is in it."""
    if not place.is_dir() or place.is_symlink() or any(os.path.lexists(place / name) for name in _ELSEWHERE):
        return False
    for above, folders, files in os.walk(place):
        if above == str(place):
            folders[:] = [name for name in folders if name not in _NOT_READ or Path(above, name).is_symlink()]
        if any(os.path.islink(os.path.join(above, name)) for name in (*folders, *files)):  # noqa: PTH114, PTH118 - many
            return False
    return True


def _environment(root: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(root), "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1", "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1", "GIT_CEILING_DIRECTORIES": str(root.parent),
    }  # fmt: skip


async def _person(program: str, root: Path) -> dict[str, str]:
    """Who commits, as the person has told git outside this folder."""
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(Path.home())}
    found: dict[str, str] = {}
    for key, names in (("user.name", "NAME"), ("user.email", "EMAIL")):
        result = await run([program, "config", "--global", key], root.parent, env, SECONDS, unheard)
        value = result.output.strip() if result.code == 0 else ""
        for who in ("AUTHOR", "COMMITTER"):
            found[f"GIT_{who}_{names}"] = value or ("Triptych" if names == "NAME" else "triptych@localhost")
    return found
