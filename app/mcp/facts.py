"""What would run if a server were started now, and the fingerprint a person's consent is bound to.

Reads the program and every file named in its arguments, so that a file replaced since the consent is not started
(bad inputs C22). Blocks on the disk: called in a thread.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.core.text.i18n import _

from .config import ServerConfig, unpinned
from .environment import search_path

LARGEST_HASHED: Final = 512 * 1024 * 1024
_SHELL_SIGNS: Final = frozenset('&|<>^"%!\n\r')


class CannotRun(Exception):
    """`code`: not_found, not_executable, batch."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True, slots=True)
class StartFacts:
    """Label and value of everything that decides what happens at the start, one per line."""

    lines: tuple[tuple[str, str], ...]
    """Labels: program, argument, folder, variable, proxy, address, header, file."""
    program: str
    """The resolved path; "" for a server over HTTP."""
    unpinned: str
    """The package that is fetched in whatever version is newest."""
    open_to_others: tuple[str, ...]
    """Files of it that somebody else may write."""

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(json.dumps(self.lines, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()


def start_facts(config: ServerConfig) -> StartFacts:
    """Raises CannotRun."""
    if config.transport == "http":
        lines = [("address", config.url), *(("header", name) for name in config.headers)]
        return StartFacts(tuple(lines), "", "", ())
    program = find_program(config.command, config.cwd)
    lines = [("program", program), *(("argument", arg) for arg in config.args)]
    if config.cwd:
        lines.append(("folder", config.cwd))
    lines += [("variable", f"{name} = ${{{name}}}" if name in config.expanded else name) for name in config.env]
    if config.proxy_password:
        lines.append(("proxy", "HTTP_PROXY HTTPS_PROXY ALL_PROXY"))
    files = [program, *_files_in(config.args, config.cwd)]
    lines += [("file", f"{path} {digest}") for path in files if (digest := _digest(path))]
    others = tuple(path for path in files if _is_open_to_others(path))
    return StartFacts(tuple(lines), program, unpinned(config.command, config.args), others)


def find_program(command: str, cwd: str = "") -> str:
    """The absolute path of what would run. Raises CannotRun."""
    expanded = os.path.expanduser(command)  # noqa: PTH111 – Path would lose the difference between x and ./x
    if os.path.dirname(expanded):  # noqa: PTH120
        path = Path(cwd or Path.home(), expanded)
        if not path.is_file():
            raise CannotRun("not_found", _("there is no program {name}").format(name=path))
        if not os.access(path, os.X_OK):
            raise CannotRun("not_executable", _("{name} may not be run").format(name=path))
        return str(path)
    program = shutil.which(expanded, path=search_path())
    if program is None:
        raise CannotRun("not_found", _("there is no program {name} on the search path").format(name=command))
    return str(Path(program).absolute())


def refuse_batch(program: str, args: Iterable[str]) -> None:
    """A batch file's arguments are read once more by a shell: none of its signs may be among them."""
    if Path(program).suffix.lower() in (".bat", ".cmd") and any(_SHELL_SIGNS & set(arg) for arg in args):
        raise CannotRun("batch", _("a batch file is not started with arguments that a shell would read"))


def _files_in(args: Iterable[str], cwd: str) -> list[str]:
    """Arguments that name files: a script is as much the program as its interpreter."""
    found: list[str] = []
    for arg in args:
        if arg.startswith("-") or len(arg) > 1_024 or "\n" in arg:
            continue
        path = Path(cwd or Path.home(), arg)
        try:
            if path.is_file():
                found.append(str(path))
        except (OSError, ValueError):
            continue
    return found[:20]


def _digest(path: str) -> str:
    """ "" for what cannot be read or is larger than a program is."""
    try:
        facts = os.stat(path)  # noqa: PTH116 – links are followed: what runs is behind them
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > LARGEST_HASHED:
            return ""
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _is_open_to_others(path: str) -> bool:
    if os.name == "nt":
        return False
    try:
        return bool(Path(path).stat().st_mode & (stat.S_IWOTH | stat.S_IWGRP)) or bool(
            Path(path).parent.stat().st_mode & stat.S_IWOTH and not Path(path).parent.stat().st_mode & stat.S_ISVTX
        )
    except OSError:
        return False
