"""`triptych doctor`: what this installation is made of and what is wrong with it; and a stored run as a log.

A report is put together from what is listed here: no key, no question and no answer stands in it. With --redacted, to
be shown around, the home folder is written as ~, as it always is in the log of a run.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from app.core.errors import DataDamaged, ForThePerson, TriptychError
from app.core.text.i18n import current_language
from app.services.container import Services

from .output import json_page, table
from .parser import version
from .reading import open_to_read
from .run_log import lines_of

LIBRARIES = ("PySide6-Essentials", "qasync", "openai", "pydantic", "apsw", "markdown-it-py", "keyring")


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("doctor", help="versions, paths and checks")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--redacted", action="store_true", help="to be shown around: the home folder is written as ~")
    parser.add_argument("--run", default="", metavar="ID", help="the log of a stored run instead, without its texts")
    parser.set_defaults(handler=doctor)


async def doctor(args: argparse.Namespace, services: Services) -> int:
    if args.run:
        return await _run_log(args, services)
    database, damage = await _database(services)
    facts: dict[str, str] = {
        "triptych": version(),
        "python": f"{platform.python_version()} ({sys.executable})",
        "system": platform.platform(),
        "language": current_language(),
        "fonts": await asyncio.to_thread(_fonts),
        "data folder": str(services.data_dir),
        "data folder writable": "yes" if os.access(services.data_dir, os.W_OK) else "no",
        **{name: _library(name) for name in LIBRARIES},
        "qt platform": os.environ.get("QT_QPA_PLATFORM") or os.environ.get("XDG_SESSION_TYPE") or "default",
        "display": os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or "none",
        "key storage": await _key_storage(services),
        "database": database,
        "models": ", ".join(choice.ref for choice in services.models.choices()) or "none",
    }
    for id, answer in (await services.models.probe()).items():
        facts[f"provider {id}"] = answer
    for notice in services.settings.notices():
        names = (f"notice {notice.code}", *(f"notice {notice.code} {n}" for n in range(2, len(facts) + 2)))
        facts[next(name for name in names if name not in facts)] = notice.text
    if args.redacted:
        facts = {name: _without_home(text) for name, text in facts.items()}
    if args.json:
        json_page(facts)
    else:
        table(("what", "found"), facts.items())
    return damage or (0 if facts["data folder writable"] == "yes" else 1)


async def _run_log(args: argparse.Namespace, services: Services) -> int:
    await open_to_read(services)
    lines = lines_of(await services.runs.events(args.run))
    rows = [(t, what, _without_home(about)) for t, what, about in lines]
    if args.json:
        json_page([{"t": float(t), "what": what, "about": about} for t, what, about in rows])
    else:
        table(("seconds", "what", "about"), rows)
    return 0


def _without_home(text: str) -> str:
    """The name of a person's home folder is mostly the person's."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


def _fonts() -> str:
    """Whether Chinese can be shown, as far as the system tells without a window."""
    if sys.platform in ("win32", "darwin"):
        return "of the system"
    program = shutil.which("fc-list")
    if program is None:
        return "unknown (no fc-list)"
    try:
        done = subprocess.run([program, ":lang=zh", "family"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return "unknown (fc-list fails)"
    count = len(set(done.stdout.splitlines()))
    return f"{count} families with Chinese" if count else "none with Chinese: install fonts-noto-cjk or the like"


def _library(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        module = name.split("-", maxsplit=1)[0]
        return "in the bundle" if importlib.util.find_spec(module) else "missing"


async def _key_storage(services: Services) -> str:
    places = await services.providers.key_places()
    silent = "the keyring does not answer" if places.keyring == "silent" else ""
    held = f"{places.in_file} in the file" if places.in_file else ""
    about = ", ".join(part for part in (silent, held) if part)
    return f"{places.kind} ({about})" if about else places.kind


async def _database(services: Services) -> tuple[str, int]:
    """What is to be said of it, and the exit code that goes with it."""
    try:
        await services.open()
        problems = await services.verify()
    except TriptychError as error:
        return error.message, error.exit_code if isinstance(error, ForThePerson) else 1
    if problems:
        return f"{len(problems)} problems, see: triptych sessions verify", DataDamaged.exit_code
    return "ok", 0
