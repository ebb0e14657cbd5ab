"""`triptych doctor`: what this installation consists of and what is wrong with it; and a stored run as a log.

A report contains only what is listed here: no key, question or answer. With --redacted the home folder is written
as ~; in the log of a run it always is.
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
from app.core.system.version import version
from app.core.text.i18n import N_, _, current_language, ngettext, using_language
from app.services.data.checks import CheckService
from app.services.data.data_folder import DataFolderService
from app.services.lifecycle import Lifecycle
from app.services.providers.models import ModelService
from app.services.providers.service import ProviderService
from app.services.runs.runs import RunService
from app.services.settings.settings import SettingsService
from app.services.tools.domain_faults import domain_faults
from app.services.tools.service import ToolService

from ..console.output import error_lines, json_page, notice_line, table
from ..console.reading import open_to_read
from ..sessions.backups import problems_found
from .run_log import lines_of

LIBRARIES = ("PySide6-Essentials", "qasync", "openai", "pydantic", "apsw", "markdown-it-py", "keyring")


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("doctor", help=_("versions, paths and checks"))
    parser.add_argument("--json", action="store_true", help=_("as JSON"))
    parser.add_argument(
        "--redacted", action="store_true", help=_("to be shown around: the home folder is written as ~")
    )
    parser.add_argument("--run", default="", metavar="ID", help=_("the log of a stored run instead, without its texts"))
    parser.set_defaults(handler=doctor)


_NAMES = {
    "system": N_("system"),
    "language": N_("language"),
    "fonts": N_("fonts"),
    "data folder": N_("data folder"),
    "data folder writable": N_("data folder writable"),
    "qt platform": N_("Qt platform"),
    "display": N_("display"),
    "key storage": N_("key storage"),
    "database": N_("database"),
    "models": N_("models"),
}
"""Of what is found, as a person reads it; JSON has the keys as they are."""
_KEY_PLACES = {"keyring": N_("keyring"), "file": N_("file"), "session": N_("this session only"), "none": N_("none")}


async def doctor(
    args: argparse.Namespace,
    *,
    settings: SettingsService,
    runs: RunService,
    providers: ProviderService,
    models: ModelService,
    tools: ToolService,
    data_folder: DataFolderService,
    lifecycle: Lifecycle,
    checks: CheckService,
) -> int:
    if args.run:
        return await _run_log(args, runs, lifecycle)
    language = current_language()
    with using_language("en" if args.json else language):
        facts, code = await _facts(settings, providers, models, data_folder, lifecycle, checks, language)
        facts |= _domains(settings, tools)
    if args.redacted:
        facts = {name: _without_home(text) for name, text in facts.items()}
    if args.json:
        json_page(facts)
    else:
        table((_("what"), _("found")), [(_shown(name), text) for name, text in facts.items()])
    return code


async def _facts(
    settings: SettingsService,
    providers: ProviderService,
    models: ModelService,
    data_folder: DataFolderService,
    lifecycle: Lifecycle,
    checks: CheckService,
    language: str,
) -> tuple[dict[str, str], int]:
    """What is found by what it is about, and the exit code that goes with it."""
    database, damage = await _database(lifecycle, checks)
    is_writable = os.access(data_folder.root, os.W_OK)
    facts: dict[str, str] = {
        "triptych": version(),
        "python": f"{platform.python_version()} ({sys.executable})",
        "system": platform.platform(),
        "language": language,
        "fonts": await asyncio.to_thread(_fonts),
        "data folder": str(data_folder.root),
        "data folder writable": _("yes") if is_writable else _("no"),
        **{name: _library(name) for name in LIBRARIES},
        "qt platform": os.environ.get("QT_QPA_PLATFORM") or os.environ.get("XDG_SESSION_TYPE") or _("default"),
        "display": os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or _("none"),
        "key storage": await _key_storage(providers),
        "database": database,
        "models": ", ".join(choice.ref for choice in models.choices()) or _("none"),
    }
    for id, answer in (await models.probe()).items():
        facts[f"provider {id}"] = answer
    for notice in settings.notices():
        names = (f"notice {notice.code}", *(f"notice {notice.code} {n}" for n in range(2, len(facts) + 2)))
        facts[next(name for name in names if name not in facts)] = notice_line(notice)
    return facts, damage or (0 if is_writable else 1)


def _domains(settings: SettingsService, tools: ToolService) -> dict[str, str]:
    """What is wrong with the agents' trades, those of plug-ins too; nothing of those that are whole."""
    names = [entry.name for entry in tools.all_tools()]
    faults = {domain.id: domain_faults(domain, names) for domain in settings.domains()}
    return {f"domain {id}": "; ".join(told) for id, told in faults.items() if told}


def _shown(name: str) -> str:
    kind, _space, rest = name.partition(" ")
    if kind == "provider" and rest:
        return _("provider {id}").format(id=rest)
    if kind == "notice" and rest:
        return _("notice {code}").format(code=rest)
    return _(_NAMES[name]) if name in _NAMES else name


async def _run_log(args: argparse.Namespace, runs: RunService, lifecycle: Lifecycle) -> int:
    await open_to_read(lifecycle)
    events = await runs.events(args.run)
    with using_language("en" if args.json else current_language()):
        lines = lines_of(events)
    rows = [(t, what, _without_home(about)) for t, what, about in lines]
    if args.json:
        json_page([{"t": float(t), "what": what, "about": about} for t, what, about in rows])
    else:
        table((_("seconds"), _("what"), _("about")), rows)
    return 0


def _without_home(text: str) -> str:
    """The name of a person's home folder is mostly the person's."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


def _fonts() -> str:
    """Whether Chinese can be shown, as far as the system tells without a window."""
    if sys.platform in ("win32", "darwin"):
        return _("of the system")
    program = shutil.which("fc-list")
    if program is None:
        return _("unknown (no fc-list)")
    try:
        done = subprocess.run([program, ":lang=zh", "family"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return _("unknown (fc-list fails)")
    count = len(set(done.stdout.splitlines()))
    if not count:
        return _("none with Chinese: install fonts-noto-cjk or the like")
    return ngettext("{n} family with Chinese", "{n} families with Chinese", count).format(n=count)


def _library(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        module = name.split("-", maxsplit=1)[0]
        return _("in the bundle") if importlib.util.find_spec(module) else _("missing")


async def _key_storage(providers: ProviderService) -> str:
    places = await providers.key_storage.places()
    silent = _("the keyring does not answer") if places.keyring == "silent" else ""
    held = _("{n} in the file").format(n=places.in_file) if places.in_file else ""
    about = ", ".join(part for part in (silent, held) if part)
    kind = places.kind if current_language() == "en" else _(_KEY_PLACES[places.kind])
    return f"{kind} ({about})" if about else kind


async def _database(lifecycle: Lifecycle, checks: CheckService) -> tuple[str, int]:
    """What is to be said of it, and the exit code that goes with it."""
    try:
        await lifecycle.open()
        problems = await checks.verify()
    except TriptychError as error:
        (what, *_do) = error_lines(error.code, error.message, "", error.params)
        return what, error.exit_code if isinstance(error, ForThePerson) else 1
    if problems:
        headline = problems_found(len(problems))
        return _("{problems}, see: triptych sessions verify").format(problems=headline), DataDamaged.exit_code
    return _("ok"), 0
