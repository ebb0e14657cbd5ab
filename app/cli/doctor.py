"""`triptych doctor`: what this installation is made of and what is wrong with it."""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import sys
from importlib import metadata
from typing import Any

from app.core.errors import DataDamaged, ForThePerson, TriptychError
from app.core.i18n import current_language
from app.services.all import Services

from .output import json_page, table
from .parser import version

LIBRARIES = ("PySide6-Essentials", "qasync", "openai", "pydantic", "apsw", "markdown-it-py", "keyring")


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("doctor", help="versions, paths and checks")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(handler=doctor)


async def doctor(args: argparse.Namespace, services: Services) -> int:
    database, damage = await _database(services)
    facts: dict[str, str] = {
        "triptych": version(),
        "python": f"{platform.python_version()} ({sys.executable})",
        "system": platform.platform(),
        "language": current_language(),
        "data folder": str(services.data_dir),
        "data folder writable": "yes" if os.access(services.data_dir, os.W_OK) else "no",
        **{name: _library(name) for name in LIBRARIES},
        "qt platform": os.environ.get("QT_QPA_PLATFORM") or os.environ.get("XDG_SESSION_TYPE") or "default",
        "display": os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or "none",
        "key storage": await services.providers.key_storage(),
        "database": database,
        "models": ", ".join(choice.ref for choice in services.models.choices()) or "none",
    }
    for id, answer in (await services.models.probe()).items():
        facts[f"provider {id}"] = answer
    for notice in services.settings.notices():
        facts[f"notice {notice.code}"] = notice.text
    if args.json:
        json_page(facts)
    else:
        table(("what", "found"), facts.items())
    return damage or (0 if facts["data folder writable"] == "yes" else 1)


def _library(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        module = name.split("-", maxsplit=1)[0]
        return "in the bundle" if importlib.util.find_spec(module) else "missing"


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
