"""`triptych sessions backup`, `restore` and `verify`: copies, the bin, and whether all is whole."""

from __future__ import annotations

import argparse
from typing import Any

from app.core.text.i18n import _, ngettext
from app.core.text.moments import MINUTE, time_text
from app.services.data.backups import Backup, BackupService
from app.services.data.checks import CheckService
from app.services.data.sessions import SessionService
from app.services.lifecycle import Lifecycle

from ..console.output import json_page, say, table, tell
from ..console.reading import open_to_read


def add_actions(actions: Any) -> None:
    backing: argparse.ArgumentParser = actions.add_parser("backup", help=_("make a backup of everything, or list them"))
    backing.add_argument("--list", action="store_true", help=_("the backups, newest first"))
    backing.add_argument("--json", action="store_true", help=_("with --list"))
    backing.set_defaults(handler=backup)
    restoring: argparse.ArgumentParser = actions.add_parser("restore", help=_("out of the bin, or from a backup"))
    what = restoring.add_mutually_exclusive_group(required=True)
    what.add_argument("id", nargs="?", metavar="ID", help=_("a session that is in the bin"))
    what.add_argument("--backup", metavar="NAME|latest", help=_("restore everything from this backup"))
    restoring.set_defaults(handler=restore)
    verifying: argparse.ArgumentParser = actions.add_parser("verify", help=_("check every row and say what was found"))
    verifying.add_argument("--repair", action="store_true", help=_("set right what logs and checksums prove"))
    verifying.set_defaults(handler=verify)


async def backup(args: argparse.Namespace, *, backups: BackupService) -> int:
    if not args.list:
        say(str((await backups.make()).path))
        return 0
    rows = backups.rows()
    if args.json:
        json_page([{"name": row.name, "path": str(row.path), "made": row.made, "size": row.size} for row in rows])
    else:
        table((_("copy"), _("made"), _("bytes")), [(row.name, _when(row), row.size) for row in rows])
    return 0


async def restore(
    args: argparse.Namespace, *, sessions: SessionService, backups: BackupService, lifecycle: Lifecycle
) -> int:
    if args.backup is None:
        await lifecycle.open()
        await sessions.bin.restore(args.id)
        return 0
    done = await backups.restore(args.backup)
    say(_("restored {name}, made {time}").format(name=done.backup.name, time=_when(done.backup)))
    if done.before is not None:
        say(_("what was there before is in {path}").format(path=done.before.path))
    if done.damaged is not None:
        say(_("the database that was there is {path}").format(path=done.damaged))
        salvaged = done.salvaged
        words = _("read out of it: {messages} messages, {sessions} of the sessions were not in the backup")
        say(words.format(messages=salvaged.messages, sessions=salvaged.sessions))
    await lifecycle.open()
    return 0


async def verify(
    args: argparse.Namespace, *, backups: BackupService, lifecycle: Lifecycle, checks: CheckService
) -> int:
    if args.repair:
        await lifecycle.open()
        for repaired in await checks.repair():
            say(repaired)
    else:
        await open_to_read(lifecycle)
    problems = await checks.verify()
    for problem in problems:
        say(problem)
    say(problems_found(len(problems)))
    if problems and (copy := await backups.newest_good()) is not None:
        words = _("the newest sound backup is {path}: `triptych sessions restore --backup latest`")
        tell("  " + words.format(path=copy.path))
    return 6 if problems else 0


def problems_found(count: int) -> str:
    return ngettext("{n} problem", "{n} problems", count).format(n=count) if count else _("no problems")


def _when(row: Backup) -> str:
    return time_text(row.made, MINUTE) or _("at an unknown time")
